// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests --tail, which shows what CPUs did while the slowest packets waited. The programs of bpf/tail_edges.h record
 * changes of state, a packet reaches a checkpoint, and its latency is divided among the states.
 */

#include "path_shim.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <netcost/culprits.h>
#include <netcost/trace.h>

#include "record/source/path/latency_tail.h"
#include "unit.h"

#define US 1000ull
#define RX 3 /* vector number of the softirq */
#define FIFO 1
#define HOOK NETCOST_LATENCY_UDP_READ

static struct netcost_path_cpu state[CPUS];

static struct netcost_path_cpu *shim_states(void)
{
	return state;
}

static struct netcost_udp_next *shim_next(const struct sock *sk)
{
	(void)sk;
	return NULL;
}

/* ---- a CPU ------------------------------------------------------------------------------- */

static struct task_struct idle = { .comm = "swapper" }, reader = { .pid = 7, .comm = "reader" },
			  hog = { .pid = 8, .comm = "hog", .policy = FIFO };
static uint64_t start;

static void begin(void)
{
	memset(shim_edges, 0, sizeof(shim_edges));
	memset(shim_runnable, 0, sizeof(shim_runnable));
	memset(packets, 0, sizeof(packets));
	memset(sources, 0, sizeof(sources));
	memset(state, 0, sizeof(state));
	memset(shim_exemplars, 0, sizeof(shim_exemplars));
	tick = 1;
	measured = ~0u;
	with_tail = true;
	shim_cpu = 0;
	shim_now = start = 5000000000000000;
}

static void later(uint64_t us)
{
	shim_now += us * US;
}

static void sleeps(struct task_struct *prev, struct task_struct *next)
{
	prev->__state = 1;
	path_sched_switch(false, prev, next);
}

static void is_preempted(struct task_struct *prev, struct task_struct *next)
{
	prev->__state = 0;
	path_sched_switch(true, prev, next);
}

/* ---- a packet ---------------------------------------------------------------------------- */

static uint64_t word;
static struct tail_share share[TAIL_SHARES];
static struct tail_spans spans;
static size_t n;

static const struct place place = { .at = 3 };

/* A packet enters, to be received and sent. */
static void enters(void)
{
	entry_of(&place)->in = entry_of(&place)->out = word = STATE(NETCOST_IN_RECEIVED) |
							      NETCOST_WORD_NS(shim_now);
}

/* The packet passes a step; before: number of packets ahead of it in the queue. */
static void passes_step(uint32_t step, uint32_t before)
{
	tail_pass(&state[shim_cpu], &place, step, word, shim_now, before);
}

static void is_queued(void)
{
	passes_step(NETCOST_TAIL_QUEUED, 0);
}

static void comes_to(enum netcost_latency hook)
{
	const struct netcost_exemplar *x = &shim_exemplars[netcost_exemplar(hook, 1, shim_cpu)];
	uint64_t ns = 0, spanned_ns[TAIL_SHARES] = { 0 };

	shim_pid = 7;
	strcpy(shim_name, "reader");
	tail_slowest(hook, word, shim_now, 3, tick);
	n = tail_shares(x, hook, share, &spans);
	for (size_t i = 0; i < n; i++)
		ns += share[i].ns;
	CU_ASSERT(spans.n <= TAIL_SPANS);
	for (size_t i = 0; i < spans.n; i++) {
		CU_ASSERT_FATAL(spans.share[i] < n);
		spanned_ns[spans.share[i]] += spans.ns[i];
	}
	for (size_t i = 0; i < n && spans.n < TAIL_SPANS; i++)
		CU_ASSERT_EQUAL(spanned_ns[i], share[i].ns);
	CU_ASSERT_EQUAL(ns, x->to_ns - x->from_ns);
	CU_ASSERT_EQUAL(x->to_ns - x->from_ns, NETCOST_WORD_NS(shim_now - word));
	CU_ASSERT_EQUAL(x->busy, 0);
	CU_ASSERT_EQUAL(x->tick, 1);
}

static uint64_t us_of(enum netcost_culprit what, bool of_reader, uint64_t number, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (share[i].what == what && share[i].reader == of_reader &&
		    share[i].number == number && !strcmp(share[i].name, name))
			return share[i].ns / US;
	return 0;
}

static uint64_t plain(enum netcost_culprit what, bool of_reader)
{
	return us_of(what, of_reader, TRACE_NIL, "");
}

/* Returns whether the i-th span from the end has this state and duration. */
static bool was(size_t i, enum netcost_culprit what, uint64_t us)
{
	return i < spans.n && share[spans.share[i]].what == what && spans.ns[i] == us * US;
}

/* ---- tests ------------------------------------------------------------------------------- */

/* Tests an interrupt during a softirq that wakes the packet's reader. */
static void test_softirq(void)
{
	begin();
	sleeps(&idle, &hog);
	enters();
	later(10);
	path_softirq_entry(RX);
	later(50);
	path_irq_handler_entry(24);
	later(5);
	path_irq_handler_exit(24);
	later(100);
	comes_to(NETCOST_LATENCY_UDP_ENQUEUED);
	CU_ASSERT_EQUAL(n, 3);
	CU_ASSERT_EQUAL(share[0].what, NETCOST_CULPRIT_SOFTIRQ);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_SOFTIRQ, false, RX, ""), 150);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_INTERRUPT, false, 24, ""), 5);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_TASK, false, FIFO, "hog"), 10);
	CU_ASSERT_EQUAL(spans.n, 4);
	CU_ASSERT(was(0, NETCOST_CULPRIT_SOFTIRQ, 100) && was(1, NETCOST_CULPRIT_INTERRUPT, 5));
	CU_ASSERT(was(2, NETCOST_CULPRIT_SOFTIRQ, 50) && was(3, NETCOST_CULPRIT_TASK, 10));
}

/* Tests a packet that is queued on one CPU while its reader waits for another task on the other CPU. */
static void test_hog(void)
{
	begin();
	shim_cpu = 1;
	sleeps(&reader, &hog);
	shim_cpu = 0;
	sleeps(&idle, &hog);
	path_softirq_entry(RX);
	enters();
	later(30);
	is_queued();
	path_sched_waking(&reader);
	path_softirq_exit(RX);
	for (int i = 0; i < 300; i++) { /* later events do not matter to the packet */
		later(1);
		path_softirq_entry(RX);
	}
	shim_cpu = 1;
	later(2700);
	is_preempted(&hog, &reader);
	later(20);
	comes_to(HOOK);
	CU_ASSERT_EQUAL(n, 3);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_SOFTIRQ, false, RX, ""), 30);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_TASK, true, FIFO, "hog"), 3000);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_READER, true), 20);
	CU_ASSERT(was(0, NETCOST_CULPRIT_READER, 20) && was(1, NETCOST_CULPRIT_TASK, 3000));
	CU_ASSERT(was(2, NETCOST_CULPRIT_SOFTIRQ, 30) && spans.n == 3);
}

/* Tests a reader that had other work, slept, was runnable, was preempted, and ran. */
static void test_late(void)
{
	begin();
	sleeps(&idle, &reader);
	enters();
	is_queued();
	later(40);
	sleeps(&reader, &idle);
	later(5000);
	path_sched_waking(&reader);
	later(60);
	sleeps(&idle, &reader);
	later(7);
	is_preempted(&reader, &hog);
	later(80);
	is_preempted(&hog, &reader);
	later(1);
	comes_to(HOOK);
	CU_ASSERT_EQUAL(n, 4);
	CU_ASSERT_EQUAL(share[0].what, NETCOST_CULPRIT_LATE);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_LATE, true), 5000);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_WAKE, true), 60);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_READER, true), 48);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_TASK, true, FIFO, "hog"), 80);
	CU_ASSERT_EQUAL(spans.n, 6);
	CU_ASSERT(was(0, NETCOST_CULPRIT_READER, 1) && was(3, NETCOST_CULPRIT_WAKE, 60));
	CU_ASSERT(was(4, NETCOST_CULPRIT_LATE, 5000) && was(5, NETCOST_CULPRIT_READER, 40));
}

/* Tests a wakeup at an unknown time. The reason why the reader slept is unknown, too. */
static void test_not_told(void)
{
	begin();
	sleeps(&reader, &idle);
	enters();
	later(500);
	path_sched_waking(&reader);
	later(10);
	sleeps(&idle, &reader);
	comes_to(HOOK);
	CU_ASSERT_EQUAL(n, 2);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_UNKNOWN, true), 500);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_WAKE, true), 10);
}

/* Tests timers with interrupts disabled. A timer was due, and ran when interrupts were enabled again. The span does
 * not begin before the previous timer ran. */
static void test_masked(void)
{
	struct hrtimer_clock_base base = { .index = HRTIMER_BASE_MONOTONIC },
				  other = { .index = 1 };
	struct hrtimer timer = { .base = &base }, real = { .base = &other };

	begin();
	sleeps(&reader, &idle);
	enters();
	is_queued();
	path_sched_waking(&reader);
	sleeps(&idle, &reader);
	later(300);
	timer.node.expires = (int64_t)shim_now;
	path_hrtimer_expire_entry(&timer); /* the timer is in time */
	timer.node.expires = (int64_t)(shim_now - 200 * US);
	later(5000);
	path_hrtimer_expire_entry(&timer);
	path_hrtimer_expire_entry(&real);
	later(10);
	comes_to(HOOK);
	CU_ASSERT_EQUAL(n, 2);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_MASKED, true), 5000);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_READER, true), 310);
}

/* Tests more changes than are kept, and time before the first change. */
static void test_unknown(void)
{
	begin();
	enters();
	later(100);
	for (int i = 0; i < 200; i++) {
		path_softirq_entry(RX);
		later(1);
		path_softirq_exit(RX);
		later(1);
	}
	comes_to(NETCOST_LATENCY_RECEIVE);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_SOFTIRQ, false, RX, ""), NETCOST_TAIL_EDGES / 2);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_UNKNOWN, false), 500 - NETCOST_TAIL_EDGES / 2);
	CU_ASSERT_EQUAL(spans.n, TAIL_SPANS);
	begin();
	later(100);
	enters();
	later(9);
	comes_to(NETCOST_LATENCY_RECEIVE);
	CU_ASSERT_EQUAL(n, 1);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_UNKNOWN, false), 9);
}

/* Tests that the slower packet stays if two CPUs or two packets share a slot. */
static void test_slowest(void)
{
	const struct netcost_exemplar *x = &shim_exemplars[netcost_exemplar(HOOK, 1, 0)];

	begin();
	enters();
	later(100);
	comes_to(HOOK);
	enters();
	later(99);
	tail_slowest(HOOK, word, shim_now, 3, tick);
	CU_ASSERT_EQUAL(x->to_ns - x->from_ns, 100 * US);
	tail_slowest(HOOK, word, shim_now + 50 * US, NETCOST_PLACES, tick);
	/* the packet's reader is not the running task */
	CU_ASSERT_EQUAL(x->to_ns - x->from_ns, 100 * US);
	later(50);
	comes_to(HOOK);
	CU_ASSERT_EQUAL(x->to_ns - x->from_ns, 149 * US);
}

/* Tests more tasks than there are rows. */
static void test_many(void)
{
	struct task_struct task = { .pid = 100 };

	begin();
	enters();
	for (int i = 0; i < 100; i++) {
		task.pid++;
		snprintf(task.comm, sizeof(task.comm), "task %u", (uint8_t)i);
		is_preempted(&hog, &task);
		later(1);
	}
	comes_to(NETCOST_LATENCY_RECEIVE);
	CU_ASSERT(n < TAIL_SHARES);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_UNKNOWN, false), 100 - (n - 1));
}

/* ---- queues ------------------------------------------------------------------------------ */

static struct sock sk;

/* Tests a reader that takes the packets ahead of this packet, and also sleeps in between. */
static void test_socket_queue(void)
{
	begin();
	sleeps(&idle, &reader);
	enters();
	later(5);
	passes_step(NETCOST_TAIL_QUEUED, 7);
	later(100);
	tail_read(&state[0], &sk, shim_now);
	sleeps(&reader, &idle);
	later(30);
	path_sched_waking(&reader);
	sleeps(&idle, &reader);
	later(200);
	tail_read(&state[0], &sk, shim_now); /* reads the last packet ahead of it */
	later(40);
	tail_read(&state[0], &sk, shim_now);
	comes_to(HOOK);
	CU_ASSERT_EQUAL(shim_exemplars[netcost_exemplar(HOOK, 1, 0)].before, 7);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_QUEUE, true, NETCOST_QUEUE_SOCKET, ""), 300);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_READER, true), 40);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_LATE, true), 30);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_TASK, false, 0, "reader"), 5);
	CU_ASSERT_EQUAL(n, 4);
}

/* Receives packets. If `others`, other packets are received first, and then the softirq processes this packet. */
static void received(bool others)
{
	begin();
	sleeps(&idle, &hog);
	path_softirq_entry(RX);
	enters();
	later(50);
	if (others)
		state[0].received_ns = shim_now;
	later(20);
	tail_receive(&state[0], &place, word, shim_now);
	later(10);
	passes_step(NETCOST_TAIL_IP, NETCOST_NOT_COUNTED);
	later(1);
	passes_step(NETCOST_TAIL_PROTOCOL, NETCOST_NOT_COUNTED);
	later(1);
	is_queued();
	comes_to(NETCOST_LATENCY_UDP_ENQUEUED);
}

static void test_backlog(void)
{
	const struct netcost_exemplar *x =
		&shim_exemplars[netcost_exemplar(NETCOST_LATENCY_UDP_ENQUEUED, 1, 0)];

	received(true);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_QUEUE, false, NETCOST_QUEUE_BACKLOG, ""), 70);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_SOFTIRQ, false, RX, ""), 12);
	CU_ASSERT(was(0, NETCOST_CULPRIT_SOFTIRQ, 12) && was(1, NETCOST_CULPRIT_QUEUE, 70));
	CU_ASSERT_EQUAL(x->passed_ns[NETCOST_TAIL_RECEIVED], start + 70 * US);
	CU_ASSERT_EQUAL(x->passed_ns[NETCOST_TAIL_IP], start + 80 * US);
	CU_ASSERT_EQUAL(x->passed_ns[NETCOST_TAIL_PROTOCOL], start + 81 * US);
	CU_ASSERT_EQUAL(x->passed_ns[NETCOST_TAIL_QUEUED], 0); /* the packet is at this step now */
	CU_ASSERT_EQUAL(x->before, NETCOST_NOT_COUNTED);
	received(false);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_SOFTIRQ, false, RX, ""), 82);
	CU_ASSERT_EQUAL(n, 1);
	entry_of(&place)->in = STATE(NETCOST_IN_RECEIVED) | NETCOST_WORD_NS(start);
	word = STATE(NETCOST_IN_RECEIVED) | (1ull << 63) | NETCOST_WORD_NS(start);
	later(1);
	comes_to(NETCOST_LATENCY_UDP_ENQUEUED);
	/* this time belongs to another packet */
	CU_ASSERT_EQUAL(x->passed_ns[NETCOST_TAIL_RECEIVED], 0);
	enters();
	tail_enter(&place);
	later(90);
	comes_to(NETCOST_LATENCY_UDP_ENQUEUED);
	/* this time is before the packet arrived */
	CU_ASSERT_EQUAL(x->passed_ns[NETCOST_TAIL_IP], 0);
}

/* Queues the packet to a device. The CPU's state does not matter, but packets ahead of it are sent first. */
static void queued(uint32_t flags, uint32_t before)
{
	struct Qdisc q = { .flags = flags, .q = { .qlen = before } };
	struct netdev_queue queues[2] = { { 0 }, { .qdisc = &q } };
	struct net_device dev = { ._tx = queues };
	struct sk_buff skb = { .dev = &dev, .queue_mapping = 1 };

	begin();
	sleeps(&hog, &idle);
	path_cpu_idle(1);
	enters();
	tail_sent(&skb, &place);
	later(200);
	tail_send(&state[0], &skb, &place, shim_now); /* sends another packet */
	later(20);
	tail_send(&state[0], &skb, &place, shim_now);
	comes_to(NETCOST_LATENCY_QDISC);
}

static void test_qdisc(void)
{
	const struct netcost_exemplar *x =
		&shim_exemplars[netcost_exemplar(NETCOST_LATENCY_QDISC, 1, 0)];

	queued(0, 9);
	CU_ASSERT_EQUAL(x->before, 9);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_QUEUE, false, NETCOST_QUEUE_QDISC, ""), 200);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_IDLE, false), 20);
	queued(TCQ_F_NOLOCK, 9);
	CU_ASSERT_EQUAL(x->before, NETCOST_NOT_COUNTED);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_QUEUE, false, NETCOST_QUEUE_QDISC, ""), 200);
	queued(0, 0);
	CU_ASSERT_EQUAL(x->before, 0);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_IDLE, false), 220);
}

/* ---- idle CPUs --------------------------------------------------------------------------- */

/* Tests a CPU that slept when the packet arrived. Idle time after the CPU's wakeup does not count as sleep of the
 * CPU. */
static void test_wakes(void)
{
	begin();
	path_cpu_idle(2);
	later(1000);
	enters();
	later(150);
	path_cpu_idle(~0u);
	later(10);
	path_softirq_entry(RX);
	later(5);
	path_softirq_exit(RX);
	later(7);
	comes_to(NETCOST_LATENCY_UDP_ENQUEUED);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_WAKE, false, 2, ""), 160);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_SOFTIRQ, false, RX, ""), 5);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_IDLE, false), 7);
	CU_ASSERT_EQUAL(n, 3);
}

/* Tests a runnable reader on a CPU that still sleeps, so that a timer is late. */
static void test_reader_wakes(void)
{
	struct hrtimer_clock_base base = { .index = HRTIMER_BASE_MONOTONIC };
	struct hrtimer timer = { .base = &base };

	begin();
	sleeps(&reader, &idle);
	path_cpu_idle(1);
	later(50);
	enters();
	is_queued();
	path_sched_waking(&reader);
	timer.node.expires = (int64_t)shim_now;
	later(2000);
	path_hrtimer_expire_entry(&timer);
	path_cpu_idle(~0u);
	later(8);
	sleeps(&idle, &reader);
	later(2);
	comes_to(HOOK);
	CU_ASSERT_EQUAL(us_of(NETCOST_CULPRIT_WAKE, true, 1, ""), 2008);
	CU_ASSERT_EQUAL(plain(NETCOST_CULPRIT_READER, true), 2);
	CU_ASSERT_EQUAL(n, 2);
}

static const struct unit_test tests[] = {
	{ "socket_queue", test_socket_queue },
	{ "backlog", test_backlog },
	{ "qdisc", test_qdisc },
	{ "wakes", test_wakes },
	{ "reader_wakes", test_reader_wakes },
	{ "softirq", test_softirq },
	{ "hog", test_hog },
	{ "late", test_late },
	{ "not_told", test_not_told },
	{ "masked", test_masked },
	{ "unknown", test_unknown },
	{ "slowest", test_slowest },
	{ "many", test_many },
};

int main(void)
{
	return unit_main("tail_programs", tests, sizeof(tests) / sizeof(tests[0]));
}
