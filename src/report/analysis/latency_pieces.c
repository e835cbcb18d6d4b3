// SPDX-License-Identifier: BSD-2-Clause
#include "latency_pieces.h"

#include <stdlib.h>

/* What is wrong with the record the model will say. */
static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct latency_pieces *p = ctx;
	uint64_t hook;

	(void)m;
	if (rec->type != TRACE_LATENCY || !p->pieces)
		return 0;
	hook = trace_record_uint(rec, TRACE_LATENCY_HOOK, UINT64_MAX);
	return hook < NETCOST_LATENCY_COUNT ? model_latency_sum(&p->now[hook], rec) : 0;
}

/* What was counted up to the edge is the piece's before it. */
static void edge(void *ctx, const struct model *m, size_t at)
{
	struct latency_pieces *p = ctx;

	(void)m;
	for (uint32_t h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		if (at)
			p->take(p->ctx, (uint32_t)at - 1, h, &p->now[h].dist);
		model_latency_empty(&p->now[h]);
	}
}

static void free_now(struct latency_pieces *p)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		dist_free(&p->now[h].dist);
		p->now[h] = (struct model_latency){ 0 };
	}
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct latency_pieces *p = ctx;

	free_now(p);
	p->pieces = iv->n;
	return p->begin(p->ctx, iv);
}

void latency_pieces_init(struct latency_pieces *p)
{
	p->watch = (struct intervals_watch){
		.ctx = p, .begin = begin, .edge = edge, .record = record
	};
}

void latency_pieces_free(struct latency_pieces *p)
{
	free_now(p);
	p->pieces = 0;
}
