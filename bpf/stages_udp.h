/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * stages_udp.h: which packet a reader of a UDP socket has taken, where it is freed unseen: as latency_udp.h finds it
 * out, which says why it is so.
 */
#ifndef NETCOST_STAGES_UDP_H
#define NETCOST_STAGES_UDP_H

#include "stages_ways.h"

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct netcost_stages_next);
} udp_next SEC(".maps");

static __always_inline __u64 udp_first(const struct sock *sk)
{
	const struct udp_sock *udp = (const struct udp_sock *)sk;
	__u64 first = (__u64)BPF_CORE_READ(udp, reader_queue.next);

	if (first && first != (__u64)&udp->reader_queue)
		return first;
	first = address_of(sk->sk_receive_queue.next);
	return first == (__u64)&sk->sk_receive_queue ? 0 : first;
}

/* Is it a packet of this socket that was seen there? */
static __always_inline bool is_in_udp(const struct sock *sk, const struct place *p, __u64 word,
				      const void *head)
{
	return is_of(word, p) && NETCOST_CAME_STATE(word) == NETCOST_WAY_UDP &&
	       fact_of(p)->where == number_of(sk) && has_head(p, head);
}

/* 0: there is no packet, or it was not seen there yet; 1: it is not followed. */
static __always_inline __u64 word_at(const struct sock *sk, __u64 packet)
{
	struct place p = place_at(packet);
	__u64 word = *word_of(came, &p);

	if (!packet || (is_of(word, &p) && NETCOST_CAME_STATE(word) == NETCOST_WAY_RECEIVED))
		return 0;
	if (is_in_udp(sk, &p, word, BPF_CORE_READ((struct sk_buff *)packet, head)))
		return word;
	return 1;
}

static __always_inline void udp_set_next(struct netcost_stages_next *n, struct sock *sk)
{
	for (int i = 0; i < 2; i++) {
		__u64 first = udp_first(sk);

		n->packet = 0;
		barrier();
		n->word = word_at(sk, first);
		barrier();
		n->packet = first;
		if (udp_first(sk) == first)
			return;
	}
	n->packet = 0;
}

/* If its word is as it was: otherwise it was read or dropped before, or is another one. */
static __always_inline void udp_was_read(struct netcost_stages_cpu *c, __u64 packet, __u64 word,
					 __u64 at_ns)
{
	struct place p = place_at(packet);
	__u64 *now = word_of(came, &p), had = *now;

	if (had == word && is_of(had, &p))
		end(c, now, had, NETCOST_STAGE_READ, at_ns, 0);
}

/* A clone, or the segment of a split packet, is at a socket: its way begins there. */
static __always_inline void udp_begins(struct netcost_stages_cpu *c, const struct sock *sk,
				       const struct sk_buff *skb, const struct place *p)
{
	__u64 *word = word_of(came, p);
	struct more more = {};

	forget(came, p);
	begin_with(c, p, word, NETCOST_WAY_RECEIVED, NETCOST_STAGE_CLONED, skb, &more);
	if (is_of(*word, p))
		set_fact(p, skb->head, number_of(sk));
}

#define UDP_BEFORE 8
static __always_inline bool udp_last(struct netcost_stages_cpu *c, const struct sock *sk,
				     struct place *p)
{
	const struct sk_buff *skb = sk->sk_receive_queue.prev;

	for (int i = 0; i < UDP_BEFORE; i++) {
		__u64 word;

		if ((__u64)skb == (__u64)&sk->sk_receive_queue)
			return false;
		*p = place_of(skb);
		word = *word_of(came, p);
		if (is_of(word, p) && NETCOST_CAME_STATE(word) == NETCOST_WAY_RECEIVED &&
		    in_udp_queue(&c->batch, p, skb)) {
			set_fact(p, skb->head, number_of(sk));
			return true;
		}
		if (!is_in_udp(sk, p, word, skb->head)) {
			udp_begins(c, sk, skb, p);
			return true;
		}
		skb = skb->prev;
	}
	return false;
}

/* Ends the recording of the packets that udp_doubt() of latency_udp.h doubts. */
static __always_inline void udp_doubt(const struct sock *sk)
{
	const struct sk_buff *skb = sk->sk_receive_queue.prev;

	for (int i = 0; i < UDP_BEFORE; i++) {
		struct place p;
		__u64 word;

		if ((__u64)skb == (__u64)&sk->sk_receive_queue)
			return;
		p = place_of(skb);
		word = *word_of(came, &p);
		if (is_of(word, &p) && NETCOST_CAME_STATE(word) == NETCOST_WAY_UDP)
			change(word_of(came, &p), word, word & ~NUMBER(~0ull));
		skb = skb->prev;
	}
}

static __always_inline __u64 udp_taken(const struct netcost_stages_cpu *c)
{
	const struct sk_buff *skb = (const struct sk_buff *)c->received;

	return skb && was_in_udp(&c->batch, c->received, skb) ? c->received : 0;
}

static __always_inline void udp_ready(struct netcost_stages_cpu *c, struct sock *sk)
{
	struct netcost_stages_next *n =
		bpf_sk_storage_get(&udp_next, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 taken = 0, *word, had, read_ns;
	struct place p = {};
	bool queued = udp_last(c, sk, &p);

	if (!queued) {
		taken = udp_taken(c);
		p = place_at(taken);
		if (!taken)
			udp_doubt(sk);
	}
	word = word_of(came, &p);
	had = *word;
	if ((queued || taken) && is_of(had, &p) &&
	    NETCOST_CAME_STATE(had) == NETCOST_WAY_RECEIVED) {
		/* Its reader was faster than this. */
		read_ns = n && taken ? __sync_lock_test_and_set(&n->read_ns, 0) : 0;
		if (read_ns) {
			end(c, word, had, NETCOST_STAGE_READ, read_ns, 0);
			return;
		}
		had = step(c, word, had, NETCOST_WAY_UDP, NETCOST_STAGE_SOCKET, NULL);
	} else {
		taken = 0;
	}
	if (!n)
		return;
	if (taken && !n->packet) {
		n->word = had;
		barrier();
		n->packet = taken;
	} else if (!taken) {
		if (n->read_ns)
			__sync_lock_test_and_set(&n->read_ns, 0);
		if (!n->packet || !n->word) /* it may be this one */
			udp_set_next(n, sk);
	}
}

static __always_inline void udp_reads(struct netcost_stages_cpu *c, struct sock *sk, int ret)
{
	struct netcost_stages_next *n =
		bpf_sk_storage_get(&udp_next, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 packet, word;

	if (!n)
		return;
	packet = n->packet;
	word = n->word;
	if (ret >= 0 && (!packet || !word))
		n->read_ns = bpf_ktime_get_ns();
	else if (ret >= 0 && udp_first(sk) != packet)
		udp_was_read(c, packet, word, 0);
	udp_set_next(n, sk);
}

#endif
