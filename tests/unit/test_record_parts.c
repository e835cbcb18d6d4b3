// SPDX-License-Identifier: BSD-2-Clause
/*
 * The parts of the RX softirq (bpf/rx_parts.h) in the small machine of recorder_machine.h: functions inside each
 * other, in softirqs, in NAPI threads and while sockets are polled, against a model that adds up each nanosecond.
 */
#include "recorder_machine.h"

#include "unit.h"

/* ---- runs -------------------------------------------------------------------------------- */

static struct parts_model all_cpus(void)
{
	struct parts_model sum = { 0 };

	for (const struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++) {
		for (unsigned int part = 0; part < NETCOST_PART_COUNT; part++)
			sum.calls[part] += c->parts.calls[part];
		sum.missed += c->parts.missed;
		sum.polls_outside += c->parts.polls_outside;
	}
	return sum;
}

static void test_functions(void)
{
	struct parts_model sum;

	run_seeds((struct plan){ .steps = 100000, .parts = true, .functions = true }, 3);
	sum = all_cpus();
	for (unsigned int part = 0; part < NETCOST_PART_COUNT; part++)
		CU_ASSERT(sum.calls[part] > 100);
	CU_ASSERT(sum.missed > 0); /* too deep, and nothing else */
	run_seeds(
		(struct plan){ .steps = 100000, .parts = true, .functions = true, .interrupts = 1 },
		3);
}

/* Ends that never come, and beginnings that never came: of parts, and of the polling that they are in. */
static void test_functions_missed(void)
{
	struct plan plan = { .steps = 100000, .parts = true, .functions = true, .misses = true };

	run_seeds(plan, 3);
	CU_ASSERT(all_cpus().missed > 500);
	plan.interrupts = 1;
	run_seeds(plan, 3);
	plan.no_memory = true;
	run_seeds(plan, 2);
}

static void test_tracepoints(void)
{
	struct plan plan = { .steps = 100000, .parts = true };
	struct parts_model sum;

	run_seeds(plan, 3);
	sum = all_cpus();
	CU_ASSERT(sum.calls[NETCOST_PART_DRIVER_POLL] > 1000);
	CU_ASSERT(sum.calls[NETCOST_PART_GRO] > 1000);
	CU_ASSERT(sum.calls[NETCOST_PART_RECEIVE] > 1000);
	CU_ASSERT(sum.polls_outside > 100);
	plan.interrupts = 1;
	run_seeds(plan, 3);
	plan.misses = true;
	run_seeds(plan, 3);
}

static const struct unit_test tests[] = {
	{ "functions", test_functions },
	{ "functions_missed", test_functions_missed },
	{ "tracepoints", test_tracepoints },
};

int main(void)
{
	return unit_main("record_parts", tests, sizeof(tests) / sizeof(tests[0]));
}
