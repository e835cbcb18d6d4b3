/* SPDX-License-Identifier: BSD-2-Clause */
/* text_append.h: lists in a buffer, as text. */
#ifndef NETCOST_TEXT_APPEND_H
#define NETCOST_TEXT_APPEND_H

#include <stddef.h>

/* Appends to a list: the text, after `between` if something is there already. What does not fit is left out. */
__attribute__((format(printf, 4, 5))) void text_append(char *list, size_t size, const char *between,
						       const char *fmt, ...);

#endif
