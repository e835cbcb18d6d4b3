// SPDX-License-Identifier: BSD-2-Clause
/* Records with what is private in them replaced. */
#include "scrub.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/messages.h>

#include "copy.h"
#include "scrub_text.h"

#define YEAR_2000_NS (UINT64_C(946684800) * 1000000000)

struct scrub {
	struct scrub_text text;
	msgpack_sbuffer columns; /* of the record: what its fields point to */
	msgpack_packer pk;
	uint64_t start_ns; /* of the part, by CLOCK_MONOTONIC; 0: not known */
	bool shifted;
	uint64_t shift_ns; /* what the time of day is put forward by, modulo 2^64 */
};

struct scrub *scrub_new(unsigned int keep, unsigned long memory)
{
	struct scrub *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	msgpack_sbuffer_init(&s->columns);
	msgpack_packer_init(&s->pk, &s->columns, msgpack_sbuffer_write);
	/* Then there is an address for what is empty, too. */
	if (!msgpack_sbuffer_write(&s->columns, "", 1) && !scrub_text_init(&s->text, keep, memory))
		return s;
	scrub_free(s);
	return NULL;
}

void scrub_free(struct scrub *s)
{
	if (!s)
		return;
	msgpack_sbuffer_destroy(&s->columns);
	scrub_text_free(&s->text);
	free(s);
}

static int edit_str(struct scrub *s, enum trace_privacy class, struct trace_field *f)
{
	int err = scrub_string(&s->text, class, (const char *)f->p, f->n);

	f->n = (uint32_t)s->text.out.size;
	if (!err && msgpack_sbuffer_write(&s->columns, s->text.out.data, f->n))
		err = -ENOMEM;
	return err;
}

static int edit_strs(struct scrub *s, enum trace_privacy class, struct trace_field *f)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	const char *str;
	uint32_t n;

	while (trace_column_str(&c, &str, &n)) {
		int err = scrub_string(&s->text, class, str, n);
		size_t len = s->text.out.size;

		if (err)
			return err;
		if (msgpack_pack_str(&s->pk, len) ||
		    msgpack_pack_str_body(&s->pk, s->text.out.data, len))
			return -ENOMEM;
	}
	return 0;
}

static int edit_uints(struct scrub *s, enum trace_privacy class, struct trace_field *f)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	uint64_t v;

	(void)class;
	while (trace_column_uint(&c, &v)) {
		bool nil = v == TRACE_NIL;
		int err = nil ? 0 : scrub_pid(&s->text, v, &v);

		if (!err && (nil ? msgpack_pack_nil(&s->pk) : msgpack_pack_uint64(&s->pk, v)))
			err = -ENOMEM;
		if (err)
			return err;
	}
	return 0;
}

typedef int edit_fn(struct scrub *s, enum trace_privacy class, struct trace_field *f);

static edit_fn *const edit_kind[] = {
	[TRACE_STR] = edit_str,
	[TRACE_STRS] = edit_strs,
	[TRACE_UINTS] = edit_uints,
};

/* Packs what stands for the private fields, then puts it in: only then does the buffer stay where it is. */
static int edit_fields(struct scrub *s, struct trace_record *rec)
{
	size_t at[TRACE_MAX_FIELDS];
	bool edited[TRACE_MAX_FIELDS] = { 0 };

	msgpack_sbuffer_clear(&s->columns);
	for (unsigned int i = 0; i < rec->nfields; i++) {
		enum trace_privacy class = trace_key_desc(rec->type, rec->field[i].key)->privacy;
		int err;

		if (class <= TRACE_PUBLIC || class == TRACE_PRIVATE_TIME)
			continue;
		edited[i] = true;
		at[i] = s->columns.size;
		err = edit_kind[rec->field[i].kind](s, class, &rec->field[i]);
		if (err)
			return err;
	}
	for (unsigned int i = 0; i < rec->nfields; i++)
		if (edited[i])
			rec->field[i].p = (const uint8_t *)s->columns.data + at[i];
	return COPY_IT;
}

/*
 * The time of day goes by one number: the first part begins with the year 2000, and what is between two
 * moments stays. A CLOCK from before 1970 would not be one.
 */
static int edit_clock(struct scrub *s, struct trace_record *rec)
{
	uint64_t mono_ns = trace_record_uint(rec, TRACE_CLOCK_MONO_NS, 0);

	if (s->text.keep & 1u << TRACE_PRIVATE_TIME)
		return COPY_IT;
	for (unsigned int i = 0; i < rec->nfields; i++) {
		struct trace_field *f = &rec->field[i];

		if (f->key != TRACE_CLOCK_REAL_NS)
			continue;
		if (!s->shifted)
			s->shift_ns =
				YEAR_2000_NS - f->v - (s->start_ns ? s->start_ns - mono_ns : 0);
		s->shifted = true;
		f->v += s->shift_ns;
		return f->v <= INT64_MAX ? COPY_IT : COPY_KEPT;
	}
	return COPY_IT;
}

int scrub_edit(void *ctx, struct trace_record *rec)
{
	struct scrub *s = ctx;

	if (rec->type == TRACE_CLOCK)
		return edit_clock(s, rec);
	if (rec->type == TRACE_HEADER)
		s->start_ns = trace_record_uint(rec, TRACE_HEADER_START_NS, 0);
	return edit_fields(s, rec);
}
