// SPDX-License-Identifier: BSD-2-Clause
#include "stats.h"

#include <math.h>

#define Z95 1.959963984540054

double stats_share_ci95(double share, double n)
{
	double z2 = Z95 * Z95, middle, half;

	if (!(n > 0) || !(share >= 0) || !(share <= 1))
		return NAN;
	middle = (share + z2 / (2 * n)) / (1 + z2 / n);
	half = Z95 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
	return fmax(middle + half - share, share - (middle - half));
}

/* Welford's way: a series that never changes has a sum of squares of exactly 0. */
void stats_pairs_add(struct stats_pairs *p, double truth, double estimate)
{
	double from_true = truth - p->mean_true, from_estimate = estimate - p->mean_estimate;

	p->n++;
	p->mean_true += from_true / (double)p->n;
	p->mean_estimate += from_estimate / (double)p->n;
	p->square_true += from_true * (truth - p->mean_true);
	p->square_estimate += from_estimate * (estimate - p->mean_estimate);
	p->product += from_true * (estimate - p->mean_estimate);
	p->absolute_error += fabs(estimate - truth);
	p->square_error += (estimate - truth) * (estimate - truth);
}

double stats_bias(const struct stats_pairs *p)
{
	return p->n ? p->mean_estimate - p->mean_true : NAN;
}

double stats_mean_absolute_error(const struct stats_pairs *p)
{
	return p->n ? p->absolute_error / (double)p->n : NAN;
}

double stats_root_mean_square_error(const struct stats_pairs *p)
{
	return p->n ? sqrt(p->square_error / (double)p->n) : NAN;
}

double stats_correlation(const struct stats_pairs *p)
{
	if (p->n < 2 || !(p->square_true > 0) || !(p->square_estimate > 0))
		return NAN;
	return p->product / sqrt(p->square_true) / sqrt(p->square_estimate);
}
