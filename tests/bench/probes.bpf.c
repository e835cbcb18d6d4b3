// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * An empty program of each probe type, attached where a packet is received. They measure the cost
 * of calling a program there.
 */
#include "bpf/kernel_types.h"

#include <bpf/bpf_helpers.h>

#define EMPTY(type, section)                                                                       \
	SEC(section) int type(void *ctx)                                                           \
	{                                                                                          \
		return 0;                                                                          \
	}

EMPTY(kprobe, "kprobe/ip_rcv")
EMPTY(kretprobe, "kretprobe/ip_rcv")
EMPTY(fentry, "fentry/ip_rcv")
EMPTY(fexit, "fexit/ip_rcv")
EMPTY(tracepoint, "tp/net/netif_receive_skb")
EMPTY(raw_tp, "raw_tp/netif_receive_skb")
EMPTY(tp_btf, "tp_btf/netif_receive_skb")

char LICENSE[] SEC("license") = "Dual BSD/GPL";
