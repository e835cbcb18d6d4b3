// SPDX-License-Identifier: BSD-2-Clause
/* Tests session_write.c: what a tick records about the recorder itself. */
#include "record_util.h"

#include <sys/resource.h>

#include "record/base/config.h"
#include "record/exact/exact.h"
#include "record/session/session_impl.h"
#include "record/source/online.h"
#include "record/source/source.h"

#define TICKS 5

/* results of getrusage(), KiB; the kernel adds up approximate counts of each CPU, so the sum may decrease */
static const long maxrss_kib[TICKS] = { 9000, 8996, 9004, 8000, 9100 };
static unsigned int asked;

/* Replaces the C library's getrusage(). */
int getrusage(__rusage_who_t who, struct rusage *ru)
{
	(void)who;
	*ru = (struct rusage){ .ru_maxrss = maxrss_kib[asked++ % TICKS] };
	return 0;
}

static void test_largest_size_never_falls(void)
{
	static const uint64_t want[TICKS] = { 9000, 9000, 9004, 9004, 9100 };
	struct exact_reading reading = { 0 };
	uint64_t column[3];
	uint32_t cpu = 0;
	const struct config cfg = { .budget_ppm = 0 };
	struct session s = {
		.cfg = &cfg, .cpus = { &cpu, 1 }, .reading = &reading, .column = column
	};
	const struct source_host host = { .cpus = &s.cpus, .why = "", .irqs = -1 };
	struct trace_record rec;
	struct mem_trace t;

	CU_ASSERT_EQUAL_FATAL(online_new(&s.online_now, "/dev/null", &s.cpus), 0);
	CU_ASSERT_EQUAL_FATAL(sources_open(&s.sources, &host), 0);
	mem_trace_begin(&t);
	s.w = t.w;
	for (int i = 0; i < TICKS; i++)
		CU_ASSERT_EQUAL_FATAL(session_write_tick(&s), 0);
	mem_trace_read(&t);
	for (int i = 0; i < TICKS; i++) {
		CU_ASSERT_FATAL(mem_trace_next(&t, TRACE_SELF, &rec));
		CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_SELF_MAXRSS_KIB, 0), want[i]);
	}
	CU_ASSERT_FALSE(mem_trace_next(&t, TRACE_SELF, &rec));
	mem_trace_end(&t);
	sources_close(s.sources);
	online_free(s.online_now);
}

static const struct unit_test tests[] = {
	{ "largest_size_never_falls", test_largest_size_never_falls },
};

int main(void)
{
	return unit_main("record_self", tests, sizeof(tests) / sizeof(tests[0]));
}
