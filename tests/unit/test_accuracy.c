// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests the parts of the accuracy report: statistics of pairs, histograms, and the selection of samples that a slower
 * sampler would take.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/accuracy.h"
#include "report/base/stats.h"
#include "unit.h"

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-12)

/* ---- pairs ------------------------------------------------------------------------------- */

static void test_pairs(void)
{
	static const double truth[] = { 1, 2, 3, 4 }, estimate[] = { 2, 2, 5, 3 };
	struct stats_pairs p = { 0 };

	for (size_t i = 0; i < 4; i++)
		stats_pairs_add(&p, truth[i], estimate[i]);
	NEAR(stats_bias(&p), 0.5);
	NEAR(stats_mean_absolute_error(&p), 1);
	NEAR(stats_root_mean_square_error(&p), sqrt(6.0 / 4));
}

static void test_no_pairs(void)
{
	struct stats_pairs p = { 0 };

	CU_ASSERT(isnan(stats_bias(&p)) && isnan(stats_mean_absolute_error(&p)));
	CU_ASSERT(isnan(stats_root_mean_square_error(&p)));
	stats_pairs_add(&p, 1, 2);
	NEAR(stats_bias(&p), 1);
}

/* ---- histograms -------------------------------------------------------------------------- */

static void test_histogram(void)
{
	struct histogram *h = calloc(1, sizeof(*h));

	CU_ASSERT_FATAL(h != NULL);
	CU_ASSERT(isnan(histogram_quantile(h, 0.5)));
	for (int i = 0; i < 100; i++)
		histogram_add(h, i * 0.1); /* 0 to 9.9 */
	CU_ASSERT_EQUAL(h->n, 100);
	NEAR(histogram_quantile(h, 0.025), 0.2);
	NEAR(histogram_quantile(h, 0.5), 4.9);
	NEAR(histogram_quantile(h, 1), 9.9);
	NEAR(histogram_quantile(h, 0), 0);
	histogram_add(h, -1e9);
	histogram_add(h, 1e9);
	CU_ASSERT_EQUAL(h->bin[0], 1);
	CU_ASSERT_EQUAL(h->bin[HISTOGRAM_BINS - 1], 1);
	NEAR(histogram_middle(0), -100);
	NEAR(histogram_middle(HISTOGRAM_BINS - 1), 100);
	free(h);
}

/* ---- slower samplers --------------------------------------------------------------------- */

static void test_tracks(void)
{
	unsigned int n = 0;

	for (unsigned int f = 0; f < DECIMATE_FACTORS; f++)
		for (unsigned int p = 0; p < decimate_phases(f); p++, n++) {
			CU_ASSERT_EQUAL(decimate_track[n].factor, f);
			CU_ASSERT_EQUAL(decimate_track[n].phase,
					p * decimate_factor[f] / decimate_phases(f));
		}
	CU_ASSERT_EQUAL(n, DECIMATE_TRACKS);
}

#define PERIOD 1000u

static bool takes(struct decimate *d, uint64_t period_ns, uint64_t time_ns, unsigned int track)
{
	return decimate_sample(d, period_ns, time_ns) >> track & 1;
}

/* Checks that each track takes one of every k samples, in all phases, if each sample is only slightly late. */
static void test_on_time(void)
{
	struct decimate d = { 0 };
	unsigned int taken[DECIMATE_TRACKS] = { 0 };

	for (uint64_t i = 0; i < 1000; i++) {
		uint32_t set = decimate_sample(&d, PERIOD, 777777 + i * PERIOD + i * 37 % 100);

		for (unsigned int t = 0; t < DECIMATE_TRACKS; t++)
			taken[t] += set >> t & 1;
	}
	for (unsigned int t = 0; t < DECIMATE_TRACKS; t++) {
		unsigned int k = decimate_factor[decimate_track[t].factor];

		CU_ASSERT_EQUAL(taken[t], 1000 / k);
	}
}

/*
 * Checks gaps. Track 1 takes every second sample, starting with the first. The first sample after a gap stands for all
 * samples that were due in the gap.
 */
static void test_holes(void)
{
	struct decimate d = { 0 };

	CU_ASSERT(takes(&d, PERIOD, 0 * PERIOD, 1));
	CU_ASSERT(!takes(&d, PERIOD, 1 * PERIOD, 1));
	/* Sample 2 is missing, so track 1 takes sample 3 in its place. */
	CU_ASSERT(takes(&d, PERIOD, 3 * PERIOD, 1));
	CU_ASSERT(takes(&d, PERIOD, 4 * PERIOD, 1));
	/* Samples 5 to 8 are missing. Track 1 takes one sample for all of them. */
	CU_ASSERT(takes(&d, PERIOD, 9 * PERIOD, 1));
	CU_ASSERT(takes(&d, PERIOD, 10 * PERIOD, 1));
	CU_ASSERT(!takes(&d, PERIOD, 11 * PERIOD, 1));
	/* These times are earlier than those of the previous sample and of the first sample. */
	CU_ASSERT(!takes(&d, PERIOD, 3 * PERIOD, 1));
	CU_ASSERT(!takes(&d, PERIOD, 0, 1));
	CU_ASSERT(takes(&d, PERIOD, 12 * PERIOD, 1));
}

/*
 * Checks late samples, the first one among them. Only the late first sample matters, and only until a sample is on
 * time.
 */
static void test_late(void)
{
	struct decimate d = { 0 };
	unsigned int taken = 0;

	decimate_sample(&d, PERIOD, 700);
	decimate_sample(&d, PERIOD, 1 * PERIOD);
	/* the second sample on the grid, which is known now */
	decimate_sample(&d, PERIOD, 2 * PERIOD);
	for (uint64_t i = 3; i < 203; i++)
		taken += takes(&d, PERIOD, i * PERIOD + (i % 5 ? 0 : 870), 1);
	CU_ASSERT_EQUAL(taken, 100);
}

static void test_by_order(void)
{
	struct decimate d = { 0 };

	for (unsigned int i = 0; i < 20; i++)
		CU_ASSERT_EQUAL(takes(&d, 0, i * i * 12345678, 2), i % 2 == 1);
}

/* ---- a delayed sampler ------------------------------------------------------------------- */

#define SECTIONS 60000u

/* A machine that enables and disables interrupts in turn. */
struct machine {
	/* end of each section, ns; interrupts are disabled in sections with odd numbers */
	uint64_t end[SECTIONS];
};

static uint64_t random_below(uint64_t *state, uint64_t n)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (*state >> 33) % n;
}

static void make_machine(struct machine *m)
{
	static const uint64_t off_ns[] = { 20000, 100000, 700000 };
	uint64_t state = 7, now = 0;

	for (unsigned int i = 0; i < SECTIONS; i++) {
		now += i % 2 ? off_ns[random_below(&state, 3)] : 1 + random_below(&state, 800000);
		m->end[i] = now;
	}
}

/*
 * Sets *time_ns to the time of the next sample, at or after *due_ns, and *due_ns to the next due time. Returns whether
 * the sample is late.
 */
static bool next_sample(const struct machine *m, unsigned int *section, uint64_t period_ns,
			uint64_t *due_ns, uint64_t *time_ns)
{
	bool late;

	while (m->end[*section] <= *due_ns)
		(*section)++;
	late = *section % 2;
	*time_ns = late ? m->end[*section] : *due_ns;
	*due_ns += (*time_ns - *due_ns + period_ns) / period_ns * period_ns;
	return late;
}

struct late_share {
	unsigned int n, late;
};

static double share_of(const struct late_share *s)
{
	return (double)s->late / s->n;
}

static struct late_share sampler(const struct machine *m, uint64_t period_ns)
{
	struct late_share s = { 0 };
	uint64_t due_ns = 12345, time_ns;

	for (unsigned int at = 0; due_ns < m->end[SECTIONS - 2]; s.n++)
		s.late += next_sample(m, &at, period_ns, &due_ns, &time_ns);
	return s;
}

/*
 * Checks that the selected samples are late as often as those of a real slower sampler. A slower sampler has a larger
 * share of late samples than the fast one. If every tenth sample were selected, their share would be that of the fast
 * sampler.
 */
static void test_as_a_slower_sampler(void)
{
	struct machine *m = malloc(sizeof(*m));
	struct late_share left[DECIMATE_TRACKS] = { { 0 } };
	uint64_t due_ns = 12345, time_ns;
	struct decimate d = { 0 };

	CU_ASSERT_FATAL(m != NULL);
	make_machine(m);
	for (unsigned int at = 0; due_ns < m->end[SECTIONS - 2];) {
		bool late = next_sample(m, &at, 100000, &due_ns, &time_ns);
		uint32_t set = decimate_sample(&d, 100000, time_ns / 1000 * 1000);

		for (unsigned int t = 0; t < DECIMATE_TRACKS; t++) {
			left[t].n += set >> t & 1;
			left[t].late += set >> t & late;
		}
	}
	for (unsigned int t = 0; t < DECIMATE_TRACKS; t++) {
		unsigned int k = decimate_factor[decimate_track[t].factor];
		struct late_share real = sampler(m, 100000 * k);

		/* The tolerance is for chance, and for samples that are less than an eighth of a period early. */
		CU_ASSERT(fabs(share_of(&left[t]) - share_of(&real)) < 0.02 + 2 / sqrt(real.n));
		CU_ASSERT(abs((int)left[t].n - (int)real.n) <= (int)real.n / 50);
		CU_ASSERT(k < 5 || share_of(&real) > share_of(&left[0]) + 0.15);
	}
	free(m);
}

/* Checks times that no clock reports. */
static void test_hostile_times(void)
{
	static const uint64_t times[] = { UINT64_MAX, 0, UINT64_MAX, 1, UINT64_MAX - 1 };
	struct decimate d = { 0 };

	for (unsigned int round = 0; round < 3; round++)
		for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
			CU_ASSERT(decimate_sample(&d, 1 + round * 999, times[i]) & 1);
	memset(&d, 0, sizeof(d));
	for (size_t i = 1; i < sizeof(times) / sizeof(*times); i++)
		CU_ASSERT(decimate_sample(&d, 1, times[i]) & 1);
}

static const struct unit_test tests[] = {
	{ "pairs", test_pairs },
	{ "no_pairs", test_no_pairs },
	{ "histogram", test_histogram },
	{ "tracks", test_tracks },
	{ "on_time", test_on_time },
	{ "holes", test_holes },
	{ "late", test_late },
	{ "by_order", test_by_order },
	{ "as_a_slower_sampler", test_as_a_slower_sampler },
	{ "hostile_times", test_hostile_times },
};

int main(void)
{
	return unit_main("accuracy", tests, sizeof(tests) / sizeof(*tests));
}
