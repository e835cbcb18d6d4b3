/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plot.h: charts. A chart is a row of plot_chart[]: its name and title, what it needs, and a function that draws it
 * (plot_draw.h). Drawn, it is a gnuplot script with its data inside; gnuplot, run on that script, writes the picture to its
 * stdout. The same trace and options give the same script, and the same gnuplot the same picture.
 */
#ifndef NETCOST_REPORT_PLOT_H
#define NETCOST_REPORT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/analysis/intervals.h"
#include "report/analysis/processes.h"
#include "report/base/text.h"
#include "report/model/model.h"

enum plot_format {
	PLOT_SVG,
	PLOT_PNG,
	PLOT_PDF,
	PLOT_FORMATS,
};

extern const char *const plot_format_names[PLOT_FORMATS + 1]; /* NULL-terminated */

struct accuracy;
struct accuracy_bins;
struct latency_history;
struct process_times;

#define PLOT_PANELS_MOST 16

/* A panel's place on the page, px. */
struct plot_panel {
	double x, y, width, height;
	long at; /* where its commands begin in the stream of panels */
};

/* A chart that is being made. What it is made of must outlive it. */
struct plot {
	const struct model *m;
	const struct part *part;
	const struct intervals *intervals; /* for charts that need them; not empty */
	const struct accuracy_bins *bins;  /* likewise: they watched the intervals */
	const struct process_times *times; /* likewise */
	const struct latency_history *map; /* likewise */
	enum processes_by by; /* the chart `processes`: an area for each process, cgroup … */
	size_t top;	      /* the number of these areas; 0: as many as there is room for */
	enum plot_format format;
	FILE *out;	/* where the script goes */
	char why[300];	/* there is no chart, in words */
	bool no_script; /* the trace has nothing for this chart: gnuplot was not run */

	/* While it is drawn: see plot_draw.h. */
	const struct plot_chart *chart;
	const struct accuracy *accuracy; /* of the bins */
	char title[64];
	double height;
	FILE *page, *panels; /* what is drawn so far */
	struct plot_panel panel[PLOT_PANELS_MOST];
	size_t npanels;
};

struct plot_chart {
	const char *name, *help, *title;
	double width;	       /* px */
	const char *of_all;    /* why it cannot show some CPUs or tasks only; NULL: it can */
	bool intervals;	       /* it needs them */
	bool bins, times, map; /* and these of the intervals */
	bool latency, stages;  /* the model has to have these */
	bool (*draw)(struct plot *p);
};

#define PLOT_CHARTS 9
extern const struct plot_chart plot_chart[PLOT_CHARTS];

#define PLOT_PROCESSES_MOST 10 /* areas of their own: more would share colours */

const struct plot_chart *plot_find(const char *name); /* NULL: there is no such chart */

/* If these return false or NULL p->why says why. */

/* Writes the script into p->out. */
bool plot_script(struct plot *p, const struct plot_chart *chart);
/* The picture, from its beginning; to be closed. It sets p->out. */
FILE *plot_picture(struct plot *p, const struct plot_chart *chart);

/*
 * What gnuplot writes to its stdout when it runs that script, from its beginning; to be closed. NULL: why
 * says what is wrong and what to do, in a line.
 */
FILE *gnuplot_run(FILE *script, char *why, size_t size);

#endif
