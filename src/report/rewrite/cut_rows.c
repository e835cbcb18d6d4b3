// SPDX-License-Identifier: BSD-2-Clause
#include "cut_rows.h"

static msgpack_packer begin(struct rows *r, unsigned int column)
{
	msgpack_packer pk;

	r->n[column]++;
	msgpack_packer_init(&pk, &r->column[column], msgpack_sbuffer_write);
	return pk;
}

void rows_uint(struct rows *r, unsigned int column, uint64_t v)
{
	msgpack_packer pk = begin(r, column);

	r->failed |= v == TRACE_NIL ? msgpack_pack_nil(&pk) : msgpack_pack_uint64(&pk, v);
}

void rows_int(struct rows *r, unsigned int column, int64_t v)
{
	msgpack_packer pk = begin(r, column);

	r->failed |= msgpack_pack_int64(&pk, v);
}

void rows_str(struct rows *r, unsigned int column, const void *s, size_t n)
{
	msgpack_packer pk = begin(r, column);

	r->failed |= msgpack_pack_str(&pk, n) || msgpack_pack_str_body(&pk, s, n);
}

struct trace_field rows_field(const struct rows *r, unsigned int column, unsigned int key,
			      enum trace_kind kind)
{
	return (struct trace_field){
		.key = (uint8_t)key,
		.kind = (uint8_t)kind,
		.n = r->n[column],
		.p = (const uint8_t *)r->column[column].data,
	};
}

size_t rows_bytes(const struct rows *r)
{
	size_t n = 0;

	for (int i = 0; i < ROWS_COLUMNS; i++)
		n += r->column[i].size;
	return n;
}

void rows_clear(struct rows *r)
{
	for (int i = 0; i < ROWS_COLUMNS; i++) {
		msgpack_sbuffer_clear(&r->column[i]);
		r->n[i] = 0;
	}
	r->failed = false;
}

void rows_free(struct rows *r)
{
	for (int i = 0; i < ROWS_COLUMNS; i++)
		msgpack_sbuffer_destroy(&r->column[i]);
}
