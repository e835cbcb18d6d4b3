/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* latency_places.h: where the programs of latency.bpf.c have each packet's time, and its histograms. */
#ifndef NETCOST_LATENCY_PLACES_H
#define NETCOST_LATENCY_PLACES_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "latency.h"
#include "latency_keys.h"
#include "wire.h" /* NETCOST_CALL_CAST */

/* The kernel's, for bpf_rdonly_cast(); 0: that is not to be had. */
const volatile __u32 udp_sock_type, tcp_sock_type;
const volatile bool tcp_start_by_function; /* not by tcp_probe */
const volatile bool with_tail; /* what CPUs did while packets waited is asked for, too */
#ifndef TAIL_IS_ON
#define TAIL_IS_ON with_tail
#endif

#ifndef kernel_cast
static void *(*const kernel_cast)(const void *obj, __u32 btf_id) = (void *)NETCOST_CALL_CAST;
#endif

/* max_entries is set to the possible CPUs before loading. Mapped: reading it costs no system call. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_latencies);
} latencies SEC(".maps");

__u64 came[NETCOST_CAME_PLACES]; /* mapped, too */
__u64 left[NETCOST_CAME_PLACES];
__u64 tick;   /* of the recorder */
__u64 origin; /* where `came` is */

static __always_inline struct netcost_latencies *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&latencies, &cpu);
}

/* ---- places ------------------------------------------------------------------------------ */

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

static __always_inline __u64 where_came_is(void)
{
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

/* ---- histograms -------------------------------------------------------------------------- */

#include "tail_take.h"

static __always_inline void lose(struct netcost_latencies *c, enum netcost_latency hook,
				 enum netcost_latency_loss why)
{
	c->hist[hook].lost[why]++;
}

/* Did none of this tick wait longer so far? */
static __always_inline bool note_ends(struct netcost_latency_hist *h, __u64 ns)
{
	__u64 at = *(volatile __u64 *)&tick;

	if (h->half[at & 1].tick != at) {
		h->half[at & 1].min_ns = h->half[at & 1].max_ns = ns;
		h->half[at & 1].tick = at;
	} else if (ns < h->half[at & 1].min_ns) {
		h->half[at & 1].min_ns = ns;
		return false;
	} else if (ns > h->half[at & 1].max_ns) {
		h->half[at & 1].max_ns = ns;
	} else {
		return false;
	}
	return true;
}

/* As note_ends(); and keeps what its CPU did meanwhile. */
static __always_inline void note(const struct netcost_latencies *c, struct netcost_latency_hist *h,
				 enum netcost_latency hook, __u64 since, __u64 now)
{
	if (note_ends(h, NETCOST_CAME_NS(now - since)) && TAIL_IS_ON)
		tail_slowest(hook, since, now, (__u32)c->place, *(volatile __u64 *)&tick);
}

static __always_inline void count(struct netcost_latencies *c, enum netcost_latency hook,
				  const struct whose *w, __u64 since, __u64 now)
{
	__u64 ns = NETCOST_CAME_NS(now - since);
	struct netcost_latency_hist *h = &c->hist[hook];
	unsigned int bucket;

	if (ns >= NETCOST_CAME_MOST_NS)
		return lose(c, hook, NETCOST_LATENCY_LOSS_OLD);
	bucket = netcost_latency_bucket(ns);
	if (bucket >= NETCOST_LATENCY_BUCKETS)
		return; /* the verifier does not know it */
	count_key(c, hook, w, bucket, ns);
	h->bucket[bucket]++;
	h->sum_ns += ns;
	note(c, h, hook, since, now);
}

#endif
