/* SPDX-License-Identifier: BSD-2-Clause */
/* text_append.h: builds lists in a text buffer. */
#ifndef NETCOST_TEXT_APPEND_H
#define NETCOST_TEXT_APPEND_H

#include <stddef.h>

/* Appends the text to a list, after `between` unless the list is empty. What does not fit is omitted. */
__attribute__((format(printf, 4, 5))) void text_append(char *list, size_t size, const char *between,
						       const char *fmt, ...);

#endif
