/* SPDX-License-Identifier: BSD-2-Clause */
/* text_append.h: builds lists in a text buffer, and wraps lines. */
#ifndef NETCOST_TEXT_APPEND_H
#define NETCOST_TEXT_APPEND_H

#include <stddef.h>
#include <stdio.h>

/*
 * Appends a text to a list. `between` is put in front of the text unless the list is empty. Text that exceeds the
 * buffer is omitted.
 */
__attribute__((format(printf, 4, 5))) void text_append(char *list, size_t size, const char *between,
						       const char *fmt, ...);

#define TEXT_COLUMNS 100 /* the default width of a line */

/*
 * Returns the width of the device to which fd writes: the width of the terminal, otherwise $COLUMNS, or 0 if neither is
 * known.
 */
unsigned int text_columns(int fd);

/*
 * Writes s in lines of `columns` columns, wrapped between words. The first line begins at column `at`, and further
 * lines begin at column `indent`.
 */
void text_wrap(FILE *out, int at, int indent, int columns, const char *s);

#endif
