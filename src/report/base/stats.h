/* SPDX-License-Identifier: BSD-2-Clause */
/* stats.h: errors of what is measured, and whether two measurements differ. It knows no trace. */
#ifndef NETCOST_REPORT_STATS_H
#define NETCOST_REPORT_STATS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Half-width of the 95 % confidence interval of a share, `share` of n independent samples: the farther
 * end of Wilson's interval, so that it is not 0 where nothing, or everything, was seen. NaN without
 * samples. n need not be whole: samples of unequal weight count as fewer.
 */
double stats_share_ci95(double share, double n);

/* Pairs of what is true and what was estimated. Begin with zeros. */
struct stats_pairs {
	uint64_t n;
	double mean_true, mean_estimate;
	double absolute_error, square_error; /* summed */
};

void stats_pairs_add(struct stats_pairs *p, double truth, double estimate);
/* NaN without pairs. */
double stats_bias(const struct stats_pairs *p); /* estimate less truth */
double stats_mean_absolute_error(const struct stats_pairs *p);
double stats_root_mean_square_error(const struct stats_pairs *p);

/* Such a half-width, of what is normally distributed, in standard deviations. */
#define STATS_Z95 1.959963984540054

/* ---- what varies over time --------------------------------------------------------------- */

#define STATS_PIECES_MAX 32 /* of a recording, that it is known from how a value varies */

/*
 * How far the ratio of two sums, of y and x over pieces of time, is from what it would be in the long run,
 * by how it varies from piece to piece: its variance, and the degrees of freedom that this is known with.
 * Pieces where y or x is NaN are left out. Neighbours that are alike are not independent: then longer pieces
 * are made of them. NaN with fewer than two pieces. n <= STATS_PIECES_MAX.
 */
double stats_ratio_variance(const double *y, const double *x, size_t n, double *df);

/* ---- is it the same? --------------------------------------------------------------------- */

/* A measured value; variance: of its error. */
struct stats_value {
	double value, variance, df;
};

struct stats_change {
	double change, df;
	double p;			/* that it, or more, comes by chance where there is none */
	double ci95;			/* half-width */
	double relative, relative_ci95; /* of what was before */
};

/* Welch's t test. NaN for what cannot be said. */
struct stats_change stats_compare(const struct stats_value *before,
				  const struct stats_value *after);

/* Of Student's t distribution: how likely |t| or more is, and what |t| is exceeded in one of 20 cases. */
double stats_t_p(double t, double df);
double stats_t95(double df);
/* Likewise in this share of all cases. */
double stats_t_beyond(double cases, double df);

/*
 * Holm's correction for looking at several: p[i] < 0.05 then says that not even one of n where nothing has
 * changed would be called changed in more than one of 20 cases, whatever they have to do with each other.
 * -ENOMEM.
 */
int stats_holm(double *p, size_t n);

/* ---- a straight line through points ------------------------------------------------------ */

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

/* ---- quantiles: which of n values in order one is, and how far off it may be ------------- */

/* Ranks, from 1 on: the value below or at which the share is; 95 % interval, whatever the distribution. */
struct quantile {
	uint64_t rank;	    /* 0: there are no values */
	uint64_t low, high; /* 0, n + 1: there is no such end: n is too small */
};

/* share: above 0, below 1. */
struct quantile quantile_of(uint64_t n, double share);

/* ---- how often which value, in bins of a tenth of a percentage point from -100 to 100 ---- */

#define HISTOGRAM_PER_POINT 10
#define HISTOGRAM_BINS (2 * 100 * HISTOGRAM_PER_POINT + 1)

struct histogram {
	uint32_t bin[HISTOGRAM_BINS];
	uint64_t n;
};

/* What is beyond the ends is in the first bin or the last one. */
void histogram_add(struct histogram *h, double points);
/* The middle of a bin, in percentage points. */
double histogram_middle(unsigned int bin);
/* The middle of the bin that the share `quantile` of all values is up to. NaN: there are none. */
double histogram_quantile(const struct histogram *h, double quantile);

#endif
