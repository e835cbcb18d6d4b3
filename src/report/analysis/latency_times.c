// SPDX-License-Identifier: BSD-2-Clause
#include "latency_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

/* What the next row of a piece is of. False: there are no more packets. */
static bool next_hook(const struct store *s, size_t *i, uint32_t *hook, const struct dist **d)
{
	const uint32_t *row;
	size_t n = store_touched(s, &row);

	for (; *i < n; ++*i) {
		*d = store_dist(s, row[*i]);
		if (!(*d)->bucket)
			continue;
		*hook = (uint32_t)store_dim(s, row[(*i)++], TRACE_LATENCY_HOOK);
		return true;
	}
	return false;
}

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
	if (!(row->r.count > 0) || t->too_many || t->no_memory)
		return;
	t->too_many = t->n == LATENCY_TIMES_MOST;
	t->no_memory = array_reserve(&t->row, &t->cap, t->n + 1, sizeof(*t->row));
	if (!t->too_many && !t->no_memory)
		t->row[t->n++] = *row;
}

static void times_take(void *ctx, uint32_t piece, const struct store *s)
{
	struct latency_times *t = ctx;
	size_t before = t->n;
	const uint32_t *touched;
	size_t n = store_touched(s, &touched);

	for (size_t i = 0; i < n; i++) {
		struct latency_times_row row;

		if (!times_row(&row, s, touched[i], t->by))
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

/* ---- a column of a timeline --------------------------------------------------------------- */

static bool track_has(const struct latency_track *t, uint32_t hook)
{
	if (strcmp(t->of, LATENCY_TRACK_READ) != 0)
		return !strcmp(t->of, latency_keys[hook]);
	return hook == NETCOST_LATENCY_TCP_READ || hook == NETCOST_LATENCY_TCP_READ_BLOCKED ||
	       hook == NETCOST_LATENCY_UDP_READ;
}

static void track_take(void *ctx, uint32_t piece, const struct store *s)
{
	struct latency_track *t = ctx;
	const struct dist *d;
	struct dist_summary r;
	uint32_t hook;

	dist_clear(&t->sum);
	for (size_t i = 0; next_hook(s, &i, &hook, &d);)
		if (track_has(t, hook) && dist_merge(&t->sum, d))
			t->no_memory = true;
	if (piece >= t->n)
		return;
	dist_summarize(&r, &t->sum);
	t->row[piece] = (struct latency_track_row){ .packets = r.count,
						    .p50_ns = r.ns[DIST_P50],
						    .p99_ns = r.ns[DIST_P99] };
}

static void track_begin(void *ctx, const struct intervals *iv)
{
	struct latency_track *t = ctx;

	free(t->row);
	t->row = calloc(iv->n + 1, sizeof(*t->row));
	t->no_memory |= !t->row;
	t->n = t->row ? iv->n : 0;
	for (size_t i = 0; i < t->n; i++)
		t->row[i] = (struct latency_track_row){ NAN, NAN, NAN };
}

void latency_track_init(struct latency_track *t, const char *hook)
{
	*t = (struct latency_track){
		.pieces = { .ctx = t, .begin = track_begin, .take = track_take },
		.of = hook ? hook : LATENCY_TRACK_READ
	};
	pieces_init(&t->pieces, &model_latency_query);
}

void latency_track_free(struct latency_track *t)
{
	pieces_free(&t->pieces);
	dist_free(&t->sum);
	free(t->row);
	t->row = NULL;
	t->n = 0;
}

bool latency_track_is_measured(const struct latency_track *t, const struct model *m)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (track_has(t, h) && model_is_measured(m, NETCOST_OF_LATENCY, h))
			return true;
	return false;
}

struct latency_track_row latency_track_row(const struct latency_track *t, size_t piece)
{
	return piece < t->n ? t->row[piece] : (struct latency_track_row){ NAN, NAN, NAN };
}

/* ---- histograms --------------------------------------------------------------------------- */

static void history_take(void *ctx, uint32_t piece, const struct store *s)
{
	struct latency_history *h = ctx;
	const struct dist *d;
	uint32_t hook;

	for (size_t i = 0; piece < h->n && next_hook(s, &i, &hook, &d);) {
		if (!h->bucket[hook])
			h->bucket[hook] =
				calloc(h->n * NETCOST_LATENCY_BUCKETS, sizeof(*d->bucket));
		if (h->bucket[hook])
			memcpy(h->bucket[hook] + piece * NETCOST_LATENCY_BUCKETS, d->bucket,
			       NETCOST_LATENCY_BUCKETS * sizeof(*d->bucket));
		else
			h->no_memory = true;
	}
}

static void history_forget(struct latency_history *h)
{
	for (unsigned int i = 0; i < NETCOST_LATENCY_COUNT; i++) {
		free(h->bucket[i]);
		h->bucket[i] = NULL;
	}
	h->n = 0;
}

static void history_begin(void *ctx, const struct intervals *iv)
{
	struct latency_history *h = ctx;

	history_forget(h);
	h->n = iv->n;
}

void latency_history_init(struct latency_history *h)
{
	*h = (struct latency_history){
		.pieces = { .ctx = h, .begin = history_begin, .take = history_take }
	};
	pieces_init(&h->pieces, &model_latency_query);
}

void latency_history_free(struct latency_history *h)
{
	pieces_free(&h->pieces);
	history_forget(h);
}

/* ---- a map: columns of time by rows of ns --------------------------------------------------- */

static size_t map_column(const struct latency_map *map, size_t piece, size_t pieces)
{
	return piece * map->ncolumns / pieces;
}

static void map_take(void *ctx, uint32_t piece, const struct store *s)
{
	struct latency_map *map = ctx;
	const struct dist *d;
	uint32_t hook;

	for (size_t i = 0; piece < map->pieces.n && next_hook(s, &i, &hook, &d);) {
		size_t column = map_column(map, piece, map->pieces.n);

		if (!map->count[hook])
			map->count[hook] = calloc(map->ncolumns, sizeof(*map->count[hook]));
		if (!map->count[hook])
			map->no_memory = true;
		for (unsigned int b = 0; map->count[hook] && b < NETCOST_LATENCY_BUCKETS; b++)
			map->count[hook][column][b / LATENCY_MAP_EACH] += d->bucket[b];
	}
}

static void map_forget(struct latency_map *map)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		free(map->count[h]);
	*map = (struct latency_map){ .pieces = map->pieces };
}

static void map_begin(void *ctx, const struct intervals *iv)
{
	struct latency_map *map = ctx;

	map_forget(map);
	if (!iv->n)
		return;
	map->ncolumns = iv->n < LATENCY_MAP_COLUMNS ? iv->n : LATENCY_MAP_COLUMNS;
	for (size_t i = iv->n; i-- > 0;)
		map->begin_ns[map_column(map, i, iv->n)] = iv->edge[i];
	map->begin_ns[map->ncolumns] = iv->edge[iv->n];
}

void latency_map_init(struct latency_map *map)
{
	*map = (struct latency_map){ .pieces = {
					     .ctx = map, .begin = map_begin, .take = map_take } };
	pieces_init(&map->pieces, &model_latency_query);
}

void latency_map_free(struct latency_map *map)
{
	pieces_free(&map->pieces);
	map_forget(map);
}
