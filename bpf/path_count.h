/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* path_count.h: counts packets in the histograms of latency by checkpoint. */
#ifndef NETCOST_PATH_COUNT_H
#define NETCOST_PATH_COUNT_H

#include "path_keys.h"
#include "path_packets.h"
#include "path_tail.h"

__u64 tick; /* number of the tick, which the recorder writes */

static __always_inline bool is_measured(enum netcost_latency hook)
{
	return measured & 1u << hook;
}

static __always_inline enum netcost_latency_loss loss(const struct whose *w,
						      enum netcost_latency_loss why)
{
	return w->filtered ? NETCOST_LATENCY_LOSS_FILTERED : why;
}

/* Counts a packet that passed the checkpoint with unknown latency. */
static __always_inline void lose(struct netcost_path_cpu *c, enum netcost_latency hook,
				 const struct whose *w, enum netcost_latency_loss why)
{
	if (is_measured(hook))
		c->hist[hook].lost[loss(w, why)]++;
}

/*
 * Returns true if the latency began before the programs were last attached. The start may then belong to another
 * packet.
 */
static __always_inline bool is_older(__u64 ns, __u64 now)
{
	return now - ns < *(volatile __u64 *)&attached_ns;
}

/* Updates the tick's minimum and maximum. Returns true if this is the tick's slowest packet so far. */
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

/*
 * Calls note_ends(), and saves for the slowest packet what its CPU did during the latency. Not called for send
 * checkpoints, where the task may sleep.
 */
static __always_inline void note(const struct netcost_path_cpu *c, struct netcost_latency_hist *h,
				 enum netcost_latency hook, __u64 since, __u64 now)
{
	if (note_ends(h, NETCOST_WORD_NS(now - since)) && with_tail &&
	    hook < NETCOST_LATENCY_TCP_SEND)
		tail_slowest(hook, since, now, (__u32)(tail_has_reader(hook) ? c->place : c->way),
			     *(volatile __u64 *)&tick);
}

/* Counts a packet that passed the checkpoint with a latency of `now - since`. */
static __always_inline void count(struct netcost_path_cpu *c, enum netcost_latency hook,
				  const struct whose *w, __u64 since, __u64 now)
{
	__u64 ns = NETCOST_WORD_NS(now - since);
	struct netcost_latency_hist *h = &c->hist[hook];
	unsigned int bucket;

	if (!is_measured(hook))
		return;
	if (w->filtered || ns >= NETCOST_WORD_MOST_NS || is_older(ns, now))
		return lose(c, hook, w, NETCOST_LATENCY_LOSS_OLD);
	bucket = netcost_latency_bucket(ns);
	if (bucket >= NETCOST_LATENCY_BUCKETS)
		return; /* for the verifier, which does not know the bound of the index */
	count_key(c, hook, w, bucket, ns);
	h->bucket[bucket]++;
	h->sum_ns += ns;
	note(c, h, hook, since, now);
}

/* ---- packets that reach a protocol ---------------------------------------------------------- */

/* set if function probes report the packets that reach TCP; otherwise tcp_probe reports them */
CONFIG bool tcp_start_by_function;

/*
 * Counts a packet that reaches a protocol. had: the word of the packet's receive path, or 0 if the packet's time of
 * entry is unknown. step: the packet's step for --tail.
 */
static __always_inline void starts(struct netcost_path_cpu *c, const struct place *p, __u64 had,
				   __u32 step, enum netcost_latency hook, const struct whose *w,
				   __u64 now)
{
	if (!had)
		return lose(c, hook, w, NETCOST_LATENCY_LOSS_UNKNOWN);
	tail_pass(c, p, step, had, now, 0);
	count(c, hook, w, had, now);
}

/*
 * Counts a packet at the entry of a receive function, on kernels that allow a probe there. Softirqs are disabled in
 * these functions, so only one of the two functions that share a checkpoint counts at a time.
 */
static __always_inline int function_starts(const struct sk_buff *skb, enum netcost_latency hook)
{
	struct place p = place_of(skb);
	__u64 had = entry_of(&p)->in;
	struct netcost_path_cpu *c = this_cpu();
	struct whose w;

	if (!c || !is_measured(hook))
		return 0;
	if (state_of(had, &p) != NETCOST_IN_RECEIVED || !was_received(&c->batch, &p, skb->head))
		had = 0;
	w = whose_device(skb->dev);
	starts(c, &p, had,
	       hook == NETCOST_LATENCY_IP_START ? NETCOST_TAIL_IP : NETCOST_TAIL_PROTOCOL, hook, &w,
	       time_now(c));
	return 0;
}

#endif
