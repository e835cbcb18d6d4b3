// SPDX-License-Identifier: BSD-2-Clause
/* How much longer batches took than others: own_batches_shift() on a host that is quick now and slow then. */
#include "unit.h"

#include <math.h>
#include <stdint.h>

#include "record/exact/own_batches.h"

#define MORE_NS 300.0
#define TRIALS 1000

static uint32_t state = 1;

static double chance(void)
{
	state = state * 1664525u + 1013904223u;
	return (double)state / 4294967296.0;
}

/* Some are in a slow moment, a few have other tasks in them. */
static void batches(struct own_batches *b, double ns, double slow, double disturbed)
{
	for (int i = 0; i < OWN_BATCHES; i++) {
		b->ns[i] = ns + 20 * (chance() + chance() + chance());
		b->ns[i] += chance() < slow ? 1000 : 0;
		b->ns[i] += chance() < disturbed ? 50000 * chance() : 0;
	}
}

static void test_quiet(void)
{
	struct own_batches off, on;
	struct own_value v;

	batches(&off, 5000, 0, 0);
	batches(&on, 5000 + MORE_NS, 0, 0);
	v = own_batches_shift(&on, &off);
	CU_ASSERT(fabs(v.ns - MORE_NS) < 15 && v.ci95 > 0 && v.ci95 < 15);
	v = own_batches_median(&off);
	CU_ASSERT(fabs(v.ns - 5030) < 15 && v.ci95 > 0 && v.ci95 < 15);
}

/* Moments 1000 ns apart, of which a low value finds the quick ones at times. */
static void test_moments(void)
{
	struct own_batches off, on;
	struct own_value v;
	double sum = 0;
	int held = 0;

	for (int t = 0; t < TRIALS; t++) {
		batches(&off, 5000, 0.9, 0.05);
		batches(&on, 5000 + MORE_NS, 0.9, 0.05);
		v = own_batches_shift(&on, &off);
		sum += v.ns;
		held += fabs(v.ns - MORE_NS) <= v.ci95;
	}
	CU_ASSERT(fabs(sum / TRIALS - MORE_NS) < 5);
	CU_ASSERT(held >= TRIALS * 93 / 100);
}

static const struct unit_test tests[] = {
	{ "quiet", test_quiet },
	{ "moments", test_moments },
};

int main(void)
{
	return unit_main("record_own_batches", tests, sizeof(tests) / sizeof(tests[0]));
}
