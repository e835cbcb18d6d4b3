/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_columns.h: columns that all tables of latencies have. */
#ifndef NETCOST_REPORT_LATENCY_COLUMNS_H
#define NETCOST_REPORT_LATENCY_COLUMNS_H

#include "report/analysis/latency.h"
#include "report/base/doc.h"

#define LATENCY_US .scale = 1e-3, .decimals = 2, .precision = 1, .width = 10

#define LATENCY_PIECE                                                                              \
	{ .key = "begin_s", .title = "from s", .decimals = 3, .precision = 6, .width = 8 },        \
	{                                                                                          \
		.key = "end_s", .title = "to s", .decimals = 3, .precision = 6, .width = 10        \
	}

/* Which hook. All other columns are in us. */
#define LATENCY_HOOK                                                                               \
	{                                                                                          \
		.key = "hook", .title = "us", .kind = DOC_STRING, .width = 23, .known = true,      \
		.choices = latency_keys                                                            \
	}
#define LATENCY_PACKETS                                                                            \
	{                                                                                          \
		.key = "packets", .title = "packets", .width = 10, .known = true                   \
	}

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
/* The same interval for people, where there is room: in a page, and in text that is wide. */
#define LATENCY_INTERVAL(title_)                                                                   \
	{                                                                                          \
		.title = title_ ", 95 %", .kind = DOC_STRING, .width = 20, .only = DOC_HTML        \
	}
#define LATENCY_MEAN                                                                               \
	{                                                                                          \
		.key = "mean_ns", .title = "mean", LATENCY_US, .spare = 2                          \
	}
#define LATENCY_ENDS                                                                               \
	{ .key = "min_ns", .title = "min", LATENCY_US, .spare = 5 },                               \
	{                                                                                          \
		.key = "max_ns", .title = "max", LATENCY_US, .spare = 1                            \
	}

/* Copies columns: those of intervals are for people as far as the document has room for them. */
void latency_columns(struct doc_column *to, const struct doc_column *from, size_t n,
		     const struct doc *d);
/* A row's cells of LATENCY_INTERVALS: "2.90 to 3.40", in us. The row must end before texts does. */
struct latency_texts {
	char text[DIST_QUANTILE_COUNT][64];
};
void latency_intervals(struct doc *d, const struct dist_summary *r, struct latency_texts *texts);

#endif
