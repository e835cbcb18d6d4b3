/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency_times.h: for how long packets waited in each piece of time: it watches the intervals while they are filled, and
 * keeps quantiles of each hook that packets came to.
 */
#ifndef NETCOST_REPORT_LATENCY_TIMES_H
#define NETCOST_REPORT_LATENCY_TIMES_H

#include "intervals.h"
#include "latency.h"

#define LATENCY_TIMES_MOST 300000 /* rows: of a file that has more nothing is kept */

/* NaN: not known. */
struct latency_times_row {
	uint32_t piece, hook;
	double packets, ns[LATENCY_QUANTILE_COUNT];
	double mean_ns, min_ns, max_ns;
};

struct latency_times {
	struct intervals_watch watch;  /* the second of the intervals */
	struct latency_times_row *row; /* piece by piece, hook by hook */
	size_t n, cap;
	struct model_latency now[NETCOST_LATENCY_COUNT]; /* since the last edge */
	size_t pieces;
	bool no_memory, too_many;
};

void latency_times_init(struct latency_times *t);
void latency_times_free(struct latency_times *t);

#endif
