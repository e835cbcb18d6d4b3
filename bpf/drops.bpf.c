// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Counts dropped packets by reason. Runs at each drop, and only there. A raw tracepoint, not one by BTF: it needs
 * nothing of the kernel's types, which take libbpf long to read.
 */
#include "kernel_types.h"

#include <bpf/bpf_helpers.h>

#include "drops.h"

/* max_entries is set to the possible CPUs before loading. Mapped: reading it costs no system call. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_drops);
} drops SEC(".maps");

/*
 * Arguments: the packet, where it was dropped, the reason (Linux 5.17). The kernel never runs a program of a
 * tracepoint inside itself on the same CPU: so there is no other that counts here at the same time.
 */
SEC("raw_tp/kfree_skb")
int kfree_skb(const __u64 *args)
{
	__u32 cpu = bpf_get_smp_processor_id(), place = netcost_drop_place((__u32)args[2]);
	struct netcost_drops *d = bpf_map_lookup_elem(&drops, &cpu);

	/* The compiler knows that this changes nothing; the verifier (6.1) does not. */
	barrier_var(place);
	if (d)
		d->count[place & (NETCOST_DROP_PLACES - 1)]++;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
