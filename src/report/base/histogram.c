// SPDX-License-Identifier: BSD-2-Clause
#include "histogram.h"

#include <math.h>

#define ZERO (100 * HISTOGRAM_PER_POINT)

void histogram_add(struct histogram *h, double points)
{
	double at = round(points * HISTOGRAM_PER_POINT) + ZERO;

	h->bin[(unsigned int)fmin(fmax(at, 0), HISTOGRAM_BINS - 1)]++;
	h->n++;
}

double histogram_middle(unsigned int bin)
{
	return ((double)bin - ZERO) / HISTOGRAM_PER_POINT;
}

double histogram_quantile(const struct histogram *h, double quantile)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < HISTOGRAM_BINS; i++) {
		sum += h->bin[i];
		if (sum && (double)sum >= quantile * (double)h->n)
			return histogram_middle(i);
	}
	return NAN;
}
