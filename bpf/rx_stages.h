/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * rx_stages.h: the stages of the RX softirq's time (--exact=full). A stack holds the functions that are processing a
 * packet. Calls and returns are matched by their frames, as for socket operations. struct netcost_rx_stages in wire.h
 * explains who writes when.
 */
#ifndef NETCOST_RX_STAGES_H
#define NETCOST_RX_STAGES_H

#include "clock.h"
#include "config.h"
#include "cpu.h"

/* Returns true if this CPU is in NAPI: in an RX softirq, or in a NAPI thread. */
static __always_inline bool in_napi(const struct netcost_cpu *c)
{
	return c->softirq_start ? c->softirq_event == NETCOST_EV_RX_SOFTIRQ :
				  c->seg_base == NETCOST_BASE_NAPI;
}

/* Returns true if the current work counts as RX softirq: in NAPI, and while a task busy-polls for its socket. */
static __always_inline bool in_rx(const struct netcost_cpu *c)
{
	return in_napi(c) ||
	       (!c->softirq_start && NETCOST_MARK_EVENT(c->mark) == NETCOST_EV_RX_BUSY_POLL);
}

/*
 * Counts the packets of a NAPI poll that ended. The packets are counted for the event to which the poll's time is
 * charged. softnet_stat is no substitute, because it omits packets that XDP took in the driver, and counts packets that
 * come without a poll or pass the receive core twice (VLANs, bridges).
 */
static __always_inline void polled(struct netcost_cpu *c, int packets)
{
	if (packets > 0 && in_rx(c))
		c->packets[event_now(c) & (NETCOST_RUN_EVENTS - 1)] += packets;
}

/* Charges the innermost stage with the time until now. */
static __always_inline void stages_charge(struct netcost_rx_stages *p, __u64 now)
{
	__u64 ns = now - p->since;

	if (p->depth)
		p->ns[NETCOST_STAGE_OF(p->stack[(p->depth - 1) & (NETCOST_STAGE_DEPTH - 1)].what)] +=
			ns;
	else
		p->loose_ns += ns;
	p->since = now;
}

static __always_inline void stages_pop(struct netcost_rx_stages *p, __u64 now, bool seen)
{
	__u64 stage = NETCOST_STAGE_OF(p->stack[(p->depth - 1) & (NETCOST_STAGE_DEPTH - 1)].what);

	stages_charge(p, now);
	p->depth--;
	if (!--p->nested[stage])
		p->total_ns[stage] += now - p->entered[stage];
	if (seen)
		p->calls[stage]++;
	else
		p->missed++;
}

/*
 * Ends the stages whose frames are below `sp`, because their functions have returned, and the ends were missed. If sp
 * is 0, ends all stages.
 */
static __always_inline void stages_drop(struct netcost_rx_stages *p, __u64 sp, __u64 now)
{
	for (int i = 0; i < NETCOST_STAGE_DEPTH; i++) {
		if (!p->depth)
			return;
		if (sp && p->stack[(p->depth - 1) & (NETCOST_STAGE_DEPTH - 1)].sp >= sp)
			return;
		stages_pop(p, now, false);
	}
}

/* Ends all stages, because a softirq or a NAPI thread's turn begins or ends at `now`. */
static __always_inline void stages_edge(struct netcost_rx_stages *p, __u64 now)
{
	stages_drop(p, 0, p->left ? p->left : now);
	p->since = now;
	if (full_polls)
		p->poll_since = now;
	p->loose_ns = 0;
	p->left = 0;
}

/*
 * Notes that a task stops polling. The ends of stages that still seem to be in progress were missed. This function runs
 * at level op, so a softirq may interrupt it anywhere. In that case the softirq ends all stages itself, and `left` has
 * no effect.
 */
static __always_inline void stages_leave(struct netcost_cpu *c)
{
	if (c->stages.depth && !c->stages.left)
		c->stages.left = cpu_clock(c);
}

static __always_inline void stage_begin(struct netcost_cpu *c, __u64 hook, __u64 stage, __u64 sp)
{
	struct netcost_rx_stages *p = &c->stages;
	__u64 now;

	if (stage >= NETCOST_PART_COUNT || !in_rx(c))
		return;
	PUBLISH(c->softirq_seq);
	now = cpu_clock(c);
	if (p->left)
		stages_edge(p, now);
	/* a call with the same frame shows that the previous call has returned */
	stages_drop(p, sp + 1, now);
	if (p->depth >= NETCOST_STAGE_DEPTH) {
		p->missed++;
	} else {
		stages_charge(p, now);
		p->stack[p->depth & (NETCOST_STAGE_DEPTH - 1)].what =
			NETCOST_STAGE_WHAT(hook, stage);
		p->stack[p->depth & (NETCOST_STAGE_DEPTH - 1)].sp = sp;
		p->depth++;
		if (!p->nested[stage & (NETCOST_STAGE_SLOTS - 1)]++)
			p->entered[stage & (NETCOST_STAGE_SLOTS - 1)] = now;
	}
	PUBLISH(c->softirq_seq);
}

static __always_inline void stage_end(struct netcost_cpu *c, __u64 hook, __u64 sp)
{
	struct netcost_rx_stages *p = &c->stages;
	__u64 top, now;

	if (!p->depth || !in_rx(c))
		return;
	PUBLISH(c->softirq_seq);
	now = cpu_clock(c);
	if (p->left)
		stages_edge(p, now);
	stages_drop(p, sp, now);
	top = (p->depth - 1) & (NETCOST_STAGE_DEPTH - 1);
	if (p->depth && p->stack[top].sp == sp && p->stack[top].what >> 8 == hook)
		stages_pop(p, now, true);
	PUBLISH(c->softirq_seq);
}

/* ---- method "tracepoint" -------------------------------------------------------------------- */

/* Begins a stage. The innermost stage always ends first, so the depth serves as the frame. */
static __always_inline void stage_tp_begin(struct netcost_cpu *c, __u64 hook, __u64 stage)
{
	stage_begin(c, hook, stage, NETCOST_STAGE_DEPTH - c->stages.depth);
}

static __always_inline void stage_tp_end(struct netcost_cpu *c, __u64 hook)
{
	stage_end(c, hook, NETCOST_STAGE_DEPTH + 1 - c->stages.depth);
}

/*
 * Charges a NAPI poll. napi_poll fires at the end of a poll. The poll began when the previous poll ended, or when the
 * softirq began or the NAPI thread was switched in. So the poll's time includes the little work that net_rx_action does
 * between polls.
 */
static __always_inline void stage_polled(struct netcost_cpu *c)
{
	struct netcost_rx_stages *p = &c->stages;
	__u64 now;

	if (!in_rx(c)) {
		p->polls_outside++;
		return;
	}
	PUBLISH(c->softirq_seq);
	now = cpu_clock(c);
	stages_drop(p, 0, now);
	p->loose_ns += now - p->since;
	p->ns[NETCOST_PART_DRIVER_POLL] += p->loose_ns;
	p->total_ns[NETCOST_PART_DRIVER_POLL] += now - p->poll_since;
	p->calls[NETCOST_PART_DRIVER_POLL]++;
	p->since = p->poll_since = now;
	p->loose_ns = 0;
	PUBLISH(c->softirq_seq);
}

/*
 * Counts polls with method "kprobe", to show how much of a softirq the kprobes see. A kprobe that interrupts the
 * handling of another kprobe is skipped (kprobe_running()). This affects the start and the end of a function.
 */
static __always_inline void stage_poll_witnessed(struct netcost_cpu *c)
{
	if (!in_napi(c) || c->stages.nested[NETCOST_PART_DRIVER_POLL])
		return;
	PUBLISH(c->softirq_seq);
	c->stages.missed++;
	PUBLISH(c->softirq_seq);
}

/* ---- the stage of a call: methods "fentry" and "kprobe" -------------------------------------- */

/* hooks of netfilter, from include/uapi/linux/netfilter.h: ABI towards user space */
#define NF_PRE_ROUTING 0
#define NF_INET_INGRESS 5
#define NF_NETDEV_INGRESS 0
#define NFPROTO_INET 1
#define NFPROTO_NETDEV 5

/* Returns the stage of a netfilter hook, or NETCOST_PART_COUNT for hooks that are not stages. */
static __always_inline __u64 nf_stage(const struct nf_hook_state *state, bool casts)
{
	__u8 pf = FIELD(nf_hook_state, state, pf, casts);
	__u8 hook = FIELD(nf_hook_state, state, hook, casts);

	if (pf == NFPROTO_IPV4 && hook == NF_PRE_ROUTING)
		return NETCOST_PART_PREROUTING_V4;
	if (pf == NFPROTO_IPV6 && hook == NF_PRE_ROUTING)
		return NETCOST_PART_PREROUTING_V6;
	if ((pf == NFPROTO_NETDEV && hook == NF_NETDEV_INGRESS) ||
	    (pf == NFPROTO_INET && hook == NF_INET_INGRESS))
		return NETCOST_PART_NF_INGRESS;
	return NETCOST_PART_COUNT;
}

static __always_inline __u64 stage_of(const volatile struct netcost_stage_hook *h, __u64 arg0,
				      __u64 arg1)
{
	switch (h->how) {
	case NETCOST_STAGE_ALWAYS:
		return h->stage;
	case NETCOST_STAGE_TC:
		return BPF_CORE_READ_BITFIELD_PROBED((struct sk_buff *)arg0, tc_at_ingress) ?
			       h->stage :
			       NETCOST_PART_COUNT;
	case NETCOST_STAGE_NF:
		return nf_stage((const struct nf_hook_state *)arg1, hooks_cast);
	default:
		return NETCOST_PART_COUNT;
	}
}

#endif
