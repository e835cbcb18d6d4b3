// SPDX-License-Identifier: BSD-2-Clause
/* Tests that a file defines a bounded number of threads and processes: all later threads and processes have no id,
 * and the next file starts again. */
#include "record_util.h"

#include <stdio.h>
#include <string.h>

#include "record/intern/id_limits.h"
#include "record/intern/process_ids.h"
#include "record/intern/tasks.h"

#define SEVERAL 100u
#define ROUND 65536u /* number of processes per round */

static void test_tasks(void)
{
	struct tasks *t;
	uint32_t none = 0;

	CU_ASSERT_EQUAL_FATAL(tasks_new(&t), 0);
	for (uint32_t tid = 1; tid <= ID_LIMIT_TASKS + SEVERAL; tid++) {
		/* gives a name, so that the recorder does not read it in /proc */
		tasks_renamed(t, tid, tid, "cc1");
		none += !tasks_id(t, tid, tid);
		CU_ASSERT_EQUAL(tasks_full(t), tid > ID_LIMIT_TASKS);
	}
	CU_ASSERT_EQUAL(none, SEVERAL);
	CU_ASSERT_EQUAL(tasks_count(t), ID_LIMIT_TASKS);
	tasks_again(t);
	CU_ASSERT_FALSE(tasks_full(t));
	tasks_renamed(t, 7, 7, "cc1");
	CU_ASSERT_EQUAL(tasks_id(t, 7, 7), 1);
	tasks_free(t);
}

static struct process process(uint32_t pid)
{
	return (struct process){ .pid = pid, .start_ns = pid, .user_known = true, .name = "cc1" };
}

static void test_processes(void)
{
	struct process_ids *ids;
	struct mem_trace trace;
	struct process like;
	uint32_t none = 0;

	CU_ASSERT_EQUAL_FATAL(process_ids_new(&ids), 0);
	mem_trace_begin(&trace);
	for (uint32_t pid = 1; pid <= ID_LIMIT_PROCESSES + SEVERAL; pid++) {
		like = process(pid);
		none += !process_ids_get(ids, &like);
		CU_ASSERT_EQUAL(process_ids_full(ids), pid > ID_LIMIT_PROCESSES);
		if (pid % ROUND)
			continue;
		CU_ASSERT_EQUAL(process_ids_write(ids, true, trace.w), 0);
		CU_ASSERT_EQUAL(trace_writer_flush(trace.w), 0);
		process_ids_round(ids);
	}
	CU_ASSERT_EQUAL(none, SEVERAL);
	/* A process that already has an id keeps it. */
	like = process(ID_LIMIT_PROCESSES);
	CU_ASSERT_PTR_NOT_NULL(process_ids_get(ids, &like));
	process_ids_again(ids);
	CU_ASSERT_FALSE(process_ids_full(ids));
	CU_ASSERT_PTR_NOT_NULL(process_ids_get(ids, &like));
	mem_trace_end(&trace);
	process_ids_free(ids);
}

static const struct unit_test tests[] = {
	{ "tasks", test_tasks },
	{ "processes", test_processes },
};

int main(void)
{
	return unit_main("record_limits", tests, sizeof(tests) / sizeof(*tests));
}
