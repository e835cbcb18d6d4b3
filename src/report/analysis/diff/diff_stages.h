/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_stages.h: packets' ways in two recordings: by how much the share of packets that went each path changed, and the
 * quantiles of their ways and of each step. p is corrected for all shares together, and for all quantiles together.
 */
#ifndef NETCOST_REPORT_DIFF_STAGES_H
#define NETCOST_REPORT_DIFF_STAGES_H

#include "diff_quantile.h"
#include "report/base/stats.h"
#include "report/model/stages.h"

struct diff_side;

/* Of the packets that came to their end. */
struct diff_stages_path {
	enum stages_path path;
	struct stats_value before, after; /* shares */
	struct stats_change change;
	double p_adjusted; /* NaN: not tested */
	enum diff_verdict verdict;
};

struct diff_stages_row {
	enum stages_path path;
	bool whole; /* way; otherwise a step */
	enum netcost_stage from, to;
	enum dist_quantile quantile;
	struct diff_quantile_change c;
};

struct diff_stages {
	bool there; /* both have recorded it, and are about all CPUs and tasks */
	struct diff_stages_path path[STAGES_PATH_COUNT];
	size_t npaths, tested_paths;
	struct diff_stages_row *row; /* path by path: its steps, then the whole */
	size_t n, tested;
};

/* -ENOMEM: there is nothing to free. */
int diff_stages_make(struct diff_stages *d, const struct diff_side *before,
		     const struct diff_side *after);
void diff_stages_free(struct diff_stages *d);

#endif
