/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sweep_hash.h: returns a record's content as a number, by netcost's reader and, independently, by
 * msgpack-c.
 */
#ifndef NETCOST_TESTS_SWEEP_HASH_H
#define NETCOST_TESTS_SWEEP_HASH_H

#include <string.h>

#include <msgpack.h>

#include <netcost/trace.h>

static void mix(uint64_t *hash, uint64_t v)
{
	*hash = (*hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	*hash ^= *hash >> 32;
}

static void mix_str(uint64_t *hash, const void *p, size_t n)
{
	mix(hash, 's');
	mix(hash, n);
	for (size_t i = 0; i < n; i++)
		mix(hash, ((const uint8_t *)p)[i]);
}

static void mix_nil(uint64_t *hash)
{
	mix(hash, UINT64_C(0x9c1f0d3b52a7e864)); /* a number that no trace has */
}

static void mix_array(uint64_t *hash, size_t n)
{
	mix(hash, 'a');
	mix(hash, n);
}

static void mix_column(uint64_t *hash, const struct trace_field *f)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	const char *s;
	uint32_t len;
	uint64_t v;
	int64_t i;

	mix_array(hash, f->n);
	if (f->kind == TRACE_UINTS)
		while (trace_column_uint(&c, &v))
			v == TRACE_NIL ? mix_nil(hash) : mix(hash, v);
	else if (f->kind == TRACE_INTS)
		while (trace_column_int(&c, &i))
			mix(hash, (uint64_t)i);
	else
		while (trace_column_str(&c, &s, &len))
			mix_str(hash, s, len);
}

static void mix_record(uint64_t *hash, const struct trace_record *rec)
{
	mix(hash, rec->type);
	mix(hash, rec->nfields);
	for (unsigned int i = 0; i < rec->nfields; i++) {
		const struct trace_field *f = &rec->field[i];

		mix(hash, f->key);
		if (f->kind == TRACE_STR)
			mix_str(hash, f->p, f->n);
		else if (f->kind >= TRACE_UINTS)
			mix_column(hash, f);
		else
			mix(hash, f->v);
	}
}

static void mix_value(uint64_t *hash, const msgpack_object *o)
{
	switch (o->type) {
	case MSGPACK_OBJECT_NIL:
		mix_nil(hash);
		break;
	case MSGPACK_OBJECT_POSITIVE_INTEGER:
		mix(hash, o->via.u64);
		break;
	case MSGPACK_OBJECT_NEGATIVE_INTEGER:
		mix(hash, (uint64_t)o->via.i64);
		break;
	case MSGPACK_OBJECT_STR:
		mix_str(hash, o->via.str.ptr, o->via.str.size);
		break;
	case MSGPACK_OBJECT_ARRAY:
		mix_array(hash, o->via.array.size);
		for (uint32_t i = 0; i < o->via.array.size; i++)
			mix_value(hash, &o->via.array.ptr[i]);
		break;
	default: /* no record of this version has a value of another kind */
		abort();
	}
}

/* Hashes [type, {key: value}] as msgpack-c reads it. */
static void mix_object(uint64_t *hash, const msgpack_object *o)
{
	const msgpack_object_map *map = &o->via.array.ptr[1].via.map;

	mix(hash, o->via.array.ptr[0].via.u64);
	mix(hash, map->size);
	for (uint32_t i = 0; i < map->size; i++) {
		mix(hash, map->ptr[i].key.via.u64);
		mix_value(hash, &map->ptr[i].val);
	}
}

static uint64_t samples_in(const msgpack_object *o)
{
	const msgpack_object_map *map = &o->via.array.ptr[1].via.map;

	for (uint32_t i = 0; o->via.array.ptr[0].via.u64 == TRACE_SAMPLES && i < map->size; i++)
		if (map->ptr[i].key.via.u64 == TRACE_SAMPLES_STACK)
			return map->ptr[i].val.via.array.size;
	return 0;
}

#endif
