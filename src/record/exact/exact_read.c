// SPDX-License-Identifier: BSD-2-Clause
/* Reads the CPUs' states while the programs run. */
#include "exact_impl.h"

#include <string.h>
#include <unistd.h>

#include "bpf/wire.h"

#include "owners.h"
#include "processes.h"
#include "record/base/clock.h"

/*
 * Number of tries before the thread sleeps for a moment. A program takes less than a microsecond, but a softirq may
 * interrupt it for longer. A hypervisor may also stop the program's CPU in the middle of the program while this CPU
 * runs.
 */
#define READ_TRIES 500
#define READ_PAUSES 2000
#define READ_PAUSE_US 100
#define SETTLE_NS 500 /* time until other CPUs see a store: see try_copy() */

struct sequences {
	uint64_t hardirq, softirq, change, op;
};

static struct sequences sequences(const volatile struct netcost_cpu *c)
{
	struct sequences s = { c->hardirq_seq, c->softirq_seq, c->switch_seq, c->op_seq };

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return s;
}

/*
 * Copies the state once; returns false if it changed. The clock is read before the copy is made, so operations in
 * progress in the copy were in progress at `now`. A program stores an odd sequence number before it reads the clock,
 * but other CPUs may see that store later, because a CPU keeps its last stores in a buffer. (Measured: up to 131 ns
 * later, on an AMD EPYC; 90 ns once in 200 000 readings with a wait of 100 ns.) Because of this delay, the sequences
 * are compared SETTLE_NS after `now`. Then every program that read its clock before `now` is seen.
 */
static bool try_copy(const struct netcost_cpu *c, struct netcost_cpu *copy, uint64_t *now)
{
	struct sequences before = sequences(c), after;

	if ((before.hardirq | before.softirq | before.change | before.op) & 1)
		return false;
	*now = now_ns();
	memcpy(copy, (const void *)c, sizeof(*copy));
	while (now_ns() < *now + SETTLE_NS)
		;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	after = sequences(c);
	return before.hardirq == after.hardirq && before.softirq == after.softirq &&
	       before.change == after.change && before.op == after.op &&
	       copy->mark == *(const volatile __u64 *)&c->mark;
}

bool exact_copy(const struct exact *e, unsigned int cpu, struct netcost_cpu *copy, uint64_t *now)
{
	for (int pause = 0; pause < READ_PAUSES; pause++) {
		for (int i = 0; i < READ_TRIES; i++)
			if (try_copy(&e->cpu[cpu], copy, now))
				return true;
		usleep(READ_PAUSE_US);
	}
	return false;
}

/* Subtracts the operations that were counted before the recording began, including those of the self-test. */
static void subtract(struct netcost_cpu *c, const struct netcost_cpu *at_begin)
{
	const size_t first = offsetof(struct netcost_cpu, op_ns) / sizeof(__u64);
	const size_t end = offsetof(struct netcost_cpu, stages) / sizeof(__u64);
	const __u64 *before = (const __u64 *)at_begin;
	__u64 *count = (__u64 *)c;

	for (size_t i = first; i < end; i++)
		count[i] -= before[i];
	c->stages.missed -= at_begin->stages.missed;
}

bool exact_look(struct exact *e)
{
	bool stopped = false;

	for (unsigned int cpu = 0; cpu < e->ncpus; cpu++) {
		e->past[cpu].looked = *(const volatile __u64 *)&e->cpu[cpu].switch_seq;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		stopped |= *(const volatile __u64 *)&e->cpu[cpu].seg_stopper != 0;
	}
	return stopped;
}

static bool is_offline(const struct exact *e, unsigned int cpu, const struct netcost_cpu *copy,
		       bool seems)
{
	return seems && copy->switch_seq == e->past[cpu].looked;
}

void exact_read(struct exact *e, unsigned int cpu, bool offline, struct exact_reading *r)
{
	struct netcost_cpu copy;
	uint64_t now = 0;

	*r = (struct exact_reading){ 0 };
	if (cpu >= e->ncpus)
		return;
	r->torn = !exact_copy(e, cpu, &copy, &now);
	if (e->processes) { /* the rows have counted since everything was attached */
		exact_derive(&copy, &e->past[cpu], is_offline(e, cpu, &copy, offline), now, r);
		processes_read(e->processes, cpu, &copy, r);
		if (e->owners)
			owners_read(e->owners, cpu, &copy, r);
	}
	subtract(&copy, &e->at_begin[cpu]);
	exact_derive(&copy, &e->past[cpu], is_offline(e, cpu, &copy, offline), now, r);
	exact_hold(&e->past[cpu], r);
	exact_go_on(&e->gap[cpu], r);
	if (r->at_ns)
		e->last[cpu] = *r;
}

static uint64_t all_events(const uint64_t runs[NETCOST_EV_COUNT])
{
	uint64_t sum = 0;

	for (int event = 0; event < NETCOST_EV_COUNT; event++)
		sum += runs[event];
	return sum;
}

/* This function does not wait for consistent states, because an error of one run does not matter. */
void exact_class_runs(const struct exact *e, uint64_t runs[NETCOST_PROBE_COUNT])
{
	for (int p = 0; p < NETCOST_PROBE_COUNT; p++) {
		runs[p] = 0;
		for (unsigned int cpu = 0; cpu < e->ncpus; cpu++) {
			const struct netcost_cpu *c = &e->cpu[cpu];

			for (int event = 0; event < NETCOST_EV_COUNT; event++)
				runs[p] +=
					c->runs_of[p][event] - e->at_begin[cpu].runs_of[p][event];
			runs[p] += all_events(e->gap[cpu].before.runs_of[p]);
		}
	}
}
