/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_quantile_doc.h: columns of quantiles of packets' times in two recordings, for the tables that have them. */
#ifndef NETCOST_REPORT_DIFF_QUANTILE_DOC_H
#define NETCOST_REPORT_DIFF_QUANTILE_DOC_H

#include "report/analysis/diff/diff_quantile.h"
#include "report/base/doc.h"

#define DIFF_QUANTILE_US .scale = 1e-3, .decimals = 2, .precision = 1, .width = 10
#define DIFF_QUANTILE_BOUNDS(key_)                                                                 \
	{ .key = key_ "_low_ns",                                                                   \
	  .precision = 1,                                                                          \
	  .about = "of its 95 % interval; null: not known" },                                      \
	{                                                                                          \
		.key = key_ "_high_ns", .precision = 1, .about = "likewise"                        \
	}
#define DIFF_VERDICT_COLUMNS                                                                       \
	{ .key = "verdict", .kind = DOC_STRING, .known = true },                                   \
		{ .title = "", .kind = DOC_STRING, .width = 1 },                                   \
	{                                                                                          \
		.title = "", .kind = DOC_STRING                                                    \
	}
#define DIFF_QUANTILE_COLUMNS                                                                      \
	{ .key = "quantile", .kind = DOC_STRING, .known = true, .choices = diff_quantile_keys },   \
		{ .title = "", .kind = DOC_STRING, .width = 5 },                                   \
		{ .key = "before_ns", .title = "before", DIFF_QUANTILE_US },                       \
		DIFF_QUANTILE_BOUNDS("before"),                                                    \
		{ .key = "after_ns", .title = "after", DIFF_QUANTILE_US },                         \
		DIFF_QUANTILE_BOUNDS("after"),                                                     \
		{ .key = "change_ns", .title = "change", DIFF_QUANTILE_US, .sign = true },         \
		{ .key = "change_low_ns",                                                          \
		  .title = "from",                                                                 \
		  DIFF_QUANTILE_US,                                                                \
		  .sign = true,                                                                    \
		  .about = "of its 95 % interval; null: not known" },                              \
		{ .key = "change_high_ns",                                                         \
		  .title = "to",                                                                   \
		  DIFF_QUANTILE_US,                                                                \
		  .sign = true,                                                                    \
		  .about = "likewise" },                                                           \
		{ .key = "p", .precision = 9, .about = "null: not tested" },                       \
		{ .key = "p_corrected",                                                            \
		  .precision = 9,                                                                  \
		  .about = "corrected for the number of tests" },                                  \
		DIFF_VERDICT_COLUMNS

extern const char *const diff_quantile_keys[]; /* with NULL after the last one */
extern const char *const diff_quantile_titles[];

/* All of these. */
void diff_quantile_cells(struct doc *d, enum dist_quantile quantile,
			 const struct diff_quantile_change *c);
void diff_verdict_cells(struct doc *d, enum diff_verdict verdict);

#endif
