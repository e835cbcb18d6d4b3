/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* places.h: where programs keep a word of each packet, by the address of its sk_buff: latency.h says how. */
#ifndef NETCOST_PLACES_H
#define NETCOST_PLACES_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "latency.h"
#include "tunnels.h"

__u64 came[NETCOST_CAME_PLACES];		/* mapped */
__u64 origin;					/* where `came` is */
struct netcost_fact facts[NETCOST_CAME_PLACES]; /* of the packets in `came` */
__u64 splits;					/* large packets, for sockets */

#define ADDRESS_BITS (NETCOST_CAME_HIGH - NETCOST_CAME_LOW)
#define REST_SHIFT (64 - NETCOST_CAME_REST_BITS)
#define STATE(state) ((__u64)(state) << NETCOST_CAME_NS_BITS)

struct place {
	__u32 at;
	__u64 rest; /* where it is in a word */
};

static __always_inline struct place mix(__u64 address)
{
	__u64 mixed = (address >> NETCOST_CAME_LOW) * 0x9e3779b97f4a7c15ull;

	mixed &= (1ull << ADDRESS_BITS) - 1;
	return (struct place){ .at = mixed >> NETCOST_CAME_REST_BITS, .rest = mixed << REST_SHIFT };
}

/* The verifier lets programs compute with the distance of two pointers, but not with a pointer: any other one will do. */
static __always_inline struct place place_of(const struct sk_buff *skb)
{
	return mix((__u64)skb - (__u64)came);
}

/* Written once: all CPUs read it. */
static __always_inline __u64 where_came_is(void)
{
	if (!*(volatile __u64 *)&origin)
		*(volatile __u64 *)&origin = (__u64)came; /* comes back as a number */
	return *(volatile __u64 *)&origin;
}

/* Of one whose address is a number already; and how it becomes one. */
static __always_inline struct place place_at(__u64 packet)
{
	return mix(packet - where_came_is());
}

static __always_inline __u64 address_of(const struct sk_buff *skb)
{
	return (__u64)skb - (__u64)came + where_came_is();
}

static __always_inline __u64 *word_of(__u64 *table, const struct place *p)
{
	return &table[p->at & (NETCOST_CAME_PLACES - 1)];
}

static __always_inline bool is_of(__u64 word, const struct place *p)
{
	return word >> REST_SHIFT << REST_SHIFT == p->rest && NETCOST_CAME_STATE(word);
}

static __always_inline __u64 word_now(const struct place *p, __u64 state, __u64 now)
{
	return p->rest | STATE(state) | NETCOST_CAME_NS(now);
}

static __always_inline __u64 with_state(__u64 word, __u64 state)
{
	return (word & ~STATE((1 << NETCOST_CAME_STATE_BITS) - 1)) | STATE(state);
}

static __always_inline void forget(__u64 *table, const struct place *p)
{
	__u64 *word = word_of(table, p);

	if (is_of(*word, p))
		*word = 0;
}

/* ---- is it the same packet? ---------------------------------------------------------------- */

/*
 * Many sk_buffs are freed without an event, so that a word may be of a packet that had the same memory before. All packets
 * that come from a driver pass a checkpoint where they begin anew. Others are made by the stack, of a packet that it is
 * delivering: clones, which have the same skb->head as that packet, and segments of a large packet, which is freed with an
 * event before any of them gets anywhere.
 */
static __always_inline struct netcost_fact *fact_of(const struct place *p)
{
	return &facts[p->at & (NETCOST_CAME_PLACES - 1)];
}

/* A pointer as a number, for comparisons alone. */
static __always_inline __u64 number_of(const void *pointer)
{
	return (__u64)pointer - (__u64)came;
}

static __always_inline __u64 where_now(const struct netcost_batch *b)
{
	return NETCOST_WHERE(b->order, (__u64)bpf_get_smp_processor_id());
}

static __always_inline bool is_this_cpu(__u64 where)
{
	return (__u16)where == (__u16)bpf_get_smp_processor_id();
}

static __always_inline void set_fact(const struct place *p, const void *head, __u64 where)
{
	struct netcost_fact *f = fact_of(p);

	f->head = NETCOST_HEAD(head, 0);
	f->where = where;
}

/*
 * The receive core has a packet. entered: its fact is that of its entry. Those that were received before it entered may be
 * gone. The others are of the same list: all of these were in memory at the same time, so no two have the same head.
 */
static __always_inline void next_received(struct netcost_batch *b, const struct place *p,
					  bool entered)
{
	__u64 where = fact_of(p)->where, gone = b->order;

	if (entered && is_this_cpu(where))
		gone = where >> NETCOST_WHERE_CPU_BITS;
	if (b->first <= gone)
		b->first = gone + 1;
	b->order++;
}

static __always_inline __u64 splits_now(void)
{
	return *(volatile __u64 *)&splits;
}

static __always_inline void set_received(const struct netcost_batch *b, const struct place *p,
					 const struct sk_buff *skb)
{
	struct netcost_fact *f = fact_of(p);

	f->head = NETCOST_HEAD(skb->head, splits_now());
	f->where = where_now(b);
}

static __always_inline bool has_head(const struct place *p, const void *head)
{
	return !((fact_of(p)->head ^ NETCOST_HEAD(head, 0)) >> 16);
}

static __always_inline const struct skb_shared_info *shared_of(const struct sk_buff *skb)
{
	return (const void *)((__u64)skb->head + skb->end);
}

static __always_inline bool has_clones(const struct sk_buff *skb)
{
	return BPF_CORE_READ_BITFIELD(skb, cloned) &&
	       (__u16)BPF_CORE_READ(shared_of(skb), dataref.counter) != 1;
}

/* It is to be split when it is sent, or comes to a socket. */
static __always_inline bool is_large(const struct sk_buff *skb)
{
	return BPF_CORE_READ(shared_of(skb), gso_size);
}

/* A received packet was kept for a while: it is the same one if it has no clones. */
static __always_inline bool is_kept(const struct place *p, const struct sk_buff *skb)
{
	return has_head(p, skb->head) && !has_clones(skb);
}

/* Is a received packet the last one of this CPU? It may have got another head meanwhile. */
static __always_inline bool is_last(const struct netcost_batch *b, const struct place *p)
{
	return fact_of(p)->where == where_now(b);
}

/* Is a received packet being delivered on this CPU? */
static __always_inline bool is_delivered(const struct netcost_batch *b, const struct place *p,
					 const void *head)
{
	__u64 where = fact_of(p)->where;

	return where == where_now(b) ||
	       (is_this_cpu(where) && has_head(p, head) && where >= NETCOST_WHERE(b->first, 0ull));
}

/* Was the packet received: last on this CPU, or, where no clones or segments come, on any CPU and waiting since? */
static __always_inline bool was_received(const struct netcost_batch *b, const struct place *p,
					 const void *head)
{
	return is_last(b, p) || has_head(p, head);
}

/*
 * A received packet enters again: as a bridge, or the end of a tunnel, hands it on. That of a tunnel may have waited for a
 * softirq, unless it has clones.
 */
static __always_inline bool enters_again(const struct netcost_batch *b, const struct place *p,
					 const struct sk_buff *skb)
{
	if (is_delivered(b, p, skb->head))
		return skb->skb_iif || is_tunnel(skb->dev);
	return is_kept(p, skb) && is_tunnel(skb->dev);
}

/* A received packet is sent on. It may have waited until its neighbour was known, or for a program. */
static __always_inline bool is_forwarded(const struct netcost_batch *b, const struct place *p,
					 const struct sk_buff *skb)
{
	return is_delivered(b, p, skb->head) || is_kept(p, skb);
}

/*
 * A received packet is in a UDP socket's queue. From Linux 6.18 on a CPU that has put one there does so with those of others.
 * What is no clone is a segment, unless none was made since it was received.
 */
static __always_inline bool in_udp_queue(const struct netcost_batch *b, const struct place *p,
					 const struct sk_buff *skb)
{
	const struct netcost_fact *f = fact_of(p);

	if (f->where == where_now(b))
		return true;
	if (f->head != NETCOST_HEAD(skb->head, splits_now()))
		return false;
	return is_this_cpu(f->where) ? f->where >= NETCOST_WHERE(b->first, 0ull) :
				       !BPF_CORE_READ_BITFIELD(skb, cloned);
}

/* Was the last received packet, which may be freed, in UDP, which has taken off its header? packet: its address. */
static __always_inline bool was_in_udp(const struct netcost_batch *b, __u64 packet,
				       const struct sk_buff *skb)
{
	struct place p = place_at(packet);
	const unsigned char *head = BPF_CORE_READ(skb, head);

	return (__s64)BPF_CORE_READ(skb, dev) >= 0 && is_last(b, &p) && has_head(&p, head) &&
	       BPF_CORE_READ(skb, data) == head + BPF_CORE_READ(skb, transport_header) + 8;
}

/* What a packet in a TCP socket's queue is known by: there is no other one with that number. */
static __always_inline __u64 tcp_where(const struct sock *sk, __u32 begin)
{
	return number_of(sk) << 32 | begin;
}

#endif
