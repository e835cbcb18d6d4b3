/* SPDX-License-Identifier: BSD-2-Clause */
/* areas_impl.h: charts of stacked areas over time. Each panel has a stack of series. */
#ifndef NETCOST_REPORT_AREAS_IMPL_H
#define NETCOST_REPORT_AREAS_IMPL_H

#include "plot.h"

struct summary;

#define AREAS_PANELS 4
#define AREAS_SERIES 16

struct series {
	char title[32];
	const char *color; /* colour of the area; NULL if it is hatched */
	double mean;	   /* mean over the whole time; NaN if the value was never measured */
	double ci95;	   /* half-width of the summary's confidence interval; 0 or NaN: unknown */
	bool partly;	   /* some time was not measured, so the mean is a lower bound */
	bool is_whole;	   /* the mean is the summary's value instead of the mean of all columns */
	bool line;	   /* drawn as a line from 0 instead of an area */
	double value[PLOT_COLUMNS]; /* value of each column; NaN if it was not measured */
};

struct panel {
	const char *title, *unit; /* title: NULL if the panel is not drawn */
	/*
	 * the values are shares of the whole time: an interval without a measured value lowers the
	 * mean
	 */
	bool of_time;
	/* upper end of the y axis; 0 if it is derived from the values */
	double most;
	struct series series[AREAS_SERIES]; /* series from bottom to top */
	size_t n;
};

struct areas {
	struct plot *p;
	const struct plot_columns *columns;
	const struct summary *summary; /* of the whole time */
	double begin_s, end_s;
	struct plot_axis axis;
	bool marks; /* the recording's marks are drawn */
	struct panel panel[AREAS_PANELS];
};

/* Creates the chart, which owns the columns. Returns NULL if out of memory. */
struct areas *areas_new(struct plot *p, struct plot_columns *columns);
void areas_free(struct areas *a);

/* Adds a series of zeros. The panel must have room for it. */
struct series *panel_add(struct panel *panel, const char *title, const char *color);
/*
 * If the value of a series for the whole time is not known, computes the mean of its columns, weighted by the columns'
 * lengths. drop_empty: drops series that are always 0. Must be called when all series are filled.
 */
void panel_finish(const struct areas *a, struct panel *panel, bool drop_empty);

/* Draws the panels, and a note below them. */
void areas_draw(const struct areas *a, const char *note);

#endif
