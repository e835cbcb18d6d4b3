// SPDX-License-Identifier: BSD-2-Clause
#include "latency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

/* ---- names ------------------------------------------------------------------------------- */

#define KEY_OF(id, name, key, from, to) [id] = key,
#define FROM_OF(id, name, key, from, to) [id] = from,
#define TO_OF(id, name, key, from, to) [id] = to,
#define BY_OF(id, name, key) [id] = key,
#define LOSS_KEY_OF(id, name, key, title) [id] = key,
#define LOSS_TITLE_OF(id, name, key, title) [id] = title,

const char *const latency_keys[] = { NETCOST_LATENCIES(KEY_OF) NULL };
const char *const latency_from[] = { NETCOST_LATENCIES(FROM_OF) NULL };
const char *const latency_to[] = { NETCOST_LATENCIES(TO_OF) NULL };
const char *const latency_by_keys[] = { NETCOST_LATENCY_BYS(BY_OF) NULL };
const char *const latency_which_keys[] = { NETCOST_LATENCY_WHICHES(BY_OF) NULL };
const char *const latency_loss_keys[] = { NETCOST_LATENCY_LOSSES(LOSS_KEY_OF) NULL };
const char *const latency_loss_titles[] = { NETCOST_LATENCY_LOSSES(LOSS_TITLE_OF) NULL };

/* ---- rows of a table --------------------------------------------------------------------- */

/* Those with the most packets first, then as the trace has them. */
static int times_compare(const void *va, const void *vb)
{
	const struct latency_times_row *a = va, *b = vb;

	if (a->hook != b->hook)
		return a->hook < b->hook ? -1 : 1;
	if (a->which != b->which)
		return a->which < b->which ? -1 : 1;
	if (a->r.count != b->r.count)
		return a->r.count > b->r.count ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* False: the row tells packets apart by something else. */
static bool times_row(struct latency_times_row *to, const struct store *s, uint32_t key,
		      enum netcost_latency_by by)
{
	*to = (struct latency_times_row){ .key = key };
	if (by == LATENCY_ALL) {
		to->hook = (uint32_t)store_dim(s, key, TRACE_LATENCY_HOOK);
	} else {
		struct model_latency_by b = model_latency_by(s, key);

		to->hook = b.hook;
		to->which = b.which;
		if (b.by != by)
			return false;
	}
	dist_summarize(&to->r, store_dist(s, key));
	return true;
}

static void times_add(struct latency_times *t, const struct latency_times_row *row)
{
	if (t->too_many || t->no_memory)
		return;
	t->too_many = t->n == LATENCY_TIMES_MOST;
	t->no_memory = array_reserve(&t->row, &t->cap, t->n + 1, sizeof(*t->row));
	if (!t->too_many && !t->no_memory)
		t->row[t->n++] = *row;
}

static bool times_has(const struct latency_times *t, uint64_t hook)
{
	if (strcmp(t->merged, LATENCY_READ) != 0)
		return !strcmp(t->merged, latency_keys[hook]);
	return hook == NETCOST_LATENCY_TCP_READ || hook == NETCOST_LATENCY_TCP_READ_BLOCKED ||
	       hook == NETCOST_LATENCY_UDP_READ;
}

static void times_merge(struct latency_times *t, uint32_t piece, const struct store *s)
{
	struct latency_times_row row = { .piece = piece };
	struct dist sum = { .bucket = NULL };
	const uint32_t *touched;
	size_t n = store_touched(s, &touched);

	for (size_t i = 0; i < n; i++)
		if (times_has(t, store_dim(s, touched[i], TRACE_LATENCY_HOOK)) &&
		    dist_merge(&sum, store_dist(s, touched[i])))
			t->no_memory = true;
	dist_summarize(&row.r, &sum);
	times_add(t, &row);
	dist_free(&sum);
}

static void times_take(void *ctx, uint32_t piece, const struct store *s)
{
	struct latency_times *t = ctx;
	size_t before = t->n;
	const uint32_t *touched;
	size_t n = store_touched(s, &touched);

	if (t->merged) {
		times_merge(t, piece, s);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct latency_times_row row;

		if (!times_row(&row, s, touched[i], t->by) || !(row.r.count > 0))
			continue;
		row.piece = piece;
		times_add(t, &row);
	}
	if (t->n > before)
		qsort(&t->row[before], t->n - before, sizeof(*t->row), times_compare);
}

size_t latency_by_sorted(struct latency_times_row *to, const struct store *s,
			 enum netcost_latency_by by)
{
	size_t n = 0;

	for (uint32_t i = 0; s && i < store_rows(s); i++)
		n += times_row(&to[n], s, i, by);
	qsort(to, n, sizeof(*to), times_compare);
	return n;
}

static void times_forget(struct latency_times *t)
{
	free(t->row);
	t->row = NULL;
	t->n = t->cap = 0;
	t->no_memory = t->too_many = false;
}

static void times_begin(void *ctx, const struct intervals *iv)
{
	(void)iv;
	times_forget(ctx);
}

void latency_times_init(struct latency_times *t, enum netcost_latency_by by)
{
	*t = (struct latency_times){
		.pieces = { .ctx = t, .begin = times_begin, .take = times_take }, .by = by
	};
	pieces_init(&t->pieces, by == LATENCY_ALL ? &model_latency_query : &model_latency_by_query);
}

void latency_times_free(struct latency_times *t)
{
	pieces_free(&t->pieces);
	times_forget(t);
}

void latency_times_init_merged(struct latency_times *t, const char *hook)
{
	latency_times_init(t, LATENCY_ALL);
	t->merged = hook ? hook : LATENCY_READ;
}

struct dist_summary latency_times_merged(const struct latency_times *t, size_t piece)
{
	struct dist_summary none;

	if (piece < t->n)
		return t->row[piece].r;
	dist_summarize(&none, &(struct dist){ .bucket = NULL });
	none.count = NAN;
	return none;
}

bool latency_is_measured(const struct latency_times *t, const struct model *m)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (times_has(t, h) && model_is_measured(m, NETCOST_OF_LATENCY, h))
			return true;
	return false;
}

/* ---- histograms -------------------------------------------------------------------------- */

static size_t history_column(const struct latency_history *h, size_t piece)
{
	return piece * h->ncolumns / h->pieces;
}

static size_t history_width(const struct latency_history *h)
{
	return NETCOST_LATENCY_BUCKETS / h->each;
}

/* What came since the edge before is the piece's that ends at this one. */
static void history_take(struct latency_history *h, size_t row, size_t edge, const struct dist *d)
{
	uint64_t *count;

	if (!h->count[row])
		h->count[row] = calloc(h->ncolumns * history_width(h), sizeof(*count));
	if (!h->before[row])
		h->before[row] = calloc(NETCOST_LATENCY_BUCKETS, sizeof(*count));
	if (!h->count[row] || !h->before[row]) {
		h->no_memory = true;
		return;
	}
	count = h->count[row] + (edge ? history_column(h, edge - 1) * history_width(h) : 0);
	for (size_t b = 0; edge && b < NETCOST_LATENCY_BUCKETS; b++)
		count[b / h->each] += d->bucket[b] - h->before[row][b];
	memcpy(h->before[row], d->bucket, NETCOST_LATENCY_BUCKETS * sizeof(*count));
}

static void history_edge(void *ctx, const struct model *m, size_t edge)
{
	struct latency_history *h = ctx;
	const struct store *s = m->store[h->of];

	for (size_t i = 0; s && edge <= h->pieces && h->pieces && i < store_rows(s); i++)
		if (i < LATENCY_HISTORY_ROWS && store_dist(s, i)->bucket)
			history_take(h, i, edge, store_dist(s, i));
}

static void history_sample(void *ctx, const struct model *m, const struct intervals_sample *s)
{
	(void)ctx;
	(void)m;
	(void)s;
}

void latency_history_free(struct latency_history *h)
{
	for (size_t i = 0; i < LATENCY_HISTORY_ROWS; i++) {
		free(h->count[i]);
		free(h->before[i]);
		h->count[i] = h->before[i] = NULL;
	}
	h->pieces = h->ncolumns = 0;
	h->no_memory = false;
}

static bool history_begin(void *ctx, const struct intervals *iv)
{
	struct latency_history *h = ctx;

	latency_history_free(h);
	if (!iv->n)
		return true;
	h->pieces = iv->n;
	h->ncolumns = iv->n < LATENCY_HISTORY_COLUMNS ? iv->n : LATENCY_HISTORY_COLUMNS;
	for (size_t i = iv->n; iv->edge && i-- > 0;)
		h->begin_ns[history_column(h, i)] = iv->edge[i];
	h->begin_ns[h->ncolumns] = iv->edge ? iv->edge[iv->n] : 0;
	return true;
}

void latency_history_init(struct latency_history *h, enum model_store of, unsigned int each)
{
	*h = (struct latency_history){ .of = of, .each = each };
	h->watch = (struct intervals_watch){
		.ctx = h, .begin = history_begin, .edge = history_edge, .sample = history_sample
	};
}

const uint64_t *latency_history_row(const struct latency_history *h, ptrdiff_t row)
{
	return row >= 0 && row < LATENCY_HISTORY_ROWS ? h->count[row] : NULL;
}
