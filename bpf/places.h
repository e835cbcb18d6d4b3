/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* places.h: where programs keep a word of each packet, by the address of its sk_buff: latency.h says how. */
#ifndef NETCOST_PLACES_H
#define NETCOST_PLACES_H

#include "kernel_types.h"

#include <bpf/bpf_helpers.h>

#include "latency.h"

__u64 came[NETCOST_CAME_PLACES]; /* mapped */
__u64 origin;			 /* where `came` is */

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

#endif
