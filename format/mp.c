// SPDX-License-Identifier: BSD-2-Clause
#include "mp.h"

#include <stddef.h>

static const struct mp_value bad = { .kind = MP_BAD };

static bool be(struct mp_cursor *c, unsigned int bytes, uint64_t *v)
{
	uint64_t x = 0;

	if ((size_t)(c->end - c->p) < bytes)
		return false;
	while (bytes--)
		x = x << 8 | *c->p++;
	*v = x;
	return true;
}

/*
 * Returns a value of n bytes, or of n elements that have at least `unit` bytes each. Returns MP_BAD if the value does
 * not fit into the remaining input.
 */
static struct mp_value sized(struct mp_cursor *c, enum mp_kind kind, uint64_t n, unsigned int unit)
{
	struct mp_value v = { .kind = kind, .n = (uint32_t)n, .data = c->p };

	if (n * unit > (uint64_t)(c->end - c->p))
		return bad;
	if (kind != MP_ARRAY && kind != MP_MAP)
		c->p += n;
	return v;
}

static struct mp_value sized_be(struct mp_cursor *c, enum mp_kind kind, unsigned int bytes,
				unsigned int unit)
{
	uint64_t n;

	return be(c, bytes, &n) ? sized(c, kind, n, unit) : bad;
}

/* Returns an extension value. Its type is one byte, between the length and the data. */
static struct mp_value ext(struct mp_cursor *c, unsigned int len_bytes, uint64_t fixed)
{
	uint64_t n = fixed, type;

	if ((len_bytes && !be(c, len_bytes, &n)) || !be(c, 1, &type))
		return bad;
	return sized(c, MP_EXT, n, 1);
}

static struct mp_value uint_be(struct mp_cursor *c, unsigned int bytes)
{
	struct mp_value v = { .kind = MP_UINT };

	return be(c, bytes, &v.v) ? v : bad;
}

static struct mp_value int_be(struct mp_cursor *c, unsigned int bytes)
{
	struct mp_value v = { .kind = MP_INT };
	unsigned int shift = 64 - 8 * bytes;

	if (!be(c, bytes, &v.v))
		return bad;
	v.v = (uint64_t)((int64_t)(v.v << shift) >> shift);
	if ((int64_t)v.v >= 0)
		v.kind = MP_UINT;
	return v;
}

static struct mp_value float_be(struct mp_cursor *c, unsigned int bytes)
{
	struct mp_value v = { .kind = MP_FLOAT };

	return be(c, bytes, &v.v) ? v : bad;
}

static struct mp_value read_prefixed(struct mp_cursor *c, uint8_t tag)
{
	switch (tag) {
	case 0xc0:
		return (struct mp_value){ .kind = MP_NIL };
	case 0xc2:
	case 0xc3:
		return (struct mp_value){ .kind = MP_BOOL, .v = tag & 1 };
	case 0xc4 ... 0xc6:
		return sized_be(c, MP_BIN, 1u << (tag - 0xc4), 1);
	case 0xc7 ... 0xc9:
		return ext(c, 1u << (tag - 0xc7), 0);
	case 0xca:
	case 0xcb:
		return float_be(c, 4u << (tag - 0xca));
	case 0xcc ... 0xcf:
		return uint_be(c, 1u << (tag - 0xcc));
	case 0xd0 ... 0xd3:
		return int_be(c, 1u << (tag - 0xd0));
	case 0xd4 ... 0xd8:
		return ext(c, 0, 1u << (tag - 0xd4));
	case 0xd9 ... 0xdb:
		return sized_be(c, MP_STR, 1u << (tag - 0xd9), 1);
	case 0xdc:
	case 0xdd:
		return sized_be(c, MP_ARRAY, 2u << (tag - 0xdc), 1);
	case 0xde:
	case 0xdf:
		return sized_be(c, MP_MAP, 2u << (tag - 0xde), 2);
	default: /* 0xc1, which msgpack does not use */
		return bad;
	}
}

struct mp_value mp_read_any(struct mp_cursor *c)
{
	uint8_t tag;

	if (c->p >= c->end)
		return bad;
	tag = *c->p++;
	if (tag < 0x80)
		return (struct mp_value){ .kind = MP_UINT, .v = tag };
	if (tag >= 0xe0)
		return (struct mp_value){ .kind = MP_INT, .v = (uint64_t)(int64_t)(int8_t)tag };
	if (tag < 0x90)
		return sized(c, MP_MAP, tag & 0x0f, 2);
	if (tag < 0xa0)
		return sized(c, MP_ARRAY, tag & 0x0f, 1);
	if (tag < 0xc0)
		return sized(c, MP_STR, tag & 0x1f, 1);
	return read_prefixed(c, tag);
}

bool mp_skip(struct mp_cursor *c, unsigned int depth)
{
	struct mp_value v = mp_read(c);
	uint64_t left;

	if (v.kind == MP_BAD)
		return false;
	if (v.kind != MP_ARRAY && v.kind != MP_MAP)
		return true;
	if (!depth)
		return false;
	for (left = v.kind == MP_MAP ? 2ull * v.n : v.n; left; left--)
		if (!mp_skip(c, depth - 1))
			return false;
	return true;
}
