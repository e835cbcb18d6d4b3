/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* latency_udp.h: which packet a reader of a UDP socket has taken: no event says it. */
#ifndef NETCOST_LATENCY_UDP_H
#define NETCOST_LATENCY_UDP_H

#include "latency_places.h"

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct netcost_udp_next);
} udp_next SEC(".maps");

/* A load, or a call where the verifier cannot get the type. */
static __always_inline __u64 reader_first(const struct sock *sk)
{
	const struct udp_sock *udp = (const struct udp_sock *)sk;

	if (udp_sock_type)
		return address_of(
			((struct udp_sock *)kernel_cast(sk, udp_sock_type))->reader_queue.next);
	return (__u64)BPF_CORE_READ(udp, reader_queue.next);
}

/* A queue that is empty points to itself. Readers move all of the one to the other one, when that is empty. 0: both are. */
static __always_inline __u64 udp_first(const struct sock *sk)
{
	__u64 first = reader_first(sk);

	if (first && first != (__u64) & ((const struct udp_sock *)sk)->reader_queue)
		return first;
	first = address_of(sk->sk_receive_queue.next);
	return first == (__u64)&sk->sk_receive_queue ? 0 : first;
}

/* Does the place hold a packet of this socket whose enqueue was counted? In state DONE the packet has no time. */
static __always_inline bool is_in_udp(const struct sock *sk, const struct place *p, __u64 word,
				      const void *head)
{
	__u64 state = NETCOST_CAME_STATE(word);

	return is_of(word, p) && (state == NETCOST_CAME_UDP || state == NETCOST_CAME_DONE) &&
	       fact_of(p)->where == number_of(sk) && has_head(p, head);
}

/* 0: there is no packet, or its reader was not told yet. */
static __always_inline __u64 udp_word(const struct sock *sk, __u64 packet)
{
	struct place p = place_at(packet);
	__u64 word = *word_of(came, &p);

	if (!packet || (is_of(word, &p) && NETCOST_CAME_STATE(word) == NETCOST_CAME_RECEIVED))
		return 0;
	if (is_in_udp(sk, &p, word, BPF_CORE_READ((struct sk_buff *)packet, head)))
		return word;
	return word_now(&p, NETCOST_CAME_DONE, 0);
}

static __always_inline __u64 iif_of(__u64 packet)
{
	if (!needs_interface() || !packet)
		return 0;
	return (__u32)BPF_CORE_READ((struct sk_buff *)packet, skb_iif);
}

/* What is said to be next is so, as it is looked at again. */
static __always_inline void udp_set_next(struct netcost_udp_next *n, struct sock *sk)
{
	for (int i = 0; i < 2; i++) {
		__u64 first = udp_first(sk);

		n->packet = 0;
		barrier();
		n->word = udp_word(sk, first);
		n->iif = iif_of(first);
		barrier();
		n->packet = first;
		if (udp_first(sk) == first)
			return;
	}
	n->packet = 0;
}

/* As lose() and count(), of what two programs count, of which one may interrupt the other one. */
static __always_inline void lose_read(struct netcost_latencies *c, const struct whose *w,
				      enum netcost_latency_loss why)
{
	__sync_fetch_and_add(&c->hist[NETCOST_LATENCY_UDP_READ].lost[loss(w, why)], 1);
}

/*
 * The packets of a socket's queue whose enqueue was not counted yet are the last ones. Returns the position, from the end of
 * the queue, of the packet that is counted now: 1 is the last packet. Also returns its place and where it entered. Returns 0
 * if there is no such packet. Returns UDP_UNKNOWN if the packet has no time, as its place holds another packet: this one is a
 * clone or a segment.
 */
#define UDP_UNKNOWN (~0u)
#define UDP_BEFORE 8
static __always_inline __u32 udp_last(const struct netcost_latencies *c, const struct sock *sk,
				      struct place *p, __u64 *iif)
{
	const struct sk_buff *skb = sk->sk_receive_queue.prev;

	for (int i = 0; i < UDP_BEFORE; i++) {
		__u64 word;

		if ((__u64)skb == (__u64)&sk->sk_receive_queue)
			return 0;
		*p = place_of(skb);
		word = *word_of(came, p);
		if (is_of(word, p) && NETCOST_CAME_STATE(word) == NETCOST_CAME_RECEIVED &&
		    in_udp_queue(&c->batch, p, skb)) {
			set_fact(p, skb->head, number_of(sk));
			*iif = needs_interface() ? (__u32)skb->skb_iif : 0;
			return (__u32)i + 1;
		}
		if (!is_in_udp(sk, p, word, skb->head)) {
			set_fact(p, skb->head, number_of(sk));
			*word_of(came, p) = word_now(p, NETCOST_CAME_DONE, 0);
			return UDP_UNKNOWN;
		}
		skb = skb->prev;
	}
	return 0;
}

/*
 * The enqueues of all last packets were counted, and the packet of this event was not read yet. So one of them is a new
 * packet in the memory of a counted packet, which was read while it was not certain which packet the reader took.
 */
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
		if (is_of(word, &p) && NETCOST_CAME_STATE(word) == NETCOST_CAME_UDP)
			*word_of(came, &p) = with_state(word, NETCOST_CAME_DONE);
		skb = skb->prev;
	}
}

/* queued: as udp_last() has it. */
static __always_inline void udp_pass(struct netcost_latencies *c, const struct sock *sk,
				     const struct place *p, __u32 queued, __u64 word, __u64 now)
{
	__u32 before = NETCOST_NOT_COUNTED;

	if (!TAIL_IS_ON)
		return;
	if (queued)
		before = sk->sk_receive_queue.qlen - queued +
			 BPF_CORE_READ((const struct udp_sock *)sk, reader_queue.qlen);
	tail_pass(c, p->at, NETCOST_TAIL_QUEUED, NETCOST_LATENCY_UDP_ENQUEUED, word, now, before);
}

/*
 * A reader that does not wait may take a packet before its enqueue is counted. It is the last received packet if that was in UDP,
 * which has a number where its device was, at an address of the kernel. Its memory is still as it was.
 */
static __always_inline __u64 udp_taken(const struct netcost_latencies *c)
{
	const struct sk_buff *skb = (const struct sk_buff *)c->received;

	return skb && was_in_udp(&c->batch, c->received, skb) ? c->received : 0;
}

static __always_inline void udp_read(struct netcost_latencies *c, const struct whose *w, __u64 word,
				     __u64 now)
{
	__u64 ns = NETCOST_CAME_NS(now - word);
	struct netcost_latency_hist *h = &c->hist[NETCOST_LATENCY_UDP_READ];
	unsigned int bucket = netcost_latency_bucket(ns);

	if (w->filtered || ns >= NETCOST_CAME_MOST_NS)
		return lose_read(c, w, NETCOST_LATENCY_LOSS_OLD);
	if (bucket >= NETCOST_LATENCY_BUCKETS)
		return;
	count_key(c, NETCOST_LATENCY_UDP_READ, w, bucket, ns);
	__sync_fetch_and_add(&h->bucket[bucket], 1);
	__sync_fetch_and_add(&h->sum_ns, ns);
	note(c, h, NETCOST_LATENCY_UDP_READ, word, now);
}

/* It is not in the queue any more: its reader has been here, or will be. w: its socket's; the reader is not known here. */
static __always_inline void udp_was_read(struct netcost_latencies *c, struct netcost_udp_next *n,
					 const struct whose *w, __u64 packet, __u64 word)
{
	struct whose reader = *w;
	__u64 read_ns;

	reader.filtered = only_some() && n->filtered;
	read_ns = __sync_lock_test_and_set(&n->read_ns, 0);
	if (read_ns) {
		c->place = NETCOST_CAME_PLACES;
		udp_read(c, &reader, word, read_ns);
	} else if (!n->packet) {
		n->word = word;
		n->iif = iif_of(packet);
		barrier();
		n->packet = packet;
	}
}

/* It is in the queue: which one a read took that is not known will not be known. */
static __always_inline void udp_is_there(struct netcost_latencies *c, struct netcost_udp_next *n,
					 struct sock *sk)
{
	struct whose reader = { .filtered = only_some() && n->filtered };

	if (n->read_ns && __sync_lock_test_and_set(&n->read_ns, 0))
		lose_read(c, &reader, NETCOST_LATENCY_LOSS_OTHER);
	if (!n->packet || !n->word) /* it may be this one */
		udp_set_next(n, sk);
}

static __always_inline void udp_ready(struct netcost_latencies *c, struct sock *sk)
{
	struct netcost_udp_next *n =
		bpf_sk_storage_get(&udp_next, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 taken = 0, iif = 0, word;
	struct place p = {};
	struct whose w;
	__u32 queued = udp_last(c, sk, &p, &iif);

	if (!queued)
		taken = udp_taken(c);
	if (!queued && !taken)
		udp_doubt(sk);
	if (!queued || queued == UDP_UNKNOWN) {
		queued = 0;
		p = place_at(taken);
		iif = iif_of(taken);
	}
	w = whose_socket(sk, (__u32)iif, !queued);
	word = *word_of(came, &p);
	if ((!queued && !taken) || !is_of(word, &p) ||
	    NETCOST_CAME_STATE(word) != NETCOST_CAME_RECEIVED) {
		lose(c, NETCOST_LATENCY_UDP_ENQUEUED, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
		taken = 0;
	} else {
		__u64 now = bpf_ktime_get_ns();

		word = with_state(word, NETCOST_CAME_UDP);
		*word_of(came, &p) = word;
		udp_pass(c, sk, &p, queued, word, now);
		count(c, NETCOST_LATENCY_UDP_ENQUEUED, &w, word, now);
	}
	if (n && taken)
		udp_was_read(c, n, &w, taken, word);
	else if (n)
		udp_is_there(c, n, sk);
}

#endif
