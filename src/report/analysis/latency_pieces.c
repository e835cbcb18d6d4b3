// SPDX-License-Identifier: BSD-2-Clause
#include "latency_pieces.h"

#include <errno.h>
#include <stdlib.h>

/* What is wrong with the record the model will say. */
static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct latency_pieces *p = ctx;
	struct model_latency l = { .min_ns = TRACE_NIL, .max_ns = TRACE_NIL };
	uint64_t hook;

	(void)m;
	if (rec->type != TRACE_LATENCY || !p->next || p->next > p->n)
		return 0;
	hook = trace_record_uint(rec, TRACE_LATENCY_HOOK, UINT64_MAX);
	if (hook >= NETCOST_LATENCY_COUNT)
		return 0;
	if (!p->bucket[hook])
		p->bucket[hook] = calloc(p->n * NETCOST_LATENCY_BUCKETS, sizeof(*p->bucket[hook]));
	if (!p->bucket[hook])
		return -ENOMEM;
	l.bucket = p->bucket[hook] + (p->next - 1) * NETCOST_LATENCY_BUCKETS;
	return model_latency_sum(&l, rec);
}

/* What was counted up to the edge is the piece's before it. */
static void edge(void *ctx, const struct model *m, size_t at)
{
	struct latency_pieces *p = ctx;

	(void)m;
	p->next = at + 1;
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct latency_pieces *p = ctx;

	latency_pieces_free(p);
	p->n = iv->n;
	return true;
}

void latency_pieces_init(struct latency_pieces *p)
{
	*p = (struct latency_pieces){
		.watch = { .ctx = p, .begin = begin, .edge = edge, .record = record }
	};
}

/* It can be used again. */
void latency_pieces_free(struct latency_pieces *p)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		free(p->bucket[h]);
	*p = (struct latency_pieces){ .watch = p->watch };
}

double latency_pieces_upto(const struct latency_pieces *p, enum netcost_latency hook, size_t piece,
			   unsigned int bucket)
{
	const uint64_t *of = p->bucket[hook] + piece * NETCOST_LATENCY_BUCKETS;
	double n = 0;

	for (unsigned int b = 0; b <= bucket; b++)
		n += (double)of[b];
	return n;
}
