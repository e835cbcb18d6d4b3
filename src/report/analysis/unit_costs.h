/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unit_costs.h: what a packet, a call and a GB cost: time of leaves, or energy, by what was done. Each has the larger of
 * two errors, as everything that is compared has: that of measuring, by samples or of the recorder's own part; and how it
 * varies from one piece of the recording to the next. Energy has both: idle power is the same line in all pieces.
 */
#ifndef NETCOST_REPORT_UNIT_COSTS_H
#define NETCOST_REPORT_UNIT_COSTS_H

#include "intervals.h"
#include "summary.h"

struct unit_cost_desc {
	const char *key, *ci95_key, *title, *unit;
	const char *by; /* what was done is counted by */
};

extern const struct unit_cost_desc unit_cost[UNIT_COSTS];

/* Half the width of its 95 % interval. NaN: not known. */
double unit_cost_ci95(const struct summary *s, enum unit_cost_id i);

/* Completes those of a summary by how they vary over the pieces, if there are enough. -ENOMEM. */
int unit_costs_vary(struct summary *s, const struct intervals *iv);

#endif
