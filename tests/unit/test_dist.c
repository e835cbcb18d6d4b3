// SPDX-License-Identifier: BSD-2-Clause
/* Tests histograms: sums, minimum and maximum, saturation, and merging as addition. */
#include <math.h>

#include "report/base/stats.h"
#include "unit.h"

static void test_adds(void)
{
	struct dist d = { 0 };
	struct dist_summary s;

	dist_summarize(&s, &d);
	CU_ASSERT(s.count == 0 && isnan(s.mean_ns) && isnan(s.ns[DIST_P50]) && isnan(s.min_ns));
	for (uint64_t ns = 1; ns <= 1000; ns++)
		CU_ASSERT_EQUAL_FATAL(dist_add(&d, 1000 * ns), 0);
	dist_summarize(&s, &d);
	CU_ASSERT_EQUAL(s.count, 1000);
	CU_ASSERT_EQUAL(s.mean_ns, 500500);
	CU_ASSERT_EQUAL(s.min_ns, 1000);
	CU_ASSERT_EQUAL(s.max_ns, 1000000);
	CU_ASSERT(fabs(s.ns[DIST_P50] / 500000 - 1) < 0.04);
	CU_ASSERT(s.low_ns[DIST_P50] < s.ns[DIST_P50] && s.ns[DIST_P50] < s.high_ns[DIST_P50]);
	CU_ASSERT(s.ns[DIST_P99_99] <= s.max_ns);
	CU_ASSERT(isnan(s.high_ns[DIST_P99_99])); /* too few values for an upper bound */
	dist_clear(&d);
	CU_ASSERT_EQUAL(dist_count(&d), 0);
	CU_ASSERT(d.ns == 0 && d.min_ns == TRACE_NIL && d.max_ns == TRACE_NIL && d.bucket);
	dist_free(&d);
}

/* Checks that merging the halves of a set gives the histogram of the set. */
static void test_merge_is_adding(void)
{
	struct dist all = { 0 }, half[2] = { { 0 } }, sum = { 0 }, none = { 0 };

	for (uint64_t i = 0; i < 500; i++) {
		uint64_t ns = i * i * 37 % 1000003;

		CU_ASSERT_EQUAL_FATAL(dist_add(&all, ns), 0);
		CU_ASSERT_EQUAL_FATAL(dist_add(&half[i & 1], ns), 0);
	}
	CU_ASSERT_EQUAL(dist_merge(&sum, &none), 0);
	CU_ASSERT_PTR_NULL(sum.bucket);
	CU_ASSERT_EQUAL(dist_merge(&sum, &half[0]), 0);
	CU_ASSERT_EQUAL(dist_merge(&sum, &half[1]), 0);
	CU_ASSERT(sum.ns == all.ns && sum.min_ns == all.min_ns && sum.max_ns == all.max_ns);
	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++)
		CU_ASSERT_EQUAL(sum.bucket[b], all.bucket[b]);
	/* a value that is unknown in one histogram is unknown in the sum */
	half[1].min_ns = half[1].ns = TRACE_NIL;
	CU_ASSERT_EQUAL(dist_merge(&sum, &half[1]), 0);
	CU_ASSERT(sum.ns == TRACE_NIL && sum.min_ns == TRACE_NIL && sum.max_ns == all.max_ns);
	dist_free(&all);
	dist_free(&half[0]);
	dist_free(&half[1]);
	dist_free(&sum);
}

/* Checks a hostile trace: counts saturate at the largest known value and never become "unknown". */
static void test_saturates(void)
{
	struct dist d = { 0 }, more = { 0 };

	CU_ASSERT_EQUAL_FATAL(dist_add(&d, 5), 0);
	CU_ASSERT_EQUAL_FATAL(dist_add(&more, 5), 0);
	d.bucket[netcost_latency_bucket(5)] = UINT64_MAX - 2;
	d.ns = UINT64_MAX - 2;
	CU_ASSERT_EQUAL(dist_merge(&d, &more), 0);
	CU_ASSERT_EQUAL(d.ns, UINT64_MAX - 1);
	CU_ASSERT_EQUAL(dist_count(&d), UINT64_MAX - 1);
	CU_ASSERT_EQUAL(dist_add(&d, UINT64_MAX), 0); /* above the last bucket */
	CU_ASSERT_EQUAL(d.bucket[NETCOST_LATENCY_BUCKETS - 1], 1);
	CU_ASSERT_EQUAL(dist_count(&d), UINT64_MAX - 1);
	dist_free(&d);
	dist_free(&more);
}

static const struct unit_test tests[] = {
	{ "adds", test_adds },
	{ "merge_is_adding", test_merge_is_adding },
	{ "saturates", test_saturates },
};

int main(void)
{
	return unit_main("dist", tests, sizeof(tests) / sizeof(tests[0]));
}
