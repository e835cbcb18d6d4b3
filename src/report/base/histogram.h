/* SPDX-License-Identifier: BSD-2-Clause */
/* histogram.h: how often which value, in bins of a tenth of a percentage point from -100 to 100. */
#ifndef NETCOST_REPORT_HISTOGRAM_H
#define NETCOST_REPORT_HISTOGRAM_H

#include <stdint.h>

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
