// SPDX-License-Identifier: BSD-2-Clause
/* Tests tasks.c, sampler_hole.c and idmap.c: the other parts of a sample, empty batches, and the map behind all ids. */
#include "record_util.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <netcost/idmap.h>
#include "record/sample/sampler_hole.h"
#include "record/intern/tasks.h"

/* ---- idmap ------------------------------------------------------------------------------- */

static void test_idmap_empty(void)
{
	struct idmap m = { 0 };

	CU_ASSERT_EQUAL(idmap_get(&m, 0), 0);
	CU_ASSERT_EQUAL(idmap_get(&m, 1), 0);
	idmap_free(&m);
	idmap_free(&m);
}

static void test_idmap_set_again(void)
{
	struct idmap m = { 0 };

	CU_ASSERT_EQUAL(idmap_set(&m, 0, 7), 0);
	CU_ASSERT_EQUAL(idmap_set(&m, UINT64_MAX, UINT32_MAX), 0);
	CU_ASSERT_EQUAL(idmap_get(&m, 0), 7);
	CU_ASSERT_EQUAL(idmap_get(&m, UINT64_MAX), UINT32_MAX);
	CU_ASSERT_EQUAL(idmap_set(&m, 0, 8), 0);
	CU_ASSERT_EQUAL(idmap_get(&m, 0), 8);
	CU_ASSERT_EQUAL(idmap_get(&m, 1), 0);
	idmap_free(&m);
	CU_ASSERT_EQUAL(idmap_get(&m, 0), 0);
}

/* Returns the i-th key: dense keys, keys that only differ in their high bits, or random keys. Each key must find its
 * own id. */
static uint64_t key_of(unsigned int kind, uint32_t i, uint64_t *rnd)
{
	return kind == 0 ? i : kind == 1 ? (uint64_t)i << 40 : random_next(rnd);
}

static void grow_and_look(unsigned int kind)
{
	struct idmap m = { 0 };
	uint64_t rnd = 1;
	unsigned int wrong = 0;

	for (uint32_t i = 1; i <= 50000; i++)
		wrong += idmap_set(&m, key_of(kind, i, &rnd), i) != 0;
	rnd = 1;
	for (uint32_t i = 1; i <= 50000; i++)
		wrong += idmap_get(&m, key_of(kind, i, &rnd)) != i;
	for (uint32_t i = 50001; i <= 100000; i++)
		wrong += idmap_get(&m, key_of(kind, i, &rnd)) != 0;
	CU_ASSERT_EQUAL(wrong, 0);
	idmap_free(&m);
}

static void test_idmap_growth(void)
{
	for (unsigned int kind = 0; kind < 3; kind++)
		grow_and_look(kind);
}

/* ---- tasks ------------------------------------------------------------------------------- */

#define GONE 2000000000u /* a pid above every pid_max, so that /proc does not have it */

/* Compares the i-th task of the trace with these values. */
static void check_task(const struct trace_record *rec, unsigned int i, uint32_t tgid, uint32_t tid,
		       const char *comm)
{
	struct trace_column c = trace_record_column(rec, TRACE_TASKS_COMM);
	const char *s = NULL;
	uint32_t n = 0;

	CU_ASSERT_EQUAL(column_at(rec, TRACE_TASKS_TGID, i), tgid);
	CU_ASSERT_EQUAL(column_at(rec, TRACE_TASKS_TID, i), tid);
	for (unsigned int k = 0; k <= i; k++)
		CU_ASSERT_FATAL(trace_column_str(&c, &s, &n));
	CU_ASSERT_EQUAL(n, strlen(comm));
	CU_ASSERT_EQUAL(strncmp(s, comm, n), 0);
}

struct setup {
	struct tasks *t;
	struct mem_trace trace;
	struct trace_record rec;
};

static void setup(struct setup *s)
{
	CU_ASSERT_EQUAL_FATAL(tasks_new(&s->t), 0);
	mem_trace_begin(&s->trace);
}

/* Writes the pending tasks as one record TASKS, and reads them back. */
static void write_and_read(struct setup *s, unsigned int n)
{
	CU_ASSERT_EQUAL(tasks_write(s->t, s->trace.w), 0);
	mem_trace_read(&s->trace);
	CU_ASSERT_FATAL(mem_trace_next(&s->trace, TRACE_TASKS, &s->rec));
	CU_ASSERT_EQUAL(column_size(&s->rec, TRACE_TASKS_TID), n);
	CU_ASSERT_EQUAL(tasks_count(s->t), n);
}

static void teardown(struct setup *s)
{
	mem_trace_end(&s->trace);
	tasks_free(s->t);
}

/* Tests that ids restart in the next file. A known name stays known, even if the thread has ended. */
static void test_task_again(void)
{
	uint32_t pid = (uint32_t)getpid();
	struct setup s;

	setup(&s);
	tasks_renamed(s.t, GONE, GONE, "was");
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, pid), 1);
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 2);
	CU_ASSERT_EQUAL(tasks_write(s.t, s.trace.w), 0);
	tasks_again(s.t);
	mem_trace_end(&s.trace);
	mem_trace_begin(&s.trace);
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 1);
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, pid), 2);
	write_and_read(&s, 2);
	check_task(&s.rec, 0, GONE, GONE, "was");
	teardown(&s);
}

static void test_task_names(void)
{
	uint32_t pid = (uint32_t)getpid(), tid = (uint32_t)syscall(SYS_gettid);
	char before[16];
	struct setup s;

	setup(&s);
	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, "netcost unit");
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, tid), 1);
	prctl(PR_SET_NAME, before); /* the task is known: its name is not read again */
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, tid), 1);
	CU_ASSERT_EQUAL(tasks_id(s.t, 0, 0), 2);
	CU_ASSERT_EQUAL(tasks_id(s.t, 0, 0), 2);
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 3);
	CU_ASSERT_EQUAL(tasks_id(s.t, UINT32_MAX, UINT32_MAX), 4);
	write_and_read(&s, 4);
	check_task(&s.rec, 0, pid, tid, "netcost unit");
	check_task(&s.rec, 1, 0, 0, "swapper");
	check_task(&s.rec, 2, GONE, GONE, "");
	check_task(&s.rec, 3, UINT32_MAX, UINT32_MAX, "");
	teardown(&s);
}

static void test_task_rename(void)
{
	struct setup s;

	setup(&s);
	tasks_renamed(s.t, GONE, GONE + 1, "never sampled");
	CU_ASSERT_EQUAL(tasks_count(s.t), 0);
	tasks_renamed(s.t, GONE, GONE, "before");
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 1);
	tasks_renamed(s.t, GONE, GONE, "after");
	tasks_renamed(s.t, GONE, GONE, "a name of more than fifteen bytes");
	CU_ASSERT_EQUAL(tasks_count(s.t), 1);
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 2);
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 2);
	write_and_read(&s, 2);
	check_task(&s.rec, 0, GONE, GONE, "before");
	check_task(&s.rec, 1, GONE, GONE, "a name of more ");
	teardown(&s);
}

/* Tests a tid that another thread of another process reuses. */
static void test_task_exit_and_reuse(void)
{
	struct setup s;

	setup(&s);
	tasks_exited(s.t, GONE + 7); /* an unknown task */
	tasks_renamed(s.t, GONE, GONE, "one");
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 1);
	tasks_exited(s.t, GONE);
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE),
			1); /* last sample of the ended thread, from another CPU's ring */
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE + 1, GONE), 2);
	tasks_exited(s.t, GONE);
	tasks_renamed(s.t, GONE + 2, GONE, "three");
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE + 2, GONE), 3);
	write_and_read(&s, 3);
	check_task(&s.rec, 0, GONE, GONE, "one");
	check_task(&s.rec, 1, GONE + 1, GONE, "");
	check_task(&s.rec, 2, GONE + 2, GONE, "three");
	teardown(&s);
}

/* Tests names, which are cached by a hash of the tid: the name of another thread with the same hash must be neither
 * used nor lost. */
static void test_task_names_of_neighbours(void)
{
	uint32_t other = GONE + 1024;
	struct setup s;

	setup(&s);
	tasks_renamed(s.t, GONE, GONE, "mine");
	tasks_exited(s.t, other);
	CU_ASSERT_EQUAL(tasks_id(s.t, other, other), 1);
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 2);
	tasks_renamed(s.t, other, other, "theirs");
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 2);
	CU_ASSERT_EQUAL(tasks_id(s.t, other, other), 3);
	write_and_read(&s, 3);
	check_task(&s.rec, 0, other, other, "");
	check_task(&s.rec, 1, GONE, GONE, "mine");
	check_task(&s.rec, 2, other, other, "theirs");
	teardown(&s);
}

/* Tests that a process has the name of its first thread, even if that thread has no samples. The name is read once. */
static void test_task_leader(void)
{
	uint32_t pid = (uint32_t)getpid();
	char before[16];
	struct setup s;

	setup(&s);
	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, "leader");
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, GONE), 1);
	prctl(PR_SET_NAME, before);
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, GONE + 1), 3);
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, pid), 2);
	tasks_renamed(s.t, pid, pid, "new name");
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, GONE), 1);
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, GONE + 2), 4);
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, pid), 5);
	/* a task of another pid namespace: its process is unknown */
	CU_ASSERT_EQUAL(tasks_id(s.t, 0, GONE + 3), 6);
	/* the task has ended, and its name is unknown */
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE + 4, GONE + 5), 7);
	write_and_read(&s, 7);
	check_task(&s.rec, 1, pid, pid, "leader");
	check_task(&s.rec, 4, pid, pid, "new name");
	check_task(&s.rec, 5, 0, GONE + 3, "");
	check_task(&s.rec, 6, GONE + 4, GONE + 5, "");
	teardown(&s);
}

static void test_task_batches(void)
{
	struct setup s;
	uint64_t next = 1;

	setup(&s);
	/* nothing is pending: no record is written */
	CU_ASSERT_EQUAL(tasks_write(s.t, s.trace.w), 0);
	for (uint32_t i = 1; i <= 1000; i++) {
		CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE + i), i);
		if (i % 300 == 0)
			CU_ASSERT_EQUAL(tasks_write(s.t, s.trace.w), 0);
	}
	CU_ASSERT_EQUAL(tasks_write(s.t, s.trace.w), 0);
	mem_trace_read(&s.trace);
	while (mem_trace_next(&s.trace, TRACE_TASKS, &s.rec)) {
		CU_ASSERT_EQUAL(trace_record_uint(&s.rec, TRACE_TASKS_FIRST, 0), next);
		CU_ASSERT_EQUAL(column_at(&s.rec, TRACE_TASKS_TID, 0), GONE + next);
		next += column_size(&s.rec, TRACE_TASKS_TID);
	}
	CU_ASSERT_EQUAL(next, 1001);
	teardown(&s);
	tasks_free(NULL);
}

/* ---- holes ------------------------------------------------------------------------------- */

#define START 86400123456789ull
#define MS 1000000ull

static void test_hole(void)
{
	struct hole h = { 0 };

	hole_end(&h, START);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 500 * MS), 0);
	CU_ASSERT_FALSE(hole_suspected(&h, 500 * MS, START + 500 * MS));
	hole_read(&h, 500 * MS, START + 500 * MS);
	/* The event stops 100 ms later, and runs again after 900 ms. */
	CU_ASSERT_TRUE(hole_suspected(&h, 600 * MS, START + 1000 * MS));
	hole_begin(&h, 600 * MS, START + 1000 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 1000 * MS), 400 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 1500 * MS), 900 * MS);
	hole_end(&h, START + 1500 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 2000 * MS), 900 * MS);
	/* In a second hole, the new event's clock starts at 0, and nothing could be read from the new event. */
	CU_ASSERT_FALSE(hole_suspected(&h, 499 * MS, START + 2000 * MS));
	hole_read(&h, 499 * MS, START + 2000 * MS);
	hole_begin(&h, h.running_ns, START + 2500 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 2500 * MS), 1400 * MS);
	hole_end(&h, START + 2600 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 9000 * MS), 1500 * MS);
}

/* Tests two clocks, whose readings are not compared with each other. */
static void test_hole_clock_ahead(void)
{
	struct hole h = { 0 };

	hole_end(&h, START);
	CU_ASSERT_FALSE(hole_suspected(&h, 501 * MS, START + 500 * MS));
	hole_begin(&h, 501 * MS, START + 500 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 500 * MS), 0);
}

static const struct unit_test tests[] = {
	{ "idmap_empty", test_idmap_empty },
	{ "idmap_set_again", test_idmap_set_again },
	{ "idmap_growth", test_idmap_growth },
	{ "task_names", test_task_names },
	{ "task_rename", test_task_rename },
	{ "task_exit_and_reuse", test_task_exit_and_reuse },
	{ "task_names_of_neighbours", test_task_names_of_neighbours },
	{ "task_leader", test_task_leader },
	{ "task_batches", test_task_batches },
	{ "task_again", test_task_again },
	{ "hole", test_hole },
	{ "hole_clock_ahead", test_hole_clock_ahead },
};

int main(void)
{
	return unit_main("record_samples", tests, sizeof(tests) / sizeof(tests[0]));
}
