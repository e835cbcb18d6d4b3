// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Counts dropped packets by drop reason if path.bpf.c is not loaded, which otherwise counts them. This is a raw
 * tracepoint and not a BTF one: it needs none of the kernel's types, whose parsing is slow in libbpf.
 */
#include "path_drops.h"

/* Arguments: the skb, the location of the drop, the drop reason (Linux 5.17). */
SEC("raw_tp/kfree_skb")
int kfree_skb(const __u64 *args)
{
	count_drop((__u32)args[2]);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
