/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mp.h: reads msgpack sequentially from untrusted memory.
 *
 * msgpack-c's unpacker is unsuitable: it builds a tree of objects whose size the file determines (five bytes of an
 * array header can request gigabytes), and building the tree costs more than reading the samples.
 */
#ifndef NETCOST_MP_H
#define NETCOST_MP_H

#include <stdbool.h>
#include <stdint.h>

enum mp_kind {
	MP_BAD, /* the input is truncated, or has a byte that msgpack does not use */
	MP_NIL,
	MP_BOOL,
	MP_UINT,
	MP_INT, /* a negative integer */
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
	/* STR, BIN, EXT: number of bytes; ARRAY: number of elements; MAP: number of pairs */
	uint32_t n;
	/* STR, BIN, EXT: address of the bytes; ARRAY, MAP: address of the first element */
	const uint8_t *data;
	uint64_t v; /* UINT, BOOL: the value; INT: the value as two's complement */
};

/*
 * Reads one value and advances past it. For an ARRAY or MAP, advances only past its header. If a length exceeds the
 * remaining input, the value is MP_BAD. An element takes at least one byte, so n is bounded by the memory that exists.
 */
struct mp_value mp_read_any(struct mp_cursor *c);

/* Reads one value. Keys, types and most other numbers have one byte, and are read without a call. */
static inline struct mp_value mp_read(struct mp_cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return (struct mp_value){ .kind = MP_UINT, .v = *c->p++ };
	return mp_read_any(c);
}

/* Skips one value with everything in it. Returns false if the value is MP_BAD or is nested deeper than `depth`. */
bool mp_skip(struct mp_cursor *c, unsigned int depth);

#endif
