/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plot_draw.h: what scripts of charts are made of. A chart is a page in pixels, y downwards, with shapes and
 * texts anywhere, and panels, which have axes, on top. They are drawn in any order: the script has the page first.
 *
 * gnuplot runs what its scripts say, commands of a shell too. So every text, whoever wrote it, gets into a
 * script through plot_quote(), and numbers and our own colours are all else that does.
 */
#ifndef NETCOST_REPORT_PLOT_DRAW_H
#define NETCOST_REPORT_PLOT_DRAW_H

#include "plot.h"

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
