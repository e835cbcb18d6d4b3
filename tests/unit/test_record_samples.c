// SPDX-License-Identifier: BSD-2-Clause
/* The rest of a sample, when there are none, and the map behind all ids: tasks.c, batch.c, sampler_hole.c, idmap.c. */
#include "record_util.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "src/record/batch.h"
#include "src/record/codes.h"
#include "src/record/idmap.h"
#include "src/record/sampler_hole.h"
#include "src/record/tasks.h"

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

/* Dense keys, keys that differ in their high bits only, random ones: each finds its own id. */
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

#define GONE 2000000000u /* above every pid_max: not in /proc */

/* Compares the i-th task of the trace. */
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

/* Writes what there is and reads it back: one TASKS record. */
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

static void test_task_names(void)
{
	uint32_t pid = (uint32_t)getpid(), tid = (uint32_t)syscall(SYS_gettid);
	char before[16];
	struct setup s;

	setup(&s);
	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, "netcost unit");
	CU_ASSERT_EQUAL(tasks_id(s.t, pid, tid), 1);
	prctl(PR_SET_NAME, before); /* seen already: the name is not read again */
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

/* The tid comes back as another thread, of another process. */
static void test_task_exit_and_reuse(void)
{
	struct setup s;

	setup(&s);
	tasks_exited(s.t, GONE + 7); /* never heard of */
	tasks_renamed(s.t, GONE, GONE, "one");
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE), 1);
	tasks_exited(s.t, GONE);
	CU_ASSERT_EQUAL(tasks_id(s.t, GONE, GONE),
			1); /* its last sample, from another CPU's ring */
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

/* Names heard of are kept by a hash of the tid: another thread's must not be taken, nor lost. */
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

static void test_task_batches(void)
{
	struct setup s;
	uint64_t next = 1;

	setup(&s);
	CU_ASSERT_EQUAL(tasks_write(s.t, s.trace.w), 0); /* nothing: no record */
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

/* ---- batch ------------------------------------------------------------------------------- */

#define START 86400123456789ull

/* Reads the next SAMPLES record and compares it with what went in; also FRAME's time range. */
static void check_batch(struct mem_trace *t, const uint64_t *time, size_t n)
{
	struct trace_record rec;
	struct trace_samples s;
	uint64_t first, last;
	unsigned int wrong = 0;

	CU_ASSERT_FATAL(mem_trace_next(t, TRACE_FRAME, &rec));
	first = trace_record_uint(&rec, TRACE_FRAME_FIRST_NS, 0);
	last = trace_record_uint(&rec, TRACE_FRAME_LAST_NS, 0);
	CU_ASSERT_FATAL(mem_trace_next(t, TRACE_SAMPLES, &rec));
	CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_SAMPLES_CPU, 99), 3);
	s = trace_record_samples(&rec);
	CU_ASSERT_EQUAL_FATAL(s.stacks.c.n, n);
	for (size_t i = 0; i < n; i++) {
		wrong += !trace_samples_next(&s);
		wrong += s.time_ns > time[i] + 1000 || s.time_ns + 1000 < time[i];
		wrong += s.stack != i % 1000 || s.task != 1 + i % 7 || s.cgroup != 1 + i % 3;
		wrong += s.time_ns < first || s.time_ns > last || time[i] < first || time[i] > last;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* As a session does it. */
static int write_batch(struct batch *b, struct codes *codes, struct trace_writer *w)
{
	int err = codes_begin(codes, 1000);

	codes_see(codes, b->stack, b->n);
	if (!err && b->n)
		err = codes_write(codes, w);
	return err ? err : batch_write(b, codes, w);
}

static void add_all(struct batch *b, const uint64_t *time, size_t n)
{
	unsigned int wrong = 0;

	for (size_t i = 0; i < n; i++)
		wrong += batch_add(b, time[i], (uint32_t)(i % 1000), (uint32_t)(1 + i % 7),
				   (uint32_t)(1 + i % 3)) != 0;
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(b->n, n);
}

static void write_and_check_one(unsigned int hz, bool grid, const uint64_t *time, size_t n)
{
	struct codes codes = { 0 };
	struct mem_trace t;
	struct batch b;

	batch_init(&b, 3, hz, grid, true);
	add_all(&b, time, n);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(write_batch(&b, &codes, t.w), 0);
	CU_ASSERT_EQUAL(b.n, 0);
	CU_ASSERT_EQUAL(write_batch(&b, &codes, t.w), 0); /* nothing: no record */
	mem_trace_read(&t);
	check_batch(&t, time, n);
	mem_trace_end(&t);
	batch_free(&b);
	codes_free(&codes);
}

static void write_and_check(unsigned int hz, const uint64_t *time, size_t n)
{
	write_and_check_one(hz, true, time, n);
	write_and_check_one(hz, false, time, n);
}

static void test_batch_times(void)
{
	static uint64_t time[5000];
	uint64_t rnd = 42, now = START;

	for (size_t i = 0; i < 5000; i++) {
		now += 1001001 + random_below(&rnd, 20001) - 10000;
		time[i] = now;
	}
	write_and_check(999, time, 5000);
	write_and_check(1, time, 5000);
	write_and_check(4000000, time, 5000); /* less than a unit apart: step 0 */
}

/* An idle CPU has no samples for minutes. */
static void test_batch_gaps(void)
{
	const uint64_t time[] = { START, START + 1000000, START + 900000000000,
				  START + 900000000001, START + 900000001000 };

	write_and_check(999, time, 5);
}

/* The clock of an interrupt inside an interrupt: later in the ring, earlier in time. */
static void test_batch_backwards(void)
{
	const uint64_t time[] = { START, START - 5000, START + 2000000, START + 1999000,
				  START - 7000000 };

	write_and_check(999, time, 5);
}

static void test_batch_early(void)
{
	const uint64_t time[] = { 0, 1, 999, 1000, 2000000 };

	write_and_check(999, time, 5);
}

/* A difference of more than 31 bits of units: the batch says so and stays as it was. */
static void check_overflow_of(bool grid, uint64_t from, uint64_t to)
{
	struct codes codes = { 0 };
	struct mem_trace t;
	struct batch b;

	batch_init(&b, 3, 1000, grid, true);
	CU_ASSERT_EQUAL(batch_add(&b, from, 0, 1, 1), 0);
	CU_ASSERT_EQUAL(batch_add(&b, to, 1, 2, 2), -EOVERFLOW);
	CU_ASSERT_EQUAL(b.n, 1);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(write_batch(&b, &codes, t.w), 0);
	CU_ASSERT_EQUAL(trace_writer_flush(t.w), 0);
	CU_ASSERT_EQUAL(batch_add(&b, to, 0, 1, 1), 0);
	CU_ASSERT_EQUAL(write_batch(&b, &codes, t.w), 0);
	mem_trace_read(&t);
	check_batch(&t, &from, 1);
	check_batch(&t, &to, 1);
	mem_trace_end(&t);
	batch_free(&b);
	codes_free(&codes);
}

static void check_overflow(uint64_t from, uint64_t to)
{
	check_overflow_of(true, from, to);
	check_overflow_of(false, from, to);
}

static void test_batch_overflow(void)
{
	const uint64_t most = 2000ull * (INT32_MAX + 500ull),
		       least = 2000ull * (INT32_MAX - 499ull);
	const uint64_t far[] = { START, START + most }, back[] = { START, START - least };

	write_and_check(1000, far, 2);
	write_and_check(1000, back, 2);
	check_overflow(START, START + most + 1000);
	check_overflow(START, START - least - 2000);
	check_overflow(2000, 1ull << 62);
	check_overflow(1ull << 62, 2000);
}

/* A timer's samples are late by little, and not all are taken: each batch has its grid where most of them are. */
static void test_batch_grid(void)
{
	const uint64_t step = 1001001;
	uint64_t rnd = 7, expected = START, time[100];
	struct trace_record rec;
	struct codes codes = { 0 };
	struct mem_trace t;
	struct batch b;

	batch_init(&b, 3, 999, true, true);
	mem_trace_begin(&t);
	for (int batch = 0; batch < 20; batch++) {
		for (size_t i = 0; i < 100; i++) {
			expected +=
				step * (1 + (random_below(&rnd, 4) ? 0 : random_below(&rnd, 9)));
			time[i] = expected + 3000 + random_below(&rnd, 8000);
		}
		if (batch == 10)
			expected += 400000; /* the timer was stopped */
		add_all(&b, time, 100);
		CU_ASSERT_EQUAL(write_batch(&b, &codes, t.w), 0);
	}
	mem_trace_read(&t);
	for (int batch = 0; mem_trace_next(&t, TRACE_SAMPLES, &rec); batch++) {
		struct trace_column off = trace_record_column(&rec, TRACE_SAMPLES_OFF);
		unsigned int near = 0;
		int64_t v;

		CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_SAMPLES_STEP_NS, 0), step);
		CU_ASSERT_PTR_NULL(trace_record_field(&rec, TRACE_SAMPLES_STEP));
		CU_ASSERT_PTR_NULL(trace_record_field(&rec, TRACE_SAMPLES_DT));
		while (trace_column_int(&off, &v))
			near += v >= -3 && v <= 3;
		if (batch && batch != 11)
			CU_ASSERT(near > 60);
	}
	mem_trace_end(&t);
	batch_free(&b);
	codes_free(&codes);
}

/* Where they are not measured there is no column: it would say that they are not known. */
static void test_batch_without_cgroups(void)
{
	struct trace_record rec;
	struct codes codes = { 0 };
	struct mem_trace t;
	struct batch b;

	batch_init(&b, 0, 1000, true, false);
	CU_ASSERT_EQUAL(batch_add(&b, START, 0, 1, 0), 0);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(write_batch(&b, &codes, t.w), 0);
	mem_trace_read(&t);
	CU_ASSERT_FATAL(mem_trace_next(&t, TRACE_SAMPLES, &rec));
	CU_ASSERT_PTR_NULL(trace_record_field(&rec, TRACE_SAMPLES_CGROUP));
	mem_trace_end(&t);
	batch_free(&b);
	codes_free(&codes);
}

/* ---- lists of stacks --------------------------------------------------------------------- */

/* As many samples of stack i as say[i]. */
static void see(struct codes *c, const unsigned int *say, uint32_t n)
{
	CU_ASSERT_EQUAL(codes_begin(c, n), 0);
	for (uint32_t i = 0; i < n; i++)
		for (unsigned int k = 0; k < say[i]; k++)
			codes_see(c, &i, 1);
}

/* The list that the next record in the trace has. */
static void check_list(struct mem_trace *t, uint64_t id, const uint64_t *list, size_t n)
{
	struct trace_record rec;

	CU_ASSERT_FATAL(mem_trace_next(t, TRACE_STACK_CODES, &rec));
	CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_STACK_CODES_ID, 0), id);
	CU_ASSERT_EQUAL_FATAL(column_size(&rec, TRACE_STACK_CODES_STACK), n);
	for (size_t i = 0; i < n; i++)
		CU_ASSERT_EQUAL(column_at(&rec, TRACE_STACK_CODES_STACK, i), list[i]);
}

/* User code, which is 0 as it is, in no list. */
static void test_codes_order(void)
{
	uint32_t stack[] = { 0, 1, 2, 3, 4, 5, 900 };
	struct codes c = { 0 };
	struct mem_trace t;

	mem_trace_begin(&t);
	see(&c, (unsigned int[]){ 9, 1, 0, 3, 2, 0 }, 6);
	CU_ASSERT_EQUAL(codes_write(&c, t.w), 0);
	CU_ASSERT_EQUAL(codes_begin(&c, 900), 0);
	codes_apply(&c, stack, 7);
	for (size_t i = 0; i < 7; i++)
		CU_ASSERT_EQUAL(stack[i], ((uint32_t[]){ 0, 3, 5, 1, 2, 8, 903 })[i]);
	see(&c, (unsigned int[]){ 9, 0, 9, 0, 2, 0 }, 6);
	CU_ASSERT_EQUAL(codes_write(&c, t.w), 0);
	for (int i = 0; i < 2; i++) { /* the third flush has none, and the fourth one */
		see(&c, (unsigned int[]){ 0, 0, 9 }, 3);
		CU_ASSERT_EQUAL(codes_write(&c, t.w), 0);
	}
	mem_trace_read(&t);
	check_list(&t, 1, (uint64_t[]){ 3, 4, 1 }, 3);
	check_list(&t, 2, (uint64_t[]){ 2, 4, 3, 1 }, 4);
	check_list(&t, 3, (uint64_t[]){ 2, 4, 3, 1 }, 4);
	mem_trace_end(&t);
	codes_free(&c);
}

/* What is frequent no more makes room for what is, however long the recording. */
static void test_codes_change(void)
{
	enum { N = 400 };
	unsigned int early[N] = { 0 }, late[N] = { 0 }, gone = 0, there = 0;
	uint32_t stack[N];
	struct codes c = { 0 };
	struct mem_trace t;

	for (uint32_t i = 0; i < N; i++) {
		early[i] = i < 200 ? 20 : 0;
		late[i] = i < 200 ? 0 : 10 + (i < 300);
		stack[i] = i;
	}
	mem_trace_begin(&t);
	for (int flush = 0; flush < 1600; flush++) {
		see(&c, flush < 1500 ? early : late, N);
		CU_ASSERT_EQUAL(codes_write(&c, t.w), 0);
	}
	CU_ASSERT_EQUAL(c.n, TRACE_MAX_CODES);
	CU_ASSERT_EQUAL(c.id, 2 + 100);
	codes_apply(&c, stack, N);
	for (uint32_t i = 1; i < N; i++) {
		gone += i < 200 && stack[i] <= c.n;
		there += i >= 200 && i < 300 && stack[i] <= c.n;
	}
	CU_ASSERT_EQUAL(gone, 0);
	CU_ASSERT_EQUAL(there, 100);
	mem_trace_read(&t);
	mem_trace_end(&t);
	codes_free(&c);
}

/* ---- holes ------------------------------------------------------------------------------- */

#define MS 1000000ull

static void test_hole(void)
{
	struct hole h = { 0 };

	hole_end(&h, START);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 500 * MS), 0);
	CU_ASSERT_FALSE(hole_suspected(&h, 500 * MS, START + 500 * MS));
	hole_read(&h, 500 * MS, START + 500 * MS);
	/* It stood still after 100 ms more, and is there again 900 ms later. */
	CU_ASSERT_TRUE(hole_suspected(&h, 600 * MS, START + 1000 * MS));
	hole_begin(&h, 600 * MS, START + 1000 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 1000 * MS), 400 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 1500 * MS), 900 * MS);
	hole_end(&h, START + 1500 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 2000 * MS), 900 * MS);
	/* And once more, the new event's clock counting from 0; nothing could be read of it. */
	CU_ASSERT_FALSE(hole_suspected(&h, 499 * MS, START + 2000 * MS));
	hole_read(&h, 499 * MS, START + 2000 * MS);
	hole_begin(&h, h.running_ns, START + 2500 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 2500 * MS), 1400 * MS);
	hole_end(&h, START + 2600 * MS);
	CU_ASSERT_EQUAL(hole_ns(&h, START + 9000 * MS), 1500 * MS);
}

/* Two clocks: what one says is not held against the other. */
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
	{ "task_batches", test_task_batches },
	{ "batch_times", test_batch_times },
	{ "batch_gaps", test_batch_gaps },
	{ "batch_backwards", test_batch_backwards },
	{ "batch_early", test_batch_early },
	{ "batch_overflow", test_batch_overflow },
	{ "batch_grid", test_batch_grid },
	{ "batch_without_cgroups", test_batch_without_cgroups },
	{ "codes_order", test_codes_order },
	{ "codes_change", test_codes_change },
	{ "hole", test_hole },
	{ "hole_clock_ahead", test_hole_clock_ahead },
};

int main(void)
{
	return unit_main("record_samples", tests, sizeof(tests) / sizeof(tests[0]));
}
