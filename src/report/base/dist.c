// SPDX-License-Identifier: BSD-2-Clause
#include "dist.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

#define BUCKETS NETCOST_LATENCY_BUCKETS
#define MOST (UINT64_MAX - 1)
#define VARIATION_LOW 0.01

const double dist_share[DIST_QUANTILE_COUNT] = {
#define X(name, key, title, share) share,
	DIST_QUANTILES(X)
#undef X
};

/* ---- values ------------------------------------------------------------------------------ */

void dist_free(struct dist *d)
{
	free(d->bucket);
	*d = (struct dist){ 0 };
}

void dist_clear(struct dist *d)
{
	if (!d->bucket)
		return;
	memset(d->bucket, 0, BUCKETS * sizeof(*d->bucket));
	d->ns = 0;
	d->min_ns = d->max_ns = TRACE_NIL;
}

static int dist_room(struct dist *d)
{
	if (d->bucket)
		return 0;
	d->bucket = calloc(BUCKETS, sizeof(*d->bucket));
	d->ns = 0;
	d->min_ns = d->max_ns = TRACE_NIL;
	return d->bucket ? 0 : -ENOMEM;
}

static void dist_saturate(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum) || *sum == TRACE_NIL)
		*sum = MOST;
}

static void dist_add_sum(struct dist *d, uint64_t ns)
{
	if (ns == TRACE_NIL)
		d->ns = TRACE_NIL;
	else if (d->ns != TRACE_NIL)
		dist_saturate(&d->ns, ns);
}

void dist_add_ends(struct dist *d, uint64_t min_ns, uint64_t max_ns)
{
	if (min_ns != TRACE_NIL && (d->min_ns == TRACE_NIL || min_ns < d->min_ns))
		d->min_ns = min_ns;
	if (max_ns != TRACE_NIL && (d->max_ns == TRACE_NIL || max_ns > d->max_ns))
		d->max_ns = max_ns;
}

int dist_add(struct dist *d, uint64_t ns)
{
	unsigned int bucket = netcost_latency_bucket(ns);

	if (dist_room(d))
		return -ENOMEM;
	if (ns >> NETCOST_LATENCY_NS_BITS || bucket >= BUCKETS)
		bucket = BUCKETS - 1;
	dist_saturate(&d->bucket[bucket], 1);
	dist_add_sum(d, ns);
	dist_add_ends(d, ns, ns);
	return 0;
}

int dist_add_columns(struct dist *d, struct trace_column buckets, struct trace_column counts,
		     uint64_t ns)
{
	uint64_t bucket, n;

	if (dist_room(d))
		return -ENOMEM;
	if (counts.n)
		dist_add_sum(d, ns);
	while (trace_column_uint(&buckets, &bucket) && trace_column_uint(&counts, &n))
		if (bucket < BUCKETS && n != TRACE_NIL)
			dist_saturate(&d->bucket[bucket], n);
	return 0;
}

/* An end that is not known of one is not known of both. */
static uint64_t dist_end(uint64_t a, uint64_t b, bool least)
{
	if (a == TRACE_NIL || b == TRACE_NIL)
		return TRACE_NIL;
	return (a < b) == least ? a : b;
}

int dist_merge(struct dist *to, const struct dist *from)
{
	bool first = !to->bucket;

	if (!from->bucket)
		return 0;
	if (dist_room(to))
		return -ENOMEM;
	for (unsigned int b = 0; b < BUCKETS; b++)
		dist_saturate(&to->bucket[b], from->bucket[b]);
	dist_add_sum(to, from->ns);
	to->min_ns = first ? from->min_ns : dist_end(to->min_ns, from->min_ns, true);
	to->max_ns = first ? from->max_ns : dist_end(to->max_ns, from->max_ns, false);
	return 0;
}

/* ---- quantiles --------------------------------------------------------------------------- */

uint64_t dist_count(const struct dist *d)
{
	uint64_t n = 0;

	for (unsigned int b = 0; d->bucket && b < BUCKETS; b++)
		dist_saturate(&n, d->bucket[b]);
	return n;
}

double dist_upto(const uint64_t bucket[NETCOST_LATENCY_BUCKETS], unsigned int last)
{
	double n = 0;

	for (unsigned int b = 0; b <= last; b++)
		n += (double)bucket[b];
	return n;
}

/* The bucket of that rank, and how many values are in those before it. BUCKETS: there is none. */
static unsigned int dist_bucket_of(const struct dist *d, uint64_t rank, uint64_t *before)
{
	uint64_t n = 0;

	for (unsigned int b = 0; d->bucket && rank && b < BUCKETS; b++) {
		if (rank - n <= d->bucket[b]) {
			*before = n;
			return b;
		}
		n += d->bucket[b];
	}
	return BUCKETS;
}

static double dist_within_ends(const struct dist *d, double ns)
{
	if (d->min_ns != TRACE_NIL)
		ns = fmax(ns, (double)d->min_ns);
	return d->max_ns == TRACE_NIL ? ns : fmin(ns, (double)d->max_ns);
}

double dist_value(const struct dist *d, uint64_t rank)
{
	uint64_t before;
	unsigned int b = dist_bucket_of(d, rank, &before);
	double low, width;

	if (b == BUCKETS)
		return NAN;
	low = (double)netcost_latency_lower(b);
	width = (double)netcost_latency_upper(b) - low;
	return dist_within_ends(d, low + width * ((double)(rank - before) - 0.5) /
						   (double)d->bucket[b]);
}

double dist_bound(const struct dist *d, uint64_t rank, bool upper)
{
	uint64_t before;
	unsigned int b = dist_bucket_of(d, rank, &before);

	if (b == BUCKETS)
		return NAN;
	return dist_within_ends(d, (double)(upper ? netcost_latency_upper(b) :
						    netcost_latency_lower(b)));
}

static double dist_end_ns(uint64_t n, uint64_t ns)
{
	return n && ns != TRACE_NIL ? (double)ns : NAN;
}

void dist_summarize(struct dist_summary *s, const struct dist *d)
{
	uint64_t n = dist_count(d);

	*s = (struct dist_summary){ .count = (double)n };
	for (int i = 0; i < DIST_QUANTILE_COUNT; i++) {
		struct quantile q = quantile_of(n, dist_share[i]);

		s->ns[i] = dist_value(d, q.rank);
		s->low_ns[i] = dist_bound(d, q.low, false);
		s->high_ns[i] = dist_bound(d, q.high, true);
	}
	s->mean_ns = n && d->ns != TRACE_NIL ? (double)d->ns / (double)n : NAN;
	s->min_ns = dist_end_ns(n, d->min_ns);
	s->max_ns = dist_end_ns(n, d->max_ns);
	s->variation_ns = s->ns[DIST_P99] - dist_value(d, quantile_of(n, VARIATION_LOW).rank);
}
