// SPDX-License-Identifier: BSD-2-Clause
#include "quantile.h"

#include <math.h>

#include "stats.h"

#define TAIL 0.025
#define MANY 500 /* from so many on, a binomial distribution is nearly a normal one */

/*
 * How many of n values are below the true quantile is binomially distributed, so that it is known which of them enclose
 * it. This is the smallest k for which P(at most k) is more than `tail`, where each value has the chance p, of
 * 0.5 at most, and n p is less than MANY.
 */
static double count_at(double n, double p, double tail)
{
	double chance = exp(n * log1p(-p)), sum = chance, k = 0;

	while (sum <= tail && k < n) {
		chance *= (n - k) / (k + 1) * p / (1 - p);
		sum += chance;
		k++;
	}
	return k;
}

/* The highest rank whose value is above the quantile in at most TAIL of all cases: P(fewer than that) <= TAIL. */
static double low_rank(double n, double p)
{
	if (p <= 0.5 && n * p < MANY)
		return count_at(n, p, TAIL);
	if (p > 0.5 && n * (1 - p) < MANY)
		return n - count_at(n, 1 - p, 1 - TAIL);
	return floor(n * p - STATS_Z95 * sqrt(n * p * (1 - p)));
}

struct quantile quantile_of(uint64_t n, double share)
{
	double all = (double)n;

	if (!n)
		return (struct quantile){ 0, 0, 1 };
	return (struct quantile){ .rank = (uint64_t)fmin(fmax(ceil(all * share), 1), all),
				  .low = (uint64_t)fmax(low_rank(all, share), 0),
				  .high = (uint64_t)(all + 1 - fmax(low_rank(all, 1 - share), 0)) };
}
