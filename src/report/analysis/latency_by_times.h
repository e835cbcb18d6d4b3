/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency_by_times.h: for how long packets waited in each piece of time, by interface, cgroup or process: it watches the
 * intervals while they are filled, and keeps quantiles of each that packets came to.
 */
#ifndef NETCOST_REPORT_LATENCY_BY_TIMES_H
#define NETCOST_REPORT_LATENCY_BY_TIMES_H

#include "latency_times.h"

struct latency_by_times {
	struct intervals_watch watch; /* the second of the intervals */
	enum netcost_latency_by by;   /* only rows of these are kept */
	/* As the model's: the same are kept apart. What they count is since the last edge. */
	struct model_latency_bys keys;
	bool counted[MODEL_LATENCY_BYS_MOST]; /* since then */
	struct latency_times_rows rows; /* of a piece and hook those with the most packets first */
	size_t pieces;
};

void latency_by_times_init(struct latency_by_times *t, enum netcost_latency_by by);
void latency_by_times_free(struct latency_by_times *t);

#endif
