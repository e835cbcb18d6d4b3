// SPDX-License-Identifier: BSD-2-Clause
/*
 * Checks that the split's 95 % intervals contain the truth as often as stated. CPUs with random work are sampled as the
 * recorder samples: at a fixed distance, slightly early or late.
 *
 * "Truth" is the time that the CPU really spent in the window, as the exact counters would show it. The shorter the
 * pieces of work are, the nearer the coverage is to 95 %. Samples in the same long piece carry more information than
 * independent samples, so the confidence interval is then wider than necessary.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/split.h"
#include "unit.h"

#define RUNS 10000
#define PERIODS 200 /* periods of the sampler in a window */
#define PERIOD_NS 1e6
#define JITTER 0.1 /* maximum jitter, early or late, in periods */
#define CPUS 2
/* mean length of the shortest pieces of work, in periods; the longest pieces have ten times that length */
#define SHORTEST 0.02

struct host {
	unsigned int ncpus;
	bool idle_is_exact, quiet; /* quiet: the last CPU has almost no RX softirq */
	/* mean length of the pieces of work, in periods; drawn again for each run */
	double piece[CPUS][LEAF_COUNT];
	double missed[CPUS]; /* share of samples that are missed, at most 1 */
};

static double random_double(void)
{
	return rand() / (RAND_MAX + 1.0);
}

/* Returns the time when the k-th sample is due, in periods. */
static double sample_at(unsigned int k, double phase)
{
	return k + phase + JITTER * (2 * random_double() - 1);
}

/* Simulates work of this many periods, and its samples. */
static void simulate(uint64_t *samples, double *truth_ns, const double *piece, double periods,
		     double missed)
{
	static const enum leaf turn[] = { LEAF_RX_SOFTIRQ, LEAF_USER, LEAF_SOCK_SEND, LEAF_IDLE };
	double phase = 0.2 + 0.6 * random_double();
	double now = 0, next = sample_at(0, phase);
	unsigned int k = 0;

	for (unsigned int i = (unsigned int)rand(); now < periods; i++) {
		enum leaf l = turn[i % 4];
		double end = fmin(now - piece[l] * log(1 - random_double()), periods);

		for (; next < end && k < periods; next = sample_at(++k, phase))
			samples[l] += random_double() >= missed;
		truth_ns[l] += (end - now) * PERIOD_NS;
		now = end;
	}
}

/* Simulates a run. Adds each leaf's true time on all CPUs to *truth_ns. */
static void run(const struct host *h, struct split *s, double *truth_ns)
{
	struct split_input in[CPUS];

	for (unsigned int c = 0; c < h->ncpus; c++) {
		double ns[LEAF_COUNT] = { 0 };

		in[c] = (struct split_input){ .cpu = c,
					      .wall_ns = PERIODS * PERIOD_NS,
					      .samples_expected = PERIODS * (1 - h->missed[c]) };
		for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
			in[c].exact_ns[e] = NAN;
		simulate(in[c].samples, ns, h->piece[c], PERIODS, h->missed[c]);
		if (h->idle_is_exact)
			in[c].exact_ns[NETCOST_EV_IDLE] = ns[LEAF_IDLE];
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			truth_ns[l] += ns[l];
	}
	CU_ASSERT_EQUAL_FATAL(split_compute(s, in, h->ncpus), 0);
}

/* Checks in how many runs the intervals contain the truth. */
static void check(const char *what, struct host *h)
{
	static const enum leaf leaves[] = { LEAF_RX_SOFTIRQ, LEAF_USER };
	unsigned int inside[2] = { 0 };

	srand(1);
	for (unsigned int i = 0; i < RUNS; i++) {
		double truth_ns[LEAF_COUNT] = { 0 };
		struct split s;

		for (unsigned int c = 0; c < h->ncpus; c++)
			for (unsigned int l = 0; l < LEAF_COUNT; l++)
				h->piece[c][l] = SHORTEST * (1 + 9 * random_double());
		if (h->quiet)
			h->piece[h->ncpus - 1][LEAF_RX_SOFTIRQ] = SHORTEST / 20;
		run(h, &s, truth_ns);
		for (unsigned int k = 0; k < 2; k++) {
			const struct split_value *v = &s.all.leaf[leaves[k]];

			inside[k] += fabs(v->ns - truth_ns[leaves[k]]) <= v->ci95_ns;
		}
		split_free(&s);
	}
	for (unsigned int k = 0; k < 2; k++) {
		double percent = 100.0 * inside[k] / RUNS;

		printf("%s, %s: %.2f %%\n", what, leaf_desc[leaves[k]].key, percent);
		CU_ASSERT(percent >= 93);
		CU_ASSERT(percent <= 99);
	}
}

static void test_samples_alone(void)
{
	check("samples alone", &(struct host){ .ncpus = 1 });
}

/* Tests skipped samples of the idle task: the number of samples is random, too. */
static void test_idle_is_exact(void)
{
	check("idle is exact", &(struct host){ .ncpus = 1, .idle_is_exact = true });
}

static void test_two_cpus(void)
{
	check("two CPUs", &(struct host){ .ncpus = 2, .idle_is_exact = true });
}

/* Tests two CPUs of which one loses samples, so that its times are known less precisely. */
static void test_two_cpus_one_loses(void)
{
	check("two CPUs, one loses samples",
	      &(struct host){ .ncpus = 2, .idle_is_exact = true, .missed = { 0, 0.8 } });
}

/* Tests that this CPU also has all the work of a leaf, so that the other CPU's precision does not help. */
static void test_the_busy_one_loses(void)
{
	check("two CPUs, the busy one loses samples",
	      &(struct host){
		      .ncpus = 2, .idle_is_exact = true, .quiet = true, .missed = { 0.8, 0 } });
}

/* ---- exact times in windows ---------------------------------------------------------------- */

#define WINDOW_RUNS 500
#define WINDOWS 10
#define WINDOW 40 /* length of a window, in periods */
#define PAUSE 160

/* Returns half the width of the interval of the RX softirq's time, ns, estimated from the exact times of the windows
 * alone. */
static double windows_ci95_ns(const struct split_windows *w, double paused_ns)
{
	double df,
		variance = stats_ratio_variance(w->ns[LEAF_RX_SOFTIRQ], w->wall_ns, WINDOWS, &df);

	return stats_t95(df) * sqrt(variance * (1 + WINDOW / (double)PAUSE)) * paused_ns;
}

/* Simulates windows of a load that varies by this share from window to window. */
static void run_windows(struct split_input *in, struct split_windows *w, double *truth_ns,
			double varies)
{
	double counted_ns[LEAF_COUNT] = { 0 }, paused_ns[LEAF_COUNT] = { 0 };

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		in->exact_ns[e] = NAN;
	for (w->n = 0; w->n < WINDOWS; w->n++) {
		double before_ns = counted_ns[LEAF_RX_SOFTIRQ], piece[2][LEAF_COUNT] = { { 0 } };

		for (unsigned int l = 0; l < 2 * LEAF_COUNT; l++)
			piece[l / LEAF_COUNT][l % LEAF_COUNT] =
				SHORTEST * (2 + varies * (2 * random_double() - 1));
		simulate(in->samples, counted_ns, piece[0], WINDOW, 0);
		simulate(in->paused, paused_ns, piece[1], PAUSE, 0);
		w->wall_ns[w->n] = WINDOW * PERIOD_NS;
		w->ns[LEAF_RX_SOFTIRQ][w->n] = counted_ns[LEAF_RX_SOFTIRQ] - before_ns;
	}
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		truth_ns[l] = counted_ns[l] + paused_ns[l];
	in->wall_ns = WINDOWS * WINDOW * PERIOD_NS;
	in->samples_expected = WINDOWS * WINDOW;
	in->paused_ns = WINDOWS * PAUSE * PERIOD_NS;
	in->paused_expected = WINDOWS * PAUSE;
	in->exact_ns[NETCOST_EV_IDLE] = counted_ns[LEAF_IDLE];
	in->exact_ns[NETCOST_EV_RX_SOFTIRQ] = counted_ns[LEAF_RX_SOFTIRQ];
	in->exact_ns[NETCOST_EV_TASK] = counted_ns[LEAF_USER] + counted_ns[LEAF_SOCK_SEND];
	in->own.there = true;
	in->stat = (struct split_stat){ true, paused_ns[LEAF_IDLE], in->paused_ns, 0, 10e6 };
}

static const enum leaf in_windows[] = { LEAF_RX_SOFTIRQ, LEAF_SOCK_SEND, LEAF_USER, LEAF_IDLE };

/*
 * Checks that the combined interval is never wider than the interval from samples alone, and that times sum to the
 * whole. Returns whether it is no wider than the interval from windows alone. It may be wider if samples show that the
 * windows are not representative, which happens by chance in 5 of 100 runs.
 */
static bool run_combined(double varies, unsigned int inside[4])
{
	bool smaller;
	struct split_input in = { .of = SPLIT_OF_TIME };
	double truth_ns[LEAF_COUNT], sum_ns = 0;
	struct split_combined combined;
	struct split_windows w;
	struct split s;

	memset(&w, 0, sizeof(w));
	run_windows(&in, &w, truth_ns, varies);
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	split_combine(&combined, &s, &in, 1, &w);
	split_free(&s);
	in.combined = &combined;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	for (unsigned int k = 0; k < 4; k++) {
		const struct split_value *v = &s.all.leaf[in_windows[k]];

		inside[k] += fabs(v->ns - truth_ns[in_windows[k]]) <= v->ci95_ns;
		CU_ASSERT(isnan(v->sampled) ||
			  v->ci95_ns <= v->sampled_ci95 * s.all.wall_ns * (1 + 1e-9));
		sum_ns += v->ns;
	}
	smaller = s.all.leaf[LEAF_RX_SOFTIRQ].ci95_ns <= 1.05 * windows_ci95_ns(&w, in.paused_ns);
	CU_ASSERT_DOUBLE_EQUAL(sum_ns, s.all.wall_ns, 1);
	split_free(&s);
	return smaller;
}

static void check_windows(const char *what, double varies)
{
	unsigned int inside[4] = { 0 }, smaller = 0;

	srand(1);
	for (unsigned int i = 0; i < WINDOW_RUNS; i++)
		smaller += run_combined(varies, inside);
	CU_ASSERT(smaller >= 0.95 * WINDOW_RUNS);
	for (unsigned int k = 0; k < 4; k++) {
		double percent = 100.0 * inside[k] / WINDOW_RUNS;

		printf("%s, %s: %.2f %%\n", what, leaf_desc[in_windows[k]].key, percent);
		CU_ASSERT(percent >= 93);
	}
}

static void test_windows(void)
{
	check_windows("windows, steady load", 0.01);
	check_windows("windows, load varies by a half", 0.5);
	check_windows("windows, load varies fully", 1.5);
}

static const struct unit_test tests[] = {
	{ "windows", test_windows },
	{ "samples_alone", test_samples_alone },
	{ "idle_is_exact", test_idle_is_exact },
	{ "two_cpus", test_two_cpus },
	{ "two_cpus_one_loses", test_two_cpus_one_loses },
	{ "the_busy_one_loses", test_the_busy_one_loses },
};

int main(void)
{
	return unit_main("split_coverage", tests, sizeof(tests) / sizeof(tests[0]));
}
