// SPDX-License-Identifier: BSD-2-Clause
#include "stages_points.h"

#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>

#include "functions.h"
#include "record/kernel/module_btf.h"
#include "source.h"

_Static_assert(STAGES_HOOKS <= SOURCE_HOOKS, "all are told");

static const char *const names[] = {
#define X(id, name, key, kind, what) [id] = key,
	NETCOST_STAGES(X)
#undef X
};

/* Any of its hooks tells of a stage. Names with brackets are functions. why: what is weak; NULL: nothing. */
static const struct {
	const char *hook[STAGES_HOOKS + 1], *why;
} points[NETCOST_STAGE_COUNT] = {
	[NETCOST_STAGE_QUEUED] = { { "net_dev_queue" }, NULL },
	[NETCOST_STAGE_DRIVER] = { { "net_dev_start_xmit" }, NULL },
	[NETCOST_STAGE_RETURNED] = { { "net_dev_xmit" }, NULL },
	[NETCOST_STAGE_ENTRY] = { { "netif_rx_entry", "netif_receive_skb_entry",
				    "netif_receive_skb_list_entry", "napi_gro_receive_entry",
				    "napi_gro_frags_entry" },
				  NULL },
	[NETCOST_STAGE_RECEIVE] = { { "netif_receive_skb" }, NULL },
	[NETCOST_STAGE_IP] = { { "ip_rcv_core()", "ip6_rcv_core()" }, NULL },
	[NETCOST_STAGE_NETFILTER] = { { "nf_hook_slow()" }, NULL },
	[NETCOST_STAGE_ROUTE] = { { "ip_route_input_noref()", "ip6_route_input()" }, NULL },
	[NETCOST_STAGE_TCP] = { { "tcp_probe" }, reason_latency_established },
	[NETCOST_STAGE_SOCKET] = { { "sk_data_ready", "sock_def_readable()" }, NULL },
	[NETCOST_STAGE_READ] = { { "tcp_rcv_space_adjust", "sock_recv_length", "consume_skb",
				   "udp_recvmsg()", "udpv6_recvmsg()" },
				 reason_stages_udp },
	[NETCOST_STAGE_NO_DATA] = { { "tcp_probe" }, reason_latency_established },
	[NETCOST_STAGE_MERGED] = { { "sk_data_ready", "sock_def_readable()" },
				   reason_latency_established },
	[NETCOST_STAGE_FREED] = { { "consume_skb" }, NULL },
	[NETCOST_STAGE_DROPPED] = { { "kfree_skb" }, NULL },
	[NETCOST_STAGE_CLONED] = { { "skb_clone()", "sk_data_ready", "sock_def_readable()" },
				   reason_stages_cloned },
	[NETCOST_STAGE_TC] = { { "tcf_classify()" }, reason_stages_tcx },
	[NETCOST_STAGE_BRIDGE] = { { "br_handle_frame()" }, NULL },
	[NETCOST_STAGE_CONNTRACK] = { { "nf_conntrack_in()" }, NULL },
	[NETCOST_STAGE_NFTABLES] = { { "nft_do_chain()" }, NULL },
	[NETCOST_STAGE_IPTABLES] = { { "ipt_do_table()", "ip6t_do_table()" }, NULL },
	[NETCOST_STAGE_SPLIT] = { { "consume_skb" }, NULL },
};

/* Only where there is no such tracepoint (before 6.3). */
static const struct {
	const char *function, *best;
} seconds[] = {
	{ "sock_def_readable()", "sk_data_ready" },
	{ "udp_recvmsg()", "sock_recv_length" },
	{ "udpv6_recvmsg()", "sock_recv_length" },
};

/* Where they are not in the kernel itself. */
static const struct {
	const char *function, *module;
} modules[] = {
	{ "br_handle_frame()", "bridge" },   { "nf_conntrack_in()", "nf_conntrack" },
	{ "nft_do_chain()", "nf_tables" },   { "ipt_do_table()", "ip_tables" },
	{ "ip6t_do_table()", "ip6_tables" },
};

/* NULL: it is in none. */
static const char *module_of(const char *function)
{
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (!strcmp(modules[i].function, function))
			return modules[i].module;
	return NULL;
}

/* Is there another hook, that is better? */
static bool is_second(const struct btf_names *kernel, const char *name)
{
	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++)
		if (!strcmp(seconds[i].function, name))
			return hook_is_built_in(kernel, seconds[i].best);
	return false;
}

static bool is_there(const struct stages_points *p, const struct btf_names *kernel,
		     const char *name)
{
	const char *module = module_of(name);

	if (hook_is_function(name) && (p->refused || is_second(kernel, name)))
		return false;
	return hook_is_built_in(kernel, name) ||
	       (module && !p->modules_refused && module_btf_is_there(module));
}

void stages_points_choose(struct stages_points *p, const struct btf_names *kernel, int refused,
			  int modules_refused)
{
	memset(p, 0, sizeof(*p));
	p->refused = refused;
	p->modules_refused = modules_refused;
	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		for (unsigned int i = 0; points[s].hook[i]; i++)
			if (is_there(p, kernel, points[s].hook[i]))
				p->here[s] |= 1u << i;
}

void stages_points_drop(struct stages_points *p, const char *function)
{
	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		for (unsigned int i = 0; points[s].hook[i]; i++)
			if (hook_is_named(points[s].hook[i], function, true)) {
				p->here[s] &= ~(1u << i);
				p->dropped[s] |= 1u << i;
			}
}

bool stages_points_functions(const struct stages_points *p)
{
	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		for (unsigned int i = 0; points[s].hook[i]; i++)
			if (p->here[s] & 1u << i && hook_is_function(points[s].hook[i]))
				return true;
	return false;
}

bool stages_points_modules(const struct stages_points *p, const struct btf_names *kernel)
{
	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		for (unsigned int i = 0; points[s].hook[i]; i++)
			if (p->here[s] & 1u << i && !hook_is_built_in(kernel, points[s].hook[i]))
				return true;
	return false;
}

bool stages_points_want(const struct stages_points *p, const char *name, bool function)
{
	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		for (unsigned int i = 0; points[s].hook[i]; i++)
			if (hook_is_named(points[s].hook[i], name, function))
				return p->here[s] & 1u << i;
	return false;
}

/* Why a stage cannot be seen: by its first hook, which is the best. */
static void say_missing(const struct stages_points *p, enum netcost_stage stage, char *why)
{
	const char *hook = points[stage].hook[0];
	const char *module = module_of(hook);
	char bare[64];

	if (!hook_is_function(hook))
		snprintf(why, SOURCE_WHY, reason_no_tracepoint, hook);
	else if (p->refused || (module && p->modules_refused))
		snprintf(why, SOURCE_WHY, reason_latency_refused,
			 p->refused ? p->refused : p->modules_refused);
	else if (module && !(p->dropped[stage] & 1) && !module_btf_is_there(module))
		snprintf(why, SOURCE_WHY, reason_stages_no_module, module);
	else
		snprintf(why, SOURCE_WHY, reason_latency_no_function, hook_bare(hook, bare));
}

void stages_points_say(const struct stages_points *p, enum netcost_stage stage,
		       struct source_point *said)
{
	*said = (struct source_point){
		.of = NETCOST_OF_STAGE, .number = stage, .name = names[stage], .method = "off"
	};
	for (unsigned int i = 0; points[stage].hook[i]; i++) {
		if (!(p->here[stage] & 1u << i))
			continue;
		said->hook[said->n++] = points[stage].hook[i];
		said->method = hook_is_function(points[stage].hook[i]) ? "fentry" : "tracepoint";
	}
	if (!said->n)
		say_missing(p, stage, said->why);
	else if (points[stage].why)
		snprintf(said->why, SOURCE_WHY, "%s", points[stage].why);
}
