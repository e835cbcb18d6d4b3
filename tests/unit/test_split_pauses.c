// SPDX-License-Identifier: BSD-2-Clause
/* Pauses of exact counting: samples there, as they are, and corrected by what they and windows say elsewhere. */
#include <math.h>
#include <string.h>

#include "report/base/stats.h"
#include "split_util.h"

#define SEND LEAF_SOCK_SEND
#define RATE 1000.0 /* samples a second */
#define KNOWN 50.0  /* as many samples say as much as is known before there are any */

static const struct split_windows none;

/* A busy CPU: counted_s in windows, paused_s without. A send takes a tenth of both; samples find `found` of that. */
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

/* n of them, of 0.1 s each; a send takes so much of one after the other, over and over. */
static struct split_windows windows_of(size_t n, const double *share, size_t shares)
{
	struct split_windows w = { .n = n };

	for (size_t i = 0; i < n; i++) {
		w.wall_ns[i] = 0.1e9;
		w.ns[SEND][i] = share[i % shares] * 0.1e9;
	}
	return w;
}

static struct split_calibration calibrated(const struct split_input *in,
					   const struct split_windows *w)
{
	struct split_calibration c;

	split_calibrate(&c, in, 1, w);
	return c;
}

static void test_without_a_window(void)
{
	struct split_input in = busy(0, 10, 1);
	struct split_calibration c = calibrated(&in, &none);

	NEAR(c.ratio[SEND], 1);
	NEAR(c.error[SEND], 1 / sqrt(KNOWN));
	CU_ASSERT(isnan(c.ratio[LEAF_USER])); /* nothing exact tells of these */
	CU_ASSERT(isnan(c.ratio[LEAF_IDLE]));
	CU_ASSERT(isnan(c.ratio[LEAF_OTHER_KERNEL]));
}

/* Few samples say little; many are believed. */
static void test_by_samples(void)
{
	struct split_input in = busy(1, 10, 0.8);
	struct split_calibration c = calibrated(&in, &none);

	NEAR(c.ratio[SEND], (KNOWN + 100) / (KNOWN + 80));
	NEAR(c.error[SEND], 1 / sqrt(KNOWN + 80));
	in = busy(1000, 10000, 0.8);
	c = calibrated(&in, &none);
	CU_ASSERT_DOUBLE_EQUAL(c.ratio[SEND], 1.25, 0.001);
	CU_ASSERT(c.error[SEND] < 0.004);
}

/* What samples find in probes is not in the exact times without the recorder's own part, and not there in pauses. */
static void test_probes_are_left_out(void)
{
	struct split_input in = busy(1000, 10000, 1);
	struct split_calibration c;

	in.tracing[SEND] = in.samples[SEND] / 5;
	in.own.ns[NETCOST_EV_SOCK_SEND] = in.exact_ns[NETCOST_EV_SOCK_SEND] / 5;
	c = calibrated(&in, &none);
	NEAR(c.ratio[SEND], 1);
	in.own.there = false;
	c = calibrated(&in, &none);
	NEAR(c.ratio[SEND], 1);
}

/* That the recorder's own part is not known exactly is no less so for many samples. */
static void test_own_is_not_sure(void)
{
	struct split_input in = busy(1000, 10000, 1);
	double ns = in.exact_ns[NETCOST_EV_SOCK_SEND];
	struct split_calibration c;

	in.own.ns[NETCOST_EV_SOCK_SEND] = 0.2 * ns;
	in.own.ci95_ns[NETCOST_EV_SOCK_SEND] = 0.08 * ns;
	c = calibrated(&in, &none);
	CU_ASSERT_DOUBLE_EQUAL(c.error[SEND], 0.1 / STATS_Z95, 0.001);
}

static void test_not_exact(void)
{
	struct split_input in = busy(1, 10, 1);
	struct split_calibration c;

	in.exact_ns[NETCOST_EV_SOCK_SEND] = NAN;
	c = calibrated(&in, &none);
	CU_ASSERT(isnan(c.ratio[SEND]));
}

/* Windows that are all alike say more than their few samples do. */
static void test_by_windows(void)
{
	static const double alike[] = { 0.1, 0.101, 0.099 }, others[] = { 0.2, 0, 0.1 };
	struct split_windows w = windows_of(20, alike, 3);
	struct split_input in = busy(2, 100, 0.8);
	struct split_calibration c = calibrated(&in, &w);

	CU_ASSERT_DOUBLE_EQUAL(c.ratio[SEND], 1.25, 0.005);
	CU_ASSERT(c.error[SEND] < 0.02);
	w = windows_of(20, others, 3);
	c = calibrated(&in, &w);
	CU_ASSERT(c.error[SEND] > 0.04);
	w = windows_of(2, alike, 2); /* too few */
	c = calibrated(&in, &w);
	NEAR(c.ratio[SEND], (KNOWN + 200) / (KNOWN + 160));
}

/* Three windows that meet the load in one state: samples say that the pauses are not like them. */
static void test_windows_alike_by_chance(void)
{
	static const double alike[] = { 0.1, 0.101, 0.099 };
	struct split_windows w = windows_of(3, alike, 3);
	struct split_input in = busy(1, 100, 1);
	struct split_calibration c;

	in.paused[LEAF_USER] += in.paused[SEND] / 2;
	in.paused[SEND] -= in.paused[SEND] / 2;
	c = calibrated(&in, &w);
	CU_ASSERT_DOUBLE_EQUAL(c.ratio[SEND], 1,
			       0.1); /* what samples say is right, and windows say 2 */
	CU_ASSERT(c.error[SEND] > 0.06);
}

/* Likewise where that state is that almost nothing is done. */
static void test_windows_without_load_by_chance(void)
{
	static const double alike[] = { 0.001 };
	struct split_windows w = windows_of(3, alike, 1);
	struct split_input in = busy(1, 100, 1);
	struct split_calibration c;

	in.exact_ns[NETCOST_EV_SOCK_SEND] = 0.001 * in.wall_ns;
	in.exact_ns[NETCOST_EV_TASK] = 0.999 * in.wall_ns;
	in.samples[LEAF_USER] += in.samples[SEND] - 1;
	in.samples[SEND] = 1;
	c = calibrated(&in, &w);
	CU_ASSERT_DOUBLE_EQUAL(c.ratio[SEND], 1, 0.05);
	CU_ASSERT(c.error[SEND] > 0.1);
}

/* While probes take a fifth, the host gets less done: windows are not like the pauses, however alike they are. */
static void test_probes_slow_the_load(void)
{
	static const double alike[] = { 0.1, 0.101, 0.099 };
	struct split_windows w = windows_of(20, alike, 3);
	struct split_input in = busy(2, 100, 0.8);
	struct split_calibration c;

	in.own.ns[NETCOST_EV_TASK] = 0.2 * in.wall_ns;
	c = calibrated(&in, &w);
	CU_ASSERT(c.error[SEND] > 0.05);
	in.own.there = false; /* how much they take is not known */
	c = calibrated(&in, &w);
	NEAR(c.error[SEND], 1 / sqrt(KNOWN + 160));
}

/* What one leaf has more is another's less. */
static void test_leaves_still_sum(void)
{
	struct split_input in = busy(1, 10, 0.8);
	struct split_calibration c = calibrated(&in, &none);
	struct split with, without;
	double other_ns;

	CU_ASSERT_EQUAL_FATAL(split_compute(&without, &in, 1), 0);
	in.calibration = &c;
	CU_ASSERT_EQUAL_FATAL(split_compute(&with, &in, 1), 0);
	NEAR(with.all.sum_ns, 11e9);
	NEAR(with.all.sum_ns, without.all.sum_ns);
	NEAR(with.all.leaf[SEND].ns, 0.1e9 + 0.8e9 * c.ratio[SEND]);
	other_ns = with.all.leaf[LEAF_OTHER_KERNEL].ns - without.all.leaf[LEAF_OTHER_KERNEL].ns;
	NEAR(other_ns, -0.8e9 * (c.ratio[SEND] - 1));
	NEAR(with.cpu[0].leaf[SEND].ns, with.all.leaf[SEND].ns);
	CU_ASSERT_EQUAL(with.all.leaf[SEND].how, SPLIT_MIXED);
	CU_ASSERT(with.all.leaf[SEND].ci95_ns > without.all.leaf[SEND].ci95_ns);
	NEAR(with.all.leaf[SEND].sampled, without.all.leaf[SEND].sampled);
	NEAR(with.counted.leaf[SEND].ns, 0.1e9);
	split_free(&with);
	split_free(&without);
}

/* Of 1000 recordings whose samples are right, or wrong by a tenth, 95 of 100 are within. */
static double uniform(void)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(state >> 11) / 9007199254740992.0;
}

static uint64_t binomial(unsigned int n, double p)
{
	uint64_t k = 0;

	for (unsigned int i = 0; i < n; i++)
		k += uniform() < p;
	return k;
}

static unsigned int within(double found)
{
	unsigned int good = 0;

	for (unsigned int i = 0; i < 1000; i++) {
		struct split_input in = busy(1, 20, 1);
		struct split_calibration c;
		struct split s;

		in.samples[SEND] = binomial(1000, 0.1 * found);
		in.samples[LEAF_USER] = 1000 - in.samples[SEND];
		in.paused[SEND] = binomial(20000, 0.1 * found);
		in.paused[LEAF_USER] = 20000 - in.paused[SEND];
		c = calibrated(&in, &none);
		in.calibration = &c;
		CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
		good += fabs(s.all.leaf[SEND].ns - 2.1e9) <= s.all.leaf[SEND].ci95_ns;
		split_free(&s);
	}
	return good;
}

static void test_coverage(void)
{
	CU_ASSERT(within(1) >= 950);
	CU_ASSERT(within(0.9) >= 950);
	CU_ASSERT(within(1.1) >= 950);
}

/* ---- samples as they are ------------------------------------------------------------------ */

/* Another second without exact counters: 1000 samples are due, 600 were taken, all busy; /proc/stat agrees. */
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
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_SOCK_SEND].how, SPLIT_MIXED);
	CU_ASSERT(s.all.leaf[LEAF_SOCK_SEND].ci95_ns > 0.6e9 * stats_share_ci95(1.0 / 3, 600));
	CU_ASSERT(s.all.leaf[LEAF_SOCK_SEND].ci95_ns < 1e9 * stats_share_ci95(0.2, 1000));
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_USER].how, SPLIT_SAMPLES);
	CU_ASSERT(isnan(s.all.leaf[LEAF_IDLE].sampled)); /* not by samples in the time counted */
	NEAR(s.counted.wall_ns, 1e9);
	NEAR(leaf_ns(&s.counted, LEAF_SOCK_SEND), 80e6);
	CU_ASSERT_EQUAL(s.counted.leaf[LEAF_SOCK_SEND].how, SPLIT_EXACT);
	split_free(&s);
}

/* Without a window there is nothing but samples. */
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

/* What the pauses do not know is not 0 there. */
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

/* Cycles tell of no time: /proc/stat does; otherwise it is known from the time counted how many a busy second has. */
static void test_paused_cycles(void)
{
	struct split_input in = exact_second();
	struct split s;

	add_samples(&in); /* 500 in 500 ms that were not idle */
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
	NEAR(leaf_ns(&s.all, LEAF_IDLE), 500e6); /* what has no sample need not be idle */
	split_free(&s);
}

/* ---- samples that are missing -------------------------------------------------------------- */

#define UNIT 10e6 /* of /proc/stat */

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

/* A busy CPU, of whose samples the kernel took fewer and fewer. */
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

/* Even if there is none at all: then nothing is known but idle time. */
static void test_none_taken(void)
{
	struct split_cpu c = pause_of(true, 100e6, 0, 0, 1000);

	CU_ASSERT(fabs(leaf_ns(&c, LEAF_IDLE) - 100e6) < UNIT);
	CU_ASSERT_EQUAL(c.leaf[LEAF_USER].how, SPLIT_NOT_MEASURED);
	CU_ASSERT_DOUBLE_EQUAL(split_missing(&c), 1, 0.01);
}

/* A sampler misses samples of an idle CPU: that is not known to be idle by that alone. */
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

/* Where the two agree an idle CPU stays idle: few samples of it are missing, if any. */
static void test_idle_samples_missing(void)
{
	struct split_cpu c = pause_of(true, 990e6, 7, 3, 1000);

	check_identities(&c, 1e9);
	CU_ASSERT_DOUBLE_EQUAL(leaf_ns(&c, LEAF_IDLE), 990e6, 1e6);
	CU_ASSERT_EQUAL(split_missing(&c), 0);
}

/* No busy sample: of an idle CPU that is what it is like; where few are due it says nothing. */
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

/* What samples of an idle CPU take is not idle in /proc/stat: this much between the two is no missing sample. */
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

/* Of a kernel that hides what an idle CPU runs, samples say that it is busy. */
static void test_more_than_there_is(void)
{
	struct split_cpu c = pause_of(true, 900e6, 750, 250, 1000);

	check_identities(&c, 1e9);
	CU_ASSERT_DOUBLE_EQUAL(leaf_ns(&c, LEAF_IDLE), 900e6, 2 * UNIT);
}

/* A CPU without samples has no user time of 0: the sum is less than there is. */
static void test_no_samples_on_one(void)
{
	struct split_cpu cpu[2] = { pause_of(true, 0, 750, 250, 1000),
				    pause_of(true, 0, 0, 0, 1000) };
	struct split_cpu all;

	split_sum_cpus(&all, cpu, 2);
	CU_ASSERT_EQUAL(all.leaf[LEAF_USER].how, SPLIT_AT_LEAST);
	CU_ASSERT_DOUBLE_EQUAL(all.leaf[LEAF_USER].sampled, 0.75,
			       0.01); /* of the CPU that has some */
	CU_ASSERT_DOUBLE_EQUAL(split_missing(&all), 0.5, 0.01);
}

static const struct unit_test tests[] = {
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
	{ "without_a_window", test_without_a_window },
	{ "by_samples", test_by_samples },
	{ "probes_are_left_out", test_probes_are_left_out },
	{ "own_is_not_sure", test_own_is_not_sure },
	{ "not_exact", test_not_exact },
	{ "by_windows", test_by_windows },
	{ "windows_alike_by_chance", test_windows_alike_by_chance },
	{ "windows_without_load_by_chance", test_windows_without_load_by_chance },
	{ "probes_slow_the_load", test_probes_slow_the_load },
	{ "leaves_still_sum", test_leaves_still_sum },
	{ "coverage", test_coverage },
};

int main(void)
{
	return unit_main("split_pauses", tests, sizeof(tests) / sizeof(tests[0]));
}
