// SPDX-License-Identifier: BSD-2-Clause
/*
 * Returns the fields of a record by key, and the elements of its columns. All of them were checked when the frame was
 * read.
 */
#include <netcost/trace.h>

#include "record.h"

const struct trace_field *trace_record_field(const struct trace_record *rec, unsigned int key)
{
	for (unsigned int i = 0; i < rec->nfields; i++)
		if (rec->field[i].key == key)
			return &rec->field[i];
	return NULL;
}

uint64_t trace_record_uint(const struct trace_record *rec, unsigned int key, uint64_t dflt)
{
	const struct trace_field *f = trace_record_field(rec, key);

	return f && f->kind == TRACE_UINT ? f->v : dflt;
}

char *trace_record_str(const struct trace_record *rec, unsigned int key, char *dst, size_t size)
{
	const struct trace_field *f = trace_record_field(rec, key);
	size_t n = f && f->kind == TRACE_STR ? f->n : 0;

	if (n > size - 1)
		n = size - 1;
	for (size_t i = 0; i < n; i++)
		dst[i] = f->p[i] ? (char)f->p[i] : '?';
	dst[n] = '\0';
	return dst;
}

struct trace_column trace_record_column(const struct trace_record *rec, unsigned int key)
{
	const struct trace_field *f = trace_record_field(rec, key);

	if (!f || f->kind < TRACE_UINTS)
		return (struct trace_column){ 0 };
	return (struct trace_column){ .p = f->p, .n = f->n };
}

uint32_t trace_record_rows(const struct trace_record *rec)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(rec->type, &n);

	for (; n--; k++)
		if (k->flags & TRACE_KEY_COLUMN && k->flags & TRACE_KEY_MUST)
			return trace_record_column(rec, k->key).n;
	return 1;
}

uint64_t trace_record_about(const struct trace_record *rec)
{
	const struct trace_key_desc *first = trace_key_desc(rec->type, 1);

	return first && first->flags & TRACE_KEY_ABOUT ?
		       trace_record_uint(rec, first->key, TRACE_NIL) :
		       TRACE_NIL;
}

/*
 * Reads the next element of a column. The elements were checked when the frame was read, so reading cannot run past the
 * end and a cursor without a bound is safe.
 */
static struct mp_value next(struct trace_column *c)
{
	struct mp_cursor cur = { .p = c->p, .end = c->p + RECORD_SLACK };
	struct mp_value v = mp_read(&cur);

	c->p = cur.p;
	c->n--;
	return v;
}

size_t trace_field_size(const struct trace_field *f)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	uint64_t v;

	if (f->kind < TRACE_UINTS)
		return f->kind == TRACE_STR ? f->n : 0;
	while (c.n)
		if (f->kind != TRACE_UINTS || !trace_column_uint(&c, &v))
			next(&c);
	return (size_t)(c.p - f->p);
}

bool trace_column_uint_slow(struct trace_column *c, uint64_t *out)
{
	struct mp_value v = next(c);

	*out = v.kind == MP_NIL ? TRACE_NIL : v.v;
	return true;
}

bool trace_column_int_slow(struct trace_column *c, int64_t *out)
{
	*out = (int64_t)next(c).v;
	return true;
}

bool trace_column_str(struct trace_column *c, const char **s, uint32_t *len)
{
	struct mp_value v;

	if (!c->n)
		return false;
	v = next(c);
	*s = (const char *)v.data;
	*len = v.n;
	return true;
}
