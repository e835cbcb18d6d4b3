// SPDX-License-Identifier: BSD-2-Clause
/* Tests the sums of a repaired trace: RX_FATES of a tick is not compared with EXACT if the previous tick is missing. */
#include "unit.h"

#include <netcost/events.h>

#include "recover_util.h"

#define TICKS 4

static void put_exact(struct maker *k, enum netcost_event event, uint64_t ns)
{
	trace_writer_begin(k->w, TRACE_EXACT);
	trace_writer_uint(k->w, TRACE_EXACT_EVENT, event);
	trace_writer_uints(k->w, TRACE_EXACT_NS, U(ns));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

/* Writes the fates of a tick. Since the previous tick, the RX softirq took `tick` ns. */
static void put_fates(struct maker *k, uint64_t tick)
{
	trace_writer_begin(k->w, TRACE_RX_FATES);
	trace_writer_uints(k->w, TRACE_RX_FATES_FATE, U(0));
	trace_writer_uints(k->w, TRACE_RX_FATES_CPU, U(0));
	trace_writer_ints(k->w, TRACE_RX_FATES_NS, I((int64_t)tick));
	trace_writer_uints(k->w, TRACE_RX_FATES_PACKETS, U(1));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

/* Returns a trace with each tick in its own frame. All time of CPU 0 is idle or in the RX softirq. */
static struct bytes make(void)
{
	struct maker k = maker_new();
	uint64_t rx = 0;
	struct bytes b;

	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	for (uint64_t i = 1; i <= TICKS; i++) {
		trace_writer_time(k.w, 1000 * i);
		trace_writer_begin(k.w, TRACE_TICK);
		trace_writer_uint(k.w, TRACE_TICK_AT_NS, 1000 * i);
		trace_writer_uints(k.w, TRACE_TICK_CPU, U(0));
		trace_writer_uints(k.w, TRACE_TICK_EXACT_NS, U(1000 * i));
		CU_ASSERT_EQUAL(trace_writer_end(k.w), 0);
		rx += i;
		put_exact(&k, NETCOST_EV_IDLE, 1000 * i - rx);
		put_exact(&k, NETCOST_EV_RX_SOFTIRQ, rx);
		put_fates(&k, i);
		CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	}
	CU_ASSERT_EQUAL(trace_writer_finish(k.w, &(struct trace_totals){ .why = "over" }), 0);
	trace_writer_free(k.w);
	b = contents(fileno(k.file));
	fclose(k.file);
	return b;
}

/* Tests a missing frame: the times of the next tick do not begin at the previous tick of the file. */
static void test_merged(void)
{
	struct bytes b = make();
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);

	CU_ASSERT_TRUE_FATAL(n > 6);
	for (size_t gone = 1; gone < n; gone++) {
		struct bytes c = { 0 };
		struct recovered out;
		int in;

		if (e[gone].hint || gone == 1)
			continue;
		add_bytes(&c, b.p, e[gone].start);
		add_bytes(&c, b.p + e[gone].end, b.n - e[gone].end);
		in = file_of(c.p, c.n);
		out = recover_well(
			in, "without frame",
			gone); /* merge writes HEADER without a note that the trace was recovered */
		CU_ASSERT_EQUAL(out.result.broken, 0);
		CU_ASSERT_EQUAL(out.result.torn, gone == 3 || gone == 4);
		close(in);
		close(out.fd);
		free_bytes(&c);
	}
	free_bytes(&b);
}

static const struct unit_test tests[] = {
	{ "merged", test_merged },
};

int main(void)
{
	return unit_main("verify_sums", tests, ARRAY_SIZE(tests));
}
