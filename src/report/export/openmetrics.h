/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * openmetrics.h: the series of metrics of a trace, which are filled while the trace is read. Other formats that need
 * the same series have a struct openmetrics as a part of their state, and call its functions from their own watch.
 */
#ifndef NETCOST_REPORT_OPENMETRICS_H
#define NETCOST_REPORT_OPENMETRICS_H

#include "export.h"
#include "metrics.h"
#include "report/analysis/processes.h"
#include "report/analysis/view.h"

/* Leaves and unit costs by interval. */
struct openmetrics_pieces {
	struct metrics *s;
	const struct intervals *iv;
	bool per_cpu;
	/* running sums by CPU and leaf; the first row is for all CPUs */
	double sum[TRACE_MAX_CPU][LEAF_COUNT];
	double wall_ns;
};

struct openmetrics {
	struct exporter e;
	bool exact; /* value for metrics.exact; set before openmetrics_begin() */
	struct metrics metrics;
	struct openmetrics_pieces pieces;
	struct process_times times;
	uint64_t values; /* number of values read since the previous edge */
	uint64_t records[VIEW_USES_COUNT];
};

/* The watch of the intervals. ctx: a struct openmetrics. */
bool openmetrics_begin(void *ctx, const struct intervals *iv);
void openmetrics_edge(void *ctx, const struct model *m, size_t at);
int openmetrics_closed(void *ctx, const struct model *m, size_t i);
int openmetrics_record(void *ctx, const struct model *m, const struct trace_record *rec);
/* Frees the members. */
void openmetrics_end(struct exporter *e);

#endif
