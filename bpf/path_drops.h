/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* path_drops.h: counts dropped packets by drop reason. */
#ifndef NETCOST_PATH_DROPS_H
#define NETCOST_PATH_DROPS_H

#include "kernel_types.h"

#include <bpf/bpf_helpers.h>

#include "drops.h"

/*
 * The recorder sets max_entries to the number of possible CPUs before loading. The recorder maps this map into its
 * memory, so that reading it costs no system call.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_drops);
} drops SEC(".maps");

/*
 * Counts a dropped packet. The kernel never runs a tracepoint's program recursively on one CPU, so nothing else writes
 * these counters at the same time.
 */
static __always_inline void count_drop(__u32 reason)
{
	__u32 cpu = bpf_get_smp_processor_id(), place = netcost_drop_place(reason);
	struct netcost_drops *d = bpf_map_lookup_elem(&drops, &cpu);

	/* keeps the mask below, which the compiler would remove as redundant but the verifier (6.1) needs */
	barrier_var(place);
	if (d)
		d->count[place & (NETCOST_DROP_PLACES - 1)]++;
}

#endif
