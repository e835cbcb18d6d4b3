// SPDX-License-Identifier: BSD-2-Clause
/* Tests the cost of a run of each class of probes. It is computed from intervals in which the programs' time and
 * runs were counted. */
#include "unit.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "record/exact/exact.h"
#include "record/exact/ladder.h"
#include "record/exact/probe_cost.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

static struct probe_costs new_costs(enum rung sockets)
{
	const struct ladder l = { .sockets = sockets };
	struct probe_costs c;

	probe_costs_init(&c, &l);
	return c;
}

static double ns_of(const struct probe_costs *c, enum netcost_probe probe)
{
	return probe_costs_of(c, probe, NULL);
}

static void test_groups(void)
{
	static const struct {
		const char *program;
		enum netcost_probe probe;
	} cases[] = {
		{ "sys_exit", NETCOST_PROBE_SYSCALL },
		{ "fentry_3", NETCOST_PROBE_FUNCTION },
		{ "kprobe_end", NETCOST_PROBE_FUNCTION },
		{ "sched_switch_old", NETCOST_PROBE_SWITCH },
		{ "napi_poll", NETCOST_PROBE_SOFTIRQ },
		{ "softirq_exit", NETCOST_PROBE_SOFTIRQ },
		{ "part_fentry_2", NETCOST_PROBE_STAGE },
		{ "owners_tcp", NETCOST_PROBE_OWNERS },
		{ "irq_handler_exit", NETCOST_PROBE_HARDIRQ },
		{ "sock_recv_length", NETCOST_PROBE_MESSAGE },
	};
	const struct ladder l = { .sockets = RUNG_FENTRY, .polls = true };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct probe_costs c = new_costs(RUNG_FENTRY);
		uint64_t runs[NETCOST_PROBE_COUNT] = { 0 };
		int group = probe_costs_group(&l, cases[i].program);

		CU_ASSERT_FATAL(group >= 0);
		runs[cases[i].probe] = 10;
		probe_costs_add(&c, group, 700);
		probe_costs_end(&c, runs, true);
		CU_ASSERT(near(ns_of(&c, cases[i].probe), 70));
	}
	CU_ASSERT_EQUAL(probe_costs_group(&l, "latency_sched_switch"), -1);
	CU_ASSERT_EQUAL(probe_costs_group(&l, "kfree_skb"), -1);
}

/* Tests that the sum over all classes equals the programs' time, whatever a run of each class costs. */
static void test_all_of_it(void)
{
	const struct ladder l = { .sockets = RUNG_FENTRY };
	struct probe_costs c = new_costs(RUNG_FENTRY);
	uint64_t runs[NETCOST_PROBE_COUNT] = { 0 };
	int softirqs = probe_costs_group(&l, "softirq_entry");
	double ns = 0, ci95;

	for (int i = 1; i <= 10; i++) {
		runs[NETCOST_PROBE_SOFTIRQ] += 3;
		runs[NETCOST_PROBE_OTHER_SOFTIRQ] += 4;
		probe_costs_add(&c, softirqs, 100 * i);
		probe_costs_add(&c, softirqs, 50);
		ns += 100 * i + 50;
		probe_costs_end(&c, runs, true);
	}
	CU_ASSERT(near(30 * ns_of(&c, NETCOST_PROBE_SOFTIRQ) +
			       40 * ns_of(&c, NETCOST_PROBE_OTHER_SOFTIRQ),
		       ns));
	(void)probe_costs_of(&c, NETCOST_PROBE_SOFTIRQ, &ci95);
	CU_ASSERT(ci95 > 0.1 * ns / 70 && ci95 < ns / 70);
	CU_ASSERT(near(probe_costs_inside(&c, NETCOST_PROBE_SOFTIRQ), ns / 70 / 2));
	CU_ASSERT(isnan(probe_costs_inside(&c, NETCOST_PROBE_OTHER_SOFTIRQ)));
}

/* Tests that neither the programs' time nor their runs count while the statistics were off. */
static void test_not_counted(void)
{
	const struct ladder l = { .sockets = RUNG_FENTRY };
	struct probe_costs c = new_costs(RUNG_FENTRY);
	uint64_t runs[NETCOST_PROBE_COUNT] = { [NETCOST_PROBE_SWITCH] = 1000 };
	int switches = probe_costs_group(&l, "sched_switch");

	probe_costs_end(&c, runs, false);
	CU_ASSERT(isnan(ns_of(&c, NETCOST_PROBE_SWITCH)));
	CU_ASSERT(isnan(ns_of(&c, NETCOST_PROBE_HARDIRQ)) &&
		  isnan(ns_of(&c, NETCOST_PROBE_SAMPLE)));
	runs[NETCOST_PROBE_SWITCH] += 10;
	probe_costs_add(&c, switches, 1500);
	probe_costs_end(&c, runs, true);
	CU_ASSERT(near(ns_of(&c, NETCOST_PROBE_SWITCH), 150));
	/* The cost of calling a program is unknown, so the cost of a run is unknown, too. */
	runs[NETCOST_PROBE_SWITCH] += 10;
	probe_costs_add(&c, switches, NAN);
	probe_costs_end(&c, runs, true);
	CU_ASSERT(isnan(ns_of(&c, NETCOST_PROBE_SWITCH)));
}

/* Tests that with tracepoints an operation only costs its system call. Half of that cost lies inside the operation's
 * time. */
static void test_operations(void)
{
	const struct ladder l = { .sockets = RUNG_TRACEPOINT };
	struct probe_costs c = new_costs(RUNG_TRACEPOINT);
	uint64_t runs[NETCOST_PROBE_COUNT] = {
		[NETCOST_PROBE_SYSCALL] = 100, [NETCOST_PROBE_OPERATION] = 40
	};
	struct exact_reading from = { .at_ns = 1 }, to = from;

	probe_costs_add(&c, probe_costs_group(&l, "sys_enter"), 9000);
	probe_costs_add(&c, probe_costs_group(&l, "sys_exit"), 6000);
	probe_costs_end(&c, runs, true);
	CU_ASSERT(near(ns_of(&c, NETCOST_PROBE_SYSCALL), 150));
	CU_ASSERT(near(ns_of(&c, NETCOST_PROBE_OPERATION), 0));
	CU_ASSERT(near(probe_costs_inside(&c, NETCOST_PROBE_OPERATION), 75));
	to.runs_of[NETCOST_PROBE_SYSCALL][NETCOST_EV_TASK] = 7;
	to.runs_of[NETCOST_PROBE_OPERATION][NETCOST_EV_SOCK_SEND] = 5;
	/* the cost of these runs is unknown */
	to.runs_of[NETCOST_PROBE_SWITCH][NETCOST_EV_IDLE] = 9;
	CU_ASSERT_EQUAL(probe_costs_ns(&c, &from, &to), 1050 + 9 * 200);
}

static const struct unit_test tests[] = {
	{ "groups", test_groups },
	{ "all_of_it", test_all_of_it },
	{ "not_counted", test_not_counted },
	{ "operations", test_operations },
};

int main(void)
{
	return unit_main("record_probe_cost", tests, sizeof(tests) / sizeof(tests[0]));
}
