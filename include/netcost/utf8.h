/* SPDX-License-Identifier: BSD-2-Clause */
/* utf8.h: what is UTF-8, and what is just bytes: task and interface names may be any. */
#ifndef NETCOST_UTF8_H
#define NETCOST_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the UTF-8 sequence at s (n bytes left), 0 if there is none: RFC 3629, table 3-7. */
size_t utf8_len(const unsigned char *s, size_t n);

/* Where there is none: how many bytes one U+FFFD stands for. Unicode's "maximal subpart"; at least 1. */
size_t utf8_bad_len(const unsigned char *s, size_t n);

/*
 * Whether the sequence (of utf8_len() bytes) controls a terminal or the order of what is shown after it, instead of being shown
 * itself: U+0000 to U+001F, U+007F to U+009F, and the embeddings, overrides and isolates of bidirectional text, U+202A to
 * U+202E and U+2066 to U+2069 (Unicode standard annex 9).
 */
bool utf8_is_control(const unsigned char *s, size_t len);

/* The code point of the sequence. */
unsigned int utf8_code(const unsigned char *s, size_t len);

#endif
