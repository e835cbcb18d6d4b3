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

/*
 * Charts. A chart is a row of plot_chart[]: its name and title, what it needs, and a function that draws it
 * (plot_draw.h). Drawn, it is a gnuplot script with its data inside; gnuplot, run on that script, writes the picture to its
 * stdout. The same trace and options give the same script, and the same gnuplot the same picture.
 */

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
	enum processes_by by; /* the chart `who`: an area for each process, cgroup … */
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

/* ---- for charts ------------------------------------------------------------------------ */

/*
 * What scripts of charts are made of. A chart is a page in pixels, y downwards, with shapes and
 * texts anywhere, and panels, which have axes, on top. They are drawn in any order: the script has the page first.
 *
 * gnuplot runs what its scripts say, commands of a shell too. So every text, whoever wrote it, gets into a
 * script through plot_quote(), and numbers and our own colours are all else that does.
 */

#define PLOT_CHAR 7.4	    /* px, the width of a character, rounded up */
#define PLOT_ROW 19.0	    /* px, a line of text with the space around it */
#define PLOT_TOP 70.0	    /* px, what the titles take */
#define PLOT_MARGIN 20.0    /* px, at the sides */
#define PLOT_LEFT_AXIS 62.0 /* px, left of a panel whose y axis begins the page */

/* Sets p->why. Returns false. */
__attribute__((format(printf, 2, 3))) bool plot_fail(struct plot *p, const char *fmt, ...);
bool plot_no_memory(struct plot *p);

/* A string of gnuplot's: what is not known to be harmless everywhere becomes '?'. */
void plot_quote(FILE *out, const char *s);

/*
 * The script: its head and titles, the page, then each panel. Of what was drawn; panels: the text of that stream.
 */
void plot_write(struct plot *p, const char *page, const char *panels);

/*
 * A panel with axes. What is written to p->panels then is gnuplot's own: set ranges and tics, then plot; its data come
 * before. y: its upper end.
 */
void plot_panel(struct plot *p, double x, double y, double width, double height);

/* Distance of tics up to `most`: 1, 2 or 5 times a power of ten, so that there are 3 to 6 of them. */
double plot_tics(double most);

/* The time axis: times / second_is, in that unit. */
struct plot_axis {
	double second_is;
	const char *unit;
};

struct plot_axis plot_time_axis(double seconds);

/* Shapes on the page. color: "#rrggbb" of our own; NULL: hatched, for what was not measured. */
void plot_rect(struct plot *p, double x, double y, double width, double height, const char *color);
/* A piece of a pie, clockwise from its top; from, to: 0 to 1. */
void plot_wedge(struct plot *p, double x, double y, double radius, double from, double to,
		const char *color);
/* A shape from one horizontal line to a lower one: the part above is enlarged below. */
void plot_zoom(struct plot *p, const double from[2], double y, const double to[2], double y_to);

/* A line of a legend: a box of that colour, and what it stands for. y: the middle of the line. */
void plot_legend(struct plot *p, double x, double y, const char *color, const char *title);

enum plot_text {
	PLOT_LEFT = 0,
	PLOT_RIGHT = 1,
	PLOT_CENTER = 2,
	PLOT_BOLD = 4, /* of our own texts only */
	PLOT_LARGE = 8,
	PLOT_GREY = 16,
};

/* y: the middle of the line. */
__attribute__((format(printf, 5, 6))) void plot_text(struct plot *p, double x, double y,
						     unsigned int how, const char *fmt, ...);

/* The charts' functions: they draw, and set p->height, and p->title where it is not the chart's. */
bool plot_breakdown(struct plot *p);
bool plot_pies(struct plot *p);
bool plot_timeline(struct plot *p);
bool plot_stability(struct plot *p);
bool plot_accuracy(struct plot *p);
bool plot_processes(struct plot *p);
bool plot_latency(struct plot *p);
bool plot_heatmap(struct plot *p);
bool plot_stages(struct plot *p);

/* ---- shared by charts -------------------------------------------------------------------- */

struct summary;

/* Is all that samples tell of the RX softirq's parts known exactly, too? */
bool plot_rx_is_exact(const struct summary *s);

/* How a part of the RX softirq is drawn. rules: for parts by samples; NULL: for exact ones. */
struct plot_look {
	const char *title, *color;
};

/* number: of the category, or of the exact part. LEAF_RX_SOFTIRQ, or NETCOST_PART_COUNT: "self". */
struct plot_look plot_rx_look(const struct rules *rules, size_t number);
/* Of a leaf or node, as short as charts need it. */
const char *plot_leaf_title(unsigned int leaves);

/* ---- the pieces of a trace's time, joined so that a picture has room for them ------------ */

#define PLOT_COLUMNS 350 /* at most: each is two pixels wide then */

/* Sums over its pieces. NaN: not known in any of them. */
struct plot_column {
	double begin_s, end_s;
	double wall_ns;
	double leaf_ns[LEAF_COUNT];
	double total_j, network_j, energy_s; /* over the time that power is known of */
};

struct plot_columns {
	struct plot_column column[PLOT_COLUMNS];
	size_t n;
	/*
	 * Column by column: the parts of the RX softirq, nrx of them: exact, by their numbers, then "self"; or
	 * by samples, by their categories' numbers. The last one is what cannot be told apart.
	 */
	double *rx;
	size_t nrx;
	bool exact;
	bool partly[LEAF_COUNT]; /* in some piece the leaf is not known */
};

/* exact: take the exact parts of the RX softirq, if there are any. NULL: no memory. */
struct plot_columns *plot_columns_new(const struct intervals *iv, const struct model *m,
				      bool exact);
void plot_columns_free(struct plot_columns *c);

#endif
