// SPDX-License-Identifier: BSD-2-Clause
/* Tests exact_derive() and exact_copy() on hand-made states. test_record_recorder.c uses random states. */
#include "unit.h"

#include <unistd.h>

#include "bpf/wire.h"
#include "record/exact/exact_impl.h"

static uint64_t sum(const struct exact_reading *r)
{
	uint64_t ns = 0;

	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		ns += r->ns[e];
	return ns;
}

/* Derives a reading from the state of a CPU that is online and was never read before. */
static void derive(const struct netcost_cpu *c, uint64_t now, struct exact_reading *r)
{
	struct exact_past none = { 0 };

	exact_derive(c, &none, false, now, r);
}

/* Derives the times of a state at `now`. The state's time begins at 1000. Checks that the given times are correct,
 * and that all other times are 0. */
static void check_derived(const struct netcost_cpu *c, uint64_t now,
			  const uint64_t expected[NETCOST_EV_COUNT])
{
	struct exact_reading r = { 0 };

	derive(c, now, &r);
	CU_ASSERT_EQUAL(r.at_ns, now);
	CU_ASSERT_EQUAL(sum(&r), now - 1000);
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		CU_ASSERT_EQUAL(r.ns[e], expected[e]);
}

#define TIMES(...) ((const uint64_t[NETCOST_EV_COUNT]){ __VA_ARGS__ })

static void test_not_yet_seen(void)
{
	const struct netcost_cpu nothing = { 0 }, softirqs = { .softirq_ns = 70 };
	struct exact_reading r;

	derive(&nothing, 123456, &r);
	CU_ASSERT_EQUAL(r.at_ns, 0);
	derive(&softirqs, 123456, &r);
	CU_ASSERT_EQUAL(r.at_ns, 0);
}

static void test_idle(void)
{
	const struct netcost_cpu c = { .seg_start = 1000, .seg_base = NETCOST_BASE_IDLE };

	check_derived(&c, 1000, TIMES(0));
	check_derived(&c, 1500, TIMES([NETCOST_EV_IDLE] = 500));
}

static void test_task(void)
{
	const struct netcost_cpu c = { .seg_start = 1200,
				       .seg_base = NETCOST_BASE_TASK,
				       .base_ns[NETCOST_BASE_IDLE] = 200 };

	check_derived(&c, 1500, TIMES([NETCOST_EV_IDLE] = 200, [NETCOST_EV_TASK] = 300));
}

static void test_in_softirq(void)
{
	struct netcost_cpu c = {
		.seg_start = 1200,
		.seg_base = NETCOST_BASE_TASK,
		.base_ns[NETCOST_BASE_IDLE] = 200,
		.softirq_ns = 50,
		.tx_ns = 20,
		.softirq_start = 1400,
		.softirq_event = NETCOST_EV_RX_SOFTIRQ,
	};

	check_derived(&c, 1500,
		      TIMES([NETCOST_EV_IDLE] = 200, [NETCOST_EV_TASK] = 150,
			    [NETCOST_EV_RX_SOFTIRQ] = 130, [NETCOST_EV_TX_SOFTIRQ] = 20));
	c.softirq_event = NETCOST_EV_TX_SOFTIRQ;
	check_derived(&c, 1500,
		      TIMES([NETCOST_EV_IDLE] = 200, [NETCOST_EV_TASK] = 150,
			    [NETCOST_EV_RX_SOFTIRQ] = 30, [NETCOST_EV_TX_SOFTIRQ] = 120));
}

/* Tests hard interrupts. A hypervisor pause is always the innermost event, and stops both clocks. */
static void test_in_hardirq(void)
{
	struct netcost_cpu c = {
		.seg_start = 1170,
		.seg_base = NETCOST_BASE_TASK,
		.base_ns[NETCOST_BASE_IDLE] = 170,
		.softirq_ns = 50,
		.softirq_start = 1360,
		.softirq_event = NETCOST_EV_RX_SOFTIRQ,
		.hardirq_ns = 40,
		.hardirq_start = 1420,
		.mark = NETCOST_MARK(1270ull, NETCOST_EV_SOCK_SEND),
	};

	check_derived(
		&c, 1500,
		TIMES([NETCOST_EV_IDLE] = 170, [NETCOST_EV_TASK] = 100, [NETCOST_EV_SOCK_SEND] = 40,
		      [NETCOST_EV_RX_SOFTIRQ] = 70, [NETCOST_EV_HARDIRQ_NET] = 120));
	c.softirq_start = 0;
	check_derived(
		&c, 1500,
		TIMES([NETCOST_EV_IDLE] = 170, [NETCOST_EV_TASK] = 100, [NETCOST_EV_SOCK_SEND] = 60,
		      [NETCOST_EV_RX_SOFTIRQ] = 50, [NETCOST_EV_HARDIRQ_NET] = 120));
	c.hardirq_start = 0;
	check_derived(
		&c, 1500,
		TIMES([NETCOST_EV_IDLE] = 170, [NETCOST_EV_TASK] = 100, [NETCOST_EV_SOCK_SEND] = 140,
		      [NETCOST_EV_RX_SOFTIRQ] = 50, [NETCOST_EV_HARDIRQ_NET] = 40));
}

static void test_in_operation(void)
{
	struct netcost_cpu c = {
		.seg_start = 1200,
		.seg_base = NETCOST_BASE_TASK,
		.base_ns = { [NETCOST_BASE_IDLE] = 100, [NETCOST_BASE_TASK] = 100 },
		.op_ns[NETCOST_EV_SOCK_RECV] = 60,
		.base_op_ns[NETCOST_BASE_TASK] = 60,
		.mark = NETCOST_MARK(1300ull, NETCOST_EV_SOCK_SEND | NETCOST_MARK_MSGS),
	};

	check_derived(&c, 1500,
		      TIMES([NETCOST_EV_IDLE] = 100, [NETCOST_EV_TASK] = 140,
			    [NETCOST_EV_SOCK_RECV] = 60, [NETCOST_EV_SOCK_SEND] = 200));
	/* The operation began before its task was preempted. Its time before the preemption is already charged. */
	c.mark = NETCOST_MARK(1100ull, NETCOST_EV_SOCK_RECV);
	check_derived(
		&c, 1500,
		TIMES([NETCOST_EV_IDLE] = 100, [NETCOST_EV_TASK] = 40, [NETCOST_EV_SOCK_RECV] = 360));
}

static void test_operation_of_io_worker(void)
{
	const struct netcost_cpu c = {
		.seg_start = 1400,
		.seg_base = NETCOST_BASE_IO_WORKER,
		.base_ns = { [NETCOST_BASE_TASK] = 100, [NETCOST_BASE_IO_WORKER] = 300 },
		.op_ns[NETCOST_EV_SOCK_SEND] = 120,
		.base_op_ns = { [NETCOST_BASE_TASK] = 30, [NETCOST_BASE_IO_WORKER] = 90 },
		.mark = NETCOST_MARK(1440ull, NETCOST_EV_SOCK_SEND),
	};

	check_derived(&c, 1500,
		      TIMES([NETCOST_EV_TASK] = 70, [NETCOST_EV_IO_WORKER] = 250,
			    [NETCOST_EV_SOCK_SEND] = 180));
}

static void test_softirq_inside_operation(void)
{
	const struct netcost_cpu c = {
		.seg_start = 1000,
		.seg_base = NETCOST_BASE_TASK,
		.softirq_ns = 50,
		.softirq_start = 1400,
		.softirq_event = NETCOST_EV_RX_SOFTIRQ,
		.mark = NETCOST_MARK(1100ull, NETCOST_EV_SOCK_SEND),
	};

	check_derived(&c, 1500,
		      TIMES([NETCOST_EV_TASK] = 100, [NETCOST_EV_SOCK_SEND] = 250,
			    [NETCOST_EV_RX_SOFTIRQ] = 150));
}

/*
 * Tests an operation whose mark is ahead of the task clock. Repeated softirqs between two instructions can cause this.
 * The operation then has used no time yet.
 */
static void test_operation_ahead(void)
{
	const struct netcost_cpu c = {
		.seg_start = 1000,
		.seg_base = NETCOST_BASE_TASK,
		.softirq_ns = 100,
		.mark = NETCOST_MARK(1450ull, NETCOST_EV_SOCK_SEND),
	};

	check_derived(&c, 1500, TIMES([NETCOST_EV_TASK] = 400, [NETCOST_EV_RX_SOFTIRQ] = 100));
}

/*
 * Tests a clock that is behind the last event. The clock of BPF (ktime_get_mono_fast_ns) may be a few ns ahead of
 * clock_gettime(2), so a reading is never earlier than the last event that the CPU saw.
 */
static void test_clock_after(void)
{
	struct netcost_cpu c = {
		.seg_start = 1200,
		.seg_base = NETCOST_BASE_TASK,
		.base_ns[NETCOST_BASE_IDLE] = 200,
		.softirq_ns = 100,
	};
	struct exact_reading r;

	derive(&c, 1297, &r);
	CU_ASSERT_EQUAL(r.at_ns, 1300);
	CU_ASSERT_EQUAL(r.ns[NETCOST_EV_TASK], 0);
	c.softirq_start = 1400;
	derive(&c, 1398, &r);
	CU_ASSERT_EQUAL(r.at_ns, 1400);
	CU_ASSERT_EQUAL(r.ns[NETCOST_EV_TASK], 100);
	CU_ASSERT_EQUAL(r.ns[NETCOST_EV_RX_SOFTIRQ], 100);
	CU_ASSERT_EQUAL(sum(&r), 400);
}

/* Checks a CPU that goes offline and returns: all time outside of tasks that has no other cause is idle time. */
static void check_offline(const struct netcost_cpu *c, struct exact_past *past, bool offline,
			  uint64_t now, uint64_t at, uint64_t task_ns, uint64_t offline_ns)
{
	struct exact_reading r = { 0 };

	exact_derive(c, past, offline, now, &r);
	CU_ASSERT_EQUAL(r.at_ns, at);
	CU_ASSERT_EQUAL(sum(&r) + r.offline_ns, at - 1000);
	CU_ASSERT_EQUAL(r.ns[NETCOST_EV_TASK], task_ns);
	CU_ASSERT_EQUAL(r.ns[NETCOST_EV_RX_SOFTIRQ], 50);
	CU_ASSERT_EQUAL(r.offline_ns, offline_ns);
}

static const struct netcost_cpu stopper = { .seg_start = 1200,
					    .seg_base = NETCOST_EV_TASK,
					    .seg_stopper = 1,
					    .softirq_ns = 50,
					    .base_ns[NETCOST_EV_IDLE] = 200 };

static void test_offline(void)
{
	const struct netcost_cpu back = { .seg_start = 2150,
					  .seg_base = NETCOST_EV_IDLE,
					  .softirq_ns = 50,
					  .base_ns[NETCOST_EV_IDLE] = 200,
					  .offline_ns = 950 };
	struct exact_past past = { 0 };

	check_offline(&stopper, &past, true, 1300, 1300, 0, 50);
	check_offline(&stopper, &past, true, 1900, 1900, 0, 650);
	/* the CPU has not switched to another task yet */
	check_offline(&stopper, &past, false, 2100, 2100, 0, 850);
	check_offline(&back, &past, false, 2300, 2300, 0, 950);
	past = (struct exact_past){ 0 };
	/* the CPU was offline only between two readings */
	check_offline(&back, &past, false, 2300, 2300, 0, 950);
}

/* Tests that the stopper thread's time is not reported while it is unknown whether the CPU goes offline. */
static void test_stopper(void)
{
	const struct netcost_cpu after = {
		.seg_start = 1230,
		.seg_base = NETCOST_EV_IDLE,
		.softirq_ns = 50,
		.base_ns = { [NETCOST_EV_IDLE] = 200, [NETCOST_EV_TASK] = 30 }
	};
	struct exact_past past = { 0 };

	check_offline(&stopper, &past, false, 1251, 1250, 0, 0);
	check_offline(&stopper, &past, false, 1270, 1250, 0, 0);
	check_offline(&after, &past, false, 1300, 1300, 30, 0);
	past = (struct exact_past){ 0 };
	check_offline(&stopper, &past, false, 1270, 1250, 0, 0);
	check_offline(&stopper, &past, true, 2000, 2000, 0, 750);
}

/* Tests that a CPU is online if an event showed that it came online. */
static void test_not_offline(void)
{
	const struct netcost_cpu task = { .seg_start = 1200,
					  .seg_base = NETCOST_EV_TASK,
					  .softirq_ns = 50,
					  .base_ns[NETCOST_EV_IDLE] = 200 };
	struct exact_past past = { .gone_from = 1100 };

	check_offline(&task, &past, true, 1350, 1350, 100, 0);
}

#define STACKED(stage)                                                                             \
	{                                                                                          \
		.what = NETCOST_STAGE_WHAT(3, NETCOST_PART_##stage)                                \
	}

/* Tests that only the innermost stage gets the time since the last change as its own time, and that each active
 * stage gets it as its total time. */
static void test_stages(void)
{
	const struct netcost_cpu c = {
		.seg_start = 1000,
		.softirq_start = 1400,
		.softirq_event = NETCOST_EV_RX_SOFTIRQ,
		.stages = {
			.depth = 3,
			.since = 1450,
			.stack = { STACKED(RECEIVE), STACKED(BRIDGING), STACKED(RECEIVE) },
			.ns = { [NETCOST_PART_RECEIVE] = 30, [NETCOST_PART_BRIDGING] = 20,
				[NETCOST_PART_GRO] = 5 },
			.total_ns = { [NETCOST_PART_BRIDGING] = 7, [NETCOST_PART_GRO] = 6 },
			.entered = { [NETCOST_PART_RECEIVE] = 1400, [NETCOST_PART_BRIDGING] = 1430,
				     [NETCOST_PART_GRO] = 1300 },
			.nested = { [NETCOST_PART_RECEIVE] = 2, [NETCOST_PART_BRIDGING] = 1 },
			.calls = { [NETCOST_PART_GRO] = 2 },
			.missed = 4,
			.polls_outside = 5,
		},
	};
	struct exact_reading r;

	derive(&c, 1500, &r);
	CU_ASSERT_EQUAL(r.stage_ns[NETCOST_PART_RECEIVE], 80);
	CU_ASSERT_EQUAL(r.stage_ns[NETCOST_PART_BRIDGING], 20);
	CU_ASSERT_EQUAL(r.stage_ns[NETCOST_PART_GRO], 5);
	CU_ASSERT_EQUAL(r.stage_total_ns[NETCOST_PART_RECEIVE], 100);
	CU_ASSERT_EQUAL(r.stage_total_ns[NETCOST_PART_BRIDGING], 77);
	CU_ASSERT_EQUAL(r.stage_total_ns[NETCOST_PART_GRO], 6);
	CU_ASSERT_EQUAL(r.stage_calls[NETCOST_PART_GRO], 2);
	CU_ASSERT_EQUAL(r.stages_missed, 4);
	CU_ASSERT_EQUAL(r.polls_outside, 5);
}

/* Tests a stage with a lost end, inside which busy polling ended at 1450: the stage only gets the time before 1450. */
static void test_stages_left(void)
{
	struct netcost_cpu c = {
		.seg_start = 1000,
		.seg_base = NETCOST_BASE_TASK,
		.stages = { .depth = 1,
			    .since = 1430,
			    .left = 1450,
			    .stack = { STACKED(RECEIVE) },
			    .entered = { [NETCOST_PART_RECEIVE] = 1400 },
			    .nested = { [NETCOST_PART_RECEIVE] = 1 },
			    .ns = { [NETCOST_PART_RECEIVE] = 30 } },
	};
	struct exact_reading r;

	derive(&c, 9000, &r);
	CU_ASSERT_EQUAL(r.stage_ns[NETCOST_PART_RECEIVE], 50);
	CU_ASSERT_EQUAL(r.stage_total_ns[NETCOST_PART_RECEIVE], 50);
}

/* Tests that the time of a stage is also in the enclosing stage's total, however late the reader's clock is. */
static void test_stages_clock_after(void)
{
	const struct netcost_cpu c = {
		.seg_start = 1000,
		.softirq_start = 1400,
		.softirq_event = NETCOST_EV_RX_SOFTIRQ,
		.stages = { .since = 1450, .ns = { [NETCOST_PART_RECEIVE] = 50 } },
	};
	struct exact_reading r;

	derive(&c, 1447, &r);
	CU_ASSERT_EQUAL(r.at_ns, 1450);
	CU_ASSERT_EQUAL(r.ns[NETCOST_EV_RX_SOFTIRQ], 50);
}

/* Tests that a reader of the trace never sees more stages than exist, whatever the map contains. */
static void test_stages_too_deep(void)
{
	struct netcost_cpu c = { .seg_start = 1000,
				 .stages = { .depth = NETCOST_STAGE_DEPTH + 1 } };
	struct exact_reading r;

	derive(&c, 2000, &r);
	for (unsigned int stage = 0; stage < NETCOST_PART_COUNT; stage++)
		CU_ASSERT_EQUAL(r.stage_ns[stage], 0);
}

static void test_threads_and_polling(void)
{
	const struct netcost_cpu c = {
		.seg_start = 1200,
		.seg_base = NETCOST_BASE_TASK,
		.base_ns = { [NETCOST_BASE_NAPI] = 150, [NETCOST_BASE_TASK] = 50 },
		.runs = { [NETCOST_BASE_NAPI] = 3 },
		.op_ns[NETCOST_EV_RX_BUSY_POLL] = 20,
		.base_op_ns[NETCOST_BASE_TASK] = 20,
		.calls[NETCOST_EV_RX_BUSY_POLL] = 4,
		.mark = NETCOST_MARK(1300ull, NETCOST_EV_RX_BUSY_POLL),
		.outer = { .what = NETCOST_EV_SOCK_RECV },
	};
	struct exact_reading r;

	check_derived(&c, 1500,
		      TIMES([NETCOST_EV_TASK] = 130, [NETCOST_EV_RX_THREAD] = 150,
			    [NETCOST_EV_RX_BUSY_POLL] = 220));
	derive(&c, 1500, &r);
	CU_ASSERT_EQUAL(r.calls[NETCOST_EV_RX_THREAD], 3);
	CU_ASSERT_EQUAL(r.calls[NETCOST_EV_RX_BUSY_POLL], 4);
}

static void test_counts(void)
{
	const struct netcost_cpu c = {
		.seg_start = 1000,
		.runs = { 3, 4, 5 },
		.softirq_runs = 13,
		.tx_runs = 7,
		.calls[NETCOST_EV_SOCK_SEND] = 8,
		.failed[NETCOST_EV_SOCK_SEND] = 2,
		.bytes[NETCOST_EV_SOCK_RECV] = 9000,
		.bytes[NETCOST_EV_SOCK_SEND] = 100,
		.uncounted[NETCOST_EV_SOCK_SEND] = 1,
		.untracked = 10,
		.sends_outside = 11,
		.recvs_outside = 12,
		.sends_inside = 13,
		.recvs_inside = 14,
	};
	struct exact_reading r;

	derive(&c, 2000, &r);
	CU_ASSERT_EQUAL(r.calls[NETCOST_EV_IDLE], 3);
	CU_ASSERT_EQUAL(r.calls[NETCOST_EV_TASK], 4);
	CU_ASSERT_EQUAL(r.calls[NETCOST_EV_IO_WORKER], 5);
	CU_ASSERT_EQUAL(r.calls[NETCOST_EV_RX_SOFTIRQ], 6);
	CU_ASSERT_EQUAL(r.calls[NETCOST_EV_TX_SOFTIRQ], 7);
	CU_ASSERT_EQUAL(r.calls[NETCOST_EV_SOCK_SEND], 8);
	CU_ASSERT_EQUAL(r.failed[NETCOST_EV_SOCK_SEND], 2);
	CU_ASSERT_EQUAL(r.bytes[NETCOST_EV_SOCK_RECV], 9000);
	CU_ASSERT_EQUAL(r.bytes[NETCOST_EV_SOCK_SEND],
			EXACT_UNKNOWN); /* not 100: the bytes of one call are unknown */
	CU_ASSERT_EQUAL(r.untracked, 10);
	CU_ASSERT_EQUAL(r.sends_outside, 11);
	CU_ASSERT_EQUAL(r.recvs_outside, 12);
	CU_ASSERT_EQUAL(r.sends_inside, 13);
	CU_ASSERT_EQUAL(r.recvs_inside, 14);
}

/* ---- reading ----------------------------------------------------------------------------- */

/* sequence of a writer that is not running; it continues as soon as the reader sleeps */
static __u64 *standing;
static unsigned int sleeps;

/* Replaces the C library's usleep(). */
int usleep(useconds_t us)
{
	(void)us;
	sleeps++;
	(*standing)++;
	return 0;
}

/* Tests a writer that is stopped while the reader runs, as a hypervisor with one CPU for all vCPUs may do. */
static void test_writer_without_a_cpu(void)
{
	struct netcost_cpu c = { .seg_start = 1200 }, copy;
	const struct exact e = { .cpu = &c, .ncpus = 1 };
	__u64 *const sequence[] = { &c.hardirq_seq, &c.softirq_seq, &c.switch_seq, &c.op_seq };
	uint64_t now;

	for (size_t i = 0; i < sizeof(sequence) / sizeof(sequence[0]); i++) {
		standing = sequence[i];
		*standing = 1;
		sleeps = 0;
		CU_ASSERT_TRUE(exact_copy(&e, 0, &copy, &now));
		CU_ASSERT_EQUAL(sleeps, 1);
		CU_ASSERT_EQUAL(copy.seg_start, 1200);
	}
}

static const struct unit_test tests[] = {
	{ "not_yet_seen", test_not_yet_seen },
	{ "idle", test_idle },
	{ "task", test_task },
	{ "in_softirq", test_in_softirq },
	{ "in_hardirq", test_in_hardirq },
	{ "in_operation", test_in_operation },
	{ "operation_of_io_worker", test_operation_of_io_worker },
	{ "softirq_inside_operation", test_softirq_inside_operation },
	{ "operation_ahead", test_operation_ahead },
	{ "clock_after", test_clock_after },
	{ "offline", test_offline },
	{ "stopper", test_stopper },
	{ "not_offline", test_not_offline },
	{ "stages", test_stages },
	{ "stages_left", test_stages_left },
	{ "stages_clock_after", test_stages_clock_after },
	{ "stages_too_deep", test_stages_too_deep },
	{ "threads_and_polling", test_threads_and_polling },
	{ "counts", test_counts },
	{ "writer_without_a_cpu", test_writer_without_a_cpu },
};

int main(void)
{
	return unit_main("record_exact", tests, sizeof(tests) / sizeof(tests[0]));
}
