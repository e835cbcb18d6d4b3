/* SPDX-License-Identifier: BSD-2-Clause */
/* plot_panel.h: areas on top of each other, over time, with a legend beside them. */
#ifndef NETCOST_REPORT_PLOT_PANEL_H
#define NETCOST_REPORT_PLOT_PANEL_H

#include "plot_columns.h"
#include "plot_draw.h"

#define PANEL_SERIES 16
#define PANEL_TITLE 32

struct panel_series {
	char title[PANEL_TITLE];
	const char *color;	    /* NULL: hatched */
	double mean;		    /* NaN: never measured */
	bool partly;		    /* not measured in some pieces: the mean is at least that */
	bool line;		    /* not one of the areas: a line, from 0 */
	double value[PLOT_COLUMNS]; /* of each column; NaN: not measured */
};

struct panel {
	const char *title, *unit;
	const struct plot_columns *columns;
	struct panel_series series[PANEL_SERIES]; /* the lowest first */
	size_t n;
	bool of_time; /* shares of all the time: where a series is not measured its mean is smaller */
	double most; /* the upper end; 0: as the values are */
};

/* The time axis: times / second_is, in that unit. */
struct panel_axis {
	double second_is;
	const char *unit;
};

struct panel_axis panel_axis(double seconds);

/* Adds a series of zeros; NULL: there is no room. */
struct panel_series *panel_add(struct panel *panel, const char *title, const char *color);
/* All series are filled: finds their means, weighted by the columns' lengths; drops those that are always 0. */
void panel_finish(struct panel *panel, bool drop_empty);

/* Its heading and legend go on the page; then, its axes, and its areas. y: the upper end of the areas. */
void panel_legend(struct plot *p, const struct panel *panel, double y);
void panel_begin(struct plot *p, const struct panel *panel, double y, unsigned int number);
void panel_end(struct plot *p, const struct panel *panel, unsigned int number);
double panel_height(const struct panel *panel);

#endif
