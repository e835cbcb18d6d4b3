// SPDX-License-Identifier: BSD-2-Clause
/* Tests source_put.c: how a kernel counter is stored in a trace. */
#include "unit.h"

#include <stdio.h>

#include <netcost/trace.h>

#include "record/source/source.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define NIL TRACE_NIL
#define BELOW0 (UINT64_MAX - 1) /* -2 */
#define LAST32 UINT32_MAX
#define READINGS 6

static const struct count_case {
	bool bits32;
	uint64_t now[READINGS], want[READINGS];
} count_cases[] = {
	{ false, { 0, 0, 1, 70, 70, 71 }, { 0, 0, 1, 70, 70, 71 } },
	{ false, { 1, 1, 2, 70, 70, 71 }, { 1, 1, 2, 70, 70, 71 } },
	{ false, { 1000, 1000, 1001, 1500, 1500, 9000 }, { 1, 1, 2, 501, 501, 8001 } },
	/* the counter is reset */
	{ false, { 1000, 1500, 0, 0, 40, 41 }, { 1, 501, 0, 0, 40, 41 } },
	{ false, { 1000, 1500, 30, 30, 31, 2000 }, { 1, 501, 0, 0, 1, 1970 } },
	{ false, { 1000, 999, 999, 1000, 1001, 1002 }, { 1, 0, 0, 1, 2, 3 } },
	{ false, { 1000, 30, 50, 20, 25, 0 }, { 1, 0, 20, 0, 5, 0 } },
	{ false, { 0, 8, 3, 4, 0, 1 }, { 0, 8, 0, 1, 0, 1 } },
	/* the counter is sometimes not measured */
	{ false, { NIL, 1000, NIL, 1010, NIL, 5 }, { NIL, 1, NIL, 11, NIL, 0 } },
	{ false, { 1000, NIL, NIL, 1000, 7, NIL }, { 1, NIL, NIL, 1, 0, NIL } },
	{ true, { NIL, 1000, NIL, 1010, NIL, NIL }, { NIL, 1, NIL, 11, NIL, NIL } },
	{ true, { LAST32 - 1, NIL, 3, NIL, 2, 3 }, { 1, NIL, 6, NIL, 5, 6 } },
	/* the values are large or negative */
	{ false, { INT64_MAX - 1, INT64_MAX, 0, 1, 2, 3 }, { 1, 2, 0, 1, 2, 3 } },
	{ false, { 7, BELOW0, 8, BELOW0, 0, 1 }, { 1, NIL, 2, NIL, 0, 1 } },
	{ false, { BELOW0, 1ull << 63, 9, 10, 11, 12 }, { NIL, NIL, 1, 2, 3, 4 } },
	{ false,
	  { 5, LAST32, 1ull << 32, 9, LAST32, 9 },
	  { 1, LAST32 - 4, LAST32 - 3, 0, LAST32 - 9, 0 } },
	/* the counter has 32 bits, and wraps */
	{ true, { 0, 1, LAST32, 0, 5, LAST32 }, { 0, 1, LAST32, 0, 5, LAST32 } },
	{ true, { LAST32, LAST32, 0, 5, 6, 70 }, { 1, 1, 2, 7, 8, 72 } },
	{ true, { LAST32 - 1, LAST32, 0, 0, 1, 2 }, { 1, 2, 3, 3, 4, 5 } },
	{ true,
	  { 1000, LAST32, 0, 998, 999, 1000 },
	  { 1, LAST32 - 999, LAST32 - 998, LAST32, 0, 1 } },
};

static void test_source_count(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(count_cases); i++) {
		const struct count_case *c = &count_cases[i];
		struct source_count count = { 0 };
		unsigned int wrong = 0;

		for (unsigned int at = 0; at < READINGS; at++)
			wrong += source_count(&count, c->now[at], c->bits32) != c->want[at];
		CU_ASSERT_EQUAL(wrong, 0);
		if (wrong)
			printf("  source_count: case %zu\n", i);
	}
}

/* Tests each counter separately. */
static void test_source_counts(void)
{
	struct source_count count[3] = { 0 };
	uint64_t a[] = { 0, 1000, NIL }, b[] = { 9, 30, 50 }, c[] = { 10, 31, 40 };

	source_counts(count, a, 3, false);
	CU_ASSERT(a[0] == 0 && a[1] == 1 && a[2] == NIL);
	source_counts(count, b, 3, false);
	CU_ASSERT(b[0] == 9 && b[1] == 0 && b[2] == 1);
	source_counts(count, c, 2, false);
	CU_ASSERT(c[0] == 10 && c[1] == 1 && c[2] == 40);
}

static const struct unit_test tests[] = {
	{ "source_count", test_source_count },
	{ "source_counts", test_source_counts },
};

int main(void)
{
	return unit_main("record_source", tests, ARRAY_SIZE(tests));
}
