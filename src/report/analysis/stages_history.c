// SPDX-License-Identifier: BSD-2-Clause
#include "stages_history.h"

#include <stdlib.h>
#include <string.h>

/* What came since the edge before is the piece's. */
static void take(struct stages_history *h, size_t i, size_t edge, const struct dist *l)
{
	uint64_t *piece;

	if (!l->bucket || edge > h->n)
		return;
	if (!h->bucket[i])
		h->bucket[i] = calloc(h->n * NETCOST_LATENCY_BUCKETS, sizeof(*piece));
	if (!h->before[i])
		h->before[i] = calloc(NETCOST_LATENCY_BUCKETS, sizeof(*piece));
	if (!h->bucket[i] || !h->before[i]) {
		h->no_memory = true;
		return;
	}
	piece = edge ? h->bucket[i] + (edge - 1) * NETCOST_LATENCY_BUCKETS : NULL;
	for (size_t b = 0; piece && b < NETCOST_LATENCY_BUCKETS; b++)
		piece[b] = l->bucket[b] - h->before[i][b];
	memcpy(h->before[i], l->bucket, NETCOST_LATENCY_BUCKETS * sizeof(*piece));
}

static void edge(void *ctx, const struct model *m, size_t at)
{
	struct stages_history *h = ctx;
	const struct model_stages *s = m->stages;

	for (size_t i = 0; s && h->n && i < STAGES_PATH_COUNT; i++)
		take(h, i, at, &s->all.whole[i]);
	for (size_t i = 0; s && h->n && i < s->all.nsteps && i < STAGES_HISTORY_STEPS; i++)
		take(h, STAGES_PATH_COUNT + i, at, &s->all.step[i].times);
}

static void sample(void *ctx, const struct model *m, const struct intervals_sample *s)
{
	(void)ctx;
	(void)m;
	(void)s;
}

static void forget(struct stages_history *h)
{
	for (size_t i = 0; i < STAGES_HISTORIES; i++) {
		free(h->bucket[i]);
		free(h->before[i]);
		h->bucket[i] = h->before[i] = NULL;
	}
	h->n = 0;
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct stages_history *h = ctx;

	forget(h);
	h->n = iv->n;
	return true;
}

void stages_history_init(struct stages_history *h)
{
	*h = (struct stages_history){
		.watch = { .ctx = h, .begin = begin, .edge = edge, .sample = sample }
	};
}

void stages_history_free(struct stages_history *h)
{
	forget(h);
}
