/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * cpu.h: the CPUs' states, and how a change of one is published. Who may interrupt whom is
 * argued at struct netcost_cpu in wire.h.
 */
#ifndef NETCOST_CPU_H
#define NETCOST_CPU_H

#include "kernel_types.h"

#include <bpf/bpf_helpers.h>

#include "wire.h"

/* Where such code goes is out of the way of the rest. */
#define SELDOM(condition) __builtin_expect(!!(condition), 0)

/* max_entries is set to the possible CPUs before loading. Mapped: reading it costs no system call. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_cpu);
} cpus SEC(".maps");

/*
 * Around each change, including the reading of the clock: otherwise a reader that comes between the two
 * sees time on one event that the next reading has on another.
 */
#define PUBLISH(seq) PUBLISH_AS(seq, (seq) + 1)

/* Where the new value is known: then the counter need not be read. */
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

/* What the running task's time is now counted as. */
static __always_inline __u64 task_event(const struct netcost_cpu *c)
{
	__u64 base = c->seg_base;

	if (c->mark)
		return NETCOST_MARK_EVENT(c->mark);
	return base == NETCOST_BASE_NAPI ? NETCOST_EV_RX_THREAD : base; /* the others' are equal */
}

static __always_inline __u64 event_now(const struct netcost_cpu *c)
{
	return c->softirq_start ? c->softirq_event : task_event(c);
}

/* A class of programs ran, and its time is that event's. */
static __always_inline void count_run(struct netcost_cpu *c, enum netcost_probe probe, __u64 event)
{
	c->runs_of[probe][event & (NETCOST_RUN_EVENTS - 1)]++;
}

#endif
