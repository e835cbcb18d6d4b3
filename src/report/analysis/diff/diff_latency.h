/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_latency.h: for how long packets waited in two recordings: by how much the quantiles of each hook moved.
 *
 * Which ranks enclose a quantile is known from how many packets there are, if they have nothing to do with each other; but
 * packets that come together wait together. So it is also looked at how the share of packets that are not above the
 * quantile varies from one piece of the recording to the next; the wider interval counts. The interval of a change is made
 * of both (MOVER), and its p is corrected by Holm's method for all of these rows together.
 */
#ifndef NETCOST_REPORT_DIFF_LATENCY_H
#define NETCOST_REPORT_DIFF_LATENCY_H

#include "diff_verdict.h"
#include "report/analysis/latency.h"

#define DIFF_LATENCY_QUANTILES                                                                     \
	LATENCY_P99_99 /* those before it: it is hardly ever known well enough */

struct diff_side;

/* NaN: not known. */
struct diff_latency_value {
	double ns, low_ns, high_ns; /* and its 95 % interval */
};

struct diff_latency_row {
	enum netcost_latency hook;
	enum latency_quantile quantile;
	struct diff_latency_value before, after, change;
	double p, p_adjusted; /* NaN: not tested */
	enum diff_verdict verdict;
};

struct diff_latency {
	bool there; /* both have recorded it, and are about all CPUs and tasks */
	struct diff_latency_row row[NETCOST_LATENCY_COUNT * DIFF_LATENCY_QUANTILES];
	size_t n, tested;
};

/* -ENOMEM. */
int diff_latency_make(struct diff_latency *d, const struct diff_side *before,
		      const struct diff_side *after);

#endif
