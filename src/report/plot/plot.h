/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plot.h: charts. A chart is a row of plot_chart[]: its name and title, its requirements, and the function that draws
 * it (plot_draw.h). A drawn chart is a gnuplot script with its data inside; gnuplot, run on that script, writes the
 * picture to its stdout. The same trace and options give the same script, and the same gnuplot the same picture.
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
	long at; /* offset of its commands in the stream of panels */
};

/* A chart that is being drawn. The data it uses must outlive it. */
struct plot {
	const struct model *m;
	const struct part *part;
	const struct intervals *intervals; /* for charts that need them; not empty */
	/* filled with the intervals, for charts that need them */
	const struct accuracy_bins *bins;
	/* filled with the intervals, for charts that need them */
	const struct process_times *times;
	/* filled with the intervals, for charts that need them */
	const struct latency_history *map;
	enum processes_by by; /* for the chart `who`: an area for each process, cgroup … */
	size_t top;	      /* the number of these areas; 0: as many as fit */
	enum plot_format format;
	FILE *out;	/* output of the script */
	char why[300];	/* a message if there is no chart */
	bool no_script; /* the trace has no data for this chart, so gnuplot was not run */

	/* Valid while it is drawn: see plot_draw.h. */
	const struct plot_chart *chart;
	const struct accuracy *accuracy; /* of the bins */
	char title[64];
	double height;
	FILE *page, *panels; /* the parts drawn so far */
	struct plot_panel panel[PLOT_PANELS_MOST];
	size_t npanels;
};

struct plot_chart {
	const char *name, *help, *title;
	double width;	       /* px */
	const char *of_all;    /* why it cannot be limited to some CPUs or tasks; NULL: it can */
	bool intervals;	       /* needs intervals */
	bool bins, times, map; /* needs these, which are filled with the intervals */
	bool latency, stages;  /* data that the model must have */
	bool (*draw)(struct plot *p);
};

#define PLOT_CHARTS 9
extern const struct plot_chart plot_chart[PLOT_CHARTS];

#define PLOT_PROCESSES_MOST 10 /* separate areas: more would share colours */

const struct plot_chart *plot_find(const char *name); /* NULL: unknown name */

/* If these return false or NULL, p->why has the reason. */

/* Writes the script into p->out. */
bool plot_script(struct plot *p, const struct plot_chart *chart);
/* Draws the picture. Returns a file at its start, which the caller closes. Sets p->out. */
FILE *plot_picture(struct plot *p, const struct plot_chart *chart);

/*
 * Runs gnuplot on the script. Returns its stdout as a file at its start, which the caller closes.
 * NULL: why has a one-line message.
 */
FILE *gnuplot_run(FILE *script, char *why, size_t size);

/* ---- for charts ------------------------------------------------------------------------ */

/*
 * The parts of scripts. A chart is a page in pixels, y downwards, with shapes and texts anywhere,
 * and panels with axes on top. They can be drawn in any order: the script has the page first.
 *
 * gnuplot executes its scripts, including shell commands in them. So all text goes into a script
 * through plot_quote(); the rest is numbers and built-in colours.
 */

#define PLOT_CHAR 7.4	    /* px, the width of a character, rounded up */
#define PLOT_ROW 19.0	    /* px, a line of text including its spacing */
#define PLOT_TOP 70.0	    /* px, the height of the titles */
#define PLOT_MARGIN 20.0    /* px, at both sides */
#define PLOT_LEFT_AXIS 62.0 /* px, left of a panel whose y axis begins the page */

/* Sets p->why. Returns false. */
__attribute__((format(printf, 2, 3))) bool plot_fail(struct plot *p, const char *fmt, ...);
bool plot_no_memory(struct plot *p);

/* Writes a gnuplot string: characters that may be unsafe anywhere become '?'. */
void plot_quote(FILE *out, const char *s);

/* Writes the script: its head and titles, the page, then each panel. panels: the text of that stream. */
void plot_write(struct plot *p, const char *page, const char *panels);

/*
 * Begins a panel with axes. What is written to p->panels afterwards is gnuplot commands: set
 * ranges and tics, then plot; the data precede them. y: its upper end.
 */
void plot_panel(struct plot *p, double x, double y, double width, double height);

/* Returns the distance of tics up to `most`: 1, 2 or 5 times a power of ten, which gives 3 to 6 tics. */
double plot_tics(double most);

/* The time axis: seconds are divided by second_is to get its unit. */
struct plot_axis {
	double second_is;
	const char *unit;
};

struct plot_axis plot_time_axis(double seconds);

/* Shapes on the page. color: a built-in "#rrggbb"; NULL: hatched, for what was not measured. */
void plot_rect(struct plot *p, double x, double y, double width, double height, const char *color);
/* Draws a slice of a pie, clockwise from its top; from, to: 0 to 1. */
void plot_wedge(struct plot *p, double x, double y, double radius, double from, double to,
		const char *color);
/* Draws the shape that connects a part of one bar to the enlarged bar below it. */
void plot_zoom(struct plot *p, const double from[2], double y, const double to[2], double y_to);

/* Draws a line of a legend: a box of that colour, and its title. y: the middle of the line. */
void plot_legend(struct plot *p, double x, double y, const char *color, const char *title);

enum plot_text {
	PLOT_LEFT = 0,
	PLOT_RIGHT = 1,
	PLOT_CENTER = 2,
	PLOT_BOLD = 4, /* only for built-in texts */
	PLOT_LARGE = 8,
	PLOT_GREY = 16,
};

/* y: the middle of the line. */
__attribute__((format(printf, 5, 6))) void plot_text(struct plot *p, double x, double y,
						     unsigned int how, const char *fmt, ...);

/* The drawing functions of charts. They set p->height, and p->title if it differs from the chart's. */
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

/* True if exact times have all parts of the RX softirq that samples have. */
bool plot_rx_is_exact(const struct summary *s);

/* The appearance of a part of the RX softirq. rules: for parts by samples; NULL: for exact parts. */
struct plot_look {
	const char *title, *color;
};

/* number: of the category, or of the exact part. LEAF_RX_SOFTIRQ or NETCOST_PART_COUNT: "self". */
struct plot_look plot_rx_look(const struct rules *rules, size_t number);
/* Returns the short title of a leaf or node. */
const char *plot_leaf_title(unsigned int leaves);

/* ---- intervals, joined so that they fit into a picture ------------------------------ */

#define PLOT_COLUMNS 350 /* largest number: each is two pixels wide then */

/* Sums over its intervals. NaN: unknown in all of them. */
struct plot_column {
	double begin_s, end_s;
	double wall_ns;
	double leaf_ns[LEAF_COUNT];
	/* energy_s: the time in which power is known; the others: energy in that time */
	double total_j, network_j, energy_s;
};

struct plot_columns {
	struct plot_column column[PLOT_COLUMNS];
	size_t n;
	/*
	 * Column by column, nrx parts of the RX softirq each: exact parts by their numbers, then "self"; or, by
	 * samples, categories by their numbers. The last one is the time that cannot be split.
	 */
	double *rx;
	size_t nrx;
	bool exact;
	bool partly[LEAF_COUNT]; /* the leaf is unknown in some interval */
};

/* exact: use the exact parts of the RX softirq, if there are any. Returns NULL if out of memory. */
struct plot_columns *plot_columns_new(const struct intervals *iv, const struct model *m,
				      bool exact);
void plot_columns_free(struct plot_columns *c);

#endif
