/* SPDX-License-Identifier: BSD-2-Clause */
/* timeline.h: a row for each piece of time: the split, traffic and power. What was not measured is NaN. */
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

/* A counter that stands still all the time does not count. */
bool timeline_has_energy(const struct intervals *iv);

/* Row i. r: the row before it, or nothing but zeros. energy: is there any. -ENOMEM. */
int timeline_row(struct timeline_row *r, const struct intervals *iv, const struct model *m,
		 bool energy, size_t i);

#endif
