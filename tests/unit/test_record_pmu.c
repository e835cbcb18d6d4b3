// SPDX-License-Identifier: BSD-2-Clause
/* Tests pmu.c with software counters in place of hardware counters, because software counters work wherever perf is
 * allowed. */
#include "record_util.h"

#include <netcost/cpuset.h>

#include "bpf/wire.h"
#include "record/exact/pmu.h"
#include "record/source/source.h"

static struct pmu *pmu_on_first(const char *which, struct source_status *status)
{
	struct cpuset first;
	struct pmu *p;

	CU_ASSERT_EQUAL_FATAL(cpuset_parse(&first, "0"), 0);
	CU_ASSERT_EQUAL(setenv("NETCOST_PMU", which, 1), 0);
	CU_ASSERT_EQUAL_FATAL(pmu_new(&p, &first), 0);
	CU_ASSERT_EQUAL(unsetenv("NETCOST_PMU"), 0);
	cpuset_free(&first);
	pmu_status(p, status);
	return p;
}

static void test_pmu_software(void)
{
	struct netcost_pmu a = { .enabled_ns = 0 }, b, none = { .count = { 1, 2, 3, 4 } };
	struct source_status status;
	struct pmu *p = pmu_on_first("software", &status);

	if (!pmu_events(p)) {
		CU_ASSERT_STRING_EQUAL(status.state, "refused");
		CU_ASSERT_PTR_NOT_NULL(strstr(unit_sentence(status.why), "they need CAP_PERFMON"));
		printf("  %s\n", status.why);
		pmu_free(p);
		return;
	}
	CU_ASSERT_EQUAL(pmu_events(p), 15);
	CU_ASSERT_STRING_EQUAL(status.state, "measured");
	CU_ASSERT_STRING_EQUAL(unit_sentence(status.via),
			       "cpu-clock, task-clock, page-faults, context-switches");
	CU_ASSERT_STRING_EQUAL(status.why, "");
	pmu_read(p, 0, &a);
	b = a;
	pmu_read(p, 0, &b);
	CU_ASSERT(b.count[0] > a.count[0]);
	CU_ASSERT(b.enabled_ns > a.enabled_ns);
	for (int i = 0; i < NETCOST_PMU_EVENTS; i++)
		CU_ASSERT(b.running_ns[i] > a.running_ns[i]);
	pmu_read(p, 1, &none); /* the PMU has no such counter on this CPU */
	CU_ASSERT_EQUAL(none.count[3], 4);
	pmu_free(p);
}

/* Prints the hardware counters of this host. */
static void test_pmu_hardware(void)
{
	struct source_status status;
	struct pmu *p = pmu_on_first("", &status);

	printf("  pmu: %s, %s %s\n", status.state, status.via, status.why);
	CU_ASSERT_EQUAL(!strcmp(status.state, "measured"), pmu_events(p) != 0);
	CU_ASSERT(pmu_events(p) || *status.why);
	CU_ASSERT_EQUAL(!strcmp(status.state, "absent"),
			!strncmp(unit_sentence(status.why), "no PMU", 6));
	pmu_free(p);
}

static void test_pmu_none(void)
{
	struct source_status status;
	struct pmu *p = pmu_on_first("off", &status);

	CU_ASSERT_EQUAL(pmu_events(p), 0);
	CU_ASSERT_STRING_EQUAL(status.state, "off");
	pmu_free(p);
	CU_ASSERT_EQUAL(pmu_events(NULL), 0);
	pmu_free(NULL);
}

static const struct unit_test tests[] = {
	{ "pmu_software", test_pmu_software },
	{ "pmu_hardware", test_pmu_hardware },
	{ "pmu_none", test_pmu_none },
};

int main(void)
{
	return unit_main("record_pmu", tests, sizeof(tests) / sizeof(tests[0]));
}
