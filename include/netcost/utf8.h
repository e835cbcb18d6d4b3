/* SPDX-License-Identifier: BSD-2-Clause */
/* utf8.h: what is UTF-8, and what is just bytes: task and interface names may be any. */
#ifndef NETCOST_UTF8_H
#define NETCOST_UTF8_H

#include <stddef.h>

/* Length of the UTF-8 sequence at s (n bytes left), 0 if there is none: RFC 3629, table 3-7. */
size_t utf8_len(const unsigned char *s, size_t n);

/* Where there is none: how many bytes one U+FFFD stands for. Unicode's "maximal subpart"; at least 1. */
size_t utf8_bad_len(const unsigned char *s, size_t n);

#endif
