/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plot.h: charts. A chart is a row of plot_chart[]: its name and title, its requirements, and the
 * function that draws it (plot_draw.h). A drawn chart is a gnuplot script that contains its data.
 * gnuplot runs the script and writes the picture to its stdout. The same trace and options give the
 * same script, and with the same gnuplot the same picture.
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

extern const char *const plot_format_names[PLOT_FORMATS + 1]; /* names, NULL-terminated */

struct accuracy;
struct accuracy_bins;
struct latency_history;
struct process_times;

#define PLOT_PANELS_MOST 16

/* The place of a panel on the page, in px. */
struct plot_panel {
	double x, y, width, height;
	long at; /* offset of the panel's commands in the stream of panels */
};

/* A chart that is being drawn. The data to which the members point must outlive the structure. */
struct plot {
	const struct model *m;
	const struct part *part;
	/* intervals, at least one, for charts that use intervals */
	const struct intervals *intervals;
	/* accuracy data, for charts with `bins`; filled while the intervals are filled */
	const struct accuracy_bins *bins;
	/* processes by interval, for charts with `times`; filled while the intervals are filled */
	const struct process_times *times;
	/* latency by time, for charts with `map`; filled while the intervals are filled */
	const struct latency_history *map;
	enum processes_by by; /* the chart `who` has an area for each process, cgroup … */
	size_t top;	      /* number of the areas of `who`; 0 for as many as fit */
	enum plot_format format;
	FILE *out;	/* the script */
	char why[300];	/* reason why there is no chart */
	bool no_script; /* the trace has no data for this chart, and gnuplot was not run */

	/* The remaining members are valid while the chart is drawn: see plot_draw.h. */
	const struct plot_chart *chart;
	const struct accuracy *accuracy; /* result for the bins */
	char title[64];
	double height;
	FILE *page, *panels; /* the elements that are drawn so far */
	struct plot_panel panel[PLOT_PANELS_MOST];
	size_t npanels;
};

struct plot_chart {
	const char *name, *help, *title;
	double width;	    /* width of the page, px */
	const char *of_all; /* reason why CPUs or tasks cannot be selected; NULL if they can */
	bool intervals;	    /* the chart needs intervals */
	/* the chart needs the member of struct plot with the same name */
	bool bins, times, map;
	bool latency, stages; /* the chart needs latencies, or packet paths, in the model */
	bool (*draw)(struct plot *p);
};

#define PLOT_CHARTS 9
extern const struct plot_chart plot_chart[PLOT_CHARTS];

#define PLOT_PROCESSES_MOST 10 /* largest number of separate areas; more would share colours */

/* Returns the chart with that name, or NULL. */
const struct plot_chart *plot_find(const char *name);

/* If one of the following functions returns false or NULL, p->why has the reason. */

/* Writes the script into p->out. */
bool plot_script(struct plot *p, const struct plot_chart *chart);
/*
 * Draws the picture and sets p->out. Returns the picture as a file at its start, which the caller
 * closes.
 */
FILE *plot_picture(struct plot *p, const struct plot_chart *chart);

/*
 * Runs gnuplot on the script. Returns its stdout as a file at its start, which the caller closes.
 * On an error, returns NULL, and `why` has a one-line message.
 */
FILE *gnuplot_run(FILE *script, char *why, size_t size);

/* ---- for charts ------------------------------------------------------------------------ */

/*
 * The elements of scripts. A chart is a page in pixels, whose y axis points downwards, with shapes and texts anywhere.
 * Panels with axes are drawn on top of the page. These elements can be added in any order, because the script has the
 * page first.
 *
 * gnuplot executes its scripts, including shell commands in them. So all text is written into a
 * script by plot_quote(). Everything else is numbers and built-in colours.
 */

#define PLOT_CHAR 7.4	    /* width of a character, px, rounded up */
#define PLOT_ROW 19.0	    /* height of a line of text with its spacing, px */
#define PLOT_TOP 70.0	    /* height of the titles, px */
#define PLOT_MARGIN 20.0    /* margin on both sides, px */
#define PLOT_LEFT_AXIS 62.0 /* width left of a panel whose y axis begins the page, px */

/* Sets p->why to a message. Returns false. */
__attribute__((format(printf, 2, 3))) bool plot_fail(struct plot *p, const char *fmt, ...);
bool plot_no_memory(struct plot *p);

/* Writes a gnuplot string. Characters that are unsafe in some context become '?'. */
void plot_quote(FILE *out, const char *s);

/*
 * Writes the script: its head and titles, the page, then each panel. panels: the text of the stream
 * of panels.
 */
void plot_write(struct plot *p, const char *page, const char *panels);

/*
 * Begins a panel with axes. y: its upper end. The caller then writes gnuplot commands to p->panels:
 * it sets ranges and tics, then plots. Data must precede these commands.
 */
void plot_panel(struct plot *p, double x, double y, double width, double height);

/*
 * Returns the distance between tics from 0 to `most`: 1, 2 or 5 times a power of ten, so that there
 * are 3 to 6 tics.
 */
double plot_tics(double most);

/* The time axis. Seconds are divided by second_is to get the unit of the axis. */
struct plot_axis {
	double second_is;
	const char *unit;
};

struct plot_axis plot_time_axis(double seconds);

/*
 * The next functions draw shapes on the page. color: a built-in "#rrggbb"; NULL means hatched,
 * which marks values that were not measured.
 */
void plot_rect(struct plot *p, double x, double y, double width, double height, const char *color);
/* Draws a slice of a pie, clockwise from its top. from, to: 0 to 1. */
void plot_wedge(struct plot *p, double x, double y, double radius, double from, double to,
		const char *color);
/* Draws the shape that connects a part of one bar to the enlarged bar below it. */
void plot_zoom(struct plot *p, const double from[2], double y, const double to[2], double y_to);

/* Draws a line of a legend: a box of a colour, and its title. y: the middle of the line. */
void plot_legend(struct plot *p, double x, double y, const char *color, const char *title);

enum plot_text {
	PLOT_LEFT = 0,
	PLOT_RIGHT = 1,
	PLOT_CENTER = 2,
	PLOT_BOLD = 4, /* only for built-in texts */
	PLOT_LARGE = 8,
	PLOT_GREY = 16,
};

/* Writes a text. y: the middle of the line. */
__attribute__((format(printf, 5, 6))) void plot_text(struct plot *p, double x, double y,
						     unsigned int how, const char *fmt, ...);

/*
 * The drawing functions of charts. They set p->height, and they set p->title if the title differs
 * from that in the table of charts.
 */
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

/* Returns true if all parts of the RX softirq that have samples also have exact times. */
bool plot_rx_is_exact(const struct summary *s);

/* The appearance of a part of the RX softirq in charts. */
struct plot_look {
	const char *title, *color;
};

/*
 * Returns the appearance of a part. If the parts are by samples, `rules` has their categories, and
 * `number` is the number of a category. If they are exact, `rules` is NULL, and `number` is the
 * number of an exact part. LEAF_RX_SOFTIRQ or NETCOST_PART_COUNT means "self".
 */
struct plot_look plot_rx_look(const struct rules *rules, size_t number);
/* Returns the summary's share of CPU time of a part, with the same numbers; 0: the part was not measured. */
double plot_rx_share(const struct summary *s, bool exact, size_t number, double *ci95);
/* Returns the short title of a leaf or node. */
const char *plot_leaf_title(unsigned int leaves);

/* ---- intervals, joined so that they fit into a picture ------------------------------ */

#define PLOT_COLUMNS 350 /* largest number of columns; each is two pixels wide then */

/* The sums over the intervals of a column. NaN if the value is unknown in all of them. */
struct plot_column {
	double begin_s, end_s;
	double wall_ns;
	double leaf_ns[LEAF_COUNT];
	/* energy_s: time in which power is known; total_j, network_j: energy in that time */
	double total_j, network_j, energy_s;
};

struct plot_columns {
	struct plot_column column[PLOT_COLUMNS];
	size_t n;
	/*
	 * Times of the nrx parts of the RX softirq, column by column. Exact parts are ordered by
	 * their numbers, and "self" follows them. Without exact parts, categories are ordered by
	 * their numbers, with times by samples. The last element is the time that cannot be split.
	 */
	double *rx;
	size_t nrx;
	bool exact;
	bool partly[LEAF_COUNT]; /* the leaf is unknown in some interval */
};

/*
 * Makes the columns. exact: the exact parts of the RX softirq are used, if there are any. Returns
 * NULL if out of memory.
 */
struct plot_columns *plot_columns_new(const struct intervals *iv, const struct model *m,
				      bool exact);
void plot_columns_free(struct plot_columns *c);

#endif
