// SPDX-License-Identifier: BSD-2-Clause
/* Tests pauses of exact counting, for which samples are used. */
#include <math.h>
#include <string.h>

#include "report/base/stats.h"
#include "split_util.h"

/* ---- windows and samples, combined --------------------------------------------------------- */

#define SEND LEAF_SOCK_SEND
#define RATE 1000.0 /* samples per second */

/* Returns the input of a busy CPU with counted_s in windows and paused_s in pauses. A send takes a tenth of both;
 * samples find `found` of that. */
static struct split_input busy(double counted_s, double paused_s, double found)
{
	struct split_input in = { .wall_ns = counted_s * 1e9,
				  .of = SPLIT_OF_TIME,
				  .samples_expected = counted_s * RATE,
				  .paused_ns = paused_s * 1e9,
				  .paused_expected = paused_s * RATE,
				  .own = { .there = true } };

	in.exact_ns[NETCOST_EV_TASK] = 0.9 * in.wall_ns;
	in.exact_ns[NETCOST_EV_SOCK_SEND] = 0.1 * in.wall_ns;
	in.samples[SEND] = (uint64_t)(0.1 * found * counted_s * RATE);
	in.samples[LEAF_USER] = (uint64_t)(counted_s * RATE) - in.samples[SEND];
	in.paused[SEND] = (uint64_t)(0.1 * found * paused_s * RATE);
	in.paused[LEAF_USER] = (uint64_t)(paused_s * RATE) - in.paused[SEND];
	return in;
}

/* Returns n windows of 0.1 s each. A send takes these shares of the windows, in turn. */
static struct split_windows windows_of(size_t n, const double *share, size_t shares)
{
	struct split_windows w = { .n = n };

	for (size_t i = 0; i < n; i++) {
		w.wall_ns[i] = 0.1e9;
		w.ns[SEND][i] = share[i % shares] * 0.1e9;
	}
	return w;
}

static struct split_combined combined(const struct split_input *in, const struct split_windows *w)
{
	struct split_combined c;
	struct split s;

	CU_ASSERT_EQUAL_FATAL(split_compute(&s, in, 1), 0);
	split_combine(&c, &s, in, 1, w);
	split_free(&s);
	return c;
}

static const double alike[] = { 0.1, 0.101, 0.099 }, varied[] = { 0.2, 0, 0.1 };

/* Tests that windows that agree with each other weigh more than samples, and that windows that vary weigh less. */
static void test_windows_by_variance(void)
{
	struct split_windows w = windows_of(20, alike, 3);
	struct split_input in = busy(2, 10, 0.8);
	struct split_combined c = combined(&in, &w), v;

	CU_ASSERT_DOUBLE_EQUAL(c.ratio[SEND], 1.25, 0.05);
	CU_ASSERT(c.gain_per_ns[SEND] * 0.8e9 > 0.8);
	CU_ASSERT(isnan(c.ratio[LEAF_USER])); /* the leaf has no exact time */
	CU_ASSERT(isnan(c.ratio[LEAF_IDLE]));
	CU_ASSERT(isnan(c.ratio[LEAF_OTHER_KERNEL]));
	w = windows_of(20, varied, 3);
	v = combined(&in, &w);
	CU_ASSERT(v.ratio[SEND] < c.ratio[SEND]);
	CU_ASSERT(v.gain_per_ns[SEND] < c.gain_per_ns[SEND]);
	w = windows_of(2, alike, 2); /* these are not enough windows */
	c = combined(&in, &w);
	CU_ASSERT(isnan(c.ratio[SEND]));
	in.exact_ns[NETCOST_EV_SOCK_SEND] = NAN;
	w = windows_of(20, alike, 3);
	c = combined(&in, &w);
	CU_ASSERT(isnan(c.ratio[SEND]));
}

/* Tests three windows that see the load in only one of its states: samples show that the pauses differ. */
static void test_windows_alike_by_chance(void)
{
	struct split_windows w = windows_of(3, alike, 3);
	struct split_input in = busy(1, 100, 1);
	struct split_combined c;

	in.paused[LEAF_USER] += in.paused[SEND] / 2;
	in.paused[SEND] -= in.paused[SEND] / 2;
	c = combined(&in, &w);
	/* the share of sends in windows is twice that in pauses */
	CU_ASSERT_DOUBLE_EQUAL(c.ratio[SEND], 1, 0.01);
}

/* Tests the same for windows in which the load is almost idle. */
static void test_windows_without_load_by_chance(void)
{
	static const double nothing[] = { 0.001 };
	struct split_windows w = windows_of(3, nothing, 1);
	struct split_input in = busy(1, 100, 1);
	struct split_combined c;

	in.exact_ns[NETCOST_EV_SOCK_SEND] = 0.001 * in.wall_ns;
	in.exact_ns[NETCOST_EV_TASK] = 0.999 * in.wall_ns;
	in.samples[LEAF_USER] += in.samples[SEND] - 1;
	in.samples[SEND] = 1;
	c = combined(&in, &w);
	CU_ASSERT_DOUBLE_EQUAL(c.ratio[SEND], 1, 0.05);
}

/* Tests probes that take a fifth of the time, so that the host does less in windows. The windows differ from the
 * pauses, however much they agree with each other. */
static void test_probes_slow_the_load(void)
{
	struct split_windows w = windows_of(20, alike, 3);
	struct split_input in = busy(2, 10, 0.8);
	struct split_combined c;

	in.own.ns[NETCOST_EV_TASK] = 0.2 * in.wall_ns;
	c = combined(&in, &w);
	CU_ASSERT(c.gain_per_ns[SEND] * 0.8e9 < 0.1);
	in.own.there = false; /* the cost of the probes is unknown */
	c = combined(&in, &w);
	CU_ASSERT(isnan(c.ratio[SEND]));
}

/* Tests that in each part the other leaves shrink by the same factor as this leaf grows, and that no interval grows. */
static void test_combined_leaves_sum(void)
{
	struct split_windows w = windows_of(20, alike, 3);
	struct split_input in = busy(2, 10, 0.8);
	struct split_combined c = combined(&in, &w);
	struct split with, without;

	CU_ASSERT_EQUAL_FATAL(split_compute(&without, &in, 1), 0);
	in.combined = &c;
	CU_ASSERT_EQUAL_FATAL(split_compute(&with, &in, 1), 0);
	NEAR(with.all.sum_ns, 12e9);
	NEAR(with.all.leaf[SEND].ns, 0.2e9 + 0.8e9 * c.ratio[SEND]);
	NEAR(with.all.leaf[LEAF_USER].ns,
	     without.all.leaf[LEAF_USER].ns - 0.8e9 * (c.ratio[SEND] - 1));
	NEAR(with.cpu[0].leaf[SEND].ns, with.all.leaf[SEND].ns);
	CU_ASSERT_EQUAL(with.all.leaf[SEND].how, SPLIT_SAMPLES);
	CU_ASSERT(with.all.leaf[SEND].ci95_ns < 0.5 * without.all.leaf[SEND].ci95_ns);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		CU_ASSERT(isnan(with.all.leaf[l].sampled) ||
			  with.all.leaf[l].ci95_ns <= with.all.leaf[l].sampled_ci95 * 12e9);
	NEAR(with.all.leaf[SEND].sampled, without.all.leaf[SEND].sampled);
	NEAR(with.counted.leaf[SEND].ns, 0.2e9);
	split_free(&with);
	split_free(&without);
}

/* ---- samples alone ------------------------------------------------------------------------- */

/* Adds another second without exact counters: of 1000 samples that are due, 600 were taken. All are busy, and
 * /proc/stat agrees. */
static void add_pause(struct split_input *in)
{
	in->stat = (struct split_stat){ true, 400e6, 400e6, 0, 10e6 };
	in->of = SPLIT_OF_TIME;
	in->paused_ns = 1e9;
	in->paused_expected = 1000;
	in->paused[LEAF_USER] = 400;
	in->paused[LEAF_SOCK_SEND] = 200;
}

static void test_paused(void)
{
	struct split_input in = exact_second();
	struct split s;

	add_samples(&in);
	add_pause(&in);
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	NEAR(s.all.wall_ns, 2e9);
	check_identities(&s.all, 2e9);
	check_identities(&s.cpu[0], 2e9);
	NEAR(leaf_ns(&s.all, LEAF_IDLE), 500e6 + 400e6);
	NEAR(leaf_ns(&s.all, LEAF_SOCK_SEND), 80e6 + 200e6);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_SOCK_SEND].how, SPLIT_SAMPLES);
	CU_ASSERT(s.all.leaf[LEAF_SOCK_SEND].ci95_ns > 0.6e9 * stats_share_ci95(1.0 / 3, 600));
	CU_ASSERT(s.all.leaf[LEAF_SOCK_SEND].ci95_ns < 1e9 * stats_share_ci95(0.2, 1000));
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_USER].how, SPLIT_SAMPLES);
	/* samples do not measure idle time in the counted time */
	CU_ASSERT(isnan(s.all.leaf[LEAF_IDLE].sampled));
	NEAR(s.counted.wall_ns, 1e9);
	NEAR(leaf_ns(&s.counted, LEAF_SOCK_SEND), 80e6);
	CU_ASSERT_EQUAL(s.counted.leaf[LEAF_SOCK_SEND].how, SPLIT_EXACT);
	split_free(&s);
}

/* Tests a recording without windows, in which only samples are available. */
static void test_paused_throughout(void)
{
	struct split_input in = { 0 };
	struct split s;

	add_pause(&in);
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	NEAR(s.all.wall_ns, 1e9);
	check_identities(&s.all, 1e9);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_SOCK_SEND].how, SPLIT_SAMPLES);
	CU_ASSERT_EQUAL(s.counted.wall_ns, 0);
	split_free(&s);
}

/* Tests that a value that is unknown in pauses does not count as 0 in pauses. */
static void test_paused_at_least(void)
{
	struct split_input in = exact_second();
	struct split s;

	add_samples(&in);
	add_pause(&in);
	in.exact_ns[NETCOST_EV_HARDIRQ_NET] = 10e6;
	in.exact_ns[NETCOST_EV_IDLE] -= 10e6;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_HARDIRQ_NET].how, SPLIT_AT_LEAST);
	check_identities(&s.all, 2e9);
	split_free(&s);
}

/* Tests cycles, which carry no time. The time is taken from /proc/stat. Without /proc/stat, the counted time gives
 * the number of cycles of a busy second. */
static void test_paused_cycles(void)
{
	struct split_input in = exact_second();
	struct split s;

	add_samples(&in); /* 500 samples in the 500 ms that were not idle */
	add_pause(&in);
	in.of = SPLIT_OF_CYCLES;
	in.paused_expected = NAN;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	NEAR(leaf_ns(&s.all, LEAF_SOCK_SEND), 80e6 + 200e6);
	NEAR(leaf_ns(&s.all, LEAF_IDLE), 500e6 + 400e6);
	split_free(&s);
	in.stat.there = false;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	NEAR(leaf_ns(&s.all, LEAF_SOCK_SEND), 80e6 + 200e6);
	NEAR(leaf_ns(&s.all, LEAF_IDLE), 500e6); /* a CPU without samples need not be idle */
	split_free(&s);
}

/* ---- samples that are missing -------------------------------------------------------------- */

#define UNIT 10e6 /* unit of /proc/stat, ns */

static struct split_cpu pause_of(bool stat, double idle_ns, uint64_t user, uint64_t send,
				 double due)
{
	struct split_input in = { .of = SPLIT_OF_TIME,
				  .paused_ns = 1e9,
				  .paused_expected = due,
				  .stat = { stat, idle_ns, idle_ns, 0, UNIT } };
	struct split_cpu all;
	struct split s;

	in.paused[LEAF_USER] = user;
	in.paused[LEAF_SOCK_SEND] = send;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	all = s.all;
	split_free(&s);
	return all;
}

/* Tests a busy CPU of which the kernel took fewer and fewer samples. */
static void test_missing(void)
{
	for (uint64_t taken = 1000; taken > 2; taken /= 2) {
		struct split_cpu c = pause_of(true, 0, taken - taken / 4, taken / 4, 1000);
		double missing = taken == 1000 ? 0 : 1 - (double)taken / 1000;
		const struct split_value *send = &c.leaf[LEAF_SOCK_SEND];

		check_identities(&c, 1e9);
		CU_ASSERT(fabs(leaf_ns(&c, LEAF_IDLE)) < UNIT);
		CU_ASSERT_DOUBLE_EQUAL(split_missing(&c), missing, 0.01);
		CU_ASSERT(send->ci95_ns >= missing * send->ns * 0.99);
	}
}

/* Tests a CPU without any sample: only its idle time is known. */
static void test_none_taken(void)
{
	struct split_cpu c = pause_of(true, 100e6, 0, 0, 1000);

	CU_ASSERT(fabs(leaf_ns(&c, LEAF_IDLE) - 100e6) < UNIT);
	CU_ASSERT_EQUAL(c.leaf[LEAF_USER].how, SPLIT_NOT_MEASURED);
	CU_ASSERT_DOUBLE_EQUAL(split_missing(&c), 1, 0.01);
}

/* Tests that missing samples alone do not show that a CPU is idle. */
static void test_without_stat(void)
{
	struct split_cpu c = pause_of(false, 0, 300, 100, 1000);

	NEAR(leaf_ns(&c, LEAF_USER), 300e6);
	NEAR(leaf_ns(&c, LEAF_SOCK_SEND), 100e6);
	NEAR(leaf_ns(&c, LEAF_IDLE), 0);
	CU_ASSERT_EQUAL(c.leaf[LEAF_IDLE].how, SPLIT_AT_LEAST);
	CU_ASSERT_EQUAL(c.leaf[LEAF_USER].how, SPLIT_AT_LEAST);
	NEAR(c.sum_ns, 400e6);
}

/* Tests an idle CPU: if both sources agree, it stays idle, and few of its samples are missing, if any. */
static void test_idle_samples_missing(void)
{
	struct split_cpu c = pause_of(true, 990e6, 7, 3, 1000);

	check_identities(&c, 1e9);
	CU_ASSERT_DOUBLE_EQUAL(leaf_ns(&c, LEAF_IDLE), 990e6, 1e6);
	CU_ASSERT_EQUAL(split_missing(&c), 0);
}

/* Tests a CPU without busy samples: this is normal for an idle CPU, and is no evidence if few samples are due. */
static void test_none_busy(void)
{
	struct split_cpu c = pause_of(true, 985e6, 0, 0, 1000);

	check_identities(&c, 1e9);
	NEAR(leaf_ns(&c, LEAF_IDLE), 1e9);
	CU_ASSERT_EQUAL(c.leaf[LEAF_USER].how, SPLIT_SAMPLES);
	CU_ASSERT(c.leaf[LEAF_USER].ci95_ns > 0);
	c = pause_of(true, 700e6, 0, 0, 4);
	CU_ASSERT(fabs(leaf_ns(&c, LEAF_IDLE) - 700e6) < 3 * UNIT);
	CU_ASSERT_EQUAL(c.leaf[LEAF_USER].how, SPLIT_NOT_MEASURED);
}

/* Tests samples that interrupt an idle CPU: /proc/stat does not count their time as idle. A difference of this size
 * does not mean that a sample is missing. */
static void test_samples_interrupt_idle(void)
{
	struct split_input in = { .of = SPLIT_OF_TIME,
				  .paused_ns = 1e9,
				  .paused_expected = 1000,
				  .stat = { true, 960e6, 960e6, 40e6, UNIT } };
	struct split s;

	in.paused[LEAF_IDLE] = 800;
	in.paused[LEAF_USER] = 10;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT(leaf_ns(&s.all, LEAF_IDLE) > 970e6 && leaf_ns(&s.all, LEAF_IDLE) < 990e6);
	CU_ASSERT(s.all.leaf[LEAF_IDLE].ci95_ns > 10e6);
	split_free(&s);
}

/* Tests a kernel that hides what an idle CPU runs: its samples count as busy. */
static void test_more_than_there_is(void)
{
	struct split_cpu c = pause_of(true, 900e6, 750, 250, 1000);

	check_identities(&c, 1e9);
	CU_ASSERT_DOUBLE_EQUAL(leaf_ns(&c, LEAF_IDLE), 900e6, 2 * UNIT);
}

/* Tests that the user time of a CPU without samples is unknown, not 0: the sum is a lower bound. */
static void test_no_samples_on_one(void)
{
	struct split_cpu cpu[2] = { pause_of(true, 0, 750, 250, 1000),
				    pause_of(true, 0, 0, 0, 1000) };
	struct split_cpu all;

	split_sum_cpus(&all, cpu, 2);
	CU_ASSERT_EQUAL(all.leaf[LEAF_USER].how, SPLIT_AT_LEAST);
	CU_ASSERT_DOUBLE_EQUAL(all.leaf[LEAF_USER].sampled, 0.75,
			       0.01); /* of the CPU with samples */
	CU_ASSERT_DOUBLE_EQUAL(split_missing(&all), 0.5, 0.01);
}

static const struct unit_test tests[] = {
	{ "windows_by_variance", test_windows_by_variance },
	{ "windows_alike_by_chance", test_windows_alike_by_chance },
	{ "windows_without_load_by_chance", test_windows_without_load_by_chance },
	{ "probes_slow_the_load", test_probes_slow_the_load },
	{ "combined_leaves_sum", test_combined_leaves_sum },
	{ "paused", test_paused },
	{ "paused_throughout", test_paused_throughout },
	{ "paused_at_least", test_paused_at_least },
	{ "paused_cycles", test_paused_cycles },
	{ "missing", test_missing },
	{ "none_taken", test_none_taken },
	{ "without_stat", test_without_stat },
	{ "idle_samples_missing", test_idle_samples_missing },
	{ "none_busy", test_none_busy },
	{ "samples_interrupt_idle", test_samples_interrupt_idle },
	{ "more_than_there_is", test_more_than_there_is },
	{ "no_samples_on_one", test_no_samples_on_one },
};

int main(void)
{
	return unit_main("split_pauses", tests, sizeof(tests) / sizeof(tests[0]));
}
