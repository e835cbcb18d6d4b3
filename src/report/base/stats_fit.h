/* SPDX-License-Identifier: BSD-2-Clause */
/* stats_fit.h: a straight line through points, and how well it is known. It knows no trace. */
#ifndef NETCOST_REPORT_STATS_FIT_H
#define NETCOST_REPORT_STATS_FIT_H

#include <stddef.h>

/* y = at_0 + slope * x */
struct stats_fit {
	double at_0, slope;
	/* Standard errors, of any kind of scatter that is not the same everywhere (HC3). */
	double at_0_se, slope_se;
	double mean_se; /* of the mean of y, by how it scatters around the line; if there is none, around its mean */
	double df;
	double least_x, most_x;
};

/* By least squares. All but mean_se NaN with fewer than three points, or where x is always the same. */
struct stats_fit stats_fit(const double *x, const double *y, size_t n);

#endif
