// SPDX-License-Identifier: BSD-2-Clause
#include "latency_times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

/* What is wrong with the record the model will say. */
static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct latency_times *t = ctx;
	uint64_t hook;

	(void)m;
	if (rec->type != TRACE_LATENCY || !t->pieces)
		return 0;
	hook = trace_record_uint(rec, TRACE_LATENCY_HOOK, UINT64_MAX);
	return hook < NETCOST_LATENCY_COUNT ? model_latency_sum(&t->now[hook], rec) : 0;
}

static void forget(struct model_latency *l)
{
	uint64_t *bucket = l->bucket;

	if (!bucket)
		return;
	memset(bucket, 0, NETCOST_LATENCY_BUCKETS * sizeof(*bucket));
	*l = (struct model_latency){ .bucket = bucket, .min_ns = TRACE_NIL, .max_ns = TRACE_NIL };
}

static void keep(struct latency_times *t, uint32_t piece, uint32_t hook)
{
	struct latency_times_row *to;
	struct latency_row r;

	latency_row_of(&r, &t->now[hook]);
	if (!(r.packets > 0) || t->too_many || t->no_memory)
		return;
	t->too_many = t->n == LATENCY_TIMES_MOST;
	t->no_memory = array_reserve(&t->row, &t->cap, t->n + 1, sizeof(*t->row));
	if (t->too_many || t->no_memory)
		return;
	to = &t->row[t->n++];
	*to = (struct latency_times_row){ .piece = piece,
					  .hook = hook,
					  .packets = r.packets,
					  .mean_ns = r.mean_ns,
					  .min_ns = r.min_ns,
					  .max_ns = r.max_ns };
	memcpy(to->ns, r.ns, sizeof(to->ns));
}

/* What was counted up to the edge is the piece's before it. */
static void edge(void *ctx, const struct model *m, size_t at)
{
	struct latency_times *t = ctx;

	(void)m;
	for (uint32_t h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		if (at)
			keep(t, (uint32_t)at - 1, h);
		forget(&t->now[h]);
	}
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct latency_times *t = ctx;

	latency_times_free(t);
	t->pieces = iv->n;
	return true;
}

void latency_times_init(struct latency_times *t)
{
	*t = (struct latency_times){
		.watch = { .ctx = t, .begin = begin, .edge = edge, .record = record }
	};
}

/* It can be used again. */
void latency_times_free(struct latency_times *t)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		free(t->now[h].bucket);
	free(t->row);
	*t = (struct latency_times){ .watch = t->watch };
}
