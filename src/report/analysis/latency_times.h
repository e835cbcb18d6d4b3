/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency_times.h: for how long packets waited in each piece of time: quantiles of each hook that packets came to.
 */
#ifndef NETCOST_REPORT_LATENCY_TIMES_H
#define NETCOST_REPORT_LATENCY_TIMES_H

#include "latency.h"
#include "latency_pieces.h"

#define LATENCY_TIMES_MOST 300000 /* rows: of a file that has more nothing is kept */

/* NaN: not known. */
struct latency_times_row {
	uint32_t piece, hook;
	uint32_t which, key; /* of latency_by_times.h: a row of its keys, and its `which` */
	double packets, ns[DIST_QUANTILE_COUNT];
	double mean_ns, min_ns, max_ns;
};

struct latency_times_rows {
	struct latency_times_row *at; /* piece by piece, hook by hook */
	size_t n, cap;
	bool no_memory, too_many;
};

struct latency_times {
	struct latency_pieces pieces;
	struct latency_times_rows rows;
};

void latency_times_init(struct latency_times *t);
void latency_times_free(struct latency_times *t);

/* Adds a row, if there are packets. NULL: there is none. */
struct latency_times_row *latency_times_add(struct latency_times_rows *to, uint32_t piece,
					    uint32_t hook, const struct dist *d);
void latency_times_rows_free(struct latency_times_rows *rows);

#endif
