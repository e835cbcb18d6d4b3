// SPDX-License-Identifier: BSD-2-Clause
/* Tests the recorder's own time, which is subtracted from the leaves that it is spent in. */
#include "split_util.h"

/* Tests that the own time is subtracted from each leaf in whole nanoseconds. For tasks it is subtracted from the
 * remaining time. No other time changes. */
static void test_own_cost(void)
{
	struct split_input in = exact_second();
	struct split s, measured;

	add_samples(&in);
	CU_ASSERT_EQUAL_FATAL(split_compute(&measured, &in, 1), 0);
	in.own.there = true;
	in.own.ns[NETCOST_EV_SOCK_SEND] = 1e6 + 0.4;
	in.own.ci95_ns[NETCOST_EV_SOCK_SEND] = 1e5;
	in.own.ns[NETCOST_EV_TASK] = 3e6;
	in.own.sample_ns = 1000;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	NEAR(leaf_ns(&s.all, LEAF_SOCK_SEND), 80e6 - 1e6 - 80e3);
	NEAR(split_sum(&s.all, LEAF_BIT(SOCK_SEND)).ci95_ns, 1e5);
	NEAR(leaf_ns(&s.all, LEAF_OTHER_KERNEL), 80e6 - 3e6 - 80e3);
	NEAR(leaf_ns(&s.all, LEAF_USER), 200e6 - 200e3);
	NEAR(leaf_ns(&s.all, LEAF_IDLE), leaf_ns(&measured.all, LEAF_IDLE) - 700e3);
	NEAR(leaf_ns(&s.all, LEAF_OWN), 4e6 + 1200e3);
	/* Samples use the same basis: their difference to the exact time stays the same. */
	NEAR(s.all.leaf[LEAF_SOCK_SEND].sampled,
	     measured.all.leaf[LEAF_SOCK_SEND].sampled - (1e6 + 80e3) / 1e9);
	NEAR(split_sum(&s.all, LEAF_BIT(SOCK_SEND)).sampled_ci95,
	     hypot(measured.all.leaf[LEAF_SOCK_SEND].sampled_ci95, 1e5 / 1e9));
	NEAR(split_sum(&s.all, LEAF_NETWORK).sampled,
	     split_sum(&measured.all, LEAF_NETWORK).sampled - s.all.leaf[LEAF_SOCK_SEND].taken -
		     s.all.leaf[LEAF_SOCK_RECV].taken - s.all.leaf[LEAF_RX_SOFTIRQ].taken -
		     s.all.leaf[LEAF_OTHER_NETWORK].taken);
	CU_ASSERT_FALSE(split_absent(&s.all) & LEAF_BIT(OWN));
	check_identities(&s.all, 1e9);
	split_free(&s);

	/* more than the leaf has: the result is a negative time */
	in.own.ns[NETCOST_EV_SOCK_SEND] = 90e6;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT(leaf_ns(&s.all, LEAF_SOCK_SEND) < 0);
	check_identities(&s.all, 1e9);
	split_free(&s);
	split_free(&measured);
}

/* Tests that without samples the tasks' time is one leaf. */
static void test_own_cost_without_samples(void)
{
	struct split_input in = exact_second();
	double task_ns = in.exact_ns[NETCOST_EV_TASK];
	struct split s;

	in.own.there = true;
	in.own.ns[NETCOST_EV_TASK] = 2e6;
	in.own.ns[NETCOST_EV_RX_SOFTIRQ] = 1e6;
	in.own.ci95_ns[NETCOST_EV_RX_SOFTIRQ] = 1e4;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	NEAR(leaf_ns(&s.all, LEAF_TASK), task_ns - 2e6);
	NEAR(leaf_ns(&s.all, LEAF_OWN), 3e6);
	NEAR(split_sum(&s.all, LEAF_BIT(RX_SOFTIRQ)).ci95_ns, 1e4);
	NEAR(split_sum(&s.all, LEAF_BIT(OWN)).ci95_ns, 1e4);
	NEAR(split_sum(&s.all, LEAF_ALL).ci95_ns, 0);
	check_identities(&s.all, 1e9);
	split_free(&s);
}

static const struct unit_test tests[] = {
	{ "own_cost", test_own_cost },
	{ "own_cost_without_samples", test_own_cost_without_samples },
};

int main(void)
{
	return unit_main("split_own", tests, sizeof(tests) / sizeof(tests[0]));
}
