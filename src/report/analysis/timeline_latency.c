// SPDX-License-Identifier: BSD-2-Clause
#include "timeline_latency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"

static bool is_of(const struct timeline_latency *t, uint32_t hook)
{
	if (strcmp(t->of, TIMELINE_LATENCY_READ) != 0)
		return !strcmp(t->of, latency_keys[hook]);
	return hook == NETCOST_LATENCY_TCP_READ || hook == NETCOST_LATENCY_TCP_READ_BLOCKED ||
	       hook == NETCOST_LATENCY_UDP_READ;
}

static void forget_sum(struct timeline_latency *t)
{
	free(t->sum.bucket);
	t->sum = (struct model_latency){ .ns = TRACE_NIL };
}

/* An end that is not known of one is not known of all. */
static uint64_t end_of(uint64_t a, uint64_t b, bool least)
{
	if (a == TRACE_NIL || b == TRACE_NIL)
		return TRACE_NIL;
	return (a < b) == least ? a : b;
}

static bool begin_sum(struct timeline_latency *t, const struct model_latency *l)
{
	t->sum.bucket = calloc(NETCOST_LATENCY_BUCKETS, sizeof(*t->sum.bucket));
	t->sum.min_ns = l->min_ns;
	t->sum.max_ns = l->max_ns;
	t->no_memory |= !t->sum.bucket;
	return t->sum.bucket;
}

/* The end of the scale stays there: such a trace is hostile. */
static void add(struct timeline_latency *t, const struct model_latency *l)
{
	struct model_latency *sum = &t->sum;

	if (!sum->bucket && !begin_sum(t, l))
		return;
	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++)
		if (__builtin_add_overflow(sum->bucket[b], l->bucket[b], &sum->bucket[b]))
			sum->bucket[b] = UINT64_MAX - 1;
	sum->min_ns = end_of(sum->min_ns, l->min_ns, true);
	sum->max_ns = end_of(sum->max_ns, l->max_ns, false);
}

static void take(void *ctx, uint32_t piece, uint32_t hook, const struct model_latency *l)
{
	struct timeline_latency *t = ctx;
	struct latency_row r;

	if (!hook)
		forget_sum(t);
	if (is_of(t, hook) && l->bucket)
		add(t, l);
	if (hook + 1 < NETCOST_LATENCY_COUNT || piece >= t->n)
		return;
	latency_row_of(&r, &t->sum);
	t->row[piece] = (struct timeline_latency_row){ .packets = r.packets,
						       .p50_ns = r.ns[LATENCY_P50],
						       .p99_ns = r.ns[LATENCY_P99] };
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct timeline_latency *t = ctx;

	free(t->row);
	t->row = calloc(iv->n + 1, sizeof(*t->row));
	t->n = t->row ? iv->n : 0;
	for (size_t i = 0; i < t->n; i++)
		t->row[i] = (struct timeline_latency_row){ NAN, NAN, NAN };
	return t->row;
}

void timeline_latency_init(struct timeline_latency *t, const char *hook)
{
	*t = (struct timeline_latency){ .pieces = { .ctx = t, .begin = begin, .take = take },
					.of = hook ? hook : TIMELINE_LATENCY_READ };
	latency_pieces_init(&t->pieces);
	forget_sum(t);
}

void timeline_latency_free(struct timeline_latency *t)
{
	latency_pieces_free(&t->pieces);
	forget_sum(t);
	free(t->row);
	t->row = NULL;
	t->n = 0;
}

bool timeline_latency_is_measured(const struct timeline_latency *t, const struct model *m)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (is_of(t, h) && latency_is_measured(m, h))
			return true;
	return false;
}

struct timeline_latency_row timeline_latency_row(const struct timeline_latency *t, size_t piece)
{
	return piece < t->n ? t->row[piece] : (struct timeline_latency_row){ NAN, NAN, NAN };
}
