// SPDX-License-Identifier: BSD-2-Clause
#include "cut_base.h"

#include <errno.h>
#include <stdlib.h>

#include "cut_rows.h"
#include "report/spec/series.h"

struct cut_base {
	struct series base[SERIES_COUNT];
	uint32_t order[TRACE_MAX_CPU], ncpus; /* of the tick */
	bool first;
	struct rows rows;
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
	rows_free(&b->rows);
	free(b);
}

void cut_base_tick(struct cut_base *b, const struct trace_record *tick, bool first)
{
	struct trace_column cpus = trace_record_column(tick, TRACE_TICK_CPU);
	uint64_t cpu;

	b->first = first;
	b->ncpus = 0;
	while (b->ncpus < TRACE_MAX_CPU && trace_column_uint(&cpus, &cpu) && cpu < TRACE_MAX_CPU)
		b->order[b->ncpus++] = (uint32_t)cpu;
}

/* at: the CPU, the place in the order of ids, or 0. */
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

/* What does not fit its tick stays as it is, to be found broken. */
static int apply_column(struct cut_base *b, struct series *s, struct trace_field *f, bool per_cpu,
			unsigned int column)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	uint64_t v;
	int err = 0;

	if (f->kind == TRACE_UINT)
		return from_base(b, s, 0, &f->v);
	if (f->kind != TRACE_UINTS || (per_cpu && f->n != b->ncpus))
		return 0;
	for (uint32_t i = 0; !err && trace_column_uint(&c, &v); i++) {
		err = from_base(b, s, per_cpu ? b->order[i] : i, &v);
		rows_uint(&b->rows, column, v);
	}
	*f = rows_field(&b->rows, column, f->key, f->kind);
	return err;
}

int cut_base_apply(struct cut_base *b, struct trace_record *rec)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(rec->type, &n);
	unsigned int column = 0;
	int err = 0;

	rows_clear(&b->rows);
	for (size_t i = 0; i < n && !err; i++) {
		const struct trace_field *f = trace_record_field(rec, k[i].key);
		size_t at = series_of(rec, &k[i]);

		if (column == ROWS_COLUMNS)
			return -ENOBUFS;
		if (f && k[i].flags & TRACE_KEY_COUNTER && at < SERIES_COUNT)
			err = apply_column(b, &b->base[at], &rec->field[f - rec->field],
					   k[i].flags & TRACE_KEY_PER_CPU, column++);
	}
	return err ? err : b->rows.failed ? -ENOMEM : 0;
}
