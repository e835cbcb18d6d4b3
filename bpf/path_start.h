/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* path_start.h: a packet comes to a protocol. */
#ifndef NETCOST_PATH_START_H
#define NETCOST_PATH_START_H

#include "path_count.h"

CONFIG bool tcp_start_by_function; /* not by tcp_probe */

/* had: the word of its way in; 0: it is not known when it entered. step: of the tail. */
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
 * At the entry of a function that receives packets, where the kernel lets programs attach to it: with softirqs disabled, so
 * that no other one counts at the same time, whichever of two it is.
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
