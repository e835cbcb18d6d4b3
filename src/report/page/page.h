/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.h: a trace as one HTML page that needs no network and no other file. The same trace and
 * options give the same bytes, except for charts, which depend on gnuplot.
 *
 * html_text() writes all text that comes from a trace (render.h). In addition, the page has a
 * policy with hashes: the browser runs only the two built-in scripts, uses only the two built-in
 * style sheets, and fetches nothing.
 */
#ifndef NETCOST_REPORT_PAGE_H
#define NETCOST_REPORT_PAGE_H

#include "report/analysis/accuracy.h"
#include "report/analysis/intervals.h"
#include "report/analysis/latency.h"
#include "report/analysis/processes.h"
#include "report/analysis/summary.h"
#include "report/base/doc.h"

struct page {
	FILE *out;
	const struct summary *s;
	const struct model *m;
	const struct part *part;
	const struct intervals *intervals;
	const struct accuracy_bins *bins;  /* accuracy data; filled with the intervals */
	const struct process_times *times; /* processes by interval; filled with the intervals */
	const struct tail_seen *tail;	   /* functions during delays; filled with the intervals */
	bool charts;			   /* the page has charts */
	bool icicle, idle;		   /* options of the flame graph */
	struct model_choice of;		   /* selects the stacks of the flame graph */
	/* text that describes the selection; NULL: all stacks, or all stacks that are not idle */
	const char *only;
};

/*
 * Writes the page. The model must have the data of all sections: PAGE_KEEP. Returns false if out of
 * memory. Errors of out are recorded in out.
 */
bool page_write(const struct page *p);

/* leaves of the flame graph without --idle and --only */
#define PAGE_STACKS (LEAF_ALL & ~LEAF_BIT(IDLE))

#define PAGE_KEEP                                                                                  \
	(MODEL_MODULES | MODEL_TASKS | MODEL_CPU_TASKS | MODEL_CGROUPS | MODEL_CPU_CGROUPS |       \
	 MODEL_PROCESSES | MODEL_LATENCY | MODEL_LATENCY_BY | MODEL_STAGES | MODEL_STACK_TASKS)
#define PAGE_TIMELINE_ROWS 120

#endif
