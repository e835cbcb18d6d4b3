// SPDX-License-Identifier: BSD-2-Clause
#include "latency_by_times.h"

#include <stdlib.h>

/* What is wrong with the record the model will say. */
static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct latency_by_times *t = ctx;
	struct model_latency_by *row;
	int err;

	(void)m;
	if (rec->type != TRACE_LATENCY_BY || !t->pieces)
		return 0;
	err = model_latency_by_sum(&t->keys, rec, &row);
	if (row)
		t->counted[row - t->keys.row] = true;
	return err;
}

/* Those with the most packets first, then as the trace has them. */
static int compare(const void *va, const void *vb)
{
	const struct latency_times_row *a = va, *b = vb;

	if (a->hook != b->hook)
		return a->hook < b->hook ? -1 : 1;
	if (a->which != b->which)
		return a->which < b->which ? -1 : 1;
	if (a->packets != b->packets)
		return a->packets > b->packets ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

static void keep(struct latency_by_times *t, uint32_t piece, uint32_t key)
{
	const struct model_latency_by *b = &t->keys.row[key];
	struct latency_times_row *row;

	if (b->by != t->by)
		return;
	row = latency_times_add(&t->rows, piece, b->hook, &b->dist);
	if (!row)
		return;
	row->which = b->which;
	row->key = key;
}

/* The model has read it, so it knows how it is called. */
static void call(struct model_latency_by *b, const struct model *m)
{
	const struct model_latency_by *same = model_latency_by_find(&m->latency_by, b);

	if (!b->name && same)
		b->name = same->name;
}

/* What was counted up to the edge is the piece's before it. */
static void edge(void *ctx, const struct model *m, size_t at)
{
	struct latency_by_times *t = ctx;
	size_t before = t->rows.n;

	for (uint32_t key = 0; key < t->keys.n; key++) {
		if (!t->counted[key])
			continue;
		t->counted[key] = false;
		call(&t->keys.row[key], m);
		if (at)
			keep(t, (uint32_t)at - 1, key);
		dist_clear(&t->keys.row[key].dist);
	}
	if (t->rows.n > before)
		qsort(&t->rows.at[before], t->rows.n - before, sizeof(*t->rows.at), compare);
}

static void forget(struct latency_by_times *t)
{
	model_latency_bys_free(&t->keys);
	latency_times_rows_free(&t->rows);
	t->pieces = 0;
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct latency_by_times *t = ctx;

	forget(t);
	for (size_t i = 0; i < MODEL_LATENCY_BYS_MOST; i++)
		t->counted[i] = false;
	t->pieces = iv->n;
	return true;
}

void latency_by_times_init(struct latency_by_times *t, enum netcost_latency_by by)
{
	*t = (struct latency_by_times){
		.watch = { .ctx = t, .begin = begin, .edge = edge, .record = record }, .by = by
	};
}

/* It can be used again. */
void latency_by_times_free(struct latency_by_times *t)
{
	forget(t);
}
