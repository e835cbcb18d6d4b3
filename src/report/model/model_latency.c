// SPDX-License-Identifier: BSD-2-Clause
/* For how long packets waited: how that was measured, and what the stores of LATENCY and LATENCY_BY have. */
#include "model_impl.h"

const struct store_query model_latency_query = { .type = TRACE_LATENCY,
						 .dim = { TRACE_LATENCY_HOOK },
						 .ns = TRACE_LATENCY_NS };

const struct store_query model_latency_by_query = {
	.type = TRACE_LATENCY_BY,
	.dim = { TRACE_LATENCY_BY_HOOK, TRACE_LATENCY_BY_BY, TRACE_LATENCY_BY_WHICH,
		 TRACE_LATENCY_BY_NETNS, TRACE_LATENCY_BY_IFINDEX, TRACE_LATENCY_BY_CGROUP_ID,
		 TRACE_LATENCY_BY_PID, TRACE_LATENCY_BY_START_NS },
	.name = { TRACE_LATENCY_BY_NETDEV, TRACE_LATENCY_BY_CGROUP, TRACE_LATENCY_BY_PROCESS },
	.ns = TRACE_LATENCY_BY_NS,
	.most = MODEL_LATENCY_BYS,
	.which = TRACE_LATENCY_BY_WHICH,
	.one = NETCOST_LATENCY_ONE,
	.rest = NETCOST_LATENCY_REST
};

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

ptrdiff_t model_latency_row(const struct model *m, enum netcost_latency hook)
{
	const struct store *s = m->store[MODEL_STORE_LATENCY];

	return s ? store_find(s, &(uint64_t){ hook }) : -1;
}

const struct dist *model_latency_dist(const struct model *m, enum netcost_latency hook)
{
	static const struct dist none = { .bucket = NULL };
	ptrdiff_t row = model_latency_row(m, hook);

	return row < 0 ? &none : store_dist(m->store[MODEL_STORE_LATENCY], (size_t)row);
}

uint64_t model_latency_lost(const struct model *m, enum netcost_latency hook,
			    enum netcost_latency_loss loss)
{
	static const unsigned int keys[NETCOST_LATENCY_LOSS_COUNT] = {
		[NETCOST_LATENCY_LOSS_UNKNOWN] = TRACE_LATENCY_UNKNOWN,
		[NETCOST_LATENCY_LOSS_OTHER] = TRACE_LATENCY_OTHER,
		[NETCOST_LATENCY_LOSS_OLD] = TRACE_LATENCY_OLD,
		[NETCOST_LATENCY_LOSS_MERGED] = TRACE_LATENCY_MERGED,
		[NETCOST_LATENCY_LOSS_FILTERED] = TRACE_LATENCY_FILTERED,
		[NETCOST_LATENCY_LOSS_LATER] = TRACE_LATENCY_LATER,
	};
	ptrdiff_t row = model_latency_row(m, hook);

	return row < 0 ? 0 : store_value(m->store[MODEL_STORE_LATENCY], (size_t)row, keys[loss]);
}

size_t model_latency_bys(const struct model *m)
{
	return m->store[MODEL_STORE_LATENCY_BY] ? store_rows(m->store[MODEL_STORE_LATENCY_BY]) : 0;
}

struct model_latency_by model_latency_by(const struct store *s, size_t row)
{
	static const struct {
		unsigned int number, id;
	} keys[NETCOST_LATENCY_BY_COUNT] = {
		[NETCOST_LATENCY_BY_INTERFACE] = { TRACE_LATENCY_BY_IFINDEX,
						   TRACE_LATENCY_BY_NETNS },
		[NETCOST_LATENCY_BY_CGROUP] = { TRACE_LATENCY_BY_CGROUP_ID,
						TRACE_LATENCY_BY_CGROUP_ID },
		[NETCOST_LATENCY_BY_PROCESS] = { TRACE_LATENCY_BY_PID, TRACE_LATENCY_BY_START_NS },
	};
	enum netcost_latency_by by = (unsigned int)store_dim(s, row, TRACE_LATENCY_BY_BY);

	return (struct model_latency_by){
		.hook = (unsigned int)store_dim(s, row, TRACE_LATENCY_BY_HOOK),
		.by = by,
		.which = (unsigned int)store_dim(s, row, TRACE_LATENCY_BY_WHICH),
		.name = store_name(s, row),
		.number = store_dim(s, row, keys[by].number),
		.id = store_dim(s, row, keys[by].id),
		.dist = store_dist(s, row)
	};
}
