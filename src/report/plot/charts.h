/* SPDX-License-Identifier: BSD-2-Clause */
/* charts.h: all charts. */
#ifndef NETCOST_REPORT_CHARTS_H
#define NETCOST_REPORT_CHARTS_H

#include "plot.h"

#define PLOT_CHARTS 9
extern const struct plot_chart plot_chart[PLOT_CHARTS];

const struct plot_chart *plot_find(const char *name); /* NULL: there is no such chart */

/* If these return false or NULL p->why says why. */

/* Writes the script into p->out. */
bool plot_script(struct plot *p, const struct plot_chart *chart);
/* The picture, from its beginning; to be closed. Neither looks at p->out. */
FILE *plot_picture(struct plot *p, const struct plot_chart *chart);

#endif
