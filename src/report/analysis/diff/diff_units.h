/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_units.h: unit costs of two recordings. Changes are not tested: an interval is about its row only. */
#ifndef NETCOST_REPORT_DIFF_UNITS_H
#define NETCOST_REPORT_DIFF_UNITS_H

#include "report/analysis/summary.h"
#include "report/base/stats.h"

struct diff_units {
	struct diff_unit {
		struct summary_unit_cost before, after;
		struct stats_change change;
	} at[UNIT_COSTS];
};

struct diff_side;

void diff_units_make(struct diff_units *u, const struct diff_side *before,
		     const struct diff_side *after);

#endif
