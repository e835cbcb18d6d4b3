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

static __always_inline __u64 word_at(__u64 packet)
{
	struct place p = place_at(packet);
	__u64 word = packet ? *word_of(came, &p) : 0;

	return is_of(word, &p) ? word : 0;
}

static __always_inline void udp_set_next(struct netcost_stages_next *n, struct sock *sk)
{
	for (int i = 0; i < 2; i++) {
		__u64 first = udp_first(sk);

		n->packet = 0;
		barrier();
		n->word = word_at(first);
		barrier();
		n->packet = first;
		if (udp_first(sk) == first)
			return;
	}
	n->packet = 0;
}

/* If its word is as it was, but for the state: otherwise it was read before, or is another one. */
static __always_inline void udp_was_read(struct netcost_stages_cpu *c, __u64 packet, __u64 word,
					 __u64 at_ns)
{
	struct place p = place_at(packet);
	__u64 *now = word_of(came, &p), had = *now;

	if (is_of(had, &p) && is_of(word, &p) && NUMBER(had) == NUMBER(word) &&
	    (NETCOST_CAME_STATE(had) == NETCOST_WAY_UDP ||
	     NETCOST_CAME_STATE(had) == NETCOST_WAY_RECEIVED))
		end(c, now, had, NETCOST_STAGE_READ, at_ns, 0);
}

#define UDP_BEFORE 8
static __always_inline bool udp_last(const struct sock *sk, struct place *p)
{
	const struct sk_buff *skb = sk->sk_receive_queue.prev;

	for (int i = 0; i < UDP_BEFORE; i++) {
		__u64 word;

		*p = place_of(skb);
		word = *word_of(came, p);
		if (!is_of(word, p))
			return false;
		if (NETCOST_CAME_STATE(word) == NETCOST_WAY_RECEIVED)
			return true;
		if (NETCOST_CAME_STATE(word) != NETCOST_WAY_UDP)
			return false;
		skb = skb->prev;
	}
	return false;
}

static __always_inline __u64 udp_taken(const struct netcost_stages_cpu *c)
{
	__u64 packet = c->received;
	__s64 device = packet ? (__s64)BPF_CORE_READ((struct sk_buff *)packet, dev) : -1;

	return device >= 0 ? packet : 0;
}

static __always_inline void udp_ready(struct netcost_stages_cpu *c, struct sock *sk)
{
	struct netcost_stages_next *n =
		bpf_sk_storage_get(&udp_next, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 taken = 0, *word, had, read_ns;
	struct place p;
	bool queued = udp_last(sk, &p);

	if (!queued) {
		taken = udp_taken(c);
		p = place_at(taken);
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
		if (!n->packet)
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
	if (ret >= 0 && !packet)
		n->read_ns = bpf_ktime_get_ns();
	else if (ret >= 0 && udp_first(sk) != packet)
		udp_was_read(c, packet, word, 0);
	udp_set_next(n, sk);
}

#endif
