// SPDX-License-Identifier: BSD-2-Clause
/* For how long packets waited. */
#include <string.h>

#include "model_impl.h"

int model_latency_only(struct model *m, const struct trace_record *rec)
{
	struct model_latency_only *o = &m->latency_only;
	int err;

	if (o->defined)
		return 0; /* as the first one says */
	o->defined = true;
	o->netns = trace_record_uint(rec, TRACE_LATENCY_ONLY_NETNS, 0);
	o->ifindex = trace_record_uint(rec, TRACE_LATENCY_ONLY_IFINDEX, 0);
	o->cgroup_id = trace_record_uint(rec, TRACE_LATENCY_ONLY_CGROUP_ID, 0);
	o->pid = trace_record_uint(rec, TRACE_LATENCY_ONLY_PID, 0);
	o->queue = trace_record_uint(rec, TRACE_LATENCY_ONLY_QUEUE, 0);
	err = model_keep_field(m, rec, TRACE_LATENCY_ONLY_NETDEV, &o->netdev);
	return err ? err : model_keep_field(m, rec, TRACE_LATENCY_ONLY_CGROUP, &o->cgroup);
}

/* The end of the scale stays there. */
static void add(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum) || *sum == TRACE_NIL)
		*sum = TRACE_NIL - 1;
}

void model_latency_empty(struct model_latency *l)
{
	dist_clear(&l->dist);
	memset(l->lost, 0, sizeof(l->lost));
}

int model_latency_sum(struct model_latency *l, const struct trace_record *rec)
{
	static const unsigned int lost[NETCOST_LATENCY_LOSS_COUNT] = {
		[NETCOST_LATENCY_LOSS_UNKNOWN] = TRACE_LATENCY_UNKNOWN,
		[NETCOST_LATENCY_LOSS_OTHER] = TRACE_LATENCY_OTHER,
		[NETCOST_LATENCY_LOSS_OLD] = TRACE_LATENCY_OLD,
		[NETCOST_LATENCY_LOSS_MERGED] = TRACE_LATENCY_MERGED,
		[NETCOST_LATENCY_LOSS_FILTERED] = TRACE_LATENCY_FILTERED,
		[NETCOST_LATENCY_LOSS_LATER] = TRACE_LATENCY_LATER,
	};
	int err = dist_add_columns(&l->dist, trace_record_column(rec, TRACE_LATENCY_BUCKET),
				   trace_record_column(rec, TRACE_LATENCY_PACKETS),
				   trace_record_uint(rec, TRACE_LATENCY_NS, TRACE_NIL));

	if (err)
		return err;
	for (unsigned int i = 0; i < NETCOST_LATENCY_LOSS_COUNT; i++)
		add(&l->lost[i], trace_record_uint(rec, lost[i], 0));
	dist_add_ends(&l->dist, trace_record_uint(rec, TRACE_LATENCY_MIN_NS, TRACE_NIL),
		      trace_record_uint(rec, TRACE_LATENCY_MAX_NS, TRACE_NIL));
	return 0;
}

int model_latency(struct model *m, const struct trace_record *rec)
{
	uint64_t hook = trace_record_uint(rec, TRACE_LATENCY_HOOK, UINT64_MAX);

	if (!(m->keep & MODEL_LATENCY) || hook >= NETCOST_LATENCY_COUNT)
		return 0;
	if (trace_record_column(rec, TRACE_LATENCY_BUCKET).n !=
	    trace_record_column(rec, TRACE_LATENCY_PACKETS).n)
		return model_damaged(m, "columns of LATENCY have different lengths");
	return model_latency_sum(&m->latency[hook], rec);
}
