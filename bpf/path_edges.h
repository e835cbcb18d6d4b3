/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * path_edges.h: programs that trace what a CPU does (--tail), and the ring in which they store edges (changes of
 * activity). Without --tail none of them is loaded, and each map has one element.
 */
#ifndef NETCOST_PATH_EDGES_H
#define NETCOST_PATH_EDGES_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "tail.h"

/* The recorder sets max_entries before loading. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_edges);
} tail_edges SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} tail_runnable SEC(".maps");

/* Counts a run of a program that reports what a CPU does. The budget limits the cost of all runs. */
static __always_inline void edge_runs(void)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct netcost_path_cpu *c = bpf_map_lookup_elem(&path_cpus, &cpu);

	if (c)
		c->runs++;
}

static __always_inline struct netcost_edges *this_edges(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	edge_runs();
	return bpf_map_lookup_elem(&tail_edges, &cpu);
}

static __always_inline void edge_put(struct netcost_edges *e, __u64 at, __u64 now, __u64 since,
				     __u8 what)
{
	struct netcost_edge *to = &e->last[at & (NETCOST_EDGES - 1)];

	to->ns = now;
	to->since = since;
	to->name[0] = e->now.name[0];
	to->name[1] = e->now.name[1];
	to->task = e->now.task;
	to->irq = e->now.irq;
	to->softirq = e->now.softirq;
	to->flags = e->now.flags | what;
}

/* Adds an edge. Called with interrupts disabled, so nothing can interrupt the update. */
static __always_inline void edge_add(struct netcost_edges *e, __u64 now, __u64 since, __u8 what)
{
	__u64 at = e->n;

	e->n = at + 1;
	edge_put(e, at, now, since, what);
}

/*
 * Adds an edge in a softirq. An interrupt may occur during the update and add edges of its own. Each edge has its own
 * place, but the order of the edges may differ from the order of their times.
 */
static __always_inline void edge_add_softirq(struct netcost_edges *e, __u64 now)
{
	edge_put(e, __sync_fetch_and_add(&e->n, 1), now, 0, 0);
}

/* ---- tasks ------------------------------------------------------------------------------- */

static __always_inline void can_run(const struct task_struct *task, __u64 now)
{
	__u32 place = (__u32)task->pid & (NETCOST_RUNNABLES - 1);
	__u64 *word = bpf_map_lookup_elem(&tail_runnable, &place);

	if (word)
		*word = (__u64)task->pid << NETCOST_RUNNABLE_NS_BITS | (now & NETCOST_RUNNABLE_NS);
}

/* Returns the time since which the task has been runnable; 0 if it is unknown. */
static __always_inline __u64 could_run(const struct task_struct *task, __u64 now)
{
	__u32 place = (__u32)task->pid & (NETCOST_RUNNABLES - 1);
	__u64 *at = bpf_map_lookup_elem(&tail_runnable, &place), word = at ? *at : 0;

	if (!word || word >> NETCOST_RUNNABLE_NS_BITS != (__u32)task->pid)
		return 0;
	return now - ((now - word) & NETCOST_RUNNABLE_NS);
}

SEC("tp_btf/sched_waking")
int BPF_PROG(path_sched_waking, struct task_struct *task)
{
	edge_runs();
	can_run(task, bpf_ktime_get_ns());
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(path_sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct netcost_edges *e = this_edges();
	__u64 now = bpf_ktime_get_ns();

	if (!e)
		return 0;
	if (preempt || !prev->__state)
		can_run(prev, now);
	bpf_probe_read_kernel(e->now.name, sizeof(e->now.name), next->comm);
	e->now.task = (__u32)next->pid;
	e->now.flags = NETCOST_EDGE_KNOWN | (next->policy & NETCOST_EDGE_POLICY);
	edge_add(e, now, could_run(next, now), NETCOST_EDGE_SWITCHED);
	return 0;
}

/*
 * Records a change of the idle state. The current task is the idle task. `state` is the idle state of this CPU, or -1
 * (PWR_EVENT_EXIT) when the CPU leaves the idle state.
 */
SEC("tp_btf/cpu_idle")
int BPF_PROG(path_cpu_idle, unsigned int state)
{
	struct netcost_edges *e = this_edges();
	bool asleep = state != ~0u;

	if (!e)
		return 0;
	e->now.task = 0;
	e->now.name[0] = asleep ? state : 0;
	e->now.flags = NETCOST_EDGE_KNOWN | (asleep ? NETCOST_EDGE_ASLEEP : 0);
	edge_add(e, bpf_ktime_get_ns(), 0, 0);
	return 0;
}

/* ---- interrupts -------------------------------------------------------------------------- */

SEC("tp_btf/softirq_entry")
int BPF_PROG(path_softirq_entry, unsigned int vec)
{
	struct netcost_edges *e = this_edges();

	if (!e)
		return 0;
	e->now.softirq = (__u8)(vec + 1);
	edge_add_softirq(e, bpf_ktime_get_ns());
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(path_softirq_exit, unsigned int vec)
{
	struct netcost_edges *e = this_edges();

	if (!e)
		return 0;
	e->now.softirq = 0;
	edge_add_softirq(e, bpf_ktime_get_ns());
	return 0;
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(path_irq_handler_entry, int irq)
{
	struct netcost_edges *e = this_edges();

	if (!e)
		return 0;
	e->now.irq = irq < 0xffff ? (__u16)(irq + 1) : 0xffff;
	e->interrupted_ns = bpf_ktime_get_ns();
	edge_add(e, e->interrupted_ns, 0, 0);
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(path_irq_handler_exit, int irq)
{
	struct netcost_edges *e = this_edges();

	if (!e)
		return 0;
	e->now.irq = 0;
	edge_add(e, bpf_ktime_get_ns(), 0, 0);
	return 0;
}

/*
 * Records a delayed timer. No event reports that interrupts are disabled, but disabled interrupts delay the timers of
 * the tick and of the sampler. Timers that expire in a softirq, or that use another clock, are ignored. The delay does
 * not include time before the last interrupt, because interrupts were enabled when that interrupt ran.
 */
SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(path_hrtimer_expire_entry, struct hrtimer *timer)
{
	struct netcost_edges *e = this_edges();
	__u64 now = bpf_ktime_get_ns(), due = (__u64)timer->node.expires, before;

	if (!e)
		return 0;
	before = e->interrupted_ns;
	e->interrupted_ns = now;
	if (timer->base->index != HRTIMER_BASE_MONOTONIC || (__s64)(now - due) < NETCOST_LATE_NS)
		return 0;
	if (due < before)
		due = before;
	if (now - due >= NETCOST_LATE_NS)
		edge_add(e, now, due, NETCOST_EDGE_LATE);
	return 0;
}

#endif
