// SPDX-License-Identifier: BSD-2-Clause
/* Tests statistics: results are compared with closed forms, tables, and simulations with a known truth. */
#include <math.h>
#include <stdlib.h>

#include "report/base/stats.h"
#include "unit.h"

#define NEAR(a, b, error) CU_ASSERT_DOUBLE_EQUAL(a, b, (error) * (fabs(b) + 1e-300))
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static double uniform(void)
{
	return ((double)rand() + 0.5) / ((double)RAND_MAX + 1);
}

/* Returns a normally distributed number with mean 0 and variance 1. */
static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
}

/* ---- Student's t ------------------------------------------------------------------------- */

/* Compares with the closed forms for 1, 2 and 4 degrees of freedom. */
static void test_t_p_closed_forms(void)
{
	for (double t = 0.01; t < 1e4; t *= 1.7) {
		double u = t / sqrt(4 + t * t);

		NEAR(stats_t_p(t, 1), 2 / acos(-1) * atan(1 / t), 1e-11);
		NEAR(stats_t_p(t, 2), 2 / (t * t + 2 + t * sqrt(t * t + 2)), 1e-11);
		if (t < 100) /* for larger t, the formula has no correct digits */
			NEAR(stats_t_p(t, 4), 1 - u * (3 - u * u) / 2, 1e-5);
		NEAR(stats_t_p(-t, 7.5), stats_t_p(t, 7.5), 1e-15);
	}
	CU_ASSERT_EQUAL(stats_t_p(0, 3), 1);
	CU_ASSERT_EQUAL(stats_t_p(INFINITY, 3), 0);
	CU_ASSERT(isnan(stats_t_p(NAN, 3)) && isnan(stats_t_p(1, NAN)) && isnan(stats_t_p(1, 0)));
}

/* Compares with values that are printed in tables of the distribution. */
static void test_t95_table(void)
{
	static const struct {
		double df, t;
	} table[] = {
		{ 1, 12.7062047362 }, { 2, 4.3026527297 },   { 3, 3.1824463053 },
		{ 4, 2.7764451052 },  { 5, 2.5705818356 },   { 7, 2.3646242516 },
		{ 10, 2.2281388520 }, { 15, 2.1314495456 },  { 20, 2.0859634473 },
		{ 30, 2.0422724563 }, { 60, 2.0002978220 },  { 120, 1.9799304051 },
		{ 1e5, 1.9599877 },   { 1e9, 1.9599639845 },
	};

	for (size_t i = 0; i < LENGTH(table); i++)
		NEAR(stats_t95(table[i].df), table[i].t, 1e-8);
	CU_ASSERT(isnan(stats_t95(NAN)) && isnan(stats_t95(0)));
}

/* ---- several ----------------------------------------------------------------------------- */

static void test_holm(void)
{
	double p[] = { 0.01, 0.04, 0.03, 0.005 }, one[] = { 0.2 }, many[] = { 0.6, 0.7, 1 };

	CU_ASSERT_EQUAL(stats_holm(p, 4), 0);
	NEAR(p[0], 0.03, 1e-12);
	NEAR(p[1], 0.06, 1e-12);
	NEAR(p[2], 0.06, 1e-12);
	NEAR(p[3], 0.02, 1e-12);
	CU_ASSERT_EQUAL(stats_holm(one, 1), 0);
	CU_ASSERT_EQUAL(one[0], 0.2);
	CU_ASSERT_EQUAL(stats_holm(many, 3), 0);
	CU_ASSERT(many[0] == 1 && many[1] == 1 && many[2] == 1);
	CU_ASSERT_EQUAL(stats_holm(NULL, 0), 0);
}

/* ---- two values -------------------------------------------------------------------------- */

static void test_compare(void)
{
	/* standard deviation 2 of 10 values, and 3 of 20 values */
	const struct stats_value a = { .value = 10, .variance = 0.4, .df = 9 };
	const struct stats_value b = { .value = 13, .variance = 0.45, .df = 19 };
	const struct stats_value zero = { .value = 0, .variance = 0, .df = 9 };
	const struct stats_value unknown = { .value = 10, .variance = NAN, .df = NAN };
	struct stats_change c = stats_compare(&a, &b);

	NEAR(c.change, 3., 1e-12);
	NEAR(c.df, 0.85 * 0.85 / (0.16 / 9 + 0.2025 / 19), 1e-12);
	NEAR(c.p, stats_t_p(3 / sqrt(0.85), c.df), 1e-12);
	NEAR(c.ci95, stats_t95(c.df) * sqrt(0.85), 1e-12);
	NEAR(c.relative, 0.3, 1e-12);
	NEAR(c.relative_ci95, stats_t95(c.df) * sqrt(0.45 + 1.69 * 0.4) / 10, 1e-12);
	NEAR(stats_compare(&b, &a).p, c.p, 1e-12);
	CU_ASSERT_EQUAL(stats_compare(&a, &a).p, 1);
	CU_ASSERT_EQUAL(stats_compare(&zero, &zero).p, 1);
	CU_ASSERT(isnan(stats_compare(&a, &unknown).p) && isnan(stats_compare(&unknown, &a).p));
	CU_ASSERT(isinf(stats_compare(&zero, &a).relative));
}

/* ---- what varies over time --------------------------------------------------------------- */

#define N STATS_PIECES_MAX

static void test_ratio_variance(void)
{
	static const double y[] = { 3, 5, 4, 8, 2, 4 }, x[] = { 2, 2, 2, 2, 2, 2 };
	static const double gaps[] = { 3, NAN, 5, 4, NAN, 8, 2, 4 },
			    all[] = { 2, 2, 2, 2, NAN, 2, 2, 2 };
	static const double in_step[] = { 3, 6, 9 }, steps[] = { 1, 2, 3 };
	double df, squares = 0;

	for (size_t i = 0; i < 6; i++)
		squares += (y[i] - 26. / 6) * (y[i] - 26. / 6);
	NEAR(stats_ratio_variance(y, x, 6, &df), squares / 5 / 6 / 4, 1e-12);
	CU_ASSERT_EQUAL(df, 5);
	NEAR(stats_ratio_variance(gaps, all, 8, &df), squares / 5 / 6 / 4, 1e-12);
	CU_ASSERT_EQUAL(df, 5);
	CU_ASSERT_DOUBLE_EQUAL(stats_ratio_variance(in_step, steps, 3, &df), 0, 1e-20);
	CU_ASSERT(isnan(stats_ratio_variance(y, x, 1, &df)) && isnan(df));
	CU_ASSERT(isnan(stats_ratio_variance(y, x, 0, &df)));
	CU_ASSERT(isnan(stats_ratio_variance(y, (const double[]){ 0, 0 }, 2, &df)));
	/* the whole time is in one piece */
	CU_ASSERT(isnan(stats_ratio_variance(y, (const double[]){ 0, 1 }, 2, &df)));
}

/* Returns how often one of 20 tests of equal values reports a change if neighbours have this correlation. */
static double wrong_share(double alike, size_t n, unsigned int experiments)
{
	unsigned int wrong = 0;

	for (unsigned int e = 0; e < experiments; e++) {
		struct stats_value v[2];

		for (unsigned int side = 0; side < 2; side++) {
			double y[N], x[N], level = normal(), sum_y = 0, sum_x = 0;

			for (size_t i = 0; i < n; i++) {
				level = alike * level + sqrt(1 - alike * alike) * normal();
				x[i] = 1 + uniform();
				y[i] = x[i] * 10 + level * sqrt(x[i]);
				sum_y += y[i];
				sum_x += x[i];
			}
			v[side].value = sum_y / sum_x;
			v[side].variance = stats_ratio_variance(y, x, n, &v[side].df);
		}
		wrong += stats_compare(&v[0], &v[1]).p < 0.05;
	}
	return wrong / (double)experiments;
}

/* Tests 4000 experiments: three standard errors are 1 %. */
static void test_the_same_is_the_same(void)
{
	srand(1);
	CU_ASSERT_DOUBLE_EQUAL(wrong_share(0, N, 4000), 0.045, 0.02);
	CU_ASSERT_DOUBLE_EQUAL(wrong_share(0, 5, 4000), 0.045, 0.02);
	CU_ASSERT_DOUBLE_EQUAL(wrong_share(0, 3, 4000), 0.04, 0.02);
	CU_ASSERT(wrong_share(0.3, N, 4000) < 0.08);
	CU_ASSERT(wrong_share(0.6, N, 4000) < 0.10);
	CU_ASSERT(wrong_share(0.8, N, 4000) < 0.14);
}

/* Compares with Wilson's interval as textbooks give it. */
static void test_share_interval(void)
{
	NEAR(stats_share_ci95(0, 100), 0.0369934982, 1e-6);
	NEAR(stats_share_ci95(1, 100), 0.0369934982, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(stats_share_ci95(0.5, 10000), 0.0098, 1e-5);
	CU_ASSERT_DOUBLE_EQUAL(stats_share_ci95(0.1, 100), 0.1744 - 0.1, 1e-3);
	CU_ASSERT(isnan(stats_share_ci95(0.5, 0)));
	CU_ASSERT(isnan(stats_share_ci95(NAN, 10)));
	CU_ASSERT(isnan(stats_share_ci95(1.5, 10)));
}

static const struct unit_test tests[] = {
	{ "t_p_closed_forms", test_t_p_closed_forms },
	{ "t95_table", test_t95_table },
	{ "holm", test_holm },
	{ "compare", test_compare },
	{ "ratio_variance", test_ratio_variance },
	{ "share_interval", test_share_interval },
	{ "the_same_is_the_same", test_the_same_is_the_same },
};

int main(void)
{
	return unit_main("stats", tests, LENGTH(tests));
}
