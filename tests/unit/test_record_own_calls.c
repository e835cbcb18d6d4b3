// SPDX-License-Identifier: BSD-2-Clause
/* own_calls.h: while own calls are made, no load comes between them. Afterwards the thread is scheduled as before. */
#include "unit.h"

#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "record/exact/own_calls.h"

struct scheduled {
	int policy, nice, cpus;
	struct sched_param priority;
};

static struct scheduled scheduled(void)
{
	struct scheduled s = { sched_getscheduler(0), getpriority(PRIO_PROCESS, 0), 0, { 0 } };
	cpu_set_t set;

	CU_ASSERT_EQUAL(sched_getparam(0, &s.priority), 0);
	CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(set), &set), 0);
	s.cpus = CPU_COUNT(&set);
	return s;
}

/* Not everybody may have a real-time priority. */
static bool may_go_first(const struct scheduled *before)
{
	const struct sched_param lowest = { .sched_priority = sched_get_priority_min(SCHED_FIFO) };
	bool may = !sched_setscheduler(0, SCHED_FIFO, &lowest);

	return !sched_setscheduler(0, before->policy, &before->priority) && may;
}

static void test_goes_first(void)
{
	struct scheduled before = scheduled(), meanwhile, after;
	bool may = may_go_first(&before);
	struct own_calls *c;

	CU_ASSERT_EQUAL_FATAL(own_calls_new(&c), 0);
	meanwhile = scheduled();
	CU_ASSERT_EQUAL(meanwhile.cpus, 1);
	CU_ASSERT_EQUAL(meanwhile.policy, may ? SCHED_FIFO : before.policy);
	own_calls_free(c);
	after = scheduled();
	CU_ASSERT_EQUAL(after.cpus, before.cpus);
	CU_ASSERT_EQUAL(after.policy, before.policy);
	CU_ASSERT_EQUAL(after.priority.sched_priority, before.priority.sched_priority);
	CU_ASSERT_EQUAL(after.nice, before.nice);
}

static const struct unit_test tests[] = {
	{ "goes_first", test_goes_first },
};

int main(void)
{
	return unit_main("record_own_calls", tests, sizeof(tests) / sizeof(tests[0]));
}
