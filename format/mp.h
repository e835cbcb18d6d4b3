/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mp.h: reads msgpack front to back from memory that somebody else may have made.
 *
 * Why not msgpack-c's unpacker: it builds a tree of objects whose size the file decides (an array
 * header of five bytes asks for gigabytes), and the tree costs more than reading the samples does.
 * Writing goes through msgpack-c.
 */
#ifndef NETCOST_MP_H
#define NETCOST_MP_H

#include <stdbool.h>
#include <stdint.h>

enum mp_kind {
	MP_BAD, /* cut short, or a byte that msgpack does not use */
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
 * Reads one value and steps past it; of an ARRAY or MAP, past the head only. A length that does
 * not fit into what is left is MP_BAD (an element takes at least one byte), so n is bounded by memory
 * that is really there.
 */
struct mp_value mp_read_any(struct mp_cursor *c);

/* Keys, types and most other numbers are of one byte: without a call for those. */
static inline struct mp_value mp_read(struct mp_cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return (struct mp_value){ .kind = MP_UINT, .v = *c->p++ };
	return mp_read_any(c);
}

/* Steps over one value with all that is in it. False: MP_BAD, or nested deeper than depth. */
bool mp_skip(struct mp_cursor *c, unsigned int depth);

#endif
