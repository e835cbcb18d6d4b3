// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/* Programs that do nothing, and that do nothing but read the clock, beside ours: what is the machine's. */
#include "bpf/kernel_types.h"

#include <bpf/bpf_helpers.h>

#define PAIR(tracepoint)                                                                           \
	SEC("tp_btf/" #tracepoint) int empty_##tracepoint(void *ctx)                               \
	{                                                                                          \
		return 0;                                                                          \
	}                                                                                          \
	SEC("tp_btf/" #tracepoint) int clock_##tracepoint(void *ctx)                               \
	{                                                                                          \
		bpf_ktime_get_ns();                                                                \
		return 0;                                                                          \
	}

PAIR(sched_switch)
PAIR(softirq_entry)
PAIR(softirq_exit)

/* Where --owners has programs for each packet: what it costs to come there, and back. */
#define IDLE(tracepoint)                                                                           \
	SEC("tp_btf/" #tracepoint) int idle_##tracepoint(void *ctx)                                \
	{                                                                                          \
		return 0;                                                                          \
	}

IDLE(netif_receive_skb)
IDLE(sk_data_ready)
IDLE(napi_poll)
IDLE(net_dev_queue)

char LICENSE[] SEC("license") = "Dual BSD/GPL";
