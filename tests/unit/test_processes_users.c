// SPDX-License-Identifier: BSD-2-Clause
/* Tests counters by process that are grouped by user, and processes whose user is unknown. */
#include "model_maker.h"
#include "report/analysis/processes.h"
#include "report/tables/tables.h"

#define NIL TRACE_NIL

/* Defines n processes. `users` is NULL if the trace has no users. */
static void define(struct maker *k, uint64_t first, const uint64_t *pid, size_t n,
		   const uint64_t *kernel, const uint64_t *users)
{
	static const char *const name[8] = { "a", "b", "c", "d", "e", "f", "g", "h" };
	static const uint64_t start[8], cgroup[8];

	trace_writer_begin(k->w, TRACE_PROCESSES);
	trace_writer_uint(k->w, TRACE_PROCESSES_FIRST, first);
	trace_writer_uints(k->w, TRACE_PROCESSES_PID, pid, n);
	trace_writer_strs(k->w, TRACE_PROCESSES_NAME, name, n);
	trace_writer_uints(k->w, TRACE_PROCESSES_START_NS, start, n);
	trace_writer_uints(k->w, TRACE_PROCESSES_CGROUP, cgroup, n);
	trace_writer_uints(k->w, TRACE_PROCESSES_KERNEL, kernel, n);
	if (users)
		trace_writer_uints(k->w, TRACE_PROCESSES_USER, users, n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void ran(struct maker *k, const uint64_t *process, size_t n, const uint64_t *ns)
{
	maker_tick(k, 1000, U(0));
	trace_writer_begin(k->w, TRACE_PROCESS_STATS);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_PROCESS, process, n);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_TASK_NS, ns, n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static struct model *read_it(struct maker *k)
{
	struct model *m = model_new(MODEL_PROCESSES | MODEL_CGROUPS, NULL);

	CU_ASSERT_EQUAL_FATAL(maker_read(k, m), 0);
	return m;
}

static void check(const struct processes *p, size_t i, const char *title, uint64_t user, double ns,
		  size_t processes)
{
	char text[40];

	CU_ASSERT_FATAL(i < p->nrows);
	process_title(text, sizeof(text), p, &p->row[i]);
	CU_ASSERT_STRING_EQUAL(text, title);
	CU_ASSERT_EQUAL(p->row[i].user, user);
	CU_ASSERT_EQUAL(p->row[i].v.on_cpu_ns, ns);
	CU_ASSERT_EQUAL(p->row[i].processes, processes);
}

/*
 * Checks a process that belonged to root first: it counts for both users. Neither an unknown user nor a kernel thread
 * counts as root.
 */
static void test_rows_by_user(void)
{
	struct maker k = maker_new();
	struct processes p;
	struct model *m;

	define(&k, 1, U(10, 11, 12, 13, 14), (const uint64_t[]){ 0, 0, 1, 0, 0 },
	       (const uint64_t[]){ 1000, 0, 0, NIL, 4294967294 });
	define(&k, 6, U(11, 15, 16), (const uint64_t[]){ 0, 0, 1 },
	       (const uint64_t[]){ 1000, 1000, NIL });
	ran(&k, U(1, 2, 3, 4, 5, 6, 7, 8), (const uint64_t[]){ 1, 20, 300, 4, 5, 600, 7, 8 });
	m = read_it(&k);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, m, PROCESSES_BY_USER, PROCESSES_SORT_CPU, 9), 0);
	CU_ASSERT_EQUAL_FATAL(p.nrows, 5);
	check(&p, 0, "user 1000", 1000, 608, 3);
	check(&p, 1, "kernel threads", NIL, 308, 2);
	check(&p, 2, "user 0 (root)", 0, 20, 1);
	check(&p, 3, "user 4294967294", 4294967294, 5, 1);
	check(&p, 4, "unknown user", NIL, 4, 1);
	CU_ASSERT_EQUAL(p.group_of[1], p.group_of[6]);
	CU_ASSERT_NOT_EQUAL(p.group_of[2], p.group_of[6]);
	processes_free(&p);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 9),
			      0);
	CU_ASSERT_EQUAL(p.row[0].pid, 11);
	CU_ASSERT_EQUAL(p.row[0].user, 1000); /* the process's last user */
	processes_free(&p);
	model_free(m);
}

static void test_without_users(void)
{
	struct maker k = maker_new();
	struct processes p;
	struct model *m;

	define(&k, 1, U(10, 11, 12), (const uint64_t[]){ 0, 0, 1 }, NULL);
	ran(&k, U(1, 2, 3), (const uint64_t[]){ 1, 20, 300 });
	m = read_it(&k);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, m, PROCESSES_BY_USER, PROCESSES_SORT_CPU, 9), 0);
	CU_ASSERT_EQUAL_FATAL(p.nrows, 2);
	check(&p, 0, "kernel threads", NIL, 300, 1);
	check(&p, 1, "unknown user", NIL, 21, 2);
	processes_free(&p);
	model_free(m);
}

static const struct unit_test tests[] = {
	{ "rows_by_user", test_rows_by_user },
	{ "without_users", test_without_users },
};

int main(void)
{
	return unit_main("processes_users", tests, sizeof(tests) / sizeof(tests[0]));
}
