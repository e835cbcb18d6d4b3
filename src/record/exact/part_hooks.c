// SPDX-License-Identifier: BSD-2-Clause
#include "part_hooks.h"

#include <stddef.h>
#include <string.h>

#define BIT(part) (1u << NETCOST_PART_##part)
#define IS(id) .part = NETCOST_PART_##id, .how = NETCOST_PART_ALWAYS
#define IF_TC(id) .part = NETCOST_PART_##id, .how = NETCOST_PART_TC
#define NETFILTER                                                                                  \
	.part = NETCOST_PART_NF_INGRESS, .how = NETCOST_PART_NF,                                   \
	.more = BIT(PREROUTING_V4) | BIT(PREROUTING_V6)

/*
 * Netto's functions (its bpf/netto.bpf.c), where they still are what they were, and what has become of
 * them. __napi_poll is where NAPI calls a driver, or the backlog; the receive core has two ways in, for a
 * packet and for a list, that all others lead to. napi_gro_receive has become an inline around
 * gro_receive_skb, napi_gro_flush one around __gro_flush (6.1 and 6.12 have the former, 6.18 the latter).
 *
 * tcf_classify is all that a clsact or ingress qdisc calls; programs of tcx (6.6) are called without it,
 * and no function of the kernel's begins and ends with them: they count to the receive core.
 */
const struct part_hook_desc part_hook_descs[NETCOST_PART_HOOKS] = {
	{ IS(DRIVER_POLL), .function = { "__napi_poll" } },
	{ IS(GRO), .function = { "napi_gro_receive", "gro_receive_skb" } },
	{ IS(GRO), .function = { "napi_gro_frags" } },
	{ IS(GRO), .function = { "napi_gro_flush", "__gro_flush" } },
	{ IS(RECEIVE), .function = { "__netif_receive_skb", "__netif_receive_skb_one_core" } },
	{ IS(RECEIVE),
	  .function = { "__netif_receive_skb_list_core", "netif_receive_skb_list_internal" } },
	{ IS(XDP_GENERIC), .function = { "do_xdp_generic" } },
	{ IF_TC(TC_INGRESS), .function = { "tcf_classify" } },
	{ NETFILTER, .function = { "nf_hook_slow" } },
	{ NETFILTER, .function = { "nf_hook_slow_list" } },
	{ IS(CONNTRACK), .function = { "nf_conntrack_in" }, .module = "nf_conntrack" },
	{ IS(BRIDGING), .function = { "br_handle_frame" }, .module = "bridge" },
	{ IS(FORWARD_V4), .function = { "ip_forward" } },
	{ IS(FORWARD_V6), .function = { "ip6_forward" } },
	{ IS(LOCAL_V4), .function = { "ip_local_deliver" } },
	{ IS(LOCAL_V6), .function = { "ip6_input" } },
	{ IS(LOCAL_V6), .function = { "ip6_mc_input" } },
};

bool part_hook_serves(unsigned int row, enum netcost_part part)
{
	const struct part_hook_desc *d = &part_hook_descs[row];

	return d->part == part || d->more >> part & 1;
}

const char *const part_tracepoints[NETCOST_PART_COUNT][PART_TRACEPOINTS + 1] = {
	[NETCOST_PART_DRIVER_POLL] = { "napi_poll" },
	[NETCOST_PART_GRO] = { "napi_gro_receive_entry", "napi_gro_receive_exit",
			       "napi_gro_frags_entry", "napi_gro_frags_exit" },
};

bool part_tracepoint_begins(const char *tracepoint)
{
	const char *last = strrchr(tracepoint, '_');

	return last && !strcmp(last, "_entry");
}
