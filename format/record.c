// SPDX-License-Identifier: BSD-2-Clause
/* Parses one object of a frame as a record, and checks it against the registry. */
#include "record.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "mp.h"

/*
 * Adds the end of a long column to the marks. A frame has at most TRACE_MAX_FRAME / LONG_COLUMN long columns, whose
 * marks take 1 MiB.
 */
static bool record_marks_add(struct record_marks *m, const uint8_t *end)
{
	if (array_reserve(&m->end, &m->size, m->n + 1, sizeof(*m->end)))
		return false;
	m->end[m->n++] = end;
	return true;
}

void record_marks_free(struct record_marks *m)
{
	free(m->end);
	*m = (struct record_marks){ 0 };
}

static bool is_int(const struct mp_value *v)
{
	return v->kind == MP_INT ? (int64_t)v->v >= -(INT64_C(1) << 62) :
				   v->kind == MP_UINT && v->v <= UINT64_C(1) << 62;
}

static bool is_uint(const struct mp_value *v)
{
	return v->kind == MP_UINT && v->v <= INT64_MAX;
}

static bool is_str(const struct mp_value *v)
{
	return v->kind == MP_STR && v->n <= TRACE_MAX_STR;
}

/*
 * Number of bytes of an element that starts with the byte and is certainly in range; 0 if the element must be checked.
 * Most elements of columns are such integers, and walking them is the largest part of the cost of reading a trace.
 */
static const uint8_t element_bytes[TRACE_STRS + 1][UINT8_MAX + 1] = {
	[TRACE_UINTS] = { [0x00 ... 0x7f] = 1, [0xcc] = 2, [0xcd] = 3, [0xce] = 5 },
	[TRACE_INTS] = { [0x00 ... 0x7f] = 1,
			 [0xcc] = 2,
			 [0xcd] = 3,
			 [0xce] = 5,
			 [0xd0] = 2,
			 [0xd1] = 3,
			 [0xd2] = 5,
			 [0xe0 ... 0xff] = 1 },
};

static bool element_ok(struct mp_cursor *c, unsigned int kind)
{
	struct mp_value v = mp_read(c);

	return kind == TRACE_UINTS ? is_uint(&v) || v.kind == MP_NIL :
	       kind == TRACE_INTS  ? is_int(&v) :
				     is_str(&v);
}

/* Returns how many one-byte integers the eight bytes at p begin with. */
static unsigned int short_ones(const uint8_t *p, unsigned int kind)
{
	uint64_t x, longer;

	memcpy(&x, p, sizeof(x));
	x = le64toh(x);
	longer = x & UINT64_C(0x8080808080808080); /* bytes that are not a positive fixint … */
	if (kind == TRACE_INTS)
		longer &= ~(x << 1 & x << 2); /* … and not a negative fixint, 0xe0 and above */
	return longer ? (unsigned int)__builtin_ctzll(longer) / 8 : 8;
}

#define RUN_SIZE 3 /* bytes of an id above 255; most multi-byte ids have this size */
#define RUN 4	   /* number of ids that are skipped at a time */

/* Returns whether the next RUN - 1 ids after the id at p have the same length. */
static bool is_run(const uint8_t *p, const uint8_t *bytes)
{
	return bytes[p[RUN_SIZE]] == RUN_SIZE && bytes[p[2 * RUN_SIZE]] == RUN_SIZE &&
	       bytes[p[3 * RUN_SIZE]] == RUN_SIZE;
}

/*
 * Skips elements of a column that are certainly in range, several at a time. Stops at an element that must be checked,
 * and in front of the last elements. Returns how many elements are left. Equal samples follow each other, so the CPU
 * predicts the branches, and no element has to wait for the size of the previous element.
 */
static uint32_t skip_sure(uint32_t n, struct mp_cursor *c, unsigned int kind)
{
	const uint8_t *bytes = element_bytes[kind], *p = c->p;

	while (n >= 8 && c->end - p >= RUN * RUN_SIZE) {
		unsigned int size = bytes[*p], some = 1;

		if (!size)
			break;
		if (size == 1)
			size = some = short_ones(p, kind);
		else if (size == RUN_SIZE && is_run(p, bytes))
			size *= some = RUN;
		p += size;
		n -= some;
	}
	c->p = p;
	return n;
}

static bool elements_ok(uint32_t n, struct mp_cursor *c, unsigned int kind)
{
	const uint8_t *bytes = element_bytes[kind];

	while ((n = skip_sure(n, c, kind))) {
		size_t left = (size_t)(c->end - c->p), size = left ? bytes[*c->p] : 0;

		if (size && size <= left)
			c->p += size;
		else if (!element_ok(c, kind))
			return false;
		n--;
	}
	return true;
}

/*
 * Minimum length of a long column, bytes. Frames are walked twice: to check them, and to return their records. The
 * second walk skips the long columns, whose ends the first walk has marked.
 */
#define LONG_COLUMN 64

static bool column_parse(const struct mp_value *array, struct mp_cursor *c, unsigned int kind,
			 struct record_marks *marks)
{
	if (array->n < LONG_COLUMN)
		return elements_ok(array->n, c, kind);
	if (marks->known) {
		c->p = marks->end[marks->next++];
		return true;
	}
	if (!elements_ok(array->n, c, kind))
		return false;
	return record_marks_add(marks, c->p);
}

static bool field_parse(struct trace_field *f, struct mp_cursor *c, unsigned int kind,
			struct record_marks *marks)
{
	struct mp_value v = mp_read(c);

	f->kind = (uint8_t)kind;
	f->n = v.n;
	f->p = v.data;
	f->v = v.v;
	switch (kind) {
	case TRACE_UINT:
		return is_uint(&v);
	case TRACE_INT:
		return is_int(&v);
	case TRACE_STR:
		return is_str(&v);
	default:
		return v.kind == MP_ARRAY && column_parse(&v, c, kind, marks);
	}
}

/* Stores a field that the schema knows, and returns true if the value is of the field's kind. */
static bool take_described(struct mp_cursor *c, struct trace_record *rec,
			   const struct schema *schema, uint64_t key)
{
	const struct schema_row *row = schema ? schema_find(schema, rec->type, key) : NULL;
	struct trace_field *f = &rec->field[rec->nfields];
	struct record_marks none = { 0 };
	struct mp_cursor at = *c;
	bool ok = row && field_parse(f, &at, row->kind, &none);

	record_marks_free(&none);
	if (ok) {
		f->key = row->key;
		rec->nfields++;
		*c = at;
	}
	return ok;
}

static bool is_type(const struct schema *schema, uint64_t type)
{
	return (type <= UINT8_MAX && trace_type_desc((unsigned int)type)) ||
	       (schema && schema_find(schema, type, 0));
}

int record_parse(struct mp_cursor *c, struct trace_record *rec, const struct schema *schema,
		 struct record_marks *marks, uint64_t *unknown_types, uint64_t *unknown_keys)
{
	struct mp_value object = mp_read(c), type = object, map = object;
	uint64_t last = 0;

	rec->type = 0;
	rec->nfields = 0;
	if (object.kind == MP_ARRAY && object.n == 2) {
		type = mp_read(c);
		map = mp_read(c);
	}
	if (type.kind != MP_UINT || map.kind != MP_MAP || map.n > TRACE_MAX_FIELDS)
		return -EBADMSG;
	if (is_type(schema, type.v))
		rec->type = (enum trace_type)type.v;
	for (uint32_t i = 0; i < map.n; i++) {
		struct mp_value k = mp_read(c);
		const struct trace_key_desc *desc;

		/* the keys must ascend, so no key is repeated */
		if (k.kind != MP_UINT || k.v <= last)
			return -EBADMSG;
		last = k.v;
		desc = rec->type && k.v <= UINT8_MAX ?
			       trace_key_desc(rec->type, (unsigned int)k.v) :
			       NULL;
		if (desc) {
			struct trace_field *f = &rec->field[rec->nfields++];

			f->key = desc->key;
			if (!field_parse(f, c, desc->kind, marks))
				return -EBADMSG;
		} else if (!take_described(c, rec, schema, k.v)) {
			*unknown_keys += rec->type != 0;
			if (!mp_skip(c, TRACE_MAX_DEPTH))
				return -EBADMSG;
		}
	}
	*unknown_types += rec->type == 0;
	return 0;
}
