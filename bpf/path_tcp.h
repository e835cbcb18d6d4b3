/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * path_tcp.h: identifies three packets of a TCP socket: the received packet, the packet for which TCP woke a reader,
 * and the packet that was read.
 */
#ifndef NETCOST_PATH_TCP_H
#define NETCOST_PATH_TCP_H

#include "path_count.h"
#include "path_sample.h"

/*
 * Returns the sequence number of a packet's first byte. struct tcp_skb_cb begins with this number, and the sequence
 * number of the packet's end follows.
 */
static __always_inline __u32 tcp_begin(const struct sk_buff *skb)
{
	return ((const __u32 *)skb->cb)[0];
}

static __always_inline __u32 tcp_end(const struct sk_buff *skb)
{
	return ((const __u32 *)skb->cb)[1];
}

/* Returns the sequence number of the first missing byte. Packets that begin after this byte are blocked. */
static __always_inline __u32 tcp_next(const struct sock *sk)
{
	const struct tcp_sock *tcp = (const struct tcp_sock *)sk;

	if (tcp_sock_type)
		return ((struct tcp_sock *)kernel_cast(sk, tcp_sock_type))->rcv_nxt;
	return BPF_CORE_READ(tcp, rcv_nxt);
}

/* Returns the sequence number of the first unread byte. */
static __always_inline __u32 tcp_copied(const struct sock *sk)
{
	const struct tcp_sock *tcp = (const struct tcp_sock *)sk;

	if (tcp_sock_type)
		return ((struct tcp_sock *)kernel_cast(sk, tcp_sock_type))->copied_seq;
	return BPF_CORE_READ(tcp, copied_seq);
}

/* Notes the packet of an established connection that TCP processes. */
static __always_inline void tcp_has(struct netcost_path_cpu *c, const struct sock *sk,
				    const struct sk_buff *skb)
{
	struct place p = place_of(skb);
	struct netcost_packet *e = entry_of(&p);
	__u64 had = e->in, state = state_of(had, &p), now = time_now(c);
	bool same = is_received(state) && was_received(&c->batch, &p, skb->head);
	bool known = same && state == NETCOST_IN_RECEIVED;

	c->tcp_sk = 0; /* a softirq may interrupt this update */
	barrier();
	if (!tcp_start_by_function) {
		struct whose w = whose_socket(sk, (__u32)skb->skb_iif, 1);

		starts(c, &p, known ? had : 0, NETCOST_TAIL_PROTOCOL, NETCOST_LATENCY_TCP_START, &w,
		       now);
	}
	if (tcp_begin(skb) == tcp_end(skb)) {
		if (same)
			sample_end(c, &p, NETCOST_STAGE_NO_DATA, 0, 0);
		if (state)
			e->in = 0;
		return;
	}
	if (same) {
		bool blocked = (__s32)(tcp_begin(skb) - tcp_next(sk)) > 0;

		set_proof(&p, skb->head, tcp_where(sk, tcp_begin(skb)));
		e->in = with_state(had, !known	? NETCOST_IN_TCP_CLONED :
					blocked ? NETCOST_IN_BLOCKED :
						  NETCOST_IN_TCP);
		sample_step(c, &p, NETCOST_STAGE_TCP, 0);
	}
	c->tcp_word = known ? had : 0;
	c->tcp_number = same && with_sample ? e->number : 0;
	c->tcp_packet = (__u64)skb;
	if (needs_interface())
		c->tcp_iif = (__u32)skb->skb_iif;
	c->tcp_end = tcp_end(skb);
	barrier();
	c->tcp_sk = (__u64)sk;
}

/*
 * Counts the packet for which TCP wakes a reader. The packet is the one that tcp_has() noted for this socket. If
 * tcp_has() noted no packet, no event reported the packet. If the last packet in the queue is another packet with the
 * same end, TCP has merged the noted packet into the last packet, and frees the noted packet without an event.
 */
static __always_inline void tcp_ready(struct netcost_path_cpu *c, const struct sock *sk)
{
	const struct sk_buff *last = sk->sk_receive_queue.prev;
	bool queued, merged;
	struct whose w;
	struct place p;
	__u64 now;

	if (c->tcp_sk != (__u64)sk)
		return;
	c->tcp_sk = 0;
	now = time_now(c);
	p = place_at(c->tcp_packet);
	w = whose_socket(sk, (__u32)c->tcp_iif, 0);
	queued = (__u64)last == c->tcp_packet;
	merged = !queued && (__u64)last != (__u64)&sk->sk_receive_queue &&
		 tcp_end(last) == (__u32)c->tcp_end;
	if (merged)
		lose(c, NETCOST_LATENCY_TCP_READ, &w, NETCOST_LATENCY_LOSS_MERGED);
	if (with_sample && c->tcp_number && c->tcp_number == entry_of(&p)->number) {
		if (merged)
			sample_end(c, &p, NETCOST_STAGE_MERGED, 0, 0);
		else
			sample_step(c, &p, NETCOST_STAGE_SOCKET, 0);
	}
	if (!c->tcp_word)
		return lose(c, NETCOST_LATENCY_TCP_ENQUEUED, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
	tail_pass(c, &p, NETCOST_TAIL_QUEUED, c->tcp_word, now,
		  merged || queued ? sk->sk_receive_queue.qlen - 1 : NETCOST_NOT_COUNTED);
	count(c, NETCOST_LATENCY_TCP_ENQUEUED, &w, c->tcp_word, now);
}

/*
 * Returns true if the entry's packet is this packet in the queue of a TCP socket. A packet that arrived before the
 * connection was established, or after it was closed, has no sequence number in its entry.
 */
static __always_inline bool is_in_tcp(const struct sock *sk, const struct sk_buff *skb,
				      const struct place *p, __u64 state)
{
	return state && (is_received(state) ? has_head(p, skb->head) :
					      entry_of(p)->where == tcp_where(sk, tcp_begin(skb)));
}

/*
 * Counts a read of the first packet in the queue of a TCP socket. At least a part of the packet was read. A second read
 * of the same packet is not counted.
 */
static __always_inline void tcp_read(struct netcost_path_cpu *c, const struct sock *sk,
				     const struct sk_buff *skb)
{
	struct place p = place_of(skb);
	struct netcost_packet *e = entry_of(&p);
	__u64 had = e->in, state = state_of(had, &p), now;
	struct whose w;

	if (!is_in_tcp(sk, skb, &p, state))
		state = 0;
	if (state == NETCOST_IN_DONE)
		return;
	now = time_now(c);
	c->place = p.at;
	w = whose_reader(sk, (__u32)skb->skb_iif, 0);
	tail_read(c, sk, now);
	if (state == NETCOST_IN_TCP || state == NETCOST_IN_RECEIVED)
		count(c, NETCOST_LATENCY_TCP_READ, &w, had, now);
	else if (state == NETCOST_IN_BLOCKED)
		count(c, NETCOST_LATENCY_TCP_READ_BLOCKED, &w, had, now);
	else
		lose(c, NETCOST_LATENCY_TCP_READ, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
	if (is_received(state) || state == NETCOST_IN_TCP || state == NETCOST_IN_BLOCKED ||
	    state == NETCOST_IN_TCP_CLONED)
		sample_end(c, &p, NETCOST_STAGE_READ, 0, 0);
	set_proof(&p, skb->head, tcp_where(sk, tcp_begin(skb)));
	e->in = word_now(&p, NETCOST_IN_DONE, now);
}

#endif
