/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* path_udp.h: determines which packet a reader of a UDP socket has taken. No event reports this packet. */
#ifndef NETCOST_PATH_UDP_H
#define NETCOST_PATH_UDP_H

#include "path_count.h"
#include "path_sample.h"

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct netcost_udp_next);
} udp_next SEC(".maps");

/* Returns the first packet of the reader queue. This is a load, or a call if the verifier cannot get the type. */
static __always_inline __u64 reader_first(const struct sock *sk)
{
	const struct udp_sock *udp = (const struct udp_sock *)sk;

	if (udp_sock_type)
		return address_of(
			((struct udp_sock *)kernel_cast(sk, udp_sock_type))->reader_queue.next);
	return (__u64)BPF_CORE_READ(udp, reader_queue.next);
}

/*
 * Returns the first packet of a UDP socket, or 0 if the socket has none. An empty queue points to itself. If the reader
 * queue is empty, a reader moves the whole receive queue to it.
 */
static __always_inline __u64 udp_first(const struct sock *sk)
{
	__u64 first = reader_first(sk);

	if (first && first != (__u64) & ((const struct udp_sock *)sk)->reader_queue)
		return first;
	first = address_of(sk->sk_receive_queue.next);
	return first == (__u64)&sk->sk_receive_queue ? 0 : first;
}

/*
 * Returns true if the entry has a packet of this socket whose enqueue was counted. A packet in state DONE has no time
 * of entry.
 */
static __always_inline bool is_in_udp(const struct sock *sk, const struct place *p,
				      const void *head)
{
	const struct netcost_packet *e = entry_of(p);
	__u64 state = raw_state(e->in, p);

	return (state == NETCOST_IN_UDP || state == NETCOST_IN_DONE) && e->where == number_of(sk) &&
	       has_head(p, head);
}

/* Returns skb->head of a packet. This is a load, or a call if the verifier cannot get the type. */
static __always_inline const unsigned char *head_of(__u64 packet)
{
	const struct sk_buff *skb = (const struct sk_buff *)packet;

	if (sk_buff_type)
		return ((struct sk_buff *)kernel_cast(skb, sk_buff_type))->head;
	return BPF_CORE_READ(skb, head);
}

static __always_inline __u32 reader_packets(const struct sock *sk)
{
	const struct udp_sock *udp = (const struct udp_sock *)sk;

	if (udp_sock_type)
		return ((struct udp_sock *)kernel_cast(sk, udp_sock_type))->reader_queue.qlen;
	return BPF_CORE_READ(udp, reader_queue.qlen);
}

/* Returns the word of a packet in a UDP socket, or 0 if there is no packet or if its reader was not woken yet. */
static __always_inline __u64 udp_word(const struct sock *sk, __u64 packet)
{
	struct place p = place_at(packet);
	__u64 word = entry_of(&p)->in;

	if (!packet || is_received(raw_state(word, &p)))
		return 0;
	if (is_in_udp(sk, &p, head_of(packet)))
		return word;
	return word_now(&p, NETCOST_IN_DONE, 0);
}

static __always_inline __u64 iif_of(__u64 packet)
{
	if (!needs_interface() || !packet)
		return 0;
	return (__u32)BPF_CORE_READ((struct sk_buff *)packet, skb_iif);
}

/*
 * Stores which packet is next. The queue's head is read twice, and only a head that is unchanged is taken as the next
 * packet.
 */
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

/* set if function probes report reads: IPv4 and IPv6 have separate functions, and one may preempt the other */
CONFIG bool reads_by_functions;

/* The counterparts of lose() and count() for reads. h: the histogram of UDP_READ. */
static __always_inline void lose_read(struct netcost_latency_hist *h, const struct whose *w,
				      enum netcost_latency_loss why)
{
	if (!is_measured(NETCOST_LATENCY_UDP_READ))
		return;
	if (reads_by_functions)
		__sync_fetch_and_add(&h->lost[loss(w, why)], 1);
	else
		h->lost[loss(w, why)]++;
}

static __always_inline void udp_read(struct netcost_path_cpu *c, struct netcost_latency_hist *h,
				     const struct whose *w, __u64 word, __u64 now)
{
	__u64 ns = NETCOST_WORD_NS(now - word);
	unsigned int bucket = netcost_latency_bucket(ns);

	if (!is_measured(NETCOST_LATENCY_UDP_READ))
		return;
	if (w->filtered || ns >= NETCOST_WORD_MOST_NS || is_older(ns, now))
		return lose_read(h, w, NETCOST_LATENCY_LOSS_OLD);
	if (bucket >= NETCOST_LATENCY_BUCKETS)
		return;
	count_key(c, NETCOST_LATENCY_UDP_READ, w, bucket, ns);
	if (reads_by_functions) {
		__sync_fetch_and_add(&h->bucket[bucket], 1);
		__sync_fetch_and_add(&h->sum_ns, ns);
	} else {
		h->bucket[bucket]++;
		h->sum_ns += ns;
	}
	note(c, h, NETCOST_LATENCY_UDP_READ, word, now);
}

/*
 * Finds the packet that is to be counted as enqueued now. The packets that have not been counted yet are near the end
 * of the socket's queue. Sets *at to the packet, and returns its position from the end of the queue (1 for the last
 * packet), or 0 if no packet is left. Returns UDP_UNKNOWN if the table entry belongs to another packet. In that case
 * *at has no time of entry, because it is a clone or a segment that was not seen before.
 */
#define UDP_UNKNOWN (~0u)
#define UDP_BEFORE 8
static __always_inline __u32 udp_last(const struct netcost_path_cpu *c, const struct sock *sk,
				      const struct sk_buff **at)
{
	const struct sk_buff *skb = sk->sk_receive_queue.prev;

	for (int i = 0; i < UDP_BEFORE; i++) {
		struct place p;

		if ((__u64)skb == (__u64)&sk->sk_receive_queue)
			return 0;
		p = place_of(skb);
		*at = skb;
		if (is_received(raw_state(entry_of(&p)->in, &p)) &&
		    in_udp_queue(&c->batch, &p, skb))
			return (__u32)i + 1;
		if (!is_in_udp(sk, &p, skb->head))
			return UDP_UNKNOWN;
		skb = skb->prev;
	}
	return 0;
}

/*
 * Stops following the packets at the end of the queue. Called if the entries of all these packets say "counted",
 * although the packet of this event is one of them and was not counted. So an entry belongs to an earlier packet at the
 * same address. The earlier packet was read, but its read was not counted, because it was uncertain which packet the
 * reader took.
 */
static __always_inline void udp_doubt(const struct sock *sk)
{
	const struct sk_buff *skb = sk->sk_receive_queue.prev;

	for (int i = 0; i < UDP_BEFORE; i++) {
		struct netcost_packet *e;
		struct place p;

		if ((__u64)skb == (__u64)&sk->sk_receive_queue)
			return;
		p = place_of(skb);
		e = entry_of(&p);
		if (raw_state(e->in, &p) == NETCOST_IN_UDP) {
			e->in = with_state(e->in, NETCOST_IN_DONE);
			sample_leave(&p);
		}
		skb = skb->prev;
	}
}

/* Notes that a packet passes the step QUEUED. queued: the result of udp_last(). */
static __always_inline void udp_pass(struct netcost_path_cpu *c, const struct sock *sk,
				     const struct place *p, __u32 queued, __u64 word, __u64 now)
{
	__u32 before = NETCOST_NOT_COUNTED;

	if (!with_tail)
		return;
	if (queued)
		before = sk->sk_receive_queue.qlen - queued + reader_packets(sk);
	tail_pass(c, p, NETCOST_TAIL_QUEUED, word, now, before);
}

/*
 * Returns the packet that a reader took before the packet's enqueue was counted, or 0. A reader that is not waiting may
 * do so. Only the last received packet can be that packet, and only if UDP has processed it. In that case skb->dev is
 * not a kernel address, because UDP overwrites skb->dev. The packet may have been freed, but its memory still has its
 * contents.
 */
static __always_inline __u64 udp_taken(const struct netcost_path_cpu *c)
{
	const struct sk_buff *skb = (const struct sk_buff *)c->received;

	return skb && was_in_udp(&c->batch, c->received, skb) ? c->received : 0;
}

/*
 * Handles a packet that is no longer in the queue, because its reader has finished or will finish. w: key of the packet
 * by its socket; the reader is not known here. Returns true if the reader has finished.
 */
static __always_inline bool udp_was_read(struct netcost_path_cpu *c, struct netcost_udp_next *n,
					 const struct whose *w, __u64 packet, __u64 word)
{
	struct place p = place_at(packet);
	struct whose reader = *w;
	__u64 read_ns;

	reader.filtered = only_some() && n->filtered;
	read_ns = __sync_lock_test_and_set(&n->read_ns, 0);
	if (read_ns) {
		c->place = NETCOST_PLACES;
		udp_read(c, &c->late_read, &reader, word, read_ns);
		sample_end(c, &p, NETCOST_STAGE_READ, read_ns, 0);
	} else if (!n->packet) {
		n->word = word;
		n->iif = iif_of(packet);
		barrier();
		n->packet = packet;
	}
	return read_ns;
}

/*
 * Handles a packet that is still in the queue. An earlier read whose packet is unknown took another packet, which stays
 * unknown.
 */
static __always_inline void udp_is_there(struct netcost_path_cpu *c, struct netcost_udp_next *n,
					 struct sock *sk)
{
	struct whose reader = { .filtered = only_some() && n->filtered };

	if (n->read_ns && __sync_lock_test_and_set(&n->read_ns, 0))
		lose_read(&c->late_read, &reader, NETCOST_LATENCY_LOSS_OTHER);
	if (!n->packet || !n->word) /* this packet may be the next one */
		udp_set_next(n, sk);
}

/* Begins the path of an unknown packet in the queue. The packet is a clone, or a segment of a split packet. */
static __always_inline void udp_begins(struct netcost_path_cpu *c, const struct sock *sk,
				       const struct sk_buff *skb, const struct place *p, __u64 now)
{
	struct netcost_packet *e = entry_of(p);

	forget(&e->out, p);
	set_proof(p, skb->head, number_of(sk));
	e->in = word_now(p, NETCOST_IN_DONE, now);
	sample_begin(c, p, NETCOST_STAGE_CLONED, skb);
}

/*
 * Counts the enqueue of the packet at p, if the packet has a time of entry, and sets *word to the new word of its
 * receive path. Returns true if the enqueue was not seen before. queued: the result of udp_last().
 */
static __always_inline bool udp_queued(struct netcost_path_cpu *c, const struct sock *sk,
				       const struct place *p, __u32 queued, const struct whose *w,
				       __u64 now, __u64 *word)
{
	struct netcost_packet *e = entry_of(p);
	__u64 had = e->in, state = raw_state(had, p);

	if (state == NETCOST_IN_CLONED)
		e->in = with_state(had, NETCOST_IN_DONE);
	if (state != NETCOST_IN_RECEIVED) {
		lose(c, NETCOST_LATENCY_UDP_ENQUEUED, w, NETCOST_LATENCY_LOSS_UNKNOWN);
		return state == NETCOST_IN_CLONED;
	}
	*word = with_state(had, NETCOST_IN_UDP);
	e->in = *word;
	udp_pass(c, sk, p, queued, *word, now);
	count(c, NETCOST_LATENCY_UDP_ENQUEUED, w, *word, now);
	return true;
}

static __always_inline void udp_ready(struct netcost_path_cpu *c, struct sock *sk)
{
	struct netcost_udp_next *n =
		bpf_sk_storage_get(&udp_next, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	const struct sk_buff *skb = NULL;
	__u32 queued = udp_last(c, sk, &skb);
	__u64 now = time_now(c), taken = queued ? 0 : udp_taken(c), iif = 0, word = 0;
	struct place p = place_at(taken);
	bool begins = false, read = false;
	struct whose w;

	if (!queued && !taken)
		udp_doubt(sk);
	if (queued == UDP_UNKNOWN) {
		p = place_of(skb);
		udp_begins(c, sk, skb, &p, now);
		begins = true;
		queued = 0;
	} else if (queued) {
		p = place_of(skb);
		set_proof(&p, skb->head, number_of(sk));
		iif = needs_interface() ? (__u32)skb->skb_iif : 0;
	} else {
		iif = iif_of(taken);
	}
	w = whose_socket(sk, (__u32)iif, !queued);
	if (queued || taken)
		begins |= udp_queued(c, sk, &p, queued, &w, now, &word);
	else
		lose(c, NETCOST_LATENCY_UDP_ENQUEUED, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
	if (n && taken && word)
		read = udp_was_read(c, n, &w, taken, word);
	if (begins && !read) /* the packet's reader has not finished yet */
		sample_step(c, &p, NETCOST_STAGE_SOCKET, NULL);
	if (n && !(taken && word))
		udp_is_there(c, n, sk);
}

/* Handles a read. If the packet that was next is no longer the first packet, the read has taken it. */
static __always_inline void udp_took(struct netcost_path_cpu *c, const struct sock *sk,
				     const struct whose *w, __u64 packet, __u64 word, __u64 now)
{
	struct place p = place_at(packet);
	struct netcost_packet *e = entry_of(&p);
	struct netcost_latency_hist *h = &c->hist[NETCOST_LATENCY_UDP_READ];
	__u64 state = state_of(word, &p);

	c->place = p.at;
	if (udp_first(sk) == packet)
		return lose_read(h, w, NETCOST_LATENCY_LOSS_OTHER);
	if (!state || state == NETCOST_IN_DONE)
		lose_read(h, w, NETCOST_LATENCY_LOSS_UNKNOWN);
	else if (e->in == with_state(word, NETCOST_IN_DONE)) /* the packet was dropped */
		lose_read(h, w, NETCOST_LATENCY_LOSS_OTHER);
	else
		udp_read(c, h, w, word, now);
	if (e->in == word) /* since Linux 6.18, the packet is freed without an event */
		sample_end(c, &p, NETCOST_STAGE_READ, 0, 0);
	if (e->in == word || e->in == with_state(word, NETCOST_IN_READ))
		e->in = 0;
}

/*
 * Determines the packet that a read of a UDP socket has taken, because no event reports it. Reads take packets in
 * order, and the next packet was noted before. If that packet is no longer the first packet, the read took it. If
 * several tasks read from one socket at the same time, the packet may remain unknown.
 */
static __always_inline void udp_reads(struct netcost_path_cpu *c, struct sock *sk, int ret)
{
	struct netcost_udp_next *n =
		bpf_sk_storage_get(&udp_next, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 packet, word, now;
	struct whose w;

	if (!n)
		return;
	packet = n->packet;
	word = n->word;
	if (ret >= 0) {
		now = time_now(c);
		tail_read(c, sk, now);
		w = whose_reader(sk, (__u32)n->iif, 1);
		if (packet && word) {
			udp_took(c, sk, &w, packet, word, now);
		} else {
			if (only_some())
				n->filtered = w.filtered;
			if (__sync_lock_test_and_set(&n->read_ns,
						     measured ? now : bpf_ktime_get_ns()))
				lose_read(&c->hist[NETCOST_LATENCY_UDP_READ], &w,
					  NETCOST_LATENCY_LOSS_OTHER);
		}
	}
	udp_set_next(n, sk);
}

#endif
