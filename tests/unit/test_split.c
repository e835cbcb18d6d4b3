// SPDX-License-Identifier: BSD-2-Clause
/* Tests the arithmetic of the split, and its confidence intervals, for time that was counted throughout. */
#include <math.h>

#include "report/base/stats.h"
#include "split_util.h"

static void test_exact_and_samples(void)
{
	struct split_input in = exact_second();
	struct split s;

	add_samples(&in);
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_SOCK_SEND].how, SPLIT_EXACT);
	NEAR(leaf_ns(&s.all, LEAF_SOCK_SEND), 80e6);
	/* The samples are 200 of the 500 busy samples. They stand for half of the time, the half that was not idle. */
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_USER].how, SPLIT_SAMPLES);
	NEAR(leaf_ns(&s.all, LEAF_USER), 200e6);
	NEAR(leaf_ns(&s.all, LEAF_OTHER_NETWORK), 20e6);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_OTHER_KERNEL].how, SPLIT_SAMPLES);
	NEAR(leaf_ns(&s.all, LEAF_OTHER_KERNEL), 80e6);
	NEAR(s.all.leaf[LEAF_SOCK_SEND].sampled, 0.08);
	CU_ASSERT(isnan(s.all.leaf[LEAF_IDLE].sampled));
	CU_ASSERT(isnan(leaf_ns(&s.all, LEAF_TASK)));
	check_identities(&s.all, 1e9);
	check_identities(&s.cpu[0], 1e9);
	split_free(&s);
}

/* Tests hard interrupts, which no sample represents. If they were not measured, they are not shown as missing. */
static void test_hard_interrupts(void)
{
	struct split_input in = exact_second();
	struct split s;

	in.exact_ns[NETCOST_EV_IDLE] -= 30e6;
	in.exact_ns[NETCOST_EV_TASK] -= 20e6;
	in.exact_ns[NETCOST_EV_HARDIRQ_NET] = 50e6;
	add_samples(&in);
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_HARDIRQ_NET].how, SPLIT_EXACT);
	NEAR(leaf_ns(&s.all, LEAF_HARDIRQ_NET), 50e6);
	CU_ASSERT(isnan(s.all.leaf[LEAF_HARDIRQ_NET].sampled));
	NEAR(s.all.basis, 0.48);
	NEAR(leaf_ns(&s.all, LEAF_USER), 280e6 * 200 / 300);
	NEAR(split_sum(&s.all, LEAF_NETWORK).ns,
	     80e6 + 40e6 + 60e6 + 5e6 + 50e6 + 280e6 * 20 / 300);
	NEAR(split_sum(&s.all, LEAF_NETWORK).sampled, 0.48 * 0.44);
	CU_ASSERT_EQUAL(split_absent(&s.all), LEAF_BIT(TASK) | LEAF_BIT(OWN));
	check_identities(&s.all, 1e9);
	split_free(&s);

	in = exact_second();
	in.exact_ns[NETCOST_EV_HARDIRQ_NET] = NAN;
	add_samples(&in);
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT_EQUAL(split_sum(&s.all, LEAF_NETWORK).how, SPLIT_SAMPLES);
	CU_ASSERT_EQUAL(split_absent(&s.all),
			LEAF_BIT(TASK) | LEAF_BIT(HARDIRQ_NET) | LEAF_BIT(OWN));
	NEAR(s.all.basis, 0.5);
	split_free(&s);
}

static void test_no_samples(void)
{
	struct split_input in = exact_second();
	struct split s;

	split_compute(&s, &in, 1);
	NEAR(leaf_ns(&s.all, LEAF_TASK), 300e6);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_TASK].how, SPLIT_EXACT);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_USER].how, SPLIT_NOT_MEASURED);
	CU_ASSERT(isnan(leaf_ns(&s.all, LEAF_USER)));
	CU_ASSERT(isnan(leaf_ns(&s.all, LEAF_OTHER_NETWORK)));
	CU_ASSERT(isnan(leaf_ns(&s.all, LEAF_OTHER_KERNEL)));
	CU_ASSERT(isnan(s.all.leaf[LEAF_RX_SOFTIRQ].sampled));
	check_identities(&s.all, 1e9);
	split_free(&s);
}

/* Tests samples of the network only: they split its exact time, and everything else is as without samples. */
static void test_network_only(void)
{
	struct split_input in = exact_second();
	struct split s;

	in.of = SPLIT_OF_NETWORK;
	in.samples[LEAF_SOCK_SEND] = 100;
	in.samples[LEAF_SOCK_RECV] = 50;
	in.samples[LEAF_RX_SOFTIRQ] = 40;
	in.samples[LEAF_OTHER_KERNEL] =
		10; /* inside the network by the exact times, but not by the sampled functions */
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	NEAR(s.all.samples, 200);
	NEAR(s.all.basis * 1e9, leaf_ns(&s.all, LEAF_SOCK_SEND) + leaf_ns(&s.all, LEAF_SOCK_RECV) +
					leaf_ns(&s.all, LEAF_RX_SOFTIRQ) +
					leaf_ns(&s.all, LEAF_TX_SOFTIRQ));
	NEAR(s.all.leaf[LEAF_SOCK_SEND].sampled, s.all.basis / 2);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_SOCK_SEND].how, SPLIT_EXACT);
	NEAR(leaf_ns(&s.all, LEAF_TASK), 300e6);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_USER].how, SPLIT_NOT_MEASURED);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_OTHER_KERNEL].how, SPLIT_NOT_MEASURED);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_OTHER_NETWORK].how, SPLIT_NOT_MEASURED);
	CU_ASSERT(isnan(s.all.leaf[LEAF_USER].sampled));
	CU_ASSERT(isnan(s.all.leaf[LEAF_OTHER_KERNEL].sampled));
	CU_ASSERT_EQUAL(split_sum(&s.all, LEAF_NETWORK).how, SPLIT_AT_LEAST);
	check_identities(&s.all, 1e9);
	split_free(&s);
}

/* Tests cycles, which are a measure of time if the duration of a cycle is known. */
static void test_cycles(void)
{
	struct split_input in = exact_second();
	struct split s;

	add_samples(&in);
	in.of = SPLIT_OF_CYCLES;
	in.samples_expected = NAN;
	split_compute(&s, &in, 1);
	NEAR(leaf_ns(&s.all, LEAF_USER), 200e6);
	check_identities(&s.all, 1e9);
	split_free(&s);

	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		in.exact_ns[e] = NAN;
	in.samples[LEAF_IDLE] = 0;
	split_compute(&s, &in, 1);
	CU_ASSERT(isnan(s.all.leaf[LEAF_USER].sampled));
	CU_ASSERT(isnan(leaf_ns(&s.all, LEAF_USER)));
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_USER].how, SPLIT_NOT_MEASURED);
	split_free(&s);
}

static void test_no_exact(void)
{
	struct split_input in = { .wall_ns = 2e9 };
	struct split s;

	nothing_exact(&in);
	add_samples(&in);
	split_compute(&s, &in, 1);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_IDLE].how, SPLIT_SAMPLES);
	NEAR(leaf_ns(&s.all, LEAF_IDLE), 2e9 * 700 / 1200);
	NEAR(leaf_ns(&s.all, LEAF_OTHER_KERNEL), 2e9 * 80 / 1200);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_OTHER_KERNEL].how, SPLIT_SAMPLES);
	CU_ASSERT(isnan(leaf_ns(&s.all, LEAF_TASK)));
	check_identities(&s.all, 2e9);
	split_free(&s);
}

static void test_missing_samples_are_missing_time(void)
{
	struct split_input in = { .wall_ns = 2e9, .samples_expected = 2000 };
	struct split s;

	nothing_exact(&in);
	add_samples(&in); /* 1200 of 2000 samples were taken */
	split_compute(&s, &in, 1);
	NEAR(leaf_ns(&s.all, LEAF_USER), 200e6);
	check_identities(&s.all, 1.2e9);
	split_free(&s);
	/* a difference that small is within the precision of a timer: the time does not grow */
	in.samples_expected = 1199;
	split_compute(&s, &in, 1);
	check_identities(&s.all, 2e9);
	split_free(&s);
}

static void test_one_event_not_exact(void)
{
	struct split_input in = exact_second();
	struct split s;

	add_samples(&in);
	/* If no probe sees the sends, their time counts as TASK, and samples find the sends in it. */
	in.exact_ns[NETCOST_EV_TASK] += in.exact_ns[NETCOST_EV_SOCK_SEND];
	in.exact_ns[NETCOST_EV_SOCK_SEND] = NAN;
	split_compute(&s, &in, 1);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_SOCK_SEND].how, SPLIT_SAMPLES);
	NEAR(leaf_ns(&s.all, LEAF_SOCK_SEND), 80e6);
	NEAR(leaf_ns(&s.all, LEAF_OTHER_KERNEL), 80e6);
	check_identities(&s.all, 1e9);
	split_free(&s);
}

/* Tests that samples only split TASK's time, whatever they find elsewhere. If no sample is in that time, it counts
 * as other kernel time. */
static void test_samples_find_more_than_there_is(void)
{
	struct split_input in = exact_second();
	struct split s;

	in.samples[LEAF_USER] = 460;
	in.samples[LEAF_OTHER_KERNEL] = 30;
	in.samples[LEAF_SOCK_SEND] = 10;
	split_compute(&s, &in, 1);
	NEAR(leaf_ns(&s.all, LEAF_USER), 300e6 * 460 / 490);
	NEAR(leaf_ns(&s.all, LEAF_OTHER_KERNEL), 300e6 * 30 / 490);
	CU_ASSERT(s.all.leaf[LEAF_OTHER_KERNEL].ci95_ns > 0);
	check_identities(&s.all, 1e9);
	split_free(&s);

	in.samples[LEAF_USER] = in.samples[LEAF_OTHER_KERNEL] = 0;
	split_compute(&s, &in, 1);
	NEAR(leaf_ns(&s.all, LEAF_OTHER_KERNEL), 300e6);
	NEAR(leaf_ns(&s.all, LEAF_USER), 0);
	CU_ASSERT(s.all.leaf[LEAF_USER].ci95_ns > 0);
	check_identities(&s.all, 1e9);
	split_free(&s);
}

static void test_cpus_add_up(void)
{
	struct split_input in[3] = { exact_second(), exact_second(), exact_second() };
	struct split s;

	for (unsigned int i = 0; i < 3; i++)
		in[i].cpu = i;
	add_samples(&in[0]);
	in[1].samples[LEAF_USER] = 10; /* few samples for the same time */
	split_compute(&s, in, 3);
	NEAR(s.all.wall_ns, 3e9);
	NEAR(leaf_ns(&s.all, LEAF_RX_SOFTIRQ), 180e6);
	NEAR(leaf_ns(&s.all, LEAF_USER), 200e6 + 300e6);
	NEAR(leaf_ns(&s.all, LEAF_TASK), 300e6); /* time of the CPU without samples */
	NEAR(s.all.leaf[LEAF_USER].sampled, (0.2 + 0.5) / 2);
	/* samples with unequal weights are worth fewer than their number */
	CU_ASSERT(s.all.samples < 510);
	check_identities(&s.all, 3e9);
	for (unsigned int i = 0; i < 3; i++)
		check_identities(&s.cpu[i], 1e9);
	split_free(&s);
}

static void test_equal_cpus_pool_their_samples(void)
{
	struct split_input in[2] = { exact_second(), exact_second() };
	struct split s;

	add_samples(&in[0]);
	add_samples(&in[1]);
	split_compute(&s, in, 2);
	NEAR(s.all.samples, 1000);
	NEAR(s.all.leaf[LEAF_USER].sampled_ci95, 0.5 * stats_share_ci95(0.4, 1000));
	split_free(&s);
}

static void test_errors_cancel_in_sums(void)
{
	struct split_input in = exact_second();
	struct split s;
	double user;

	add_samples(&in);
	split_compute(&s, &in, 1);
	user = s.all.leaf[LEAF_USER].ci95_ns;
	NEAR(split_sum(&s.all, LEAF_KERNEL).ci95_ns, user);
	NEAR(split_sum(&s.all, LEAF_ALL).ci95_ns, 0);
	NEAR(split_sum(&s.all, LEAF_NETWORK).ci95_ns, s.all.leaf[LEAF_OTHER_NETWORK].ci95_ns);
	split_free(&s);
}

static void test_networking_cost(void)
{
	struct split_input in = exact_second();
	struct split s;
	double ci95;

	add_samples(&in);
	split_compute(&s, &in, 1);
	NEAR(split_networking_cost(&s.all, &ci95), (80 + 40 + 60 + 5 + 20) / 500.0);
	CU_ASSERT(ci95 > 0);
	split_free(&s);
	in.exact_ns[NETCOST_EV_IDLE] = 1e9;
	for (unsigned int e = 1; e < NETCOST_EV_COUNT; e++)
		in.exact_ns[e] = 0;
	split_compute(&s, &in, 1);
	CU_ASSERT(isnan(split_networking_cost(&s.all, &ci95)));
	split_free(&s);
}

static void test_nothing_at_all(void)
{
	struct split_input in = { .wall_ns = NAN };
	struct split s;

	nothing_exact(&in);
	CU_ASSERT_EQUAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT(isnan(s.all.sum_ns));
	split_free(&s);
	CU_ASSERT_EQUAL(split_compute(&s, NULL, 0), 0);
	CU_ASSERT(isnan(s.all.sum_ns));
	split_free(&s);
}

static void test_absurd_input_stays_finite(void)
{
	struct split_input in = exact_second();
	struct split s;

	add_samples(&in);
	in.exact_ns[NETCOST_EV_IDLE] = 9e18; /* longer than the whole time */
	split_compute(&s, &in, 1);
	CU_ASSERT(isnan(s.all.leaf[LEAF_USER].ns));
	NEAR(leaf_ns(&s.all, LEAF_TASK), 300e6);
	split_free(&s);
	in = exact_second();
	in.wall_ns = 0;
	add_samples(&in);
	split_compute(&s, &in, 1);
	CU_ASSERT(isnan(s.all.leaf[LEAF_USER].ns));
	split_free(&s);
}

static const struct unit_test tests[] = {
	{ "exact_and_samples", test_exact_and_samples },
	{ "hard_interrupts", test_hard_interrupts },
	{ "no_samples", test_no_samples },
	{ "network_only", test_network_only },
	{ "cycles", test_cycles },
	{ "no_exact", test_no_exact },
	{ "missing_samples_are_missing_time", test_missing_samples_are_missing_time },
	{ "one_event_not_exact", test_one_event_not_exact },
	{ "samples_find_more_than_there_is", test_samples_find_more_than_there_is },
	{ "cpus_add_up", test_cpus_add_up },
	{ "equal_cpus_pool_their_samples", test_equal_cpus_pool_their_samples },
	{ "errors_cancel_in_sums", test_errors_cancel_in_sums },
	{ "networking_cost", test_networking_cost },
	{ "nothing_at_all", test_nothing_at_all },
	{ "absurd_input_stays_finite", test_absurd_input_stays_finite },
};

int main(void)
{
	return unit_main("split", tests, sizeof(tests) / sizeof(tests[0]));
}
