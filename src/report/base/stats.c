// SPDX-License-Identifier: BSD-2-Clause
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

double stats_share_ci95(double share, double n)
{
	double z2 = STATS_Z95 * STATS_Z95, middle, half;

	if (!(n > 0) || !(share >= 0) || !(share <= 1))
		return NAN;
	middle = (share + z2 / (2 * n)) / (1 + z2 / n);
	half = STATS_Z95 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
	return fmax(middle + half - share, share - (middle - half));
}

/* ---- pairs ------------------------------------------------------------------------------- */

void stats_pairs_add(struct stats_pairs *p, double truth, double estimate)
{
	p->n++;
	p->mean_true += (truth - p->mean_true) / (double)p->n;
	p->mean_estimate += (estimate - p->mean_estimate) / (double)p->n;
	p->absolute_error += fabs(estimate - truth);
	p->square_error += (estimate - truth) * (estimate - truth);
}

double stats_bias(const struct stats_pairs *p)
{
	return p->n ? p->mean_estimate - p->mean_true : NAN;
}

double stats_mean_absolute_error(const struct stats_pairs *p)
{
	return p->n ? p->absolute_error / (double)p->n : NAN;
}

double stats_root_mean_square_error(const struct stats_pairs *p)
{
	return p->n ? sqrt(p->square_error / (double)p->n) : NAN;
}

/* ---- variance over time ------------------------------------------------------------- */

#define LEAST_PIECES 8 /* with fewer intervals, the estimate of the variance is poor */

/*
 * For each interval of a recording: its contribution to the error of the ratio, and its contribution to the
 * denominator.
 */
struct pieces {
	double error[STATS_PIECES_MAX], x[STATS_PIECES_MAX];
	size_t n;
};

static double take_pieces(struct pieces *p, const double *y, const double *x, size_t n)
{
	double sum_y = 0, sum_x = 0;

	p->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (isnan(y[i]) || isnan(x[i]))
			continue;
		p->error[p->n] = y[i];
		p->x[p->n++] = x[i];
		sum_y += y[i];
		sum_x += x[i];
	}
	for (size_t i = 0; i < p->n; i++)
		p->error[i] -= sum_y / sum_x * p->x[i];
	return sum_x;
}

static double sum_of_squares(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i] * v[i];
	return sum;
}

/*
 * Returns the autocorrelation of neighbouring errors: at most 0.9, and 0 without errors. If n independent errors sum to
 * 0, their autocorrelation is -1 / n on average. The term 1 / n corrects this bias.
 */
static double likeness(const struct pieces *p)
{
	double sum = 0, squares = sum_of_squares(p->error, p->n);

	for (size_t i = 1; i < p->n; i++)
		sum += p->error[i - 1] * p->error[i];
	return squares > 0 ? fmin(sum / squares + 1 / (double)p->n, 0.9) : 0;
}

/*
 * Returns true if neighbouring intervals are correlated. The threshold is only half a standard error, because mistaking
 * chance for correlation costs little. An overlooked correlation makes noise look like a change (test_stats.c measures
 * how often).
 */
static bool neighbours_are_alike(const struct pieces *p)
{
	return likeness(p) * sqrt((double)p->n) > 0.5;
}

/* Merges pairs of neighbouring intervals. An odd last interval is added to the last pair. */
static void join_neighbours(struct pieces *p)
{
	size_t n = p->n / 2;

	for (size_t i = 0; i < p->n; i++) {
		size_t to = i / 2 < n ? i / 2 : n - 1;
		double error = p->error[i], x = p->x[i];

		p->error[to] = to == i / 2 && i % 2 == 0 ? error : p->error[to] + error;
		p->x[to] = to == i / 2 && i % 2 == 0 ? x : p->x[to] + x;
	}
	p->n = n;
}

double stats_ratio_variance(const double *y, const double *x, size_t n, double *df)
{
	struct pieces p;
	double sum_x = take_pieces(&p, y, x, n), unequal, variance;

	*df = NAN;
	if (p.n < 2 || !(sum_x > 0))
		return NAN;
	while (p.n >= 2 * LEAST_PIECES && neighbours_are_alike(&p))
		join_neighbours(&p);
	*df = (double)p.n - 1;
	/* for n equal intervals, `unequal` is 1/n */
	unequal = sum_of_squares(p.x, p.n) / (sum_x * sum_x);
	if (!(unequal < 1))
		return NAN;
	variance = sum_of_squares(p.error, p.n) / (sum_x * sum_x) / (1 - unequal);
	/*
	 * extrapolates the variance to longer intervals, assuming that the correlation decays
	 * geometrically
	 */
	if (neighbours_are_alike(&p))
		variance *= (1 + likeness(&p)) / (1 - likeness(&p));
	return variance;
}

/* ---- Student's t ------------------------------------------------------------------------- */

#define TURNS 500 /* enough for millions of degrees of freedom */
#define LEAST 1e-300

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < LEAST ? LEAST : d);
	f = d;
	for (int m = 1; m < TURNS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < LEAST ? LEAST : d);
		c = fabs(c) < LEAST ? LEAST : c;
		f *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < LEAST ? LEAST : d);
		c = fabs(c) < LEAST ? LEAST : c;
		f *= d * c;
		if (fabs(d * c - 1) < 1e-15)
			break;
	}
	return f;
}

/*
 * The regularized incomplete beta function. The continued fraction is used for x below the mean; above the mean,
 * symmetry is used. y: 1 - x.
 */
static double beta(double a, double b, double x, double y)
{
	double front;

	if (!(x > 0) || !(y > 0))
		return x > 0 ? 1 : 0;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, y) / b;
}

double stats_t_p(double t, double df)
{
	if (isnan(t) || !(df > 0))
		return NAN;
	if (isinf(t))
		return 0;
	if (df > 1e6) /* the distribution equals the normal distribution in all relevant digits */
		return erfc(fabs(t) / sqrt(2));
	return beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t));
}

/* Finds t by bisection, because the probability decreases as t grows. */
double stats_t_beyond(double cases, double df)
{
	double low = 0, high = 1;

	if (!(df > 0) || !(cases > 0))
		return NAN;
	while (stats_t_p(high, df) > cases && high < 1e30)
		high *= 2;
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (stats_t_p(middle, df) > cases)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double stats_t95(double df)
{
	return stats_t_beyond(0.05, df);
}

/* ---- comparing two values ----------------------------------------------------------- */

/*
 * Returns the degrees of freedom of the difference, by Welch and Satterthwaite. If the variances
 * are 0 or unknown, returns the smaller of the two numbers of degrees of freedom.
 */
static double joint_df(const struct stats_value *a, const struct stats_value *b)
{
	double sum = a->variance + b->variance;

	if (!(sum > 0))
		return fmin(a->df, b->df);
	return sum * sum / (a->variance * a->variance / a->df + b->variance * b->variance / b->df);
}

struct stats_change stats_compare(const struct stats_value *before, const struct stats_value *after)
{
	double error = sqrt(before->variance + after->variance), ratio, relative_error, t95;
	struct stats_change c = { .change = after->value - before->value,
				  .df = joint_df(before, after) };

	t95 = stats_t95(c.df);
	c.ci95 = t95 * error;
	c.p = c.change == 0 ? 1 : stats_t_p(c.change / error, c.df);
	if (isnan(c.ci95))
		c.p = NAN;
	/* An error of the earlier value changes the ratio in proportion to the ratio. */
	ratio = after->value / before->value;
	relative_error = hypot(sqrt(after->variance), ratio * sqrt(before->variance));
	c.relative = ratio - 1;
	c.relative_ci95 = t95 * relative_error / fabs(before->value);
	return c;
}

/* ---- multiple comparisons ----------------------------------------------------------- */

static int by_value(const void *pa, const void *pb)
{
	double a = **(double *const *)pa, b = **(double *const *)pb;

	return (a > b) - (a < b);
}

int stats_holm(double *p, size_t n)
{
	double **order = calloc(n + 1, sizeof(*order)), least = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		order[i] = &p[i];
	qsort(order, n, sizeof(*order), by_value);
	for (size_t i = 0; i < n; i++) {
		least = fmax(least, fmin(1, *order[i] * (double)(n - i)));
		*order[i] = least;
	}
	free(order);
	return 0;
}

/* ---- linear regression -------------------------------------------------------------- */

/* Means and moments of the points of a regression. */
struct middle {
	double x, y, square_x,
		product; /* means; sums of squares and products of the deviations from the means */
};

static struct middle find_middle(const double *x, const double *y, size_t n)
{
	struct middle m = { 0 };

	for (size_t i = 0; i < n; i++) {
		m.x += x[i] / (double)n;
		m.y += y[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		m.square_x += (x[i] - m.x) * (x[i] - m.x);
		m.product += (x[i] - m.x) * (y[i] - m.y);
	}
	return m;
}

/*
 * A coefficient is a weighted sum of y, so its variance is the sum of the points' variances times their squared
 * weights. A point pulls the line towards itself by its leverage. So its unbiased deviation is its residual divided by
 * 1 - leverage.
 */
static void find_errors(struct stats_fit *f, const double *x, const double *y, size_t n,
			const struct middle *m)
{
	double at_0 = 0, slope = 0, mean = 0;

	for (size_t i = 0; i < n; i++) {
		double from = x[i] - m->x;
		double leverage = 1 / (double)n + from * from / m->square_x;
		double scatter = (y[i] - f->at_0 - f->slope * x[i]) / fmax(1 - leverage, 1e-9);
		double weight = from / m->square_x;

		slope += weight * weight * scatter * scatter;
		weight = 1 / (double)n - m->x * weight;
		at_0 += weight * weight * scatter * scatter;
		mean += scatter * scatter;
	}
	f->at_0_se = sqrt(at_0);
	f->slope_se = sqrt(slope);
	f->mean_se = sqrt(mean) / (double)n;
}

static double mean_error(const double *y, size_t n, double mean)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += (y[i] - mean) * (y[i] - mean);
	return n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : NAN;
}

struct stats_fit stats_fit(const double *x, const double *y, size_t n)
{
	struct stats_fit f = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	struct middle m = find_middle(x, y, n);

	if (n)
		f.least_x = f.most_x = x[0];
	for (size_t i = 1; i < n; i++) {
		f.least_x = fmin(f.least_x, x[i]);
		f.most_x = fmax(f.most_x, x[i]);
	}
	f.mean_se = mean_error(y, n, m.y);
	if (n < 3 || !(m.square_x > 0) || !(f.most_x > f.least_x))
		return f;
	f.slope = m.product / m.square_x;
	f.at_0 = m.y - f.slope * m.x;
	f.df = (double)n - 2;
	find_errors(&f, x, y, n, &m);
	return f;
}

/* ---- quantiles --------------------------------------------------------------------------- */

#define QUANTILE_TAIL 0.025
#define MANY 500 /* from this number on, a binomial distribution is nearly normal */

/*
 * Returns the smallest k with P(at most k) > `tail`, for a probability p of at most 0.5 per value, and n p < MANY. Of n
 * values, the number below the true quantile is binomially distributed. So k gives the ranks that enclose the quantile.
 */
static double count_at(double n, double p, double tail)
{
	double chance = exp(n * log1p(-p)), sum = chance, k = 0;

	while (sum <= tail && k < n) {
		chance *= (n - k) / (k + 1) * p / (1 - p);
		sum += chance;
		k++;
	}
	return k;
}

/*
 * Returns the highest rank r whose value is above the quantile with a probability of at most
 * QUANTILE_TAIL: P(fewer than r) <= QUANTILE_TAIL.
 */
static double low_rank(double n, double p)
{
	if (p <= 0.5 && n * p < MANY)
		return count_at(n, p, QUANTILE_TAIL);
	if (p > 0.5 && n * (1 - p) < MANY)
		return n - count_at(n, 1 - p, 1 - QUANTILE_TAIL);
	return floor(n * p - STATS_Z95 * sqrt(n * p * (1 - p)));
}

struct quantile quantile_of(uint64_t n, double share)
{
	double all = (double)n;

	if (!n)
		return (struct quantile){ 0, 0, 1 };
	return (struct quantile){ .rank = (uint64_t)fmin(fmax(ceil(all * share), 1), all),
				  .low = (uint64_t)fmax(low_rank(all, share), 0),
				  .high = (uint64_t)(all + 1 - fmax(low_rank(all, 1 - share), 0)) };
}

/* ---- histograms -------------------------------------------------------------------------- */

#define ZERO (100 * HISTOGRAM_PER_POINT) /* the bin of 0 */

void histogram_add(struct histogram *h, double points)
{
	double at = round(points * HISTOGRAM_PER_POINT) + ZERO;

	h->bin[(unsigned int)fmin(fmax(at, 0), HISTOGRAM_BINS - 1)]++;
	h->n++;
}

double histogram_middle(unsigned int bin)
{
	return ((double)bin - ZERO) / HISTOGRAM_PER_POINT;
}

double histogram_quantile(const struct histogram *h, double quantile)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < HISTOGRAM_BINS; i++) {
		sum += h->bin[i];
		if (sum && (double)sum >= quantile * (double)h->n)
			return histogram_middle(i);
	}
	return NAN;
}

/* ---- counts by id ------------------------------------------------------------------------- */

#define FIRST_BITS 6

/* Returns the slot of an id by Fibonacci hashing, which spreads neighbouring ids, the common case. */
static size_t place_of(uint32_t id, unsigned int bits)
{
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - bits));
}

static struct countmap_entry *find(const struct countmap *map, uint32_t id)
{
	size_t mask = ((size_t)1 << map->bits) - 1, i = place_of(id, map->bits);

	while (map->entry[i].count && map->entry[i].id != id)
		i = (i + 1) & mask;
	return &map->entry[i];
}

size_t countmap_places(const struct countmap *map)
{
	return map->bits ? (size_t)1 << map->bits : 0;
}

static bool grow(struct countmap *map)
{
	struct countmap bigger = { .bits = map->bits ? map->bits + 1 : FIRST_BITS, .n = map->n };

	bigger.entry = calloc(countmap_places(&bigger), sizeof(*bigger.entry));
	if (!bigger.entry)
		return false;
	for (size_t i = 0; i < countmap_places(map); i++)
		if (map->entry[i].count)
			*find(&bigger, map->entry[i].id) = map->entry[i];
	free(map->entry);
	*map = bigger;
	return true;
}

bool countmap_add(struct countmap *map, uint32_t id, uint64_t count)
{
	struct countmap_entry *e;

	if (map->n >= countmap_places(map) / 4 * 3 && !grow(map))
		return false;
	e = find(map, id);
	map->n += e->count == 0;
	e->id = id;
	if (__builtin_add_overflow(e->count, count, &e->count))
		e->count = UINT64_MAX;
	return true;
}

void countmap_free(struct countmap *map)
{
	free(map->entry);
	*map = (struct countmap){ 0 };
}

/* ---- distributions ------------------------------------------------------------------------ */

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

/* Returns the smaller or larger of two values, or TRACE_NIL if one of them is unknown. */
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

/*
 * Returns the bucket that contains the value at a rank, and the number of values in the buckets before it. Returns
 * BUCKETS if no bucket contains that rank.
 */
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
