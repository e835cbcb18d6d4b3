// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Counts dropped packets by reason where packets are not followed: otherwise path.bpf.c does. A raw tracepoint, not one by
 * BTF: it needs nothing of the kernel's types, which take libbpf long to read.
 */
#include "path_drops.h"

/* Arguments: the packet, where it was dropped, the reason (Linux 5.17). */
SEC("raw_tp/kfree_skb")
int kfree_skb(const __u64 *args)
{
	count_drop((__u32)args[2]);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
