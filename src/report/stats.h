/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NETCOST_REPORT_STATS_H
#define NETCOST_REPORT_STATS_H

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
	double square_true, square_estimate, product; /* of the distances from the means, summed */
	double absolute_error, square_error;	      /* summed */
};

void stats_pairs_add(struct stats_pairs *p, double truth, double estimate);
/* NaN without pairs. */
double stats_bias(const struct stats_pairs *p); /* estimate less truth */
double stats_mean_absolute_error(const struct stats_pairs *p);
double stats_root_mean_square_error(const struct stats_pairs *p);
/* Pearson's. NaN, not defined, with fewer than two pairs, or where one side is the same in all of them. */
double stats_correlation(const struct stats_pairs *p);

#endif
