/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_units.h: unit costs of two recordings. Each has the larger of two errors, as everything that is compared has: that
 * of its time by samples, or of the recorder's own part; and how it varies from one piece of the recording to the next.
 * Changes are not tested: an interval is about its row only.
 */
#ifndef NETCOST_REPORT_DIFF_UNITS_H
#define NETCOST_REPORT_DIFF_UNITS_H

#include "report/base/stats.h"

struct diff_side;

#define DIFF_UNITS 7

struct diff_unit_desc {
	const char *key, *title, *unit;
};

extern const struct diff_unit_desc diff_unit[DIFF_UNITS];

struct diff_units {
	struct diff_unit {
		struct stats_value before, after; /* NaN: not known */
		struct stats_change change;
	} at[DIFF_UNITS];
};

/* -ENOMEM. */
int diff_units_make(struct diff_units *u, const struct diff_side *before,
		    const struct diff_side *after);

#endif
