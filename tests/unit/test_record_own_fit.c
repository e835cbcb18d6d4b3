// SPDX-License-Identifier: BSD-2-Clause
/* What runs cost, from how much longer own calls take: own_cost_fit(). */
#include "unit.h"

#include <math.h>
#include <stdbool.h>

#include "record/exact/own_cost_fit.h"

enum {
	CALL = NETCOST_PROBE_SYSCALL,
	SWITCH = NETCOST_PROBE_SWITCH,
	STORAGE = NETCOST_PROBE_STORAGE
};

static bool near(double value, double wanted)
{
	return fabs(value - wanted) < 0.01;
}

static void test_one_after_another(void)
{
	const struct own_fit_row row[] = {
		{ { 100, 5 }, { [CALL] = 1 } },
		{ { 600, 10 }, { [CALL] = 2, [SWITCH] = 2 } },
		{ { 700, 10 }, { [CALL] = 2, [SWITCH] = 2, [STORAGE] = 2 } },
	};
	struct own_value cost[NETCOST_PROBE_COUNT];

	own_cost_fit(row, 3, cost);
	CU_ASSERT(near(cost[CALL].ns, 100) && near(cost[CALL].ci95, 5));
	CU_ASSERT(near(cost[SWITCH].ns, 200) && near(cost[SWITCH].ci95, hypot(10, 10) / 2));
	CU_ASSERT(near(cost[STORAGE].ns, 50));
	CU_ASSERT(isnan(cost[NETCOST_PROBE_SOFTIRQ].ns));
}

/* What two that run together cost is known better than either: that one would cost less than nothing does not make it more. */
static void test_less_than_nothing(void)
{
	const struct own_fit_row row[] = {
		{ { 1000, 200 }, { [SWITCH] = 2 } },
		{ { 600, 20 }, { [SWITCH] = 2, [STORAGE] = 2 } },
	};
	struct own_value cost[NETCOST_PROBE_COUNT];

	own_cost_fit(row, 2, cost);
	CU_ASSERT_EQUAL(cost[STORAGE].ns, 0);
	CU_ASSERT(cost[STORAGE].ci95 > 100);
	CU_ASSERT(cost[SWITCH].ns > 300 && cost[SWITCH].ns < 303);
}

/* More rows than classes: those that are known better weigh more. */
static void test_more_rows(void)
{
	const struct own_fit_row row[] = {
		{ { 100, 30 }, { [CALL] = 1 } },
		{ { 220, 10 }, { [CALL] = 2 } },
	};
	struct own_value cost[NETCOST_PROBE_COUNT];

	own_cost_fit(row, 2, cost);
	CU_ASSERT(cost[CALL].ns > 109 && cost[CALL].ns < 110);
}

static void test_not_known(void)
{
	const struct own_fit_row row[] = {
		{ { NAN, NAN }, { [CALL] = 1 } },
		{ { 500, 10 }, { [SWITCH] = 1, [STORAGE] = 1 } },
		{ { 900, 10 }, { [SWITCH] = 1, [STORAGE] = 1, [NETCOST_PROBE_SOFTIRQ] = 1 } },
		{ { 70, 10 }, { [NETCOST_PROBE_MESSAGE] = 1 } },
	};
	struct own_value cost[NETCOST_PROBE_COUNT];

	own_cost_fit(row, 4, cost);
	CU_ASSERT(isnan(cost[CALL].ns) && isnan(cost[SWITCH].ns) && isnan(cost[STORAGE].ns));
	CU_ASSERT(isnan(cost[NETCOST_PROBE_SOFTIRQ].ns));
	CU_ASSERT(near(cost[NETCOST_PROBE_MESSAGE].ns, 70));
}

static const struct unit_test tests[] = {
	{ "one_after_another", test_one_after_another },
	{ "less_than_nothing", test_less_than_nothing },
	{ "more_rows", test_more_rows },
	{ "not_known", test_not_known },
};

int main(void)
{
	return unit_main("record_own_fit", tests, sizeof(tests) / sizeof(tests[0]));
}
