/* SPDX-License-Identifier: BSD-2-Clause */
/* timeline.h: the pieces of time of intervals.h, worked out one after the other. NaN: not measured. */
#ifndef NETCOST_REPORT_TIMELINE_H
#define NETCOST_REPORT_TIMELINE_H

#include "intervals.h"

struct timeline_row {
	double begin_s, end_s, seconds;
	uint64_t samples;
	struct split_cpu split;
	double packets_per_s, bits_per_s, total_w, network_w;
	size_t moment, nmoments; /* the marks of it, in the model */
};

/* Energy of packages and memory; counters that did not tell of nearly all of the row say nothing. moved: some did. */
double timeline_joules(const struct interval *row, bool moved);
/* A counter that never moves does not count. */
bool timeline_energy_moved(const struct intervals *iv);

struct timeline {
	const struct intervals *intervals;
	const struct model *m;
	bool moved; /* an energy counter has */
};

void timeline_init(struct timeline *t, const struct intervals *iv, const struct model *m);
/* r: holds the row before it, or zeros. -ENOMEM. */
int timeline_row(struct timeline_row *r, const struct timeline *t, size_t i);

#endif
