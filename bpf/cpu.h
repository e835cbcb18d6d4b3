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

#endif
