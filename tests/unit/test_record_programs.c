// SPDX-License-Identifier: BSD-2-Clause
/* When the statistics of BPF programs are on. */
#include "unit.h"

#include "src/record/programs.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static unsigned int counted(unsigned int ticks, unsigned int tick_ms)
{
	unsigned int n = 0;

	for (unsigned int t = 0; t < ticks; t++)
		n += programs_counts_in(t, tick_ms);
	return n;
}

/* The recording's first tick sees the load begin: not that one. */
static void test_soon_and_again(void)
{
	CU_ASSERT_FALSE(programs_counts_in(0, 500));
	CU_ASSERT_TRUE(programs_counts_in(1, 500));
	CU_ASSERT_FALSE(programs_counts_in(2, 500));
	CU_ASSERT_TRUE(programs_counts_in(10, 500));
	CU_ASSERT_TRUE(programs_counts_in(30, 500));
	CU_ASSERT_EQUAL(counted(120, 500), 7);
	CU_ASSERT_EQUAL(counted(2000, 500), 101);
	CU_ASSERT_EQUAL(counted(2000, 3600000), 101);
}

/* Whenever it ends, the last twenty ticks have some of it. */
static void test_late(void)
{
	for (unsigned int end = 20; end < 500; end++)
		CU_ASSERT(counted(end, 500) > counted(end - 20, 500));
}

/* On for 100 ms at least, a twentieth of the time at most. */
static void test_short_ticks(void)
{
	for (unsigned int ms = 1; ms < 100; ms++) {
		unsigned int n = 100000 / ms, on = counted(n, ms), run = 0;

		CU_ASSERT(on <= n / 20 + 2 * (100 / ms + 1));
		for (unsigned int t = 0; t < n; t++) {
			if (programs_counts_in(t, ms)) {
				run++;
				continue;
			}
			CU_ASSERT(!run || run * ms >= 100);
			run = 0;
		}
	}
}

static const struct unit_test tests[] = {
	{ "soon_and_again", test_soon_and_again },
	{ "late", test_late },
	{ "short_ticks", test_short_ticks },
};

int main(void)
{
	return unit_main("record_programs", tests, ARRAY_SIZE(tests));
}
