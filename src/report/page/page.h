/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.h: a trace as one HTML page that needs no network and no other file. The same trace and options give the same
 * bytes, except for charts, which are as gnuplot draws them.
 *
 * Everything from a trace is written by html_text() (render.h). And the page tells the browser, by hashes, to run only the two scripts
 * and to use only the two style sheets that are compiled in, and to fetch nothing.
 */
#ifndef NETCOST_REPORT_PAGE_H
#define NETCOST_REPORT_PAGE_H

#include "report/analysis/accuracy.h"
#include "report/analysis/intervals.h"
#include "report/analysis/processes.h"
#include "report/analysis/summary.h"
#include "report/base/doc.h"

struct page {
	FILE *out;
	const struct summary *s;
	const struct model *m;
	const struct part *part;
	const struct intervals *intervals;
	const struct accuracy_bins *bins;  /* of the intervals */
	const struct process_times *times; /* likewise */
	bool charts;			   /* to be drawn */
	bool icicle, idle;		   /* of the flame graph */
};

/* The model needs what the sections need: PAGE_KEEP. False: no memory; errors of out stay with out. */
bool page_write(const struct page *p);

#define PAGE_KEEP                                                                                  \
	(MODEL_MODULES | MODEL_TASKS | MODEL_CPU_TASKS | MODEL_CGROUPS | MODEL_CPU_CGROUPS |       \
	 MODEL_PROCESSES | MODEL_LATENCY | MODEL_LATENCY_BY | MODEL_STAGES)
#define PAGE_TIMELINE_ROWS 120

#endif
