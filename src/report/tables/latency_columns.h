/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_columns.h: columns that all tables of quantiles of times have. */
#ifndef NETCOST_REPORT_LATENCY_COLUMNS_H
#define NETCOST_REPORT_LATENCY_COLUMNS_H

#include "report/analysis/latency.h"
#include "report/base/doc.h"

#define LATENCY_US .scale = 1e-3, .decimals = 2, .precision = 1, .width = 10

/* Quantiles that may be left out where there is no room: those that others enclose first. */
enum {
	LATENCY_SPARE_P50 = 0,
	LATENCY_SPARE_P90 = 3,
	LATENCY_SPARE_P99 = 0,
	LATENCY_SPARE_P99_9 = 1,
	LATENCY_SPARE_P99_99 = 4,
};
#define LATENCY_QUANTILE(NAME, key_, title_)                                                       \
	{                                                                                          \
		.key = key_ "_ns", .title = title_, LATENCY_US, .spare = LATENCY_SPARE_##NAME      \
	}
#define LATENCY_BOUNDS(key_)                                                                       \
	{ .key = key_ "_low_ns",                                                                   \
	  .precision = 1,                                                                          \
	  .about = "of its 95 % interval; null: too few packets for it" },                         \
	{                                                                                          \
		.key = key_ "_high_ns", .precision = 1, .about = "likewise"                        \
	}
#define LATENCY_MEAN                                                                               \
	{                                                                                          \
		.key = "mean_ns", .title = "mean", LATENCY_US, .spare = 2                          \
	}

#endif
