/* SPDX-License-Identifier: BSD-2-Clause */
/* known.h: arithmetic with values that may be unknown: NaN. */
#ifndef NETCOST_REPORT_KNOWN_H
#define NETCOST_REPORT_KNOWN_H

#include <math.h>

#include <netcost/trace.h>

static inline double known_uint(uint64_t v)
{
	return v == TRACE_NIL ? NAN : (double)v;
}

/* Adds v to a sum of the known values; it is NaN until there is one. */
static inline void known_add(double *sum, double v)
{
	if (!isnan(v))
		*sum = isnan(*sum) ? v : *sum + v;
}

/* Of a part of a sum: an unknown part counts as nothing. */
static inline double known_or_0(double v)
{
	return isnan(v) ? 0 : v;
}

/* NaN also if b is 0. */
static inline double known_ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

#endif
