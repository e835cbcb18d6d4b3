/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* latency_tcp.h: what TCP says of a packet, and when it told a reader of it. */
#ifndef NETCOST_LATENCY_TCP_H
#define NETCOST_LATENCY_TCP_H

#include "latency_places.h"

/* struct tcp_skb_cb begins with the sequence numbers of a packet's beginning and end. */
static __always_inline __u32 tcp_begin(const struct sk_buff *skb)
{
	return ((const __u32 *)skb->cb)[0];
}

static __always_inline __u32 tcp_end(const struct sk_buff *skb)
{
	return ((const __u32 *)skb->cb)[1];
}

/* The first byte that is not there yet: what begins after it has to wait. */
static __always_inline __u32 tcp_next(const struct sock *sk)
{
	const struct tcp_sock *tcp = (const struct tcp_sock *)sk;

	if (tcp_sock_type)
		return ((struct tcp_sock *)kernel_cast(sk, tcp_sock_type))->rcv_nxt;
	return BPF_CORE_READ(tcp, rcv_nxt);
}

/* The first byte that was not read yet. */
static __always_inline __u32 tcp_copied(const struct sock *sk)
{
	const struct tcp_sock *tcp = (const struct tcp_sock *)sk;

	if (tcp_sock_type)
		return ((struct tcp_sock *)kernel_cast(sk, tcp_sock_type))->copied_seq;
	return BPF_CORE_READ(tcp, copied_seq);
}

/*
 * In the same call, most of the time: otherwise the packet was one that is not told of. If the last one in the queue is
 * another one, and ends where this one did, it has taken this one in.
 */
static __always_inline void tcp_ready(struct netcost_latencies *c, const struct sock *sk)
{
	const struct sk_buff *last = sk->sk_receive_queue.prev;
	__u64 had = c->tcp_word, now;
	struct whose w;
	bool merged;

	if (c->tcp_sk != (__u64)sk)
		return;
	c->tcp_sk = 0;
	w = whose_socket(sk, (__u32)c->tcp_iif, 0);
	merged = (__u64)last != c->tcp_packet && (__u64)last != (__u64)&sk->sk_receive_queue &&
		 tcp_end(last) == (__u32)c->tcp_end;
	if (merged)
		lose(c, NETCOST_LATENCY_TCP_READ, &w, NETCOST_LATENCY_LOSS_MERGED);
	if (!had)
		return lose(c, NETCOST_LATENCY_TCP_ENQUEUED, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
	now = bpf_ktime_get_ns();
	if (TAIL_IS_ON)
		tail_pass(c, place_at(c->tcp_packet).at, NETCOST_TAIL_QUEUED,
			  NETCOST_LATENCY_TCP_ENQUEUED, had, now,
			  merged || (__u64)last == c->tcp_packet ? sk->sk_receive_queue.qlen - 1 :
								   NETCOST_NOT_COUNTED);
	count(c, NETCOST_LATENCY_TCP_ENQUEUED, &w, had, now);
}

#endif
