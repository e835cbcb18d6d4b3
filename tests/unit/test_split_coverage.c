// SPDX-License-Identifier: BSD-2-Clause
/*
 * Does the truth lie in the split's 95 % intervals as often as they say? CPUs whose work is drawn at random
 * are sampled as the recorder does it: at a fixed distance, a little early or late.
 *
 * "Truth" is the time that the CPU really spent in this window, as the exact counters would give it. So the
 * shorter the pieces of work, the nearer the coverage is to 95 %: samples that fall into the same long piece
 * know more of it than independent ones would, and the interval is then wider than it need be.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/split.h"
#include "unit.h"

#define RUNS 10000
#define PERIODS 200 /* of the sampler, in a window */
#define PERIOD_NS 1e6
#define JITTER 0.1 /* of a period, either way */
#define CPUS 2
#define SHORTEST 0.02 /* mean piece of work, in periods; the longest has ten times that */

struct host {
	unsigned int ncpus;
	bool idle_is_exact, quiet;	/* quiet: the last CPU has next to no RX softirq */
	double piece[CPUS][LEAF_COUNT]; /* mean, in periods; drawn anew for each run */
	double missed[CPUS];		/* samples, of 1 */
};

static double random_double(void)
{
	return rand() / (RAND_MAX + 1.0);
}

/* When the next sample is due, in periods: the k-th one. */
static double sample_at(unsigned int k, double phase)
{
	return k + phase + JITTER * (2 * random_double() - 1);
}

static void simulate(struct split_input *in, const double *piece, double phase, double missed,
		     double *truth_ns)
{
	static const enum leaf turn[] = { LEAF_RX_SOFTIRQ, LEAF_USER, LEAF_SOCK_SEND, LEAF_IDLE };
	double now = 0, next = sample_at(0, phase);
	unsigned int k = 0;

	for (unsigned int i = (unsigned int)rand(); now < PERIODS; i++) {
		enum leaf l = turn[i % 4];
		double end = fmin(now - piece[l] * log(1 - random_double()), PERIODS);

		for (; next < end && k < PERIODS; next = sample_at(++k, phase))
			in->samples[l] += random_double() >= missed;
		truth_ns[l] += (end - now) * PERIOD_NS;
		now = end;
	}
}

/* The truth of the leaf is counted in *truth_ns, of all CPUs. */
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
		simulate(&in[c], h->piece[c], 0.2 + 0.6 * random_double(), h->missed[c], ns);
		if (h->idle_is_exact)
			in[c].exact_ns[NETCOST_EV_IDLE] = ns[LEAF_IDLE];
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			truth_ns[l] += ns[l];
	}
	CU_ASSERT_EQUAL_FATAL(split_compute(s, in, h->ncpus), 0);
}

/* In how many of the runs is the truth of these leaves in their intervals? */
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

/* Samples of the idle task are left out then, so how many there are is a matter of chance, too. */
static void test_idle_is_exact(void)
{
	check("idle is exact", &(struct host){ .ncpus = 1, .idle_is_exact = true });
}

static void test_two_cpus(void)
{
	check("two CPUs", &(struct host){ .ncpus = 2, .idle_is_exact = true });
}

/* One CPU is known less well than the other one. */
static void test_two_cpus_one_loses(void)
{
	check("two CPUs, one loses samples",
	      &(struct host){ .ncpus = 2, .idle_is_exact = true, .missed = { 0, 0.8 } });
}

/* And it is the one that has all of a leaf's work: what the other one knows of it is of no help. */
static void test_the_busy_one_loses(void)
{
	check("two CPUs, the busy one loses samples",
	      &(struct host){
		      .ncpus = 2, .idle_is_exact = true, .quiet = true, .missed = { 0.8, 0 } });
}

static const struct unit_test tests[] = {
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
