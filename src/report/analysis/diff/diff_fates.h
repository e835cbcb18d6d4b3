/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_fates.h: what became of received packets in two recordings, as the time of the RX softirq that it took. As of
 * processes, what differs is a difference, of the load or of its cost: it is not tested. Where only some softirqs were
 * looked at, it has the interval of that.
 */
#ifndef NETCOST_REPORT_DIFF_FATES_H
#define NETCOST_REPORT_DIFF_FATES_H

#include "report/analysis/owners.h"

struct diff_side;

struct diff_fate {
	enum netcost_fate fate;
	const char *what; /* as struct owners_row has it */
	/* In the unit that was asked for, with what is dealt out; of what was not there 0. */
	double before, after;
	double ci95; /* half of the interval of the change; 0: exact, NaN: not known */
};

struct diff_fates {
	bool there;   /* both have recorded it, and are about all CPUs and tasks */
	double every; /* one softirq in so many was looked at; the larger of the two */
	struct diff_fate row[2 * OWNERS_ROWS];
	size_t n;
};

void diff_fates_make(struct diff_fates *f, const struct diff_side *before,
		     const struct diff_side *after);

#endif
