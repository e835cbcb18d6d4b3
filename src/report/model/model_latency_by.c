// SPDX-License-Identifier: BSD-2-Clause
/* For how long packets waited, by interface, cgroup or process. */
#include <errno.h>
#include <string.h>

#include <netcost/array.h>

#include "model_impl.h"

struct names {
	unsigned int name, number, id;
};

/* What they are called. */
static const struct names names[NETCOST_LATENCY_BY_COUNT] = {
	[NETCOST_LATENCY_BY_INTERFACE] = { TRACE_LATENCY_BY_NETDEV, TRACE_LATENCY_BY_IFINDEX,
					   TRACE_LATENCY_BY_NETNS },
	[NETCOST_LATENCY_BY_CGROUP] = { TRACE_LATENCY_BY_CGROUP, TRACE_LATENCY_BY_CGROUP_ID,
					TRACE_LATENCY_BY_CGROUP_ID },
	[NETCOST_LATENCY_BY_PROCESS] = { TRACE_LATENCY_BY_PROCESS, TRACE_LATENCY_BY_PID,
					 TRACE_LATENCY_BY_START_NS },
};

static bool is_same(const struct model_latency_by *a, const struct model_latency_by *b)
{
	return a->number == b->number && a->id == b->id && a->hook == b->hook && a->by == b->by &&
	       a->which == b->which;
}

static struct model_latency_by *find(struct model *m, const struct model_latency_by *like)
{
	for (size_t i = 0; i < m->nlatency_by; i++)
		if (is_same(&m->latency_by[i], like))
			return &m->latency_by[i];
	return NULL;
}

/* The rest of each hook, and what is not known there, always have room. */
static int get(struct model *m, const struct trace_record *rec, struct model_latency_by *like,
	       struct model_latency_by **row)
{
	int err;

	*row = find(m, like);
	if (!*row && like->which == NETCOST_LATENCY_ONE && m->nlatency_by >= MODEL_LATENCY_BYS) {
		like->which = NETCOST_LATENCY_REST;
		like->number = like->id = TRACE_NIL;
		*row = find(m, like);
	}
	if (*row)
		return 0;
	if (array_reserve(&m->latency_by, &m->latency_by_cap, m->nlatency_by + 1,
			  sizeof(*m->latency_by)))
		return -ENOMEM;
	if (like->which == NETCOST_LATENCY_ONE &&
	    (err = model_keep_field(m, rec, names[like->by].name, &like->name)))
		return err;
	*row = &m->latency_by[m->nlatency_by++];
	**row = *like;
	return 0;
}

int model_latency_by(struct model *m, const struct trace_record *rec)
{
	uint64_t hook = trace_record_uint(rec, TRACE_LATENCY_BY_HOOK, UINT64_MAX);
	uint64_t by = trace_record_uint(rec, TRACE_LATENCY_BY_BY, UINT64_MAX);
	uint64_t which = trace_record_uint(rec, TRACE_LATENCY_BY_WHICH, UINT64_MAX);
	struct trace_column buckets = trace_record_column(rec, TRACE_LATENCY_BY_BUCKET);
	struct trace_column packets = trace_record_column(rec, TRACE_LATENCY_BY_PACKETS);
	struct model_latency_by like = { .number = TRACE_NIL, .id = TRACE_NIL }, *row;
	int err;

	if (!(m->keep & MODEL_LATENCY_BY) || hook >= NETCOST_LATENCY_COUNT ||
	    by >= NETCOST_LATENCY_BY_COUNT || which >= NETCOST_LATENCY_WHICH_COUNT)
		return 0; /* newer ones, too */
	if (buckets.n != packets.n)
		return model_damaged(m, "columns of LATENCY_BY have different lengths");
	like.hook = (unsigned int)hook;
	like.by = (enum netcost_latency_by)by;
	like.which = (enum netcost_latency_which)which;
	if (which == NETCOST_LATENCY_ONE) {
		like.number = trace_record_uint(rec, names[by].number, TRACE_NIL);
		like.id = trace_record_uint(rec, names[by].id, TRACE_NIL);
	}
	err = get(m, rec, &like, &row);
	return err ? err :
		     model_latency_add(&row->l, buckets, packets,
				       trace_record_uint(rec, TRACE_LATENCY_BY_NS, TRACE_NIL));
}
