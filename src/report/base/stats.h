/* SPDX-License-Identifier: BSD-2-Clause */
/* stats.h: errors of what is measured, whether two measurements differ, and counts and histograms to measure with. */
#ifndef NETCOST_REPORT_STATS_H
#define NETCOST_REPORT_STATS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/latency.h>
#include <netcost/trace.h>

/* ---- what may not be known, which is NaN ----------------------------------------------- */

/* Arithmetic with values that may be unknown: NaN. */

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

/* Errors of what is measured, whether two measurements differ, and counts and histograms to measure with. */

/*
 * Half-width of the 95 % confidence interval of a share, `share` of n independent samples: the farther
 * end of Wilson's interval, so that it is not 0 where nothing, or everything, was seen. NaN without
 * samples. n need not be whole: samples of unequal weight count as fewer.
 */
double stats_share_ci95(double share, double n);

/* The 97.5 % quantile of Student's distribution, within 3 %; NaN below 2 degrees of freedom. */
double stats_student95(double degrees);

/* Pairs of what is true and what was estimated. Begin with zeros. */
struct stats_pairs {
	uint64_t n;
	double mean_true, mean_estimate;
	double absolute_error, square_error; /* summed */
};

void stats_pairs_add(struct stats_pairs *p, double truth, double estimate);
/* NaN without pairs. */
double stats_bias(const struct stats_pairs *p); /* estimate less truth */
double stats_mean_absolute_error(const struct stats_pairs *p);
double stats_root_mean_square_error(const struct stats_pairs *p);

/* Such a half-width, of what is normally distributed, in standard deviations. */
#define STATS_Z95 1.959963984540054

/* ---- what varies over time --------------------------------------------------------------- */

#define STATS_PIECES_MAX 32 /* of a recording, that it is known from how a value varies */

/*
 * How far the ratio of two sums, of y and x over pieces of time, is from what it would be in the long run,
 * by how it varies from piece to piece: its variance, and the degrees of freedom that this is known with.
 * Pieces where y or x is NaN are left out. Neighbours that are alike are not independent: then longer pieces
 * are made of them. NaN with fewer than two pieces. n <= STATS_PIECES_MAX.
 */
double stats_ratio_variance(const double *y, const double *x, size_t n, double *df);

/* ---- is it the same? --------------------------------------------------------------------- */

/* A measured value; variance: of its error. */
struct stats_value {
	double value, variance, df;
};

struct stats_change {
	double change, df;
	double p;			/* that it, or more, comes by chance where there is none */
	double ci95;			/* half-width */
	double relative, relative_ci95; /* of what was before */
};

/* Welch's t test. NaN for what cannot be said. */
struct stats_change stats_compare(const struct stats_value *before,
				  const struct stats_value *after);

/* Of Student's t distribution: how likely |t| or more is, and what |t| is exceeded in one of 20 cases. */
double stats_t_p(double t, double df);
double stats_t95(double df);
/* Likewise in this share of all cases. */
double stats_t_beyond(double cases, double df);

/*
 * Holm's correction for looking at several: p[i] < 0.05 then says that not even one of n where nothing has
 * changed would be called changed in more than one of 20 cases, whatever they have to do with each other.
 * -ENOMEM.
 */
int stats_holm(double *p, size_t n);

/* ---- a straight line through points ------------------------------------------------------ */

/* y = at_0 + slope * x */
struct stats_fit {
	double at_0, slope;
	/* Standard errors, of any kind of scatter that is not the same everywhere (HC3). */
	double at_0_se, slope_se;
	double mean_se; /* of the mean of y, by how it scatters around the line; if there is none, around its mean */
	double df;
	double least_x, most_x;
};

/* By least squares. All but mean_se NaN with fewer than three points, or where x is always the same. */
struct stats_fit stats_fit(const double *x, const double *y, size_t n);

/* ---- quantiles: which of n values in order one is, and how far off it may be ------------- */

/* Ranks, from 1 on: the value below or at which the share is; 95 % interval, whatever the distribution. */
struct quantile {
	uint64_t rank;	    /* 0: there are no values */
	uint64_t low, high; /* 0, n + 1: there is no such end: n is too small */
};

/* share: above 0, below 1. */
struct quantile quantile_of(uint64_t n, double share);

/* ---- how often which value, in bins of a tenth of a percentage point from -100 to 100 ---- */

#define HISTOGRAM_PER_POINT 10
#define HISTOGRAM_BINS (2 * 100 * HISTOGRAM_PER_POINT + 1)

struct histogram {
	uint32_t bin[HISTOGRAM_BINS];
	uint64_t n;
};

/* What is beyond the ends is in the first bin or the last one. */
void histogram_add(struct histogram *h, double points);
/* The middle of a bin, in percentage points. */
double histogram_middle(unsigned int bin);
/* The middle of the bin that the share `quantile` of all values is up to. NaN: there are none. */
double histogram_quantile(const struct histogram *h, double quantile);

/* ---- counts by id ------------------------------------------------------------------------- */

/* A map that grows with the ids that are in it, whatever their values. */

struct countmap_entry {
	uint64_t count; /* 0: the place is free */
	uint32_t id;
};

struct countmap {
	struct countmap_entry *entry;
	size_t n;	   /* entries in use */
	unsigned int bits; /* places: 1 << bits; 0: none yet */
};

/* count > 0. False: no memory. */
bool countmap_add(struct countmap *map, uint32_t id, uint64_t count);
/* Places to walk over; those with count 0 are free. */
size_t countmap_places(const struct countmap *map);
void countmap_free(struct countmap *map);

/* ---- distributions ------------------------------------------------------------------------ */

/*
 * A histogram of durations as a value. Its buckets are those of <netcost/latency.h>.
 *
 *   1. A dist without buckets has no values: a zeroed struct is one.
 *   2. Counts saturate at UINT64_MAX - 1: such a trace is hostile.
 *   3. ns, min_ns and max_ns are TRACE_NIL where one of the records did not say them. Quantiles never lie beyond known ends.
 */

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
