/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_latency.h: for how long packets waited in two recordings: by how much the quantiles of each hook moved. p is corrected
 * for all of these rows together.
 */
#ifndef NETCOST_REPORT_DIFF_LATENCY_H
#define NETCOST_REPORT_DIFF_LATENCY_H

#include "diff_quantile.h"

#define DIFF_LATENCY_QUANTILES                                                                     \
	DIST_P99_99 /* those before it: it is hardly ever known well enough */

struct diff_side;

struct diff_latency_row {
	enum netcost_latency hook;
	enum dist_quantile quantile;
	struct diff_quantile_change c;
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
