// SPDX-License-Identifier: BSD-2-Clause
/* Tests batch.c: the times of samples on their way into the trace. */
#include "record_util.h"

#include <errno.h>

#include "record/intern/batch.h"

#define START 86400123456789ull

/* Reads the next SAMPLES record and compares it with the input. Also compares the time range of FRAME. */
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
	CU_ASSERT_EQUAL_FATAL(s.stacks.n, n);
	for (size_t i = 0; i < n; i++) {
		wrong += !trace_samples_next(&s);
		wrong += s.time_ns > time[i] + 1000 || s.time_ns + 1000 < time[i];
		wrong += s.stack != i % 1000 || s.task != 1 + i % 7 || s.cgroup != 1 + i % 3;
		wrong += s.time_ns < first || s.time_ns > last || time[i] < first || time[i] > last;
	}
	CU_ASSERT_EQUAL(wrong, 0);
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

static void write_and_check(unsigned int hz, const uint64_t *time, size_t n)
{
	struct mem_trace t;
	struct batch b;

	batch_init(&b, 3, hz, true);
	add_all(&b, time, n);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(batch_write(&b, t.w), 0);
	CU_ASSERT_EQUAL(b.n, 0);
	CU_ASSERT_EQUAL(batch_write(&b, t.w), 0); /* an empty batch writes no record */
	mem_trace_read(&t);
	check_batch(&t, time, n);
	mem_trace_end(&t);
	batch_free(&b);
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
	write_and_check(4000000, time, 5000); /* all steps are smaller than a unit and become 0 */
}

/* Tests long gaps: an idle CPU may have no samples for minutes. */
static void test_batch_gaps(void)
{
	const uint64_t time[] = { START, START + 1000000, START + 900000000000,
				  START + 900000000001, START + 900000001000 };

	write_and_check(999, time, 5);
}

/* Tests the clock of a nested interrupt: its sample is later in the ring, but has an earlier time. */
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

/* Checks that a difference of more than 31 bits of units is an error and leaves the batch unchanged. */
static void check_overflow(uint64_t from, uint64_t to)
{
	struct mem_trace t;
	struct batch b;

	batch_init(&b, 3, 1000, true);
	CU_ASSERT_EQUAL(batch_add(&b, from, 0, 1, 1), 0);
	CU_ASSERT_EQUAL(batch_add(&b, to, 1, 2, 2), -EOVERFLOW);
	CU_ASSERT_EQUAL(b.n, 1);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(batch_write(&b, t.w), 0);
	CU_ASSERT_EQUAL(trace_writer_flush(t.w), 0);
	CU_ASSERT_EQUAL(batch_add(&b, to, 0, 1, 1), 0);
	CU_ASSERT_EQUAL(batch_write(&b, t.w), 0);
	mem_trace_read(&t);
	check_batch(&t, &from, 1);
	check_batch(&t, &to, 1);
	mem_trace_end(&t);
	batch_free(&b);
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

/* Tests that the record has no column of cgroups if they are not measured: a column of nil would mean "unknown". */
static void test_batch_without_cgroups(void)
{
	struct trace_record rec;
	struct mem_trace t;
	struct batch b;

	batch_init(&b, 0, 1000, false);
	CU_ASSERT_EQUAL(batch_add(&b, START, 0, 1, 0), 0);
	mem_trace_begin(&t);
	CU_ASSERT_EQUAL(batch_write(&b, t.w), 0);
	mem_trace_read(&t);
	CU_ASSERT_FATAL(mem_trace_next(&t, TRACE_SAMPLES, &rec));
	CU_ASSERT_PTR_NULL(trace_record_field(&rec, TRACE_SAMPLES_CGROUP));
	mem_trace_end(&t);
	batch_free(&b);
}

static const struct unit_test tests[] = {
	{ "batch_times", test_batch_times },
	{ "batch_gaps", test_batch_gaps },
	{ "batch_backwards", test_batch_backwards },
	{ "batch_early", test_batch_early },
	{ "batch_overflow", test_batch_overflow },
	{ "batch_without_cgroups", test_batch_without_cgroups },
};

int main(void)
{
	return unit_main("record_batch", tests, sizeof(tests) / sizeof(tests[0]));
}
