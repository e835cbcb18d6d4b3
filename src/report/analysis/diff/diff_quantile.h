/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_quantile.h: a quantile of packets' times in two recordings, and by how much it moved.
 *
 * Which ranks enclose a quantile is known from how many packets there are, if they have nothing to do with each other; but
 * packets that come together wait together. So it is also looked at how the share of packets that are not above the
 * quantile varies from one piece of the recording to the next; the wider interval counts. The interval of a change is made
 * of both (MOVER).
 */
#ifndef NETCOST_REPORT_DIFF_QUANTILE_H
#define NETCOST_REPORT_DIFF_QUANTILE_H

#include "diff_verdict.h"
#include "report/analysis/latency.h"

#define DIFF_WRONG_AT_MOST 0.05

/* NaN: not known. */
struct diff_quantile {
	double ns, low_ns, high_ns; /* and its 95 % interval */
};

struct diff_quantile_change {
	struct diff_quantile before, after, change;
	double p, p_adjusted; /* NaN: not tested */
	enum diff_verdict verdict;
};

/* history: its histogram in each of n pieces; NULL: it is not known. */
struct diff_quantile diff_quantile_of(const struct dist *l, const uint64_t *history, size_t n,
				      enum dist_quantile quantile);
/* Of before and after the rest, but for the correction. */
void diff_quantile_compare(struct diff_quantile_change *c);
/* Corrects p, by Holm's method, of all that were tested together: *tested of n. -ENOMEM. */
int diff_quantile_correct(struct diff_quantile_change *const *c, size_t n, size_t *tested);

#endif
