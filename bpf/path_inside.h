/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * path_inside.h: checkpoints of a sampled path between the packet's entry and its exit. The checkpoints are functions
 * of the kernel, some of them in modules.
 */
#ifndef NETCOST_PATH_INSIDE_H
#define NETCOST_PATH_INSIDE_H

#include "path_sample.h"

/* Offsets of members of structs that modules define: nft_pktinfo, nft_chain, nft_table and xt_table. */
CONFIG __u32 nft_hook, nft_table, nft_table_name, xt_table_name;

/* Returns true if the packet is certainly the packet of the table entry. iif: skb_iif of the packet. */
static __always_inline bool is_known(const struct netcost_path_cpu *c, const struct place *p,
				     const struct sk_buff *skb, int iif)
{
	const struct netcost_packet *e = entry_of(p);

	return is_of(e->out, p) || (is_received(state_of(e->in, p)) && iif &&
				    is_delivered(&c->batch, p, BPF_CORE_READ(skb, head)));
}

/* ---- steps at the entry of a function ------------------------------------------------------ */

static __always_inline bool is_out(const struct nf_hook_state *state)
{
	__u8 hook = BPF_CORE_READ(state, hook), family = BPF_CORE_READ(state, pf);

	return (hook == NF_LOCAL_OUT || hook == NF_POST_ROUTING) &&
	       (family == NFPROTO_IPV4 || family == NFPROTO_IPV6);
}

/*
 * Records a step of a known packet. An unknown packet begins a new path if it is on the transmit path: that is, if
 * `out` is set or if the netfilter hook is a hook for sent packets. at: the packet's address.
 */
static __always_inline int inside(const struct sk_buff *skb, const struct place *p, __u64 at,
				  int iif, bool out, struct sampled *s)
{
	struct netcost_path_cpu *c = this_cpu();
	__u64 number;

	if (!c || !with_sample)
		return 0;
	if (is_known(c, p, skb, iif)) {
		sample_step_with(c, p, s);
	} else if (!iif && (out || (s->hook && is_out((const struct nf_hook_state *)s->hook)))) {
		entry_of(p)->out = word_now(p, NETCOST_OUT_INSIDE, time_now(c));
		number = sample_draw(c, p);
		if (number)
			sample_begin_with(c, p, number, at, s);
	}
	return 0;
}

/* ---- steps in IP, in traffic control and in a bridge --------------------------------------- */

/* Records a step in a function where skb->dev is known. */
static __always_inline int passes(const struct sk_buff *skb, enum netcost_stage stage, bool out)
{
	struct sampled s = { .stage = stage, .skb = address_of(skb) };
	struct place p = place_of(skb);

	return inside(skb, &p, s.skb, skb->skb_iif, out, &s);
}

#define INSIDE(function, stage, out)                                                               \
	SEC("fentry") int BPF_PROG(path_##function, struct sk_buff *skb)                           \
	{                                                                                          \
		return passes(skb, NETCOST_STAGE_##stage, out);                                    \
	}
INSIDE(ip_route_input_noref, ROUTE, false)
INSIDE(ip6_route_input, ROUTE, false)
INSIDE(tcf_classify, TC, !BPF_CORE_READ_BITFIELD_PROBED(skb, tc_at_ingress))

static __always_inline void *pointer_at(const void *at)
{
	void *p = NULL;

	bpf_probe_read_kernel(&p, sizeof(p), at);
	return p;
}

/*
 * Records a step in a bridge. The function's argument is the address of a pointer to the packet, and BPF programs may
 * not declare an argument of this type.
 */
SEC("fentry") int BPF_PROG(path_br_handle_frame)
{
	struct sampled s = { .stage = NETCOST_STAGE_BRIDGE };
	const struct sk_buff *skb;
	struct place p;
	__u64 at = 0;

	bpf_get_func_arg(ctx, 0, &at);
	skb = pointer_at((const void *)at);
	s.skb = (__u64)skb;
	p = place_at(s.skb);
	return inside(skb, &p, s.skb, BPF_CORE_READ(skb, skb_iif), false, &s);
}

/* ---- netfilter --------------------------------------------------------------------------- */

/* Records a netfilter step. table: name of the netfilter table; NULL: the step has no table. */
static __always_inline int hooked(const struct sk_buff *skb, const struct nf_hook_state *state,
				  enum netcost_stage stage, const char *table)
{
	struct sampled s = { .stage = stage, .table = (__u64)table };
	struct place p = place_of(skb);

	s.hook = address_of(state);
	return inside(skb, &p, address_of(skb), skb->skb_iif, false, &s);
}

SEC("fentry")
int BPF_PROG(path_nf_hook_slow, struct sk_buff *skb, struct nf_hook_state *state)
{
	return hooked(skb, state, NETCOST_STAGE_NETFILTER, NULL);
}

SEC("fentry")
int BPF_PROG(path_nf_conntrack_in, struct sk_buff *skb, struct nf_hook_state *state)
{
	return hooked(skb, state, NETCOST_STAGE_CONNTRACK, NULL);
}

/*
 * Records a netfilter step on Linux 5.16 and later. On older kernels, whose arguments have another order, the verifier
 * refuses this program.
 */
SEC("fentry")
int BPF_PROG(path_ipt_do_table, void *table, struct sk_buff *skb, struct nf_hook_state *state)
{
	return hooked(skb, state, NETCOST_STAGE_IPTABLES, (const char *)table + xt_table_name);
}

SEC("fentry")
int BPF_PROG(path_ip6t_do_table, void *table, struct sk_buff *skb, struct nf_hook_state *state)
{
	return hooked(skb, state, NETCOST_STAGE_IPTABLES, (const char *)table + xt_table_name);
}

/* Records a step of an nftables rule. The argument is a struct nft_pktinfo, which begins with the packet. */
SEC("fentry")
int BPF_PROG(path_nft_do_chain, const char *info, const char *chain)
{
	struct sampled s = { .stage = NETCOST_STAGE_NFTABLES };
	const struct sk_buff *skb = pointer_at(info);
	struct place p = place_at((__u64)skb);

	s.hook = (__u64)pointer_at(info + nft_hook);
	s.table = (__u64)pointer_at((const char *)pointer_at(chain + nft_table) + nft_table_name);
	return inside(skb, &p, (__u64)skb, BPF_CORE_READ(skb, skb_iif), false, &s);
}

/* ---- clones ------------------------------------------------------------------------------ */

/*
 * Starts the path of a clone, which is a packet of its own. Its path begins at the checkpoint of the original packet,
 * and the clone's own number decides whether the clone is sampled. If the original packet is unknown, the clone is not
 * followed. The clone's address may still have the entry of an earlier packet. The path of that packet ends here.
 */
static __always_inline int cloned(const struct sk_buff *skb, const struct sk_buff *clone)
{
	struct netcost_path_cpu *c = this_cpu();
	struct place of = place_of(skb), p = place_of(clone);
	struct netcost_packet *e = entry_of(&p);
	__u64 out = state_of(entry_of(&of)->out, &of), now;

	if (!c || !with_sample)
		return 0;
	if (!is_known(c, &of, skb, skb->skb_iif)) {
		forget(&e->in, &p);
		forget(&e->out, &p);
		sample_leave(&p);
		return 0;
	}
	sample_step(c, &of, NETCOST_STAGE_CLONED, skb);
	now = time_now(c);
	if (out)
		e->out = word_now(&p, is_sent(out) ? NETCOST_OUT_CLONED : NETCOST_OUT_INSIDE, now);
	else
		forget(&e->out, &p);
	e->in = out ? 0 : word_now(&p, NETCOST_IN_CLONED, now);
	set_proof(&p, clone->head, entry_of(&of)->where);
	sample_begin(c, &p, NETCOST_STAGE_CLONED, clone);
	return 0;
}

SEC("fexit")
int BPF_PROG(path_skb_clone, struct sk_buff *skb, unsigned int flags, struct sk_buff *clone)
{
	return clone ? cloned(skb, clone) : 0;
}

#endif
