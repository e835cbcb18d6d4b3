// SPDX-License-Identifier: BSD-2-Clause
#include "diff_latency.h"

#include <math.h>

#include "diff_side.h"
#include "report/analysis/latency_history.h"
#include "report/base/quantile.h"
#include "report/base/stats.h"

#define WRONG_AT_MOST 0.05

static const double shares[] = {
#define X(name, key, title, share) [LATENCY_##name] = share,
	LATENCY_QUANTILES(X)
#undef X
};

/*
 * Half of the 95 % interval of the share of packets that are in buckets up to that of ns, by how it varies from piece to piece.
 * NaN: fewer than two.
 */
static double share_ci95(const struct diff_side *s, enum netcost_latency hook, double ns)
{
	unsigned int bucket = netcost_latency_bucket((uint64_t)ceil(ns));
	double y[DIFF_PIECES], x[DIFF_PIECES], df, variance;
	size_t n = s->latency->bucket[hook] ? s->latency->n : 0;

	if (n > DIFF_PIECES || bucket >= NETCOST_LATENCY_BUCKETS)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		y[i] = latency_history_upto(s->latency, hook, i, bucket);
		x[i] = latency_history_upto(s->latency, hook, i, NETCOST_LATENCY_BUCKETS - 1);
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

static struct diff_latency_value value_of(const struct diff_side *s, enum netcost_latency hook,
					  double share)
{
	const struct model_latency *l = &s->m->latency[hook];
	struct diff_latency_value v = { NAN, NAN, NAN };
	struct latency_row r;
	struct quantile q;
	double half;

	if (!latency_is_measured(s->m, hook))
		return v;
	latency_row_of(&r, l);
	q = quantile_of((uint64_t)r.packets, share);
	v.ns = latency_value(l, q.rank);
	half = isnan(v.ns) ? NAN : share_ci95(s, hook, v.ns);
	if (isnan(half))
		return v;
	v.low_ns = latency_bound(l, (uint64_t)fmin((double)q.low, low_rank(r.packets, share, half)),
				 false);
	v.high_ns = latency_bound(
		l, (uint64_t)fmax((double)q.high, high_rank(r.packets, share, half)), true);
	return v;
}

/* Zou and Donner's: of what is known with an interval each, not symmetric, how far they are apart. */
static struct diff_latency_value change_of(const struct diff_latency_value *before,
					   const struct diff_latency_value *after)
{
	double change = after->ns - before->ns;

	return (struct diff_latency_value){
		.ns = change,
		.low_ns = change - hypot(after->ns - after->low_ns, before->high_ns - before->ns),
		.high_ns = change + hypot(after->high_ns - after->ns, before->ns - before->low_ns),
	};
}

/* By the end that is nearer to no change. */
static double p_of(const struct diff_latency_value *change)
{
	double half = change->ns > 0 ? change->ns - change->low_ns : change->high_ns - change->ns;

	if (isnan(half))
		return NAN;
	return half > 0 ? erfc(STATS_Z95 * fabs(change->ns) / half / sqrt(2)) : 1;
}

static void add(struct diff_latency *d, const struct diff_side *before,
		const struct diff_side *after, enum netcost_latency hook,
		enum latency_quantile quantile)
{
	struct diff_latency_row *r = &d->row[d->n];

	*r = (struct diff_latency_row){ .hook = hook, .quantile = quantile, .p_adjusted = NAN };
	r->before = value_of(before, hook, shares[quantile]);
	r->after = value_of(after, hook, shares[quantile]);
	r->change = change_of(&r->before, &r->after);
	r->p = p_of(&r->change);
	if (isnan(r->before.ns) && isnan(r->after.ns))
		return; /* no packets in either of them */
	d->n++;
	r->verdict = isnan(r->change.ns) ? DIFF_NOT_MEASURED :
		     isnan(r->p)	 ? DIFF_NOT_TESTED :
					   DIFF_SAME;
}

static int correct(struct diff_latency *d)
{
	double p[sizeof(d->row) / sizeof(*d->row)];
	int err;

	for (size_t i = 0; i < d->n; i++)
		if (!isnan(d->row[i].p))
			p[d->tested++] = d->row[i].p;
	err = stats_holm(p, d->tested);
	for (size_t i = 0, k = 0; !err && i < d->n; i++) {
		struct diff_latency_row *r = &d->row[i];

		if (isnan(r->p))
			continue;
		r->p_adjusted = fmin(1, p[k++]);
		if (r->p_adjusted < WRONG_AT_MOST)
			r->verdict = r->change.ns > 0 ? DIFF_MORE : DIFF_LESS;
	}
	return err;
}

static bool has(const struct diff_side *s)
{
	return s->latency && s->m->records[TRACE_LATENCY_POINT] && model_is_of_all(s->m);
}

int diff_latency_make(struct diff_latency *d, const struct diff_side *before,
		      const struct diff_side *after)
{
	*d = (struct diff_latency){ .there = has(before) && has(after) };
	for (enum netcost_latency h = 0; d->there && h < NETCOST_LATENCY_COUNT; h++)
		for (enum latency_quantile q = 0; q < DIFF_LATENCY_QUANTILES; q++)
			add(d, before, after, h, q);
	return correct(d);
}
