/* SPDX-License-Identifier: BSD-2-Clause */
/* text_append.h: builds lists in a text buffer, and wraps lines. */
#ifndef NETCOST_TEXT_APPEND_H
#define NETCOST_TEXT_APPEND_H

#include <stddef.h>
#include <stdio.h>

/* Appends the text to a list, after `between` unless the list is empty. What does not fit is omitted. */
__attribute__((format(printf, 4, 5))) void text_append(char *list, size_t size, const char *between,
						       const char *fmt, ...);

#define TEXT_COLUMNS 100 /* the default width of a line */

/*
 * Returns the width of what fd writes to: the terminal's, otherwise $COLUMNS; 0: neither is known.
 */
unsigned int text_columns(int fd);

/*
 * Writes s, wrapped between words, in lines of `columns` columns; the first line begins at column
 * `at`, further lines at `indent`.
 */
void text_wrap(FILE *out, int at, int indent, int columns, const char *s);

#endif
