/* SPDX-License-Identifier: BSD-2-Clause */
/* mp_pack.h: writes msgpack into memory, each value in its shortest form. */
#ifndef NETCOST_MP_PACK_H
#define NETCOST_MP_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mp.h"

/* ---- writing at an address with enough room ---------------------------------------------- */

#define MP_NUMBER_BYTES 9 /* maximum bytes of a number */
#define MP_HEAD_BYTES 5	  /* maximum bytes of the header of a string, array or map */

static inline uint8_t *mp_put_be(uint8_t *p, uint64_t v, unsigned int bytes)
{
	while (bytes--)
		*p++ = (uint8_t)(v >> 8 * bytes);
	return p;
}

/* Writes an unsigned number. A number above INT64_MAX is written as nil. */
static inline uint8_t *mp_put_uint(uint8_t *p, uint64_t v)
{
	unsigned int log = v <= UINT8_MAX ? 0 : v <= UINT16_MAX ? 1 : v <= UINT32_MAX ? 2 : 3;

	if (v < 0x80 || v == UINT64_MAX) {
		*p++ = v < 0x80 ? (uint8_t)v : 0xc0;
		return p;
	}
	*p++ = (uint8_t)(0xcc + log);
	return mp_put_be(p, v, 1u << log);
}

static inline uint8_t *mp_put_int(uint8_t *p, int64_t v)
{
	unsigned int log = v >= INT8_MIN ? 0 : v >= INT16_MIN ? 1 : v >= INT32_MIN ? 2 : 3;

	if (v >= 0)
		return mp_put_uint(p, (uint64_t)v);
	if (v >= -32) {
		*p++ = (uint8_t)v;
		return p;
	}
	*p++ = (uint8_t)(0xd0 + log);
	return mp_put_be(p, (uint64_t)v, 1u << log);
}

/* Writes the header of a value with n bytes, elements or pairs. */
static inline uint8_t *mp_put_head(uint8_t *p, enum mp_kind kind, size_t n)
{
	uint8_t fixed = kind == MP_STR ? 0xa0 : kind == MP_ARRAY ? 0x90 : 0x80;
	uint8_t wide = kind == MP_STR ? 0xda : kind == MP_ARRAY ? 0xdc : 0xde;

	if (n < 16 || (kind == MP_STR && n < 32)) {
		*p++ = (uint8_t)(fixed | n);
		return p;
	}
	if (kind == MP_STR && n <= UINT8_MAX) {
		*p++ = 0xd9;
		return mp_put_be(p, n, 1);
	}
	*p++ = n <= UINT16_MAX ? wide : (uint8_t)(wide + 1);
	return mp_put_be(p, n, n <= UINT16_MAX ? 2 : 4);
}

/* ---- writing at the end of a buffer ------------------------------------------------------ */

/* A buffer that grows. A zeroed buffer is empty. */
struct mp_buf {
	uint8_t *p;
	size_t n, size;
	bool failed; /* memory ran out, and the content is incomplete */
};

void mp_buf_free(struct mp_buf *b);
/*
 * Returns room for n more bytes, or NULL if memory ran out. Bytes that are written there become part of the buffer when
 * mp_buf_end() is called.
 */
uint8_t *mp_buf_room(struct mp_buf *b, size_t n);
void mp_buf_end(struct mp_buf *b, const uint8_t *end);

void mp_buf_bytes(struct mp_buf *b, const void *p, size_t n);
void mp_buf_uint(struct mp_buf *b, uint64_t v);
void mp_buf_int(struct mp_buf *b, int64_t v);
void mp_buf_head(struct mp_buf *b, enum mp_kind kind, size_t n);
void mp_buf_str(struct mp_buf *b, const void *s, size_t n);

#endif
