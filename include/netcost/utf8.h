/* SPDX-License-Identifier: BSD-2-Clause */
/* utf8.h: distinguishes UTF-8 from other bytes. Names of tasks and interfaces may consist of any bytes. */
#ifndef NETCOST_UTF8_H
#define NETCOST_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the length of the UTF-8 sequence at s, where n bytes are left, or 0 if the sequence is invalid (RFC 3629;
 * Unicode standard, table 3-7).
 */
size_t utf8_len(const unsigned char *s, size_t n);

/* Returns the number of invalid bytes that one U+FFFD replaces, at least 1. This is Unicode's "maximal subpart". */
size_t utf8_bad_len(const unsigned char *s, size_t n);

/*
 * Returns true if the sequence of utf8_len() bytes is a control character. A control character is not visible, but
 * affects a terminal or the order of the text after it. The control characters are U+0000 to U+001F, U+007F to U+009F,
 * and the embeddings, overrides and isolates of bidirectional text, U+202A to U+202E and U+2066 to U+2069 (Unicode
 * standard annex 9).
 */
bool utf8_is_control(const unsigned char *s, size_t len);

/* Returns the code point of the sequence. */
unsigned int utf8_code(const unsigned char *s, size_t len);

#endif
