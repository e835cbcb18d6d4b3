/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unit_costs.h: what a packet, a call and a GB cost: time of leaves, or energy, by what was done. The costs themselves are
 * part of the summary.
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

/*
 * For a comparison with another recording: the variance is the larger of the error of measuring and of how much the cost
 * varies between intervals of time (energy: the sum, as the error of idle power is the same in all of them); NaN: not known.
 * -ENOMEM.
 */
int unit_costs_spread(struct stats_value to[UNIT_COSTS], const struct summary *s,
		      const struct intervals *iv);

#endif
