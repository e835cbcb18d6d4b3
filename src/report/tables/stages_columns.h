/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_columns.h: columns that all tables of packets' ways have. */
#ifndef NETCOST_REPORT_STAGES_COLUMNS_H
#define NETCOST_REPORT_STAGES_COLUMNS_H

#include "latency_columns.h"
#include "report/analysis/stages.h"

#define STAGES_QUANTILE(name, key, title, share)                                                   \
	LATENCY_QUANTILE(name, key, title), LATENCY_BOUNDS(key),
#define STAGES_QUANTILES                                                                           \
	DIST_QUANTILES(STAGES_QUANTILE) LATENCY_MEAN,                                              \
	{                                                                                          \
		.key = "sum_ns", .precision = 0                                                    \
	}

/* From which stage to which, in how many packets. */
#define STAGES_STEP                                                                                \
	{ .key = "path", .kind = DOC_STRING, .known = true, .choices = stages_path_keys },         \
		{ .key = "from",                                                                   \
		  .title = "us from",                                                              \
		  .kind = DOC_STRING,                                                              \
		  .width = 10,                                                                     \
		  .choices = stages_keys,                                                          \
		  .about = "null: the whole way" },                                                \
		{ .key = "to",                                                                     \
		  .title = "to",                                                                   \
		  .kind = DOC_STRING,                                                              \
		  .width = 10,                                                                     \
		  .choices = stages_keys },                                                        \
		{ .key = "packets", .title = "packets", .width = 10, .known = true },              \
		STAGES_QUANTILES,                                                                  \
	{                                                                                          \
		DOC_PERCENT("share_percent", "% of way", 9),                                       \
			.about = "of the time of this path's packets"                              \
	}

/* The cells of STAGES_QUANTILES. */
void stages_quantiles(struct doc *d, const struct dist_summary *r, uint64_t sum_ns);
/*
 * The cells of STAGES_STEP. step: NULL: the whole of that path, of these times. way_ns: the time that it is a share of.
 */
void stages_cells(struct doc *d, enum stages_path path, const struct stages_step *step,
		  const struct stages_times *t, uint64_t way_ns);

#endif
