/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * cpu.h: the state of each CPU, and the way in which programs publish changes of the state. struct netcost_cpu in
 * wire.h explains which code may interrupt which.
 */
#ifndef NETCOST_CPU_H
#define NETCOST_CPU_H

#include "kernel_types.h"

#include <bpf/bpf_helpers.h>

#include "wire.h"

/* Moves unlikely code out of the hot path. */
#define SELDOM(condition) __builtin_expect(!!(condition), 0)

/*
 * The recorder sets max_entries to the number of possible CPUs before loading. The recorder maps this map into its
 * memory, so that reading it costs no system call.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_cpu);
} cpus SEC(".maps");

/*
 * Encloses each change of the state together with the clock reading that belongs to the change. A reader may come
 * between the change and the clock reading. Without the sequence number, this reader could count the same time twice:
 * for one event now, and for another event at its next reading.
 */
#define PUBLISH(seq) PUBLISH_AS(seq, (seq) + 1)

/* Publishes with a sequence number that the caller knows, so that the counter need not be read. */
#define PUBLISH_AS(seq, value)                                                                     \
	do {                                                                                       \
		barrier();                                                                         \
		*(volatile __u64 *)&(seq) = (value);                                               \
		barrier();                                                                         \
	} while (0)

static __always_inline struct netcost_cpu *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&cpus, &cpu);
}

/* Returns the event to which the running task's time is charged now. */
static __always_inline __u64 task_event(const struct netcost_cpu *c)
{
	__u64 base = c->seg_base;

	if (c->mark)
		return NETCOST_MARK_EVENT(c->mark);
	/* each other base has the number of its event */
	return base == NETCOST_BASE_NAPI ? NETCOST_EV_RX_THREAD : base;
}

static __always_inline __u64 event_now(const struct netcost_cpu *c)
{
	return c->softirq_start ? c->softirq_event : task_event(c);
}

/* Counts one run of a program. Runs are counted by class and by the event to which their time is charged. */
static __always_inline void count_run(struct netcost_cpu *c, enum netcost_probe probe, __u64 event)
{
	c->runs_of[probe][event & (NETCOST_RUN_EVENTS - 1)]++;
}

#endif
