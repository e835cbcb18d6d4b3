// SPDX-License-Identifier: BSD-2-Clause
#include "certify_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Half-width of the interval in standard errors. With this width, one in 10 000 certificates of a correct recorder is
 * wrong. The spread is computed from about sixty batches of each sort, and the mean of that many batches is nearly
 * normally distributed. A single outlier moves the mean by at most one standard error, because the outlier also
 * increases the spread.
 */
#define ERRORS 4.0
/* A batch counts as disturbed if its duration without the injected time exceeds this multiple of the median. */
#define LEFT_ALONE 2
/*
 * FEWEST: minimum number of undisturbed batches of each sort. VAGUE: the result is inconclusive if the error is above
 * 1/VAGUE of the injected time.
 */
#define FEWEST 20
#define VAGUE 10

static uint64_t rest_of(const struct certify_batch *b)
{
	return b->wall_ns > b->spun_ns ? b->wall_ns - b->spun_ns : 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Returns the median of the batches' durations minus the injected time, or 0 if out of memory or if there is no batch.
 */
static uint64_t median_rest(const struct certify_batch *b, size_t n)
{
	uint64_t *rest = calloc(n, sizeof(*rest)), median = 0;

	if (!rest)
		return 0;
	for (size_t i = 0; i < n; i++)
		rest[i] = rest_of(&b[i]);
	qsort(rest, n, sizeof(*rest), compare);
	median = n ? rest[n / 2] : 0;
	free(rest);
	return median;
}

struct spread {
	double n, sum, squares;
};

static void spread_add(struct spread *s, double v)
{
	s->n++;
	s->sum += v;
	s->squares += v * v;
}

static double mean(const struct spread *s)
{
	return s->sum / s->n;
}

/* Returns the squared standard error of the mean. */
static double variance(const struct spread *s)
{
	double v = (s->squares - s->sum * mean(s)) / (s->n - 1);

	return v > 0 ? v / s->n : 0;
}

void certify_judge(struct certify_time *t, const struct certify_batch *b, size_t n,
		   uint64_t clock_ns)
{
	struct spread own[2] = { { 0 } },
		      /* own: time that was counted in excess of the injected time */
		rest[2] = { { 0 } };
	uint64_t longest = LEFT_ALONE * median_rest(b, n);
	double spins, error;

	*t = (struct certify_time){ .batches = n };
	for (size_t i = 0; i < n; i++) {
		if (rest_of(&b[i]) > longest)
			continue;
		spread_add(&own[b[i].spins], (double)(b[i].rx_ns - (int64_t)b[i].spun_ns));
		spread_add(&rest[b[i].spins], (double)rest_of(&b[i]));
		t->injected_ns += b[i].spins ? b[i].spun_ns : 0;
		t->used++;
	}
	t->known = own[0].n >= FEWEST && own[1].n >= FEWEST;
	if (!t->known)
		return;
	spins = own[1].n;
	t->found_ns = (int64_t)t->injected_ns + llround(spins * (mean(&own[1]) - mean(&own[0])));
	/*
	 * `rest` is the duration of a batch without its spinning. It may differ between batches that spin and batches
	 * that do not, and a correct recorder also counts this difference. The difference is computed from means, so
	 * their variances are part of the error.
	 */
	error = ERRORS * sqrt(variance(&own[0]) + variance(&own[1]) + variance(&rest[0]) +
			      variance(&rest[1]));
	error += fabs(mean(&rest[1]) - mean(&rest[0])) + (double)clock_ns;
	t->error_ns = (uint64_t)llround(spins * error);
}

bool certify_is_clear(const struct certify_time *t)
{
	return t->known && t->error_ns <= t->injected_ns / VAGUE;
}

bool certify_is_found(const struct certify_time *t)
{
	int64_t missing = (int64_t)t->injected_ns - t->found_ns;

	return (uint64_t)llabs(missing) <= t->error_ns;
}
