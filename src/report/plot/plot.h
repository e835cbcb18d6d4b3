/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plot.h: what all charts have. A chart is a function that writes a gnuplot script with its data inside;
 * gnuplot, run on that script, writes the picture to its stdout. plot_draw.h has what scripts are made of.
 * The same trace and options give the same script, and the same gnuplot the same picture.
 */
#ifndef NETCOST_REPORT_PLOT_H
#define NETCOST_REPORT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/analysis/intervals.h"
#include "report/analysis/processes.h"
#include "report/base/part.h"
#include "report/model/model.h"

enum plot_format {
	PLOT_SVG,
	PLOT_PNG,
	PLOT_PDF,
	PLOT_FORMATS,
};

extern const char *const plot_format_names[PLOT_FORMATS + 1]; /* NULL-terminated */

struct accuracy_bins;
struct latency_map;
struct process_times;

/* A chart that is being made. What it is made of must outlive it. */
struct plot {
	const struct model *m;
	const struct part *part;
	const struct intervals *intervals; /* for charts that need them; not empty */
	const struct accuracy_bins *bins;  /* likewise: they watched the intervals */
	const struct process_times *times; /* likewise */
	const struct latency_map *map;	   /* likewise */
	enum processes_by by;		   /* of these: areas are of … */
	size_t top;			   /* … so many; 0: as many as there is room for */
	enum plot_format format;
	FILE *out; /* where the script goes */
	const struct plot_chart *chart;
	char why[300];	      /* there is no chart, in words */
	double width, height; /* of the page, px */
	bool page_drawn;      /* what is drawn now are panels */
};

struct plot_chart {
	const char *name, *help;
	bool intervals; /* it wants them */
	bool bins;	/* and these; then intervals, too */
	bool times;	/* likewise */
	bool latency;	/* the model has to have it */
	bool stages;	/* likewise */
	bool map;	/* as bins */
	bool (*write)(struct plot *p);
};

#define PLOT_PROCESSES_MOST 10 /* areas of their own: more would share colours */

/* Sets p->why. Returns false. */
__attribute__((format(printf, 2, 3))) bool plot_fail(struct plot *p, const char *fmt, ...);
bool plot_no_memory(struct plot *p);

struct accuracy;
/* Draws what samples compared with exact times come to. False: p->why says why there is nothing to draw. */
bool plot_compare(struct plot *p, bool (*draw)(struct plot *p, const struct accuracy *a));

/* The charts' functions. */
bool plot_breakdown(struct plot *p);
bool plot_pies(struct plot *p);
bool plot_timeline(struct plot *p);
bool plot_stability(struct plot *p);
bool plot_accuracy(struct plot *p);
bool plot_processes(struct plot *p);
bool plot_latency(struct plot *p);
bool plot_heatmap(struct plot *p);
bool plot_stages(struct plot *p);

#endif
