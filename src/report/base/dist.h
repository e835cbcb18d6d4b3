/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dist.h: a histogram of durations as a value. Its buckets are those of <netcost/latency.h>.
 *
 *   1. A dist without buckets has no values: a zeroed struct is one.
 *   2. Counts saturate at UINT64_MAX - 1: such a trace is hostile.
 *   3. ns, min_ns and max_ns are TRACE_NIL where one of the records did not say them. Quantiles never lie beyond known ends.
 */
#ifndef NETCOST_REPORT_DIST_H
#define NETCOST_REPORT_DIST_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/latency.h>
#include <netcost/trace.h>

struct dist {
	uint64_t ns, min_ns, max_ns; /* sum, ends */
	uint64_t *bucket;	     /* NETCOST_LATENCY_BUCKETS counts, or NULL */
};

/*
 *	ENUM	key	title		share
 */
#define DIST_QUANTILES(X)                                                                          \
	X(P50, "p50", "p50", 0.5)                                                                  \
	X(P90, "p90", "p90", 0.9)                                                                  \
	X(P99, "p99", "p99", 0.99)                                                                 \
	X(P99_9, "p99_9", "p99.9", 0.999)                                                          \
	X(P99_99, "p99_99", "p99.99", 0.9999)

enum dist_quantile {
#define X(name, key, title, share) DIST_##name,
	DIST_QUANTILES(X)
#undef X
		DIST_QUANTILE_COUNT
};

extern const double dist_share[DIST_QUANTILE_COUNT];

/* NaN: not known. */
struct dist_summary {
	double count;
	double ns[DIST_QUANTILE_COUNT];
	/* 95 % intervals: the outer bounds of the buckets that enclose it; NaN: too few values for that end */
	double low_ns[DIST_QUANTILE_COUNT], high_ns[DIST_QUANTILE_COUNT];
	double mean_ns, min_ns, max_ns;
	double variation_ns; /* p99 less p1 */
};

void dist_free(struct dist *d);
/* Removes all values, keeps the memory. */
void dist_clear(struct dist *d);

/* All return 0 or -ENOMEM. */
int dist_add(struct dist *d, uint64_t ns);
/* Adds a record's histogram. ns: its sum. */
int dist_add_columns(struct dist *d, struct trace_column buckets, struct trace_column counts,
		     uint64_t ns);
int dist_merge(struct dist *to, const struct dist *from);

/* TRACE_NIL: not known of these values. */
void dist_add_ends(struct dist *d, uint64_t min_ns, uint64_t max_ns);

uint64_t dist_count(const struct dist *d);
/* Values in buckets up to that one. */
double dist_upto(const uint64_t bucket[NETCOST_LATENCY_BUCKETS], unsigned int last);
/* The value of that rank, from 1 on, as if those of a bucket were evenly spread. NaN: there is none. */
double dist_value(const struct dist *d, uint64_t rank);
/* The bound of its bucket, or a known end if that is nearer. */
double dist_bound(const struct dist *d, uint64_t rank, bool upper);
void dist_summarize(struct dist_summary *s, const struct dist *d);

#endif
