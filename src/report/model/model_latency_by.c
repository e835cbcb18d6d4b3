// SPDX-License-Identifier: BSD-2-Clause
/* For how long packets waited, by interface, cgroup or process. */
#include <errno.h>
#include <stdlib.h>

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

struct model_latency_by *model_latency_by_find(const struct model_latency_bys *in,
					       const struct model_latency_by *like)
{
	for (size_t i = 0; i < in->n; i++)
		if (is_same(&in->row[i], like))
			return &in->row[i];
	return NULL;
}

/* False: it is of a newer kind. */
static bool read_key(struct model_latency_by *like, const struct trace_record *rec)
{
	uint64_t hook = trace_record_uint(rec, TRACE_LATENCY_BY_HOOK, UINT64_MAX);
	uint64_t by = trace_record_uint(rec, TRACE_LATENCY_BY_BY, UINT64_MAX);
	uint64_t which = trace_record_uint(rec, TRACE_LATENCY_BY_WHICH, UINT64_MAX);

	if (hook >= NETCOST_LATENCY_COUNT || by >= NETCOST_LATENCY_BY_COUNT ||
	    which >= NETCOST_LATENCY_WHICH_COUNT)
		return false;
	*like = (struct model_latency_by){ .hook = (unsigned int)hook,
					   .by = (enum netcost_latency_by)by,
					   .which = (enum netcost_latency_which)which,
					   .number = TRACE_NIL,
					   .id = TRACE_NIL };
	if (like->which == NETCOST_LATENCY_ONE) {
		like->number = trace_record_uint(rec, names[by].number, TRACE_NIL);
		like->id = trace_record_uint(rec, names[by].id, TRACE_NIL);
	}
	return true;
}

/* The rest of each hook, and what is not known there, always have room. NULL: no memory. */
static struct model_latency_by *get(struct model_latency_bys *in, struct model_latency_by *like)
{
	struct model_latency_by *row = model_latency_by_find(in, like);

	if (!row && like->which == NETCOST_LATENCY_ONE && in->n >= MODEL_LATENCY_BYS) {
		like->which = NETCOST_LATENCY_REST;
		like->number = like->id = TRACE_NIL;
		row = model_latency_by_find(in, like);
	}
	if (row)
		return row;
	if (array_reserve(&in->row, &in->cap, in->n + 1, sizeof(*in->row)))
		return NULL;
	row = &in->row[in->n++];
	*row = *like;
	return row;
}

int model_latency_by_sum(struct model_latency_bys *to, const struct trace_record *rec,
			 struct model_latency_by **row)
{
	struct model_latency_by like;

	*row = NULL;
	if (!read_key(&like, rec))
		return 0;
	*row = get(to, &like);
	if (!*row)
		return -ENOMEM;
	return dist_add_columns(&(*row)->dist, trace_record_column(rec, TRACE_LATENCY_BY_BUCKET),
				trace_record_column(rec, TRACE_LATENCY_BY_PACKETS),
				trace_record_uint(rec, TRACE_LATENCY_BY_NS, TRACE_NIL));
}

void model_latency_bys_free(struct model_latency_bys *bys)
{
	for (size_t i = 0; i < bys->n; i++)
		dist_free(&bys->row[i].dist);
	free(bys->row);
	*bys = (struct model_latency_bys){ 0 };
}

/* A row is called what its first record says. */
int model_latency_by(struct model *m, const struct trace_record *rec)
{
	struct model_latency_by *row;
	int err;

	if (!(m->keep & MODEL_LATENCY_BY))
		return 0;
	if (trace_record_column(rec, TRACE_LATENCY_BY_BUCKET).n !=
	    trace_record_column(rec, TRACE_LATENCY_BY_PACKETS).n)
		return model_damaged(m, "columns of LATENCY_BY have different lengths");
	err = model_latency_by_sum(&m->latency_by, rec, &row);
	if (err || !row || row->which != NETCOST_LATENCY_ONE || row->name)
		return err;
	return model_keep_field(m, rec, names[row->by].name, &row->name);
}

void model_free_latency(struct model *m)
{
	for (unsigned int i = 0; i < NETCOST_LATENCY_COUNT; i++)
		dist_free(&m->latency[i].dist);
	model_latency_bys_free(&m->latency_by);
}
