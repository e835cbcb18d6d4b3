/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * stages_inside.h: what functions of the kernel tell of a packet between where it comes in and where it goes out. Each
 * program is named after its function, some of which are in modules: src/record/source/stages_points.c has them.
 */
#ifndef NETCOST_STAGES_INSIDE_H
#define NETCOST_STAGES_INSIDE_H

#include "stages_ways.h"

static __always_inline bool is_sent(__u64 word)
{
	__u64 state = NETCOST_CAME_STATE(word);

	return state == NETCOST_WAY_DRIVER || state == NETCOST_WAY_RETURNED;
}

/* Is it certainly the one that the word is of? iif: its skb_iif. */
static __always_inline bool is_known(const struct netcost_stages_cpu *c, __u64 word,
				     const struct place *p, const struct sk_buff *skb, int iif)
{
	__u64 state = NETCOST_CAME_STATE(word);

	return is_of(word, p) && (is_sent(word) || state == NETCOST_WAY_QUEUED ||
				  (state == NETCOST_WAY_RECEIVED && iif &&
				   is_delivered(&c->batch, p, BPF_CORE_READ(skb, head))));
}

/* ---- at the entry of a function ------------------------------------------------------------ */

static __always_inline bool is_out(const struct nf_hook_state *state)
{
	__u8 hook = BPF_CORE_READ(state, hook), family = BPF_CORE_READ(state, pf);

	return (hook == NF_LOCAL_OUT || hook == NF_POST_ROUTING) &&
	       (family == NFPROTO_IPV4 || family == NFPROTO_IPV6);
}

/* Only a packet that is known; out, or a hook of such: if it is not, it is a new one that is sent. */
static __always_inline int inside(const struct sk_buff *skb, const struct place *p, int iif,
				  enum netcost_stage stage, bool out, struct more *more)
{
	__u64 *word = word_of(came, p), had = *word;
	struct netcost_stages_cpu *c = this_cpu();

	if (!c)
		return 0;
	if (is_known(c, had, p, skb, iif)) {
		if (NUMBER(had))
			step_with(c, word, had, NETCOST_CAME_STATE(had), stage, more);
	} else if (!iif && (out || (more->hook && is_out(more->hook)))) {
		begin_with(c, p, word, NETCOST_WAY_QUEUED, stage, skb, more);
	}
	return 0;
}

/* ---- in IP, traffic control, a bridge ------------------------------------------------------ */

#define INSIDE(function, stage, out)                                                               \
	SEC("fentry") int BPF_PROG(stages_##function, struct sk_buff *skb)                         \
	{                                                                                          \
		struct place p = place_of(skb);                                                    \
		struct more more = { .device = skb };                                              \
                                                                                                   \
		return inside(skb, &p, skb->skb_iif, NETCOST_STAGE_##stage, out, &more);           \
	}
INSIDE(ip_rcv_core, IP, false)
INSIDE(ip6_rcv_core, IP, false)
INSIDE(ip_route_input_noref, ROUTE, false)
INSIDE(ip6_route_input, ROUTE, false)
INSIDE(tcf_classify, TC, !BPF_CORE_READ_BITFIELD_PROBED(skb, tc_at_ingress))

static __always_inline void *pointer_at(const void *at)
{
	void *p = NULL;

	bpf_probe_read_kernel(&p, sizeof(p), at);
	return p;
}

/* It is given where the packet's address is: of a type that programs may not have as an argument. */
SEC("fentry") int BPF_PROG(stages_br_handle_frame)
{
	struct more more = {};
	const struct sk_buff *skb;
	struct place p;
	__u64 at = 0;

	bpf_get_func_arg(ctx, 0, &at);
	more.device = skb = pointer_at((const void *)at);
	p = place_at((__u64)skb);
	return inside(skb, &p, BPF_CORE_READ(skb, skb_iif), NETCOST_STAGE_BRIDGE, false, &more);
}

/* ---- netfilter --------------------------------------------------------------------------- */

static __always_inline int hooked(const struct sk_buff *skb, const struct nf_hook_state *state,
				  enum netcost_stage stage, const char *table)
{
	struct more more = { .hook = state, .table = table };
	struct place p = place_of(skb);

	return inside(skb, &p, skb->skb_iif, stage, false, &more);
}

SEC("fentry")
int BPF_PROG(stages_nf_hook_slow, struct sk_buff *skb, struct nf_hook_state *state)
{
	return hooked(skb, state, NETCOST_STAGE_NETFILTER, NULL);
}

SEC("fentry")
int BPF_PROG(stages_nf_conntrack_in, struct sk_buff *skb, struct nf_hook_state *state)
{
	return hooked(skb, state, NETCOST_STAGE_CONNTRACK, NULL);
}

/* Since Linux 5.16; before, its arguments were in another order, and the verifier refuses this. */
SEC("fentry")
int BPF_PROG(stages_ipt_do_table, void *table, struct sk_buff *skb, struct nf_hook_state *state)
{
	return hooked(skb, state, NETCOST_STAGE_IPTABLES, (const char *)table + xt_table_name);
}

SEC("fentry")
int BPF_PROG(stages_ip6t_do_table, void *table, struct sk_buff *skb, struct nf_hook_state *state)
{
	return hooked(skb, state, NETCOST_STAGE_IPTABLES, (const char *)table + xt_table_name);
}

/* struct nft_pktinfo begins with the packet. */
SEC("fentry")
int BPF_PROG(stages_nft_do_chain, const char *info, const char *chain)
{
	const struct sk_buff *skb = pointer_at(info);
	const struct nf_hook_state *state = pointer_at(info + nft_hook);
	const char *table = pointer_at(chain + nft_table);
	struct more more = { .hook = state, .table = pointer_at(table + nft_table_name) };
	struct place p = place_at((__u64)skb);

	return inside(skb, &p, BPF_CORE_READ(skb, skb_iif), NETCOST_STAGE_NFTABLES, false, &more);
}

/* ---- clones ------------------------------------------------------------------------------ */

/*
 * The clone is a packet of its own from here on, where the other one is, and of the sample or not by its own number. If the
 * other one is not known, whatever was in the clone's memory before is over.
 */
SEC("fexit")
int BPF_PROG(stages_skb_clone, struct sk_buff *skb, unsigned int flags, struct sk_buff *clone)
{
	struct netcost_stages_cpu *c = this_cpu();
	struct place of, p;
	__u64 *word, had;

	if (!c || !clone)
		return 0;
	of = place_of(skb);
	p = place_of(clone);
	word = word_of(came, &of);
	had = *word;
	if (!is_known(c, had, &of, skb, skb->skb_iif)) {
		forget(came, &p);
		return 0;
	}
	if (NUMBER(had))
		step(c, word, had, NETCOST_CAME_STATE(had), NETCOST_STAGE_CLONED, skb);
	begin(c, &p, word_of(came, &p), NETCOST_CAME_STATE(had), NETCOST_STAGE_CLONED, clone);
	if (is_of(*word_of(came, &p), &p))
		set_fact(&p, clone->head, fact_of(&of)->where);
	return 0;
}

#endif
