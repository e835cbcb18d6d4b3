// SPDX-License-Identifier: BSD-2-Clause
/* Tests cgroups.c, the cgroups of samples. tests/host/test_samplers.sh tests it on a real host. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include <netcost/trace.h>

#include "record_util.h"
#include "record/intern/cgroups.h"

#define NONE (UINT64_C(1) << 60) /* an id above any id that a kernel uses */

static void expect(struct mem_trace *t, uint64_t first, const char *const *path, uint32_t n)
{
	struct trace_column c;
	struct trace_record rec;
	const char *s;
	uint32_t len;

	CU_ASSERT_FATAL(mem_trace_next(t, TRACE_CGROUPS, &rec));
	CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_CGROUPS_FIRST, 0), first);
	c = trace_record_column(&rec, TRACE_CGROUPS_PATH);
	CU_ASSERT_EQUAL(c.n, n);
	for (uint32_t i = 0; i < n && trace_column_str(&c, &s, &len); i++)
		CU_ASSERT(len == strlen(path[i]) && !memcmp(s, path[i], len));
}

static void test_ids(void)
{
	static const char *const first[] = { "", "/made" }, *const second[] = { "" };
	struct cgroups *c;
	struct mem_trace t;

	CU_ASSERT_EQUAL_FATAL(cgroups_new(&c, cgroup_hierarchy_of_samples()), 0);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(cgroups_write(c, t.w), 0); /* nothing was added: no record is written */
	cgroups_made(c, NONE + 9, "/never sampled");
	cgroups_made(c, NONE + 1, "/before");
	cgroups_made(c, NONE + 1, "/made");
	CU_ASSERT_EQUAL(cgroups_id(c, NONE), 1);
	CU_ASSERT_EQUAL(cgroups_id(c, NONE + 1), 2);
	CU_ASSERT_EQUAL(cgroups_id(c, NONE), 1);
	CU_ASSERT_EQUAL(cgroups_write(c, t.w), 0);
	CU_ASSERT_EQUAL(cgroups_write(c, t.w), 0);
	CU_ASSERT_EQUAL(cgroups_id(c, NONE + 1), 2);
	CU_ASSERT_EQUAL(cgroups_id(c, NONE + 2), 3);
	CU_ASSERT_EQUAL(cgroups_write(c, t.w), 0);
	mem_trace_read(&t);
	expect(&t, 1, first, 2);
	expect(&t, 3, second, 1);
	mem_trace_end(&t);
	cgroups_free(c);
	cgroups_free(NULL);
}

static void test_again(void)
{
	static const char *const paths[] = { "/made", "" };
	struct cgroups *c;
	struct mem_trace t;

	CU_ASSERT_EQUAL_FATAL(cgroups_new(&c, cgroup_hierarchy_of_samples()), 0);
	cgroups_made(c, NONE + 1, "/made");
	CU_ASSERT_EQUAL(cgroups_id(c, NONE), 1);
	CU_ASSERT_EQUAL(cgroups_id(c, NONE + 1), 2);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(cgroups_write(c, t.w), 0);
	mem_trace_end(&t);
	cgroups_again(c);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(cgroups_id(c, NONE + 1), 1);
	CU_ASSERT_EQUAL(cgroups_id(c, NONE), 2);
	CU_ASSERT_EQUAL(cgroups_write(c, t.w), 0);
	mem_trace_read(&t);
	expect(&t, 1, paths, 2);
	mem_trace_end(&t);
	cgroups_free(c);
}

/* Tests far more cgroups than are cached, and paths longer than a string may be. */
static void test_many(void)
{
	struct cgroups *c;
	struct mem_trace t;
	char path[2 * TRACE_MAX_STR];
	unsigned int wrong = 0;

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	CU_ASSERT_EQUAL_FATAL(cgroups_new(&c, cgroup_hierarchy_of_samples()), 0);
	cgroups_made(c, NONE, path);
	CU_ASSERT_EQUAL(cgroups_id(c, NONE), 1);
	for (unsigned int i = 1; i < 2000; i++)
		cgroups_made(c, NONE + i, "/a");
	for (unsigned int i = 0; i < 2000; i++)
		wrong += cgroups_id(c, NONE + i) != i + 1;
	CU_ASSERT_EQUAL(wrong, 0);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(cgroups_write(c, t.w), 0);
	mem_trace_read(&t);
	mem_trace_end(&t);
	cgroups_free(c); /* also discards a cgroup that was not written */
}

static const struct unit_test tests[] = {
	{ "ids", test_ids },
	{ "again", test_again },
	{ "many", test_many },
};

int main(void)
{
	return unit_main("record_cgroups", tests, sizeof(tests) / sizeof(tests[0]));
}
