// SPDX-License-Identifier: BSD-2-Clause
/* Prices of several things at once: by hand, and where the truth is known. */
#include <math.h>
#include <stdlib.h>

#include "report/base/stats.h"
#include "report/base/stats_fit.h"
#include "report/base/stats_regress.h"
#include "unit.h"

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-9)
#define ROWS 400

static struct stats_row row[ROWS];

static double uniform(void)
{
	return ((double)rand() + 0.5) / ((double)RAND_MAX + 1);
}

/* Of mean 0 and variance 1. */
static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
}

static struct stats_regression regress(size_t n, size_t units, unsigned int use)
{
	struct stats_regression r;

	CU_ASSERT_EQUAL_FATAL(stats_regress(&r, row, n, units, use), 0);
	return r;
}

static bool holds(const struct stats_regression *r, unsigned int j, double truth)
{
	return fabs(r->price[j] - truth) <= stats_t95(r->df) * r->se[j];
}

/* As a line is: 1, 3, 2, 6 over 0, 1, 2, 3; lags can only add to HC3. */
static void test_one_is_a_line(void)
{
	const double x[] = { 0, 1, 2, 3 }, y[] = { 1, 3, 2, 6 };
	struct stats_fit f = stats_fit(x, y, 4);
	struct stats_regression r;

	for (size_t i = 0; i < 4; i++)
		row[i] = (struct stats_row){ .moment = i, .y = y[i], .x = { x[i] } };
	r = regress(4, 1, 1);
	NEAR(r.price[0], 1.4);
	NEAR(r.df, f.df);
	NEAR(r.inflation[0], 1);
	NEAR(r.explained, 1.4 * 7 / 14);
	CU_ASSERT(r.se[0] >= f.slope_se - 1e-12 && r.se[0] < 2 * f.slope_se);
	CU_ASSERT(isnan(r.price[1]) && isnan(r.inflation[1]));
}

/* Of their squares the first two have no correlation: 0 0, 0 1, 1 0, 1 1. */
static void test_two_are_found_exactly(void)
{
	struct stats_regression r;

	for (size_t i = 0; i < 12; i++) {
		double a = (double)(i & 1), b = (double)(i >> 1 & 1);

		row[i] = (struct stats_row){ .moment = i, .y = 7 + 3 * a + 0.5 * b, .x = { a, b } };
	}
	r = regress(12, 1, 3);
	NEAR(r.price[0], 3);
	NEAR(r.price[1], 0.5);
	NEAR(r.inflation[0], 1);
	NEAR(r.inflation[1], 1);
	NEAR(r.explained, 1);
	CU_ASSERT(r.se[0] < 1e-9 && r.se[1] < 1e-9 && r.moments == 12 && r.df == 9);
}

/* What varies along, what does not vary, what there is too little of. */
static void test_what_cannot_be_told(void)
{
	struct stats_regression r;

	for (size_t i = 0; i < 40; i++) {
		double packets = 1000 * uniform();

		row[i] = (struct stats_row){ .moment = i,
					     .y = 5 * packets,
					     .x = { packets, 100 * packets, 1000 + uniform() } };
	}
	r = regress(40, 1, 3);
	CU_ASSERT(isnan(r.price[0]) && isinf(r.inflation[0]) && isinf(r.inflation[1]));
	CU_ASSERT(r.varies[0] && r.varies[1]);
	r = regress(40, 1, 1);
	NEAR(r.price[0], 5);
	r = regress(40, 1, 5);
	CU_ASSERT(!r.varies[2] && isnan(r.price[2]));
	NEAR(r.price[0], 5);
	for (size_t i = 0; i < 40; i++)
		row[i].x[1] *= 1 + 0.01 * normal();
	CU_ASSERT(regress(40, 1, 3).inflation[0] > 10);
	r = regress(0, 1, 3);
	CU_ASSERT(isnan(r.price[0]) && r.moments == 0);
	r = regress(3, 1, 3);
	CU_ASSERT(isnan(r.price[0]));
}

/* One piece that differs from all others tells no price of them. */
static void test_one_moment_alone(void)
{
	struct stats_regression r;

	for (size_t i = 0; i < 20; i++)
		row[i] = (struct stats_row){ .moment = i, .y = i == 7, .x = { i == 7, uniform() } };
	r = regress(20, 1, 3);
	CU_ASSERT(r.alone[0] > 0.8 && r.alone[1] < 0.5);
}

/* Units that always differ do not make a price. */
static void test_units_have_a_part_of_their_own(void)
{
	struct stats_regression r;

	for (size_t i = 0; i < 60; i++) {
		double x = 10 * (double)(i % 3) + uniform();

		row[i] = (struct stats_row){ .moment = i / 3,
					     .unit = i % 3,
					     .y = 2 * x + 1000 * (double)(i % 3),
					     .x = { x } };
	}
	r = regress(60, 3, 1);
	NEAR(r.price[0], 2);
	CU_ASSERT(r.moments == 20);
}

/* Load, and what is not explained by it, go on as they were, by that much. */
static void make_rows(size_t n, size_t units, double likeness, double grows)
{
	double common = normal(), load[4] = { 0 };

	for (size_t i = 0; i < n; i++) {
		double packets, size = 100 + 1300 * uniform(), scatter;
		size_t u = i % units;

		load[u] = likeness * load[u] + sqrt(1 - likeness * likeness) * normal();
		if (!u)
			common = likeness * common + sqrt(1 - likeness * likeness) * normal();
		packets = 100 * exp(0.5 * load[u]);
		scatter = common * (100 + grows * packets);
		row[i] = (struct stats_row){ .moment = i / units,
					     .unit = u,
					     .y = 1000 * (double)u + 50 * packets +
						  0.02 * packets * size + scatter,
					     .x = { packets, packets * size } };
	}
}

/* In how many of 1000 tries the intervals hold the truth. */
static int count_held(size_t units, double likeness, double grows)
{
	int held = 0;

	for (int i = 0; i < 1000; i++) {
		size_t n = units * (20 + (size_t)rand() % 80);
		struct stats_regression r;

		make_rows(n, units, likeness, grows);
		r = regress(n, units, 3);
		held += holds(&r, 0, 50) + holds(&r, 1, 0.02);
	}
	return held / 2;
}

static void test_intervals_hold(void)
{
	srand(1);
	CU_ASSERT(count_held(1, 0, 0) >= 940);
	CU_ASSERT(count_held(1, 0, 5) >= 930);
	CU_ASSERT(count_held(1, 0.5, 5) >= 910);
	CU_ASSERT(count_held(4, 0.5, 5) >= 900); /* CPUs are alike at the same moment */
}

static const struct unit_test tests[] = {
	{ "one_is_a_line", test_one_is_a_line },
	{ "two_are_found_exactly", test_two_are_found_exactly },
	{ "what_cannot_be_told", test_what_cannot_be_told },
	{ "one_moment_alone", test_one_moment_alone },
	{ "units_have_a_part_of_their_own", test_units_have_a_part_of_their_own },
	{ "intervals_hold", test_intervals_hold },
};

int main(void)
{
	return unit_main("regress", tests, sizeof(tests) / sizeof(tests[0]));
}
