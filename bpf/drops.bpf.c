// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Counts dropped packets by drop reason if path.bpf.c, which also counts drops, is not loaded. The program uses a raw
 * tracepoint and not a BTF tracepoint, because a raw tracepoint needs none of the kernel's types, which libbpf parses
 * slowly.
 */
#include "path_drops.h"

/* Counts a drop. The arguments are the skb, the location of the drop and, since Linux 5.17, the drop reason. */
SEC("raw_tp/kfree_skb")
int kfree_skb(const __u64 *args)
{
	count_drop((__u32)args[2]);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
