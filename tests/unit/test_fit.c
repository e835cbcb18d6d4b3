// SPDX-License-Identifier: BSD-2-Clause
/* Tests fits of a line through points: values computed by hand, and cases with a known truth. */
#include <math.h>
#include <stdlib.h>

#include "report/base/stats.h"
#include "unit.h"

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-9)

static double uniform(void)
{
	return ((double)rand() + 0.5) / ((double)RAND_MAX + 1);
}

/* Returns a normally distributed number with mean 0 and variance 1. */
static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
}

/*
 * Checks the points (0, 1), (1, 3), (2, 2), (3, 6): y = 0.9 + 1.4 x, residuals 0.1, 0.7, -1.7, 0.9, leverages 0.7, 0.3,
 * 0.3, 0.7.
 */
static void test_by_hand(void)
{
	const double x[] = { 0, 1, 2, 3 }, y[] = { 1, 3, 2, 6 };
	const double scatter[] = { 0.1 / 0.3, 0.7 / 0.7, -1.7 / 0.7, 0.9 / 0.3 };
	struct stats_fit f = stats_fit(x, y, 4);
	double at_0 = 0, slope = 0;

	for (int i = 0; i < 4; i++) {
		slope += pow(scatter[i] * (x[i] - 1.5) / 5, 2);
		at_0 += pow(scatter[i] * (0.25 - 1.5 * (x[i] - 1.5) / 5), 2);
	}
	NEAR(f.at_0, 0.9);
	NEAR(f.slope, 1.4);
	NEAR(f.df, 2);
	NEAR(f.slope_se, sqrt(slope));
	NEAR(f.at_0_se, sqrt(at_0));
	CU_ASSERT(f.least_x == 0 && f.most_x == 3);
}

static void test_a_line_is_found_exactly(void)
{
	double x[20], y[20];
	struct stats_fit f;

	for (int i = 0; i < 20; i++) {
		x[i] = 0.05 * i;
		y[i] = 12.5 + 40 * x[i];
	}
	f = stats_fit(x, y, 20);
	NEAR(f.at_0, 12.5);
	NEAR(f.slope, 40);
	CU_ASSERT(f.at_0_se < 1e-9 && f.slope_se < 1e-9 && f.mean_se < 1e-9);
}

static void test_what_cannot_be_said(void)
{
	const double x[] = { 1, 1, 1, 1 }, y[] = { 1, 2, 3, 4 };
	struct stats_fit none = stats_fit(x, y, 0), two = stats_fit(y, x, 2),
			 same = stats_fit(x, y, 4);

	CU_ASSERT(isnan(none.at_0) && isnan(none.at_0_se) && isnan(none.mean_se));
	CU_ASSERT(isnan(two.at_0) && isnan(two.slope_se) && isnan(two.df));
	CU_ASSERT(isnan(same.at_0) && isnan(same.slope));
	NEAR(same.mean_se, sqrt(5.0 / 3 / 4));
}

/* Checks that 95 of 100 intervals contain the truth, with 12 to 100 points and noise that grows with x. */
static void test_intervals_hold(void)
{
	enum { TRIES = 4000 };
	int held = 0, far = 0;

	srand(1);
	for (int i = 0; i < TRIES; i++) {
		size_t n = 12 + (size_t)rand() % 89;
		double x[100], y[100], most = uniform();
		struct stats_fit f;

		for (size_t k = 0; k < n; k++) {
			x[k] = most * uniform();
			y[k] = 30 + 50 * x[k] + (0.2 + x[k]) * normal();
		}
		f = stats_fit(x, y, n);
		held += fabs(f.at_0 - 30) <= stats_t95(f.df) * f.at_0_se;
		far += fabs(f.at_0 - 30) > stats_t_beyond(1e-4, f.df) * f.at_0_se;
	}
	CU_ASSERT(held >= 0.94 * TRIES && held <= 0.975 * TRIES);
	CU_ASSERT(far <= 4);
}

static const struct unit_test tests[] = {
	{ "by_hand", test_by_hand },
	{ "a_line_is_found_exactly", test_a_line_is_found_exactly },
	{ "what_cannot_be_said", test_what_cannot_be_said },
	{ "intervals_hold", test_intervals_hold },
};

int main(void)
{
	return unit_main("fit", tests, sizeof(tests) / sizeof(tests[0]));
}
