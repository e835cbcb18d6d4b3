/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plot_draw.h: what scripts of charts are made of. A chart is a page in pixels, y downwards, with shapes and
 * texts anywhere, and panels, which have axes, on top.
 *
 * gnuplot runs what its scripts say, commands of a shell too. So every text, whoever wrote it, gets into a
 * script through plot_quote(), and numbers and our own colours are all else that does.
 */
#ifndef NETCOST_REPORT_PLOT_DRAW_H
#define NETCOST_REPORT_PLOT_DRAW_H

#include "plot.h"

#define PLOT_CHAR 7.4	 /* px, the width of a character, rounded up */
#define PLOT_ROW 19.0	 /* px, a line of text with the space around it */
#define PLOT_TOP 70.0	 /* px, what the titles take */
#define PLOT_MARGIN 20.0 /* px, at the sides */

/* A string of gnuplot's: what is not known to be harmless everywhere becomes '?'. */
void plot_quote(FILE *out, const char *s);

/* Begins the page, with its titles; and ends it. */
void plot_begin(struct plot *p, double width, double height, const char *title);
void plot_end(struct plot *p);

/*
 * A panel with axes: all shapes and texts of the page must have been made. What follows is gnuplot's own: set
 * ranges and tics, then plot. y: its upper end.
 */
void plot_panel(struct plot *p, double x, double y, double width, double height);

/* Distance of tics up to `most`: 1, 2 or 5 times a power of ten, so that there are 3 to 6 of them. */
double plot_tics(double most);

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

#endif
