// SPDX-License-Identifier: BSD-2-Clause
/* Samples on their way into the trace: their times, and short numbers for frequent stacks: batch.c, codes.c. */
#include "record_util.h"

#include <errno.h>

#include "record/intern/batch.h"
#include "record/intern/codes.h"

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

static const struct unit_test tests[] = {
	{ "batch_times", test_batch_times },
	{ "batch_gaps", test_batch_gaps },
	{ "batch_backwards", test_batch_backwards },
	{ "batch_early", test_batch_early },
	{ "batch_overflow", test_batch_overflow },
	{ "batch_grid", test_batch_grid },
	{ "batch_without_cgroups", test_batch_without_cgroups },
	{ "codes_order", test_codes_order },
	{ "codes_change", test_codes_change },
};

int main(void)
{
	return unit_main("record_batch", tests, sizeof(tests) / sizeof(tests[0]));
}
