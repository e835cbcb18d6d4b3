/* SPDX-License-Identifier: BSD-2-Clause */
/* stats.h: errors of measured values, tests of differences, counts and histograms. */
#ifndef NETCOST_REPORT_STATS_H
#define NETCOST_REPORT_STATS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/latency.h>
#include <netcost/trace.h>

/* ---- unknown values: NaN ------------------------------------------------------------ */

/* These functions calculate with values that may be unknown (NaN). */

static inline double known_uint(uint64_t v)
{
	return v == TRACE_NIL ? NAN : (double)v;
}

/* Adds v to a sum if v is known. The sum is NaN until a known value has been added. */
static inline void known_add(double *sum, double v)
{
	if (!isnan(v))
		*sum = isnan(*sum) ? v : *sum + v;
}

/* Returns the value of a term in a sum: 0 if the term is unknown. */
static inline double known_or_0(double v)
{
	return isnan(v) ? 0 : v;
}

/* Returns a / b, or NaN if b is 0 or a value is unknown. */
static inline double known_ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/*
 * Returns the half-width of the 95 % confidence interval of a share of n independent samples, or NaN without samples.
 * The half-width is the distance to the farther end of Wilson's interval, so that it is not 0 for a share of 0 or 1. n
 * may be fractional, because samples of unequal weight count as fewer samples.
 */
double stats_share_ci95(double share, double n);

/* Pairs of true values and estimates. Initialise it with zeros. */
struct stats_pairs {
	uint64_t n;
	double mean_true, mean_estimate;
	double absolute_error, square_error; /* sums over all pairs */
};

void stats_pairs_add(struct stats_pairs *p, double truth, double estimate);
/* These functions return NaN without pairs. */
double stats_bias(const struct stats_pairs *p); /* estimate minus truth */
double stats_mean_absolute_error(const struct stats_pairs *p);
double stats_root_mean_square_error(const struct stats_pairs *p);

/* Half-width of a 95 % interval of a normal distribution, in standard deviations. */
#define STATS_Z95 1.959963984540054

/* ---- variance over time ------------------------------------------------------------- */

/* largest number of intervals of a recording from which the variance of a value is estimated */
#define STATS_PIECES_MAX 32

/*
 * Returns the variance of the ratio of two sums over intervals: the sum of y and the sum of x. The variance is relative
 * to the ratio's long-run value. The variance is estimated from the variation between intervals, and df becomes the
 * degrees of freedom of the estimate. Intervals where y or x is NaN are left out. Correlated neighbours are merged into
 * longer intervals. Returns NaN with fewer than two intervals. n <= STATS_PIECES_MAX.
 */
double stats_ratio_variance(const double *y, const double *x, size_t n, double *df);

/* ---- comparing two values ----------------------------------------------------------- */

/* A measured value and the variance of its error. */
struct stats_value {
	double value, variance, df;
};

struct stats_change {
	double change, df;
	/* probability that chance causes this change or a larger one */
	double p;
	double ci95; /* half-width of the 95 % interval */
	/* change relative to the earlier value, and its half-width */
	double relative, relative_ci95;
};

/* Compares two values by Welch's t test. Members that are unknown become NaN. */
struct stats_change stats_compare(const struct stats_value *before,
				  const struct stats_value *after);

/* Returns the probability of |t| or more in Student's t distribution. */
double stats_t_p(double t, double df);
double stats_t95(double df);
/* Returns the |t| that is exceeded with probability `cases`, which is 0.05 for stats_t95(). */
double stats_t_beyond(double cases, double df);

/*
 * Applies Holm's correction for multiple comparisons. If nothing has changed, the probability that any p[i] is below
 * 0.05 afterwards is at most 5 %. This also holds if the values are correlated. Returns 0 or -ENOMEM.
 */
int stats_holm(double *p, size_t n);

/* ---- linear regression -------------------------------------------------------------- */

/* y = at_0 + slope * x */
struct stats_fit {
	double at_0, slope;
	/* standard errors that are robust against heteroscedasticity (HC3) */
	double at_0_se, slope_se;
	/*
	 * standard error of the mean of y, from the residuals, or from the deviations from the mean
	 * if there is no line
	 */
	double mean_se;
	double df;
	double least_x, most_x;
};

/*
 * Fits a line by least squares. All members but mean_se are NaN with fewer than three points, or if
 * x is constant.
 */
struct stats_fit stats_fit(const double *x, const double *y, size_t n);

/* ---- quantiles: the rank of a quantile of n sorted values, and its interval --------- */

/*
 * Ranks of a quantile's value and of the ends of its 95 % interval, valid for any distribution. The
 * lowest rank is 1.
 */
struct quantile {
	uint64_t rank;	    /* rank of the value; 0 if there are no values */
	uint64_t low, high; /* ranks of the ends; 0 or n + 1 if n is too small for that end */
};

/* share: above 0 and below 1. */
struct quantile quantile_of(uint64_t n, double share);

/* ---- histograms, in bins of a tenth of a percentage point from -100 to 100 ---------- */

#define HISTOGRAM_PER_POINT 10
#define HISTOGRAM_BINS (2 * 100 * HISTOGRAM_PER_POINT + 1)

struct histogram {
	uint32_t bin[HISTOGRAM_BINS];
	uint64_t n;
};

/* Adds a value. Values beyond the ends are counted in the first or last bin. */
void histogram_add(struct histogram *h, double points);
/* Returns the middle of a bin, in percentage points. */
double histogram_middle(unsigned int bin);
/* Returns the middle of the bin that contains the quantile, or NaN without values. */
double histogram_quantile(const struct histogram *h, double quantile);

/* ---- counts by id ------------------------------------------------------------------------- */

/* A map whose size depends on the number of ids in it, and not on their values. */

struct countmap_entry {
	uint64_t count; /* 0 if the slot is free */
	uint32_t id;
};

struct countmap {
	struct countmap_entry *entry;
	size_t n;	   /* number of used slots */
	unsigned int bits; /* the map has 1 << bits slots; 0 if no slots are allocated */
};

/* Adds to the count of an id. count > 0. Returns false if out of memory. */
bool countmap_add(struct countmap *map, uint32_t id, uint64_t count);
/* Returns the number of slots to iterate over. Slots with count 0 are free. */
size_t countmap_places(const struct countmap *map);
void countmap_free(struct countmap *map);

/* ---- distributions ------------------------------------------------------------------------ */

/*
 * A histogram of durations, with the buckets of <netcost/latency.h>.
 *
 *   1. A dist without buckets has no values, so a zeroed struct is valid.
 *   2. Counts saturate at UINT64_MAX - 1, which only a hostile trace reaches.
 *   3. ns, min_ns and max_ns are TRACE_NIL if one of the records did not have them. Quantiles
 *      never lie outside a known minimum or maximum.
 */

struct dist {
	uint64_t ns, min_ns, max_ns; /* sum, minimum and maximum of the durations */
	uint64_t *bucket;	     /* NETCOST_LATENCY_BUCKETS counts, or NULL */
};

/* 	ENUM	key	title		share */
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

/* NaN means unknown. */
struct dist_summary {
	double count;
	double ns[DIST_QUANTILE_COUNT];
	/*
	 * ends of the quantiles' 95 % intervals, rounded outwards to bounds of buckets; NaN if there are too few values
	 */
	double low_ns[DIST_QUANTILE_COUNT], high_ns[DIST_QUANTILE_COUNT];
	double mean_ns, min_ns, max_ns;
	double variation_ns; /* p99 minus p1 */
};

void dist_free(struct dist *d);
/* Removes all values and keeps the memory. */
void dist_clear(struct dist *d);

/* The next functions return 0 or -ENOMEM. */
int dist_add(struct dist *d, uint64_t ns);
/* Adds the histogram of a record. ns: the sum of its values. */
int dist_add_columns(struct dist *d, struct trace_column buckets, struct trace_column counts,
		     uint64_t ns);
int dist_merge(struct dist *to, const struct dist *from);

/* Extends min_ns and max_ns to include the minimum and maximum of added values. TRACE_NIL is ignored. */
void dist_add_ends(struct dist *d, uint64_t min_ns, uint64_t max_ns);

uint64_t dist_count(const struct dist *d);
/* Returns the number of values in buckets up to `last`. */
double dist_upto(const uint64_t bucket[NETCOST_LATENCY_BUCKETS], unsigned int last);
/*
 * Returns the value at a rank, assuming that the values of a bucket are evenly spread. The lowest
 * rank is 1. Returns NaN if no value has that rank.
 */
double dist_value(const struct dist *d, uint64_t rank);
/*
 * Returns a bound of the bucket that contains the rank, or the minimum or maximum of all values if it is known and
 * closer.
 */
double dist_bound(const struct dist *d, uint64_t rank, bool upper);
void dist_summarize(struct dist_summary *s, const struct dist *d);

#endif
