/* SPDX-License-Identifier: BSD-2-Clause */
/* known.h: arithmetic with what may not be known, which is NaN. */
#ifndef NETCOST_REPORT_KNOWN_H
#define NETCOST_REPORT_KNOWN_H

#include <math.h>

#include <netcost/trace.h>

static inline double known_uint(uint64_t v)
{
	return v == TRACE_NIL ? NAN : (double)v;
}

/* Adds to a sum of what is known: NaN until something is. */
static inline void known_add(double *sum, double v)
{
	if (!isnan(v))
		*sum = isnan(*sum) ? v : *sum + v;
}

/* Of a part of a sum that is told of as a whole. */
static inline double known_or_0(double v)
{
	return isnan(v) ? 0 : v;
}

/* NaN also where there is nothing to divide by. */
static inline double known_ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

#endif
