/* SPDX-License-Identifier: BSD-2-Clause */
/* quantile.h: which of n values in order a quantile is, and how far off it may be. It knows no trace. */
#ifndef NETCOST_REPORT_QUANTILE_H
#define NETCOST_REPORT_QUANTILE_H

#include <stdint.h>

/* Ranks, from 1 on: the value below or at which the share is; 95 % interval, whatever the distribution. */
struct quantile {
	uint64_t rank;	    /* 0: there are no values */
	uint64_t low, high; /* 0, n + 1: there is no such end: n is too small */
};

/* share: above 0, below 1. */
struct quantile quantile_of(uint64_t n, double share);

#endif
