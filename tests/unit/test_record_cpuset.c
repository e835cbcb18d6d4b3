// SPDX-License-Identifier: BSD-2-Clause
/* Tests cpuset.c: lists of CPUs. */
#include "record_util.h"

#include <errno.h>

#include <netcost/cpuset.h>

static bool parses_as(const char *text, const uint32_t *cpu, unsigned int n)
{
	struct cpuset set;
	bool same = !cpuset_parse(&set, text) && set.n == n;

	for (unsigned int i = 0; i < n && same; i++)
		same = set.cpu[i] == cpu[i] && cpuset_has(&set, cpu[i]);
	cpuset_free(&set);
	return same;
}

#define PARSES_AS(text, ...)                                                                       \
	CU_ASSERT(parses_as(text, (const uint32_t[]){ __VA_ARGS__ },                               \
			    sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)))

static void test_cpuset(void)
{
	PARSES_AS("0", 0);
	PARSES_AS("0\n", 0);
	PARSES_AS("0-3", 0, 1, 2, 3);
	PARSES_AS("3,1,2", 1, 2, 3);
	PARSES_AS("5-5", 5);
	PARSES_AS("0-2,1-3,2", 0, 1, 2, 3);
	PARSES_AS("0-3,8,10-11\n", 0, 1, 2, 3, 8, 10, 11);
	PARSES_AS("007,8191", 7, 8191);
}

/* Checks that the text is refused, and that no memory stays allocated. */
static void check_refused(const char *text, int err)
{
	struct cpuset set;

	CU_ASSERT_EQUAL(cpuset_parse(&set, text), err);
	CU_ASSERT_PTR_NULL(set.cpu);
	CU_ASSERT_EQUAL(set.n, 0);
}

static void test_cpuset_refused(void)
{
	static const char *const invalid[] = { "",     "\n",  ",",   "1,",    ",1",  "1,,2",
					       "-",    "1-",  "-1",  "1-2-3", "1 2", " 1",
					       "1 ",   "+1",  "0x1", "a",     "1a",  "1\n\n",
					       "1\n2", "3-1", "1;2", "1-\n",  "all", "8191-0" };
	static const char *const beyond[] = { "8192",
					      "0-8192",
					      "18446744073709551615",
					      "99999999999999999999",
					      "1-99999999999999999999",
					      "4294967296",
					      "0,1,8192" };

	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++)
		check_refused(invalid[i], -EINVAL);
	for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++)
		check_refused(beyond[i], -ERANGE);
}

static void test_cpuset_huge(void)
{
	struct cpuset set;
	char text[8192 * 2 + 16] = "0";

	CU_ASSERT_EQUAL(cpuset_parse(&set, "0-8191"), 0);
	CU_ASSERT_EQUAL(set.n, TRACE_MAX_CPU);
	CU_ASSERT_FALSE(cpuset_has(&set, TRACE_MAX_CPU));
	CU_ASSERT_FALSE(cpuset_has(&set, UINT32_MAX));
	cpuset_free(&set);
	for (size_t i = 0; i < 8192; i++)
		memcpy(text + 1 + 2 * i, ",7", 3);
	PARSES_AS(text, 0, 7);
}

static const struct unit_test tests[] = {
	{ "cpuset", test_cpuset },
	{ "cpuset_refused", test_cpuset_refused },
	{ "cpuset_huge", test_cpuset_huge },
};

int main(void)
{
	return unit_main("record_cpuset", tests, sizeof(tests) / sizeof(tests[0]));
}
