/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stats_regress.h: what one more of each of several things costs, by least squares. It knows no trace.
 *
 *	y = fixed[unit] + sum of price[j] * x[j] + scatter
 *
 * Each unit has its own fixed part, so that units which always differ say nothing: only what varies within them does.
 *
 * Intervals take no scatter as the same everywhere (HC3: J. G. MacKinnon, H. White, "Some heteroskedasticity-consistent
 * covariance matrix estimators with improved finite sample properties", Journal of Econometrics 29, 1985), nor as
 * independent: neighbours in time may be alike (W. K. Newey, K. D. West, "A simple, positive semi-definite,
 * heteroskedasticity and autocorrelation consistent covariance matrix", Econometrica 55, 1987; as many lags as
 * their rule of 1994 has), and units of the same moment, too (J. C. Driscoll, A. C. Kraay, "Consistent covariance
 * matrix estimation with spatially dependent panel data", Review of Economics and Statistics 80, 1998). With few
 * moments the first may be the larger one, and then it counts.
 */
#ifndef NETCOST_REPORT_STATS_REGRESS_H
#define NETCOST_REPORT_STATS_REGRESS_H

#include <stdbool.h>
#include <stddef.h>

#define STATS_REGRESSORS 4 /* at most */

struct stats_regression {
	/*
	 * Of those that do not vary NaN. inflation: how many times the variance of the price is what it would be if the others did
	 * not vary along; infinite: it is a sum of them.
	 */
	double price[STATS_REGRESSORS], se[STATS_REGRESSORS], inflation[STATS_REGRESSORS];
	bool varies[STATS_REGRESSORS]; /* by more than 2 % of its mean */
	double alone[STATS_REGRESSORS]; /* the share that one moment has in telling the price, the largest one */
	double df;
	double explained; /* the share of y's variance that is */
	size_t moments;	  /* that this rests on */
};

/* A row. Rows are in order of time; those of the same moment follow each other. */
struct stats_row {
	size_t moment, unit; /* unit: below the number of units */
	double y, x[STATS_REGRESSORS];
};

/*
 * Without prices (NaN, infinite inflation) if there are fewer rows than that takes, or if some are not to be told apart at all.
 * use: a set of regressors, of those that there are; others are as if they were not there. -ENOMEM.
 */
int stats_regress(struct stats_regression *r, const struct stats_row *row, size_t n, size_t units,
		  unsigned int use);

#endif
