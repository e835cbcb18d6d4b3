// SPDX-License-Identifier: BSD-2-Clause
/* Tests writer_follow.c: a trace that continues another trace. */
#include "record_util.h"

/* Writes counters of two CPUs at a tick. */
static void tick(struct trace_writer *w, uint64_t at_ns, uint64_t ns, uint64_t torn, uint64_t host)
{
	const uint32_t cpu[] = { 0 };

	trace_writer_time(w, at_ns);
	trace_writer_begin(w, TRACE_TICK);
	trace_writer_uint(w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_u32s(w, TRACE_TICK_CPU, cpu, 1);
	trace_writer_end(w);
	for (uint64_t event = 0; event < 2; event++) {
		const uint64_t v[] = { ns == TRACE_NIL ? ns : ns + 1000 * event };

		trace_writer_begin(w, TRACE_EXACT);
		trace_writer_uint(w, TRACE_EXACT_EVENT, event);
		trace_writer_uints(w, TRACE_EXACT_NS, v, 1);
		trace_writer_end(w);
	}
	trace_writer_begin(w, TRACE_EXACT_LOSS);
	trace_writer_uint(w, TRACE_EXACT_LOSS_TORN, torn);
	trace_writer_end(w);
	trace_writer_begin(w, TRACE_PROCSTAT);
	trace_writer_uints(w, TRACE_PROCSTAT_USER, &host, 1);
	trace_writer_end(w);
	trace_writer_lost(w, 0, torn);
}

/* Writes definitions, and the records between two ticks. */
static void more(struct trace_writer *w, uint64_t id)
{
	const char *name[] = { "one" };

	trace_writer_begin(w, TRACE_NETDEV);
	trace_writer_uint(w, TRACE_NETDEV_ID, id);
	trace_writer_str(w, TRACE_NETDEV_NAME, "eth0");
	trace_writer_end(w);
	trace_writer_begin(w, TRACE_OUTSIDE);
	trace_writer_strs(w, TRACE_OUTSIDE_NAME, name, 1);
	trace_writer_end(w);
}

/* Writes the first number of each counter of all ticks to dst: "EXACT 0 5, EXACT 1 6, …". */
static char *text_of(struct mem_trace *t, char *dst, size_t size)
{
	struct trace_record rec;
	size_t at = 0;

	mem_trace_read(t);
	*dst = '\0';
	while (trace_reader_next(t->r, &rec) == 1) {
		const char *name = trace_type_desc(rec.type)->name;
		uint64_t v = rec.type == TRACE_TICK ?
				     trace_record_uint(&rec, TRACE_TICK_AT_NS, 0) :
			     rec.type == TRACE_EXACT ?
				     column_at(&rec, TRACE_EXACT_NS, 0) :
			     rec.type == TRACE_EXACT_LOSS ?
				     trace_record_uint(&rec, TRACE_EXACT_LOSS_TORN, 0) :
			     rec.type == TRACE_PROCSTAT ? column_at(&rec, TRACE_PROCSTAT_USER, 0) :
			     rec.type == TRACE_FRAME && column_size(&rec, TRACE_FRAME_LOST) ?
							  column_at(&rec, TRACE_FRAME_LOST, 0) :
							  0;

		if (rec.type != TRACE_HEADER && rec.type != TRACE_SCHEMA &&
		    rec.type != TRACE_NAMES && at < size)
			at += (size_t)snprintf(dst + at, size - at,
					       v == TRACE_NIL ? "%s - " : "%s %d ", name, (int)v);
	}
	return dst;
}

static void flush(struct mem_trace *t)
{
	CU_ASSERT_EQUAL(trace_writer_flush(t->w), 0);
}

/* Tests a tick that is in both traces. In the second trace the recording's own counters restart at this tick. The
 * host's counters do not. */
static void test_same_tick(void)
{
	struct mem_trace a, b;
	char text[1000];

	mem_trace_begin(&a);
	mem_trace_begin(&b);
	tick(a.w, 10, 5, 1, 70);
	more(a.w, 1);
	flush(&a);
	more(b.w, 1);
	trace_writer_follow(a.w, b.w);
	more(a.w, 2);
	tick(a.w, 20, 8, 3, 90);
	trace_writer_follow(a.w, NULL);
	more(a.w, 3);
	tick(a.w, 30, 100, 100, 100);
	flush(&a);
	flush(&b);
	tick(b.w, 40, 9, 3, 95);
	flush(&b);
	CU_ASSERT_STRING_EQUAL(
		text_of(&a, text, sizeof(text)),
		"frame 1 tick 10 exact 5 exact 1005 exact_loss 1 procstat 70 netdev 0 outside 0 "
		"frame 100 netdev 0 outside 0 tick 20 exact 8 exact 1008 exact_loss 3 procstat 90 "
		"netdev 0 outside 0 tick 30 exact 100 exact 1100 exact_loss 100 procstat 100 ");
	CU_ASSERT_STRING_EQUAL(
		text_of(&b, text, sizeof(text)),
		"frame 0 netdev 0 outside 0 netdev 0 tick 20 exact 0 exact 0 exact_loss 0 procstat 90 "
		"frame 0 tick 40 exact 1 exact 1 exact_loss 0 procstat 95 ");
	mem_trace_end(&a);
	mem_trace_end(&b);
}

/* Tests a third trace, which follows the second trace. The second trace counts from its own beginning. */
static void test_three(void)
{
	struct mem_trace a, b, c;
	char text[1000];

	mem_trace_begin(&a);
	mem_trace_begin(&b);
	mem_trace_begin(&c);
	trace_writer_follow(a.w, b.w);
	tick(a.w, 20, 8, 3, 90);
	trace_writer_follow(a.w, NULL);
	trace_writer_follow(b.w, c.w);
	tick(b.w, 30, 18, 4, 91);
	trace_writer_follow(b.w, NULL);
	tick(c.w, 40, 19, 6, 92);
	CU_ASSERT_STRING_EQUAL(text_of(&b, text, sizeof(text)),
			       "frame 1 tick 20 exact 0 exact 0 exact_loss 0 procstat 90 "
			       "tick 30 exact 10 exact 10 exact_loss 1 procstat 91 ");
	CU_ASSERT_STRING_EQUAL(text_of(&c, text, sizeof(text)),
			       "frame 2 tick 30 exact 0 exact 0 exact_loss 0 procstat 91 "
			       "tick 40 exact 1 exact 1 exact_loss 2 procstat 92 ");
	mem_trace_end(&a);
	mem_trace_end(&b);
	mem_trace_end(&c);
}

/* Tests a value that is unknown at the first tick: it does not become 0, and later values are those of the
 * recording. */
static void test_unknown(void)
{
	struct mem_trace a, b;
	char text[1000];

	mem_trace_begin(&a);
	mem_trace_begin(&b);
	trace_writer_follow(a.w, b.w);
	tick(a.w, 20, TRACE_NIL, 0, TRACE_NIL);
	trace_writer_follow(a.w, NULL);
	tick(b.w, 30, 7, 0, 1);
	tick(b.w, 40, TRACE_NIL, 0, 2);
	CU_ASSERT_STRING_EQUAL(text_of(&b, text, sizeof(text)),
			       "frame 0 tick 20 exact - exact - exact_loss 0 procstat - "
			       "tick 30 exact 7 exact 1007 exact_loss 0 procstat 1 "
			       "tick 40 exact - exact - exact_loss 0 procstat 2 ");
	mem_trace_end(&a);
	mem_trace_end(&b);
}

/* Tests a counter that is paused at the first tick of a third trace: it continues from the second trace. */
static void test_paused(void)
{
	struct mem_trace a, b, c;
	char text[1000];

	mem_trace_begin(&a);
	mem_trace_begin(&b);
	mem_trace_begin(&c);
	trace_writer_follow(a.w, b.w);
	tick(a.w, 20, 8, 3, 90);
	trace_writer_follow(a.w, NULL);
	tick(b.w, 30, 18, 4, 91);
	trace_writer_follow(b.w, c.w);
	tick(b.w, 40, TRACE_NIL, 4, 92);
	trace_writer_follow(b.w, NULL);
	tick(c.w, 50, 20, 6, 93);
	CU_ASSERT_STRING_EQUAL(text_of(&c, text, sizeof(text)),
			       "frame 2 tick 40 exact - exact - exact_loss 0 procstat 92 "
			       "tick 50 exact 12 exact 12 exact_loss 2 procstat 93 ");
	mem_trace_end(&a);
	mem_trace_end(&b);
	mem_trace_end(&c);
}

static const struct unit_test tests[] = {
	{ "same_tick", test_same_tick },
	{ "three", test_three },
	{ "unknown", test_unknown },
	{ "paused", test_paused },
};

int main(void)
{
	return unit_main("trace_follow", tests, sizeof(tests) / sizeof(tests[0]));
}
