/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* latency_places.h: what the programs of latency.bpf.c have of each packet besides its place: its time, and histograms. */
#ifndef NETCOST_LATENCY_PLACES_H
#define NETCOST_LATENCY_PLACES_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "latency.h"
#include "latency_keys.h"
#include "places.h"
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

__u64 left[NETCOST_CAME_PLACES]; /* mapped, too, as `came` is */
__u64 tick;			 /* of the recorder */

static __always_inline struct netcost_latencies *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&latencies, &cpu);
}

/* ---- histograms -------------------------------------------------------------------------- */

#include "tail_take.h"

static __always_inline enum netcost_latency_loss loss(const struct whose *w,
						      enum netcost_latency_loss why)
{
	return w->filtered ? NETCOST_LATENCY_LOSS_FILTERED : why;
}

static __always_inline void lose(struct netcost_latencies *c, enum netcost_latency hook,
				 const struct whose *w, enum netcost_latency_loss why)
{
	c->hist[hook].lost[loss(w, why)]++;
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

/* As note_ends(); and keeps what its CPU did meanwhile, but for a task that sends, which may sleep. */
static __always_inline void note(const struct netcost_latencies *c, struct netcost_latency_hist *h,
				 enum netcost_latency hook, __u64 since, __u64 now)
{
	if (note_ends(h, NETCOST_CAME_NS(now - since)) && TAIL_IS_ON &&
	    hook < NETCOST_LATENCY_TCP_SEND)
		tail_slowest(hook, since, now, (__u32)(tail_has_reader(hook) ? c->place : c->way),
			     *(volatile __u64 *)&tick);
}

static __always_inline void count(struct netcost_latencies *c, enum netcost_latency hook,
				  const struct whose *w, __u64 since, __u64 now)
{
	__u64 ns = NETCOST_CAME_NS(now - since);
	struct netcost_latency_hist *h = &c->hist[hook];
	unsigned int bucket;

	if (w->filtered || ns >= NETCOST_CAME_MOST_NS)
		return lose(c, hook, w, NETCOST_LATENCY_LOSS_OLD);
	bucket = netcost_latency_bucket(ns);
	if (bucket >= NETCOST_LATENCY_BUCKETS)
		return; /* the verifier does not know it */
	count_key(c, hook, w, bucket, ns);
	h->bucket[bucket]++;
	h->sum_ns += ns;
	note(c, h, hook, since, now);
}

#endif
