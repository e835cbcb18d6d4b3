// SPDX-License-Identifier: BSD-2-Clause
#include "latency_ways.h"

#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>

#include "functions.h"
#include "source.h"

static const char *const names[] = {
#define X(id, name, key, from, to) [id] = key,
	NETCOST_LATENCIES(X)
#undef X
};

#define DEVICE LATENCY_KNOWS_INTERFACE
#define SENT (DEVICE | LATENCY_KNOWS_CGROUP)
#define CALL (SENT | LATENCY_KNOWS_PROCESS)
#define WAIT (LATENCY_KNOWS_CGROUP | LATENCY_KNOWS_PROCESS)
#define SOCKET (SENT | LATENCY_KNOWS_QUEUE)
#define READER (SOCKET | LATENCY_KNOWS_PROCESS)

/*
 * By what each hook can be measured, best first: all of it has to be there; and what is taken besides, if it is there.
 * Names with brackets are functions. why: what is weak; NULL: nothing.
 */
static const struct latency_way {
	enum netcost_latency hook;
	const char *needs[SOURCE_HOOKS + 1], *also, *why;
	unsigned int knows; /* of its packets */
} ways[] = {
	{ NETCOST_LATENCY_RECEIVE, { "netif_receive_skb" }, NULL, NULL, DEVICE },
	{ NETCOST_LATENCY_IP_START,
	  { "netif_receive_skb", "ip_rcv_core()" },
	  "ip6_rcv_core()",
	  NULL,
	  DEVICE },
	{ NETCOST_LATENCY_TCP_START,
	  { "netif_receive_skb", "tcp_v4_rcv()" },
	  "tcp_v6_rcv()",
	  NULL,
	  DEVICE },
	{ NETCOST_LATENCY_TCP_START,
	  { "netif_receive_skb", "tcp_probe" },
	  NULL,
	  reason_latency_established,
	  SOCKET },
	{ NETCOST_LATENCY_UDP_START,
	  { "netif_receive_skb", "udp_rcv()" },
	  "udpv6_rcv()",
	  NULL,
	  DEVICE },
	{ NETCOST_LATENCY_TCP_ENQUEUED,
	  { "netif_receive_skb", "tcp_probe", "sk_data_ready" },
	  NULL,
	  reason_latency_established,
	  SOCKET },
	{ NETCOST_LATENCY_TCP_ENQUEUED,
	  { "netif_receive_skb", "tcp_probe", "sock_def_readable()" },
	  NULL,
	  reason_latency_established,
	  SOCKET },
	{ NETCOST_LATENCY_UDP_ENQUEUED,
	  { "netif_receive_skb", "sk_data_ready" },
	  NULL,
	  NULL,
	  SOCKET },
	{ NETCOST_LATENCY_UDP_ENQUEUED,
	  { "netif_receive_skb", "sock_def_readable()" },
	  NULL,
	  NULL,
	  SOCKET },
	{ NETCOST_LATENCY_TCP_READ,
	  { "netif_receive_skb", "tcp_probe", "tcp_rcv_space_adjust" },
	  NULL,
	  NULL,
	  READER },
	{ NETCOST_LATENCY_TCP_READ_BLOCKED,
	  { "netif_receive_skb", "tcp_probe", "tcp_rcv_space_adjust" },
	  NULL,
	  reason_latency_established,
	  READER },
	{ NETCOST_LATENCY_UDP_READ,
	  { "netif_receive_skb", "sk_data_ready", "sock_recv_length" },
	  NULL,
	  reason_latency_udp_read,
	  READER },
	{ NETCOST_LATENCY_UDP_READ,
	  { "netif_receive_skb", "sock_def_readable()", "udp_recvmsg()" },
	  "udpv6_recvmsg()",
	  reason_latency_udp_read,
	  READER },
	{ NETCOST_LATENCY_QDISC, { "net_dev_queue", "net_dev_start_xmit" }, NULL, NULL, SENT },
	{ NETCOST_LATENCY_DRIVER, { "net_dev_start_xmit", "net_dev_xmit" }, NULL, NULL, SENT },
	{ NETCOST_LATENCY_COMPLETION, { "net_dev_start_xmit", "consume_skb" }, NULL, NULL, SENT },
	{ NETCOST_LATENCY_TCP_SEND, { "tcp_sendmsg()", "net_dev_queue" }, NULL, NULL, CALL },
	{ NETCOST_LATENCY_TCP_SEND,
	  { "tcp_sendmsg_locked", "sock_send_length", "net_dev_queue" },
	  NULL,
	  reason_latency_locked,
	  CALL },
	{ NETCOST_LATENCY_UDP_SEND,
	  { "udp_sendmsg()", "net_dev_queue" },
	  "udpv6_sendmsg()",
	  NULL,
	  CALL },
	{ NETCOST_LATENCY_TCP_MEMORY, { "sk_stream_wait_memory()" }, NULL, NULL, WAIT },
	{ NETCOST_LATENCY_TCP_TSQ, { "tcp_write_xmit()" }, NULL, NULL, LATENCY_KNOWS_CGROUP },
	{ NETCOST_LATENCY_UDP_MEMORY, { "sock_alloc_send_pskb()" }, NULL, NULL, WAIT },
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

/* Where packets come in, are handed on and end: these are taken wherever they are. */
static const char *const always[] = {
	"netif_rx_entry",
	"netif_receive_skb_entry",
	"netif_receive_skb_list_entry",
	"napi_gro_receive_entry",
	"napi_gro_frags_entry",
	"netif_receive_skb",
	"net_dev_queue",
	"consume_skb",
	"kfree_skb",
};

static bool is_there(const struct latency_ways *w, const struct btf_names *kernel, const char *name)
{
	return (w->functions || !hook_is_function(name)) && hook_is_built_in(kernel, name);
}

/* NULL: nothing is. */
static const char *missing_of(const struct latency_ways *w, const struct btf_names *kernel,
			      const struct latency_way *way)
{
	for (const char *const *name = way->needs; *name; name++)
		if (!is_there(w, kernel, *name))
			return *name;
	return NULL;
}

void latency_ways_choose(struct latency_ways *w, const struct btf_names *kernel)
{
	memset(w->way, 0, sizeof(w->way));
	memset(w->missing, 0, sizeof(w->missing));
	memset(w->without, 0, sizeof(w->without));
	memset(w->unknown, 0, sizeof(w->unknown));
	for (size_t i = 0; i < WAYS; i++) {
		enum netcost_latency h = ways[i].hook;
		const char *missing = missing_of(w, kernel, &ways[i]);

		if (missing && !w->missing[h])
			w->missing[h] = missing;
		if (!missing)
			w->unknown[h] |= w->asked & ~ways[i].knows;
		if (missing || w->way[h] || w->asked & ~ways[i].knows)
			continue;
		w->way[h] = &ways[i];
		if (ways[i].also && !is_there(w, kernel, ways[i].also))
			w->without[h] = ways[i].also;
	}
}

bool latency_ways_measure(const struct latency_ways *w, enum netcost_latency hook)
{
	return w->way[hook];
}

bool latency_ways_measure_any(const struct latency_ways *w)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (w->way[h])
			return true;
	return false;
}

static bool has(const struct latency_way *way, const char *name, bool function)
{
	for (const char *const *needed = way->needs; *needed; needed++)
		if (hook_is_named(*needed, name, function))
			return true;
	return way->also && hook_is_named(way->also, name, function);
}

static bool is_taken(const struct latency_ways *w, const char *name, bool function)
{
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		if (hook_is_named(always[i], name, function))
			return true;
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (w->way[h] && has(w->way[h], name, function))
			return true;
	return false;
}

bool latency_ways_want(const struct latency_ways *w, const struct btf_names *kernel,
		       const char *name, bool function)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s", name, function ? "()" : "");
	return is_taken(w, name, function) && is_there(w, kernel, text);
}

bool latency_ways_tcp_function(const struct latency_ways *w)
{
	const struct latency_way *way = w->way[NETCOST_LATENCY_TCP_START];

	return way && has(way, "tcp_v4_rcv", true);
}

bool latency_ways_udp_functions(const struct latency_ways *w)
{
	const struct latency_way *way = w->way[NETCOST_LATENCY_UDP_READ];

	return way && has(way, "udp_recvmsg", true);
}

/* What is weak about the way that was chosen. */
static void say_weak(const struct latency_ways *w, enum netcost_latency hook, char *why)
{
	const char *weak = w->way[hook]->why ? w->way[hook]->why : "";
	char text[64], half[128];

	if (!w->without[hook]) {
		snprintf(why, SOURCE_WHY, "%s", weak);
		return;
	}
	snprintf(half, sizeof(half), reason_latency_no_ipv6, hook_bare(w->without[hook], text));
	if (*weak)
		snprintf(why, SOURCE_WHY, "%s %s", half, weak);
	else
		snprintf(why, SOURCE_WHY, "%s", half);
}

/* One of them. */
static const char *unknown_key(unsigned int unknown)
{
	return unknown & LATENCY_KNOWS_PROCESS ? "pid" :
	       unknown & LATENCY_KNOWS_QUEUE   ? "queue" :
	       unknown & LATENCY_KNOWS_CGROUP  ? "cgroup" :
						 "interface";
}

void latency_ways_say(const struct latency_ways *w, enum netcost_latency hook,
		      struct source_point *said)
{
	const struct latency_way *way = w->way[hook];
	const char *missing = w->missing[hook];
	char text[64];

	*said = (struct source_point){ .of = NETCOST_OF_LATENCY,
				       .number = hook,
				       .name = names[hook],
				       .method = way ? "tracepoint" : "off" };
	for (; way && way->needs[said->n]; said->n++) {
		said->hook[said->n] = way->needs[said->n];
		if (hook_is_function(way->needs[said->n]))
			said->method = "fentry";
	}
	if (way)
		say_weak(w, hook, said->why);
	else if (w->unknown[hook])
		snprintf(said->why, sizeof(said->why), reason_latency_only_unknown,
			 unknown_key(w->unknown[hook]));
	else if (!hook_is_function(missing))
		snprintf(said->why, sizeof(said->why), reason_no_tracepoint, missing);
	else if (w->refused)
		snprintf(said->why, sizeof(said->why), reason_latency_refused, w->refused);
	else
		snprintf(said->why, sizeof(said->why), reason_latency_no_function,
			 hook_bare(missing, text));
}
