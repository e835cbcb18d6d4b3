// SPDX-License-Identifier: BSD-2-Clause
#include "stages_points.h"

#include <stdio.h>
#include <string.h>

#include <netcost/messages.h>

#include "record/kernel/btf_names.h"
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
	[NETCOST_STAGE_TCP] = { { "tcp_probe" }, said_latency_established },
	[NETCOST_STAGE_SOCKET] = { { "sk_data_ready" }, NULL },
	[NETCOST_STAGE_READ] = { { "skb_copy_datagram_iovec", "sock_recv_length", "consume_skb" },
				 said_stages_udp },
	[NETCOST_STAGE_NO_DATA] = { { "tcp_probe" }, said_latency_established },
	[NETCOST_STAGE_MERGED] = { { "sk_data_ready" }, said_latency_established },
	[NETCOST_STAGE_FREED] = { { "consume_skb" }, NULL },
	[NETCOST_STAGE_DROPPED] = { { "kfree_skb" }, NULL },
};

static bool is_function(const char *name)
{
	return strchr(name, '(');
}

/* "ip_rcv_core()" is "ip_rcv_core", if that is a function. */
static bool is_name(const char *name, const char *bare, bool function)
{
	size_t len = strlen(bare);

	return !strncmp(name, bare, len) && !strcmp(name + len, function ? "()" : "");
}

static bool is_there(const struct stages_points *p, const struct btf_names *kernel,
		     const char *name)
{
	char type[96];

	if (is_function(name)) {
		snprintf(type, sizeof(type), "%.*s", (int)strcspn(name, "("), name);
		return !p->refused && btf_names_func(kernel, type);
	}
	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf_names_typedef(kernel, type);
}

void stages_points_choose(struct stages_points *p, const struct btf_names *kernel, int refused)
{
	memset(p, 0, sizeof(*p));
	p->refused = refused;
	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		for (unsigned int i = 0; points[s].hook[i]; i++)
			if (is_there(p, kernel, points[s].hook[i]))
				p->here[s] |= 1u << i;
}

bool stages_points_functions(const struct stages_points *p)
{
	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		for (unsigned int i = 0; points[s].hook[i]; i++)
			if (p->here[s] & 1u << i && is_function(points[s].hook[i]))
				return true;
	return false;
}

bool stages_points_want(const struct stages_points *p, const struct btf_names *kernel,
			const char *name, bool function)
{
	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		for (unsigned int i = 0; points[s].hook[i]; i++)
			if (is_name(points[s].hook[i], name, function))
				return is_there(p, kernel, points[s].hook[i]);
	return false;
}

/* Why a stage cannot be seen: by its first hook, which is the best. */
static void say_missing(const struct stages_points *p, const char *hook, char *why)
{
	char bare[64];

	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(hook, "("), hook);
	if (!is_function(hook))
		snprintf(why, SOURCE_WHY, said_no_tracepoint, hook);
	else if (p->refused)
		snprintf(why, SOURCE_WHY, said_latency_refused, strerror(p->refused));
	else
		snprintf(why, SOURCE_WHY, said_latency_no_function, bare);
}

void stages_points_say(const struct stages_points *p, enum netcost_stage stage,
		       struct source_point *said)
{
	*said = (struct source_point){ .name = names[stage], .rung = "off" };
	for (unsigned int i = 0; points[stage].hook[i]; i++) {
		if (!(p->here[stage] & 1u << i))
			continue;
		said->hook[said->n++] = points[stage].hook[i];
		said->rung = is_function(points[stage].hook[i]) ? "fentry" : "tracepoint";
	}
	if (!said->n)
		say_missing(p, points[stage].hook[0], said->why);
	else if (points[stage].why)
		snprintf(said->why, SOURCE_WHY, "%s", points[stage].why);
}
