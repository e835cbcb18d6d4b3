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

static void take(void *ctx, uint32_t piece, uint32_t hook, const struct dist *l)
{
	struct timeline_latency *t = ctx;
	struct dist_summary r;

	if (!hook)
		dist_clear(&t->sum);
	if (is_of(t, hook) && dist_merge(&t->sum, l))
		t->no_memory = true;
	if (hook + 1 < NETCOST_LATENCY_COUNT || piece >= t->n)
		return;
	dist_summarize(&r, &t->sum);
	t->row[piece] = (struct timeline_latency_row){ .packets = r.count,
						       .p50_ns = r.ns[DIST_P50],
						       .p99_ns = r.ns[DIST_P99] };
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
}

void timeline_latency_free(struct timeline_latency *t)
{
	latency_pieces_free(&t->pieces);
	dist_free(&t->sum);
	free(t->row);
	t->row = NULL;
	t->n = 0;
}

bool timeline_latency_is_measured(const struct timeline_latency *t, const struct model *m)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (is_of(t, h) && model_is_measured(m, NETCOST_OF_LATENCY, h))
			return true;
	return false;
}

struct timeline_latency_row timeline_latency_row(const struct timeline_latency *t, size_t piece)
{
	return piece < t->n ? t->row[piece] : (struct timeline_latency_row){ NAN, NAN, NAN };
}
