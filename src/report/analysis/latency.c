// SPDX-License-Identifier: BSD-2-Clause
#include "latency.h"

#include <math.h>
#include <string.h>

#include "known.h"
#include "report/base/quantile.h"

#define VARIATION_LOW 0.01

const char *const latency_keys[] = {
#define X(id, name, key, from, to) [id] = key,
	NETCOST_LATENCIES(X)
#undef X
		NULL
};

const char *const latency_from[] = {
#define X(id, name, key, from, to) [id] = from,
	NETCOST_LATENCIES(X)
#undef X
		NULL
};

const char *const latency_to[] = {
#define X(id, name, key, from, to) [id] = to,
	NETCOST_LATENCIES(X)
#undef X
		NULL
};

const char *const latency_by_keys[] = {
#define X(id, name, key) [id] = key,
	NETCOST_LATENCY_BYS(X)
#undef X
		NULL
};

const char *const latency_which_keys[] = {
#define X(id, name, key) [id] = key,
	NETCOST_LATENCY_WHICHES(X)
#undef X
		NULL
};

const char *const latency_loss_keys[] = {
#define X(id, name, key, title) [id] = key,
	NETCOST_LATENCY_LOSSES(X)
#undef X
		NULL
};

const char *const latency_loss_titles[] = {
#define X(id, name, key, title) [id] = title,
	NETCOST_LATENCY_LOSSES(X)
#undef X
		NULL
};

static const double shares[LATENCY_QUANTILE_COUNT] = {
#define X(name, key, title, share) share,
	LATENCY_QUANTILES(X)
#undef X
};

/* The end of the scale stays there: such a trace is hostile. */
static uint64_t packets_of(const struct model_latency *l)
{
	uint64_t n = 0;

	for (unsigned int b = 0; l->bucket && b < NETCOST_LATENCY_BUCKETS; b++)
		if (__builtin_add_overflow(n, l->bucket[b], &n))
			return UINT64_MAX - 1;
	return n;
}

/* The bucket of that rank, and how many are in those before; NETCOST_LATENCY_BUCKETS: there is none. */
static unsigned int bucket_of(const struct model_latency *l, uint64_t rank, uint64_t *before)
{
	uint64_t n = 0;

	for (unsigned int b = 0; l->bucket && rank && b < NETCOST_LATENCY_BUCKETS; b++) {
		if (rank - n <= l->bucket[b]) {
			*before = n;
			return b;
		}
		n += l->bucket[b];
	}
	return NETCOST_LATENCY_BUCKETS;
}

/* Not beyond the ends that are known. */
static double within(const struct model_latency *l, double ns)
{
	if (l->min_ns != TRACE_NIL)
		ns = fmax(ns, (double)l->min_ns);
	return l->max_ns == TRACE_NIL ? ns : fmin(ns, (double)l->max_ns);
}

double latency_value(const struct model_latency *l, uint64_t rank)
{
	uint64_t before;
	unsigned int b = bucket_of(l, rank, &before);
	double low, width;

	if (b == NETCOST_LATENCY_BUCKETS)
		return NAN;
	low = (double)netcost_latency_lower(b);
	width = (double)netcost_latency_upper(b) - low;
	return within(l, low + width * ((double)(rank - before) - 0.5) / (double)l->bucket[b]);
}

double latency_bound(const struct model_latency *l, uint64_t rank, bool upper)
{
	uint64_t before;
	unsigned int b = bucket_of(l, rank, &before);

	if (b == NETCOST_LATENCY_BUCKETS)
		return NAN;
	return within(l, (double)(upper ? netcost_latency_upper(b) : netcost_latency_lower(b)));
}

void latency_row_of(struct latency_row *r, const struct model_latency *l)
{
	uint64_t n = packets_of(l);

	*r = (struct latency_row){ .l = l, .packets = (double)n };
	for (int i = 0; i < LATENCY_QUANTILE_COUNT; i++) {
		struct quantile q = quantile_of(n, shares[i]);

		r->ns[i] = latency_value(l, q.rank);
		r->low_ns[i] = latency_bound(l, q.low, false);
		r->high_ns[i] = latency_bound(l, q.high, true);
	}
	r->mean_ns = l->ns == TRACE_NIL ? NAN : known_ratio((double)l->ns, (double)n);
	r->min_ns = n && l->min_ns != TRACE_NIL ? (double)l->min_ns : NAN;
	r->max_ns = n && l->max_ns != TRACE_NIL ? (double)l->max_ns : NAN;
	r->variation_ns = r->ns[LATENCY_P99] - latency_value(l, quantile_of(n, VARIATION_LOW).rank);
}

double latency_packets(const struct model_latency *l)
{
	return (double)packets_of(l);
}

void latency_row(struct latency_row *r, const struct model *m, enum netcost_latency hook)
{
	latency_row_of(r, &m->latency[hook]);
}

bool latency_is_measured(const struct model *m, enum netcost_latency hook)
{
	const struct model_latency *l = &m->latency[hook];

	return l->defined && strcmp(model_string(m, l->rung), "off") != 0;
}
