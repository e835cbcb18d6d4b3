// SPDX-License-Identifier: BSD-2-Clause
#include "diff_quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "diff.h"
#include "report/base/stats.h"

/*
 * Half of the 95 % interval of the share of packets that are in buckets up to that of ns, by how it varies from piece to piece.
 * NaN: fewer than two.
 */
static double share_ci95(const uint64_t *history, size_t n, double ns)
{
	unsigned int bucket = netcost_latency_bucket((uint64_t)ceil(ns));
	double y[DIFF_PIECES], x[DIFF_PIECES], df, variance;

	if (!history)
		n = 0;
	if (n > DIFF_PIECES || bucket >= NETCOST_LATENCY_BUCKETS)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		y[i] = dist_upto(history + i * NETCOST_LATENCY_BUCKETS, bucket);
		x[i] = dist_upto(history + i * NETCOST_LATENCY_BUCKETS,
				 NETCOST_LATENCY_BUCKETS - 1);
	}
	variance = stats_ratio_variance(y, x, n, &df);
	return stats_t95(df) * sqrt(variance);
}

/* Ranks, as those of a quantile. */
static double low_rank(double n, double share, double half)
{
	return fmax(floor(n * (share - half)), 0);
}

static double high_rank(double n, double share, double half)
{
	return fmin(ceil(n * (share + half)) + 1, n + 1);
}

struct diff_quantile diff_quantile_of(const struct dist *l, const uint64_t *history, size_t n,
				      enum dist_quantile quantile)
{
	struct diff_quantile v = { NAN, NAN, NAN };
	double share = dist_share[quantile], half;
	struct dist_summary r;
	struct quantile q;

	dist_summarize(&r, l);
	q = quantile_of((uint64_t)r.count, share);
	v.ns = dist_value(l, q.rank);
	half = isnan(v.ns) ? NAN : share_ci95(history, n, v.ns);
	if (isnan(half))
		return v;
	v.low_ns =
		dist_bound(l, (uint64_t)fmin((double)q.low, low_rank(r.count, share, half)), false);
	v.high_ns = dist_bound(l, (uint64_t)fmax((double)q.high, high_rank(r.count, share, half)),
			       true);
	return v;
}

/* Zou and Donner's: of what is known with an interval each, not symmetric, how far they are apart. */
static struct diff_quantile change_of(const struct diff_quantile *before,
				      const struct diff_quantile *after)
{
	double change = after->ns - before->ns;

	return (struct diff_quantile){
		.ns = change,
		.low_ns = change - hypot(after->ns - after->low_ns, before->high_ns - before->ns),
		.high_ns = change + hypot(after->high_ns - after->ns, before->ns - before->low_ns),
	};
}

/* By the end that is nearer to no change. */
static double p_of(const struct diff_quantile *change)
{
	double half = change->ns > 0 ? change->ns - change->low_ns : change->high_ns - change->ns;

	if (isnan(half))
		return NAN;
	return half > 0 ? erfc(STATS_Z95 * fabs(change->ns) / half / sqrt(2)) : 1;
}

void diff_quantile_compare(struct diff_quantile_change *c)
{
	c->change = change_of(&c->before, &c->after);
	c->p = p_of(&c->change);
	c->p_adjusted = NAN;
	c->verdict = isnan(c->change.ns) ? DIFF_NOT_MEASURED :
		     isnan(c->p)	 ? DIFF_NOT_TESTED :
					   DIFF_SAME;
}

int diff_quantile_correct(struct diff_quantile_change *const *c, size_t n, size_t *tested)
{
	double *p = calloc(n + 1, sizeof(*p));
	int err;

	*tested = 0;
	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (!isnan(c[i]->p))
			p[(*tested)++] = c[i]->p;
	err = stats_holm(p, *tested);
	for (size_t i = 0, k = 0; !err && i < n; i++) {
		if (isnan(c[i]->p))
			continue;
		c[i]->p_adjusted = fmin(1, p[k++]);
		if (c[i]->p_adjusted < DIFF_WRONG_AT_MOST)
			c[i]->verdict = c[i]->change.ns > 0 ? DIFF_MORE : DIFF_LESS;
	}
	free(p);
	return err;
}
