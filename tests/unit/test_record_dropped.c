// SPDX-License-Identifier: BSD-2-Clause
/* Tests samples that are dropped because the reader of the trace is too slow: session_samples.c, session_output.c. */
#include "record_util.h"

#include "record/sample/sampler.h"
#include "record/session/session_impl.h"

/* Queues this many bytes, which compress badly, for a reader that has stopped. */
static void make_wait(struct trace_writer *w, size_t bytes)
{
	static uint64_t state = 1;

	while (trace_writer_waiting(w) <= bytes) {
		uint32_t v[50000];

		for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
			v[i] = (uint32_t)random_next(&state);
		trace_writer_begin(w, TRACE_SAMPLES);
		trace_writer_u32s(w, TRACE_SAMPLES_STACK, v, sizeof(v) / sizeof(v[0]));
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(w), 0);
		CU_ASSERT_EQUAL_FATAL(trace_writer_flush(w), 0);
	}
}

/* Tests that samples are dropped unread, and are counted for their CPU. */
static void test_dropped_and_counted(void)
{
	const struct sample smp[] = { { .i = 1 }, { .i = 0 }, { .i = 1 } };
	uint64_t dropped[2] = { 0, 5 };
	struct session s = { .dropped = dropped, .cpus.n = 2 };
	int fd[2];

	CU_ASSERT_EQUAL_FATAL(pipe2(fd, O_CLOEXEC), 0);
	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&s.w, fd[1], 2), 0);
	trace_writer_queue(s.w, 2 * SESSION_BEHIND);
	trace_writer_begin(s.w, TRACE_HEADER);
	trace_writer_uint(s.w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(s.w), 0);
	make_wait(s.w, SESSION_BEHIND);
	CU_ASSERT_EQUAL(session_take_samples(&s, smp, 3), 0);
	CU_ASSERT_EQUAL(dropped[0], 1);
	CU_ASSERT_EQUAL(dropped[1], 7);
	CU_ASSERT_EQUAL(session_samples_dropped(&s), 8);
	CU_ASSERT_EQUAL(s.samples, 0);
	trace_writer_free(s.w);
	close(fd[0]);
	close(fd[1]);
}

static const struct unit_test tests[] = {
	{ "dropped_and_counted", test_dropped_and_counted },
};

int main(void)
{
	return unit_main("record_dropped", tests, sizeof(tests) / sizeof(tests[0]));
}
