// SPDX-License-Identifier: BSD-2-Clause
#include "cut_base.h"

#include <errno.h>
#include <stdlib.h>

#include <msgpack.h> /* msgpack_packer, msgpack_sbuffer */

#include "report/spec/series.h"

struct cut_base {
	struct series base[SERIES_COUNT];
	uint32_t order[TRACE_MAX_CPU], ncpus; /* of the tick */
	bool first;
	msgpack_sbuffer column[TRACE_MAX_FIELDS]; /* of the record that was rewritten last */
};

struct cut_base *cut_base_new(void)
{
	return calloc(1, sizeof(struct cut_base));
}

void cut_base_free(struct cut_base *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < SERIES_COUNT; i++)
		free(b->base[i].last);
	for (size_t i = 0; i < TRACE_MAX_FIELDS; i++)
		msgpack_sbuffer_destroy(&b->column[i]);
	free(b);
}

/* ---- columns ----------------------------------------------------------------------------- */

static int put(msgpack_sbuffer *to, uint64_t v)
{
	msgpack_packer pk;

	msgpack_packer_init(&pk, to, msgpack_sbuffer_write);
	if (v == TRACE_NIL ? msgpack_pack_nil(&pk) : msgpack_pack_uint64(&pk, v))
		return -ENOMEM;
	return 0;
}

/* ---- counters ---------------------------------------------------------------------------- */

void cut_base_tick(struct cut_base *b, const struct trace_record *tick, bool first)
{
	struct trace_column cpus = trace_record_column(tick, TRACE_TICK_CPU);
	uint64_t cpu;

	b->first = first;
	b->ncpus = 0;
	while (b->ncpus < TRACE_MAX_CPU && trace_column_uint(&cpus, &cpu) && cpu < TRACE_MAX_CPU)
		b->order[b->ncpus++] = (uint32_t)cpu;
}

/* at: the CPU, the place in the order of ids, or 0 for a single number. */
static int from_base(const struct cut_base *b, struct series *s, size_t at, uint64_t *v)
{
	uint64_t *base;

	if (series_grow(s, at + 1))
		return -ENOMEM;
	base = &s->last[at];
	if (b->first)
		*base = *v;
	if (*base == TRACE_NIL || *v == TRACE_NIL)
		return 0;
	if (*v < *base)
		return -EBADMSG;
	*v -= *base;
	return 0;
}

/* A column that does not fit its tick stays as it is, and is found broken. */
static int apply_column(struct cut_base *b, struct series *s, struct trace_field *f, bool per_cpu,
			msgpack_sbuffer *to)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	uint64_t v;
	int err = 0;

	if (f->kind == TRACE_UINT)
		return from_base(b, s, 0, &f->v);
	if (f->kind != TRACE_UINTS || (per_cpu && f->n != b->ncpus))
		return 0;
	msgpack_sbuffer_clear(to);
	for (uint32_t i = 0; !err && trace_column_uint(&c, &v); i++) {
		err = from_base(b, s, per_cpu ? b->order[i] : i, &v);
		if (!err)
			err = put(to, v);
	}
	f->p = (const uint8_t *)to->data;
	return err;
}

int cut_base_apply(struct cut_base *b, struct trace_record *rec)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(rec->type, &n);
	int err = 0;

	for (size_t i = 0; i < n && !err; i++, k++) {
		const struct trace_field *f = trace_record_field(rec, k->key);
		size_t series = series_of(rec, k), at = f ? (size_t)(f - rec->field) : 0;

		if (f && k->flags & TRACE_KEY_COUNTER && series < SERIES_COUNT)
			err = apply_column(b, &b->base[series], &rec->field[at],
					   k->flags & TRACE_KEY_PER_CPU, &b->column[at]);
	}
	return err;
}

/* ---- losses ------------------------------------------------------------------------------ */

static uint64_t lost_inside(const struct cut_lost *l, uint64_t v)
{
	uint64_t until = v < l->until ? v : l->until;

	if (v == TRACE_NIL)
		return v;
	return until > l->before ? until - l->before : 0;
}

int cut_base_frame(struct cut_base *b, const struct cut_plan *plan, struct trace_record *rec)
{
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	msgpack_sbuffer *to = &b->column[0];
	uint32_t n = lost.n;
	uint64_t v;
	int err = 0;

	rec->nfields = 0;
	if (n != plan->ncpus)
		return 0;
	msgpack_sbuffer_clear(to);
	for (uint32_t i = 0; !err && trace_column_uint(&lost, &v); i++)
		err = put(to, lost_inside(&plan->lost[plan->cpu[i]], v));
	rec->field[rec->nfields++] = (struct trace_field){
		.key = TRACE_FRAME_LOST, .kind = TRACE_UINTS, .n = n, .p = (const uint8_t *)to->data
	};
	return err;
}
