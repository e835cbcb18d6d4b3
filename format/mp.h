/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mp.h: reads msgpack sequentially from untrusted memory.
 *
 * msgpack-c's unpacker is unsuitable: it builds a tree of objects whose size the file determines (an array header of
 * five bytes requests gigabytes), and building the tree costs more than reading the samples.
 */
#ifndef NETCOST_MP_H
#define NETCOST_MP_H

#include <stdbool.h>
#include <stdint.h>

enum mp_kind {
	MP_BAD, /* truncated, or a byte that msgpack does not use */
	MP_NIL,
	MP_BOOL,
	MP_UINT,
	MP_INT, /* negative */
	MP_FLOAT,
	MP_STR,
	MP_BIN,
	MP_ARRAY,
	MP_MAP,
	MP_EXT,
};

struct mp_cursor {
	const uint8_t *p, *end;
};

struct mp_value {
	enum mp_kind kind;
	uint32_t n;	     /* STR, BIN, EXT: bytes; ARRAY: elements; MAP: pairs */
	const uint8_t *data; /* STR, BIN, EXT: the bytes; ARRAY, MAP: the first element */
	uint64_t v;	     /* UINT; INT as two's complement; BOOL */
};

/*
 * Reads one value and advances past it; for an ARRAY or MAP, past its header only. A length that exceeds the remaining
 * input is MP_BAD (an element takes at least one byte), so n is bounded by the memory that exists.
 */
struct mp_value mp_read_any(struct mp_cursor *c);

/* Keys, types and most other numbers have one byte: they need no call. */
static inline struct mp_value mp_read(struct mp_cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return (struct mp_value){ .kind = MP_UINT, .v = *c->p++ };
	return mp_read_any(c);
}

/* Skips one value with everything in it. False: MP_BAD, or nested deeper than depth. */
bool mp_skip(struct mp_cursor *c, unsigned int depth);

#endif
