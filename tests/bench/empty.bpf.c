// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Programs that do nothing, or only read the clock. Their cost is the part of a program's cost that
 * the machine causes.
 */
#include "bpf/kernel_types.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

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

/*
 * Programs at the tracepoints where --owners has programs for each packet. They measure the cost of
 * calling a program there.
 */
#define IDLE(tracepoint)                                                                           \
	SEC("tp_btf/" #tracepoint) int idle_##tracepoint(void *ctx)                                \
	{                                                                                          \
		return 0;                                                                          \
	}

IDLE(netif_receive_skb)
IDLE(sk_data_ready)
IDLE(napi_poll)
IDLE(net_dev_queue)

/*
 * Calls only the kernel functions that the program of --latency needs at this tracepoint. Its cost
 * is the minimum cost of that program.
 */
struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} calls SEC(".maps");

static __always_inline int storage_and_clock(struct sock *sk)
{
	__u64 *of_socket = bpf_sk_storage_get(&calls, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (of_socket)
		*of_socket = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sk_data_ready") int BPF_PROG(calls_sk_data_ready, struct sock *sk)
{
	return storage_and_clock(sk);
}

SEC("tp_btf/sock_recv_length") int BPF_PROG(calls_sock_recv_length, struct sock *sk)
{
	return storage_and_clock(sk);
}

SEC("tp_btf/net_dev_queue") int calls_net_dev_queue(void *ctx)
{
	bpf_get_current_task();
	bpf_ktime_get_ns();
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
