/* SPDX-License-Identifier: BSD-2-Clause */
/* known.h: arithmetic with what may not be known, which is NaN. */
#ifndef NETCOST_REPORT_KNOWN_H
#define NETCOST_REPORT_KNOWN_H

#include <math.h>

/* To a sum of what is known: NaN until there is some. */
static inline void known_add(double *sum, double v)
{
	if (!isnan(v))
		*sum = isnan(*sum) ? v : *sum + v;
}

/* NaN where there is nothing to divide by, too. */
static inline double known_ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

#endif
