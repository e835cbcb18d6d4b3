// SPDX-License-Identifier: BSD-2-Clause
#include "path_points.h"

#include <stdio.h>
#include <string.h>

#include <linux/btf.h>

#include <netcost/reasons.h>

#include "record/kernel/btf_names.h"
#include "record/kernel/module_btf.h"
#include "record/source/source.h"

/* ---- checkpoints ------------------------------------------------------------------------- */

#define DEVICE LATENCY_KNOWS_INTERFACE
#define SENT (DEVICE | LATENCY_KNOWS_CGROUP)
#define CALL (SENT | LATENCY_KNOWS_PROCESS)
#define WAIT (LATENCY_KNOWS_CGROUP | LATENCY_KNOWS_PROCESS)
#define SOCKET (SENT | LATENCY_KNOWS_QUEUE)
#define READER (SOCKET | LATENCY_KNOWS_PROCESS)

/*
 * A method of measuring a checkpoint. Names with parentheses are functions. Latency and the tail need all entries of
 * `hook`. A stage uses the entries that exist. `why` describes the weakness of the method; NULL if
 * it has none.
 */
struct checkpoint {
	enum netcost_of of;
	unsigned int number;
	const char *why;
	unsigned int knows; /* bit mask of the facts that are known about packets here */
	const char *also;   /* another hook, which is used if it exists; NULL: none */
	const char *hook[SOURCE_HOOKS + 1]; /* NULL-terminated */
};

#define LATENCY(name, why, knows, also, ...)                                                       \
	{                                                                                          \
		NETCOST_OF_LATENCY, NETCOST_LATENCY_##name, why, knows, also,                      \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define STAGE(name, why, ...)                                                                      \
	{                                                                                          \
		NETCOST_OF_STAGE, NETCOST_STAGE_##name, why, 0, NULL,                              \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

/* All methods. If a checkpoint has several methods, the best one comes first. */
static const struct checkpoint checkpoints[] = {
	LATENCY(RECEIVE, NULL, DEVICE, NULL, "netif_receive_skb"),
	LATENCY(IP_START, NULL, DEVICE, "ip6_rcv_core()", "netif_receive_skb", "ip_rcv_core()"),
	LATENCY(TCP_START, NULL, DEVICE, "tcp_v6_rcv()", "netif_receive_skb", "tcp_v4_rcv()"),
	LATENCY(TCP_START, reason_latency_established, SOCKET, NULL, "netif_receive_skb",
		"tcp_probe"),
	LATENCY(UDP_START, NULL, DEVICE, "udpv6_rcv()", "netif_receive_skb", "udp_rcv()"),
	LATENCY(TCP_ENQUEUED, reason_latency_established, SOCKET, NULL, "netif_receive_skb",
		"tcp_probe", "sk_data_ready"),
	LATENCY(TCP_ENQUEUED, reason_latency_established, SOCKET, NULL, "netif_receive_skb",
		"tcp_probe", "sock_def_readable()"),
	LATENCY(UDP_ENQUEUED, NULL, SOCKET, NULL, "netif_receive_skb", "sk_data_ready"),
	LATENCY(UDP_ENQUEUED, NULL, SOCKET, NULL, "netif_receive_skb", "sock_def_readable()"),
	LATENCY(TCP_READ, NULL, READER, NULL, "netif_receive_skb", "tcp_probe",
		"tcp_rcv_space_adjust"),
	LATENCY(TCP_READ_BLOCKED, reason_latency_established, READER, NULL, "netif_receive_skb",
		"tcp_probe", "tcp_rcv_space_adjust"),
	LATENCY(UDP_READ, reason_latency_udp_read, READER, NULL, "netif_receive_skb",
		"sk_data_ready", "sock_recv_length"),
	LATENCY(UDP_READ, reason_latency_udp_read, READER, "udpv6_recvmsg()", "netif_receive_skb",
		"sock_def_readable()", "udp_recvmsg()"),
	LATENCY(QDISC, NULL, SENT, NULL, "net_dev_queue", "net_dev_start_xmit"),
	LATENCY(DRIVER, NULL, SENT, NULL, "net_dev_start_xmit", "net_dev_xmit"),
	LATENCY(COMPLETION, NULL, SENT, NULL, "net_dev_start_xmit", "consume_skb"),
	LATENCY(TCP_SEND, NULL, CALL, NULL, "tcp_sendmsg()", "net_dev_queue"),
	LATENCY(TCP_SEND, reason_latency_locked, CALL, NULL, "tcp_sendmsg_locked",
		"sock_send_length", "net_dev_queue"),
	LATENCY(UDP_SEND, NULL, CALL, "udpv6_sendmsg()", "udp_sendmsg()", "net_dev_queue"),
	LATENCY(TCP_MEMORY, NULL, WAIT, NULL, "sk_stream_wait_memory()"),
	LATENCY(TCP_TSQ, NULL, LATENCY_KNOWS_CGROUP, NULL, "tcp_write_xmit()"),
	LATENCY(UDP_MEMORY, NULL, WAIT, NULL, "sock_alloc_send_pskb()"),

	STAGE(QUEUED, NULL, "net_dev_queue"),
	STAGE(DRIVER, NULL, "net_dev_start_xmit"),
	STAGE(RETURNED, NULL, "net_dev_xmit"),
	STAGE(ENTRY, NULL, "netif_rx_entry", "netif_receive_skb_entry",
	      "netif_receive_skb_list_entry", "napi_gro_receive_entry", "napi_gro_frags_entry"),
	STAGE(RECEIVE, NULL, "netif_receive_skb"),
	STAGE(IP, NULL, "ip_rcv_core()", "ip6_rcv_core()"),
	STAGE(NETFILTER, NULL, "nf_hook_slow()"),
	STAGE(ROUTE, NULL, "ip_route_input_noref()", "ip6_route_input()"),
	STAGE(TCP, reason_latency_established, "tcp_probe"),
	STAGE(SOCKET, NULL, "sk_data_ready", "sock_def_readable()"),
	STAGE(READ, reason_stages_udp, "tcp_rcv_space_adjust", "sock_recv_length", "consume_skb",
	      "udp_recvmsg()", "udpv6_recvmsg()"),
	STAGE(NO_DATA, reason_latency_established, "tcp_probe"),
	STAGE(MERGED, reason_latency_established, "sk_data_ready", "sock_def_readable()"),
	STAGE(FREED, NULL, "consume_skb"),
	STAGE(DROPPED, NULL, "kfree_skb"),
	STAGE(CLONED, reason_stages_cloned, "skb_clone()", "sk_data_ready", "sock_def_readable()"),
	STAGE(TC, reason_stages_tcx, "tcf_classify()"),
	STAGE(BRIDGE, NULL, "br_handle_frame()"),
	STAGE(CONNTRACK, NULL, "nf_conntrack_in()"),
	STAGE(NFTABLES, NULL, "nft_do_chain()"),
	STAGE(IPTABLES, NULL, "ipt_do_table()", "ip6t_do_table()"),
	STAGE(SPLIT, NULL, "consume_skb"),

	/* the tail needs all of these hooks to know what a CPU did */
	{ NETCOST_OF_TAIL,
	  0,
	  NULL,
	  0,
	  NULL,
	  { "sched_switch", "sched_waking", "softirq_entry", "softirq_exit", "irq_handler_entry",
	    "irq_handler_exit", "hrtimer_expire_entry", "cpu_idle" } },
};

#define CHECKPOINTS (sizeof(checkpoints) / sizeof(checkpoints[0]))

/* Hooks where packets enter, are passed on, or are freed. Latency always uses them if they exist. */
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

/*
 * Properties of functions. better: the tracepoint that replaces the function (6.3 and later). arguments: the function
 * is used only if it has this number of arguments (another number before 5.19). module: the module of the function, or
 * NULL for the kernel itself.
 */
static const struct function {
	const char *name, *better, *module;
	unsigned int arguments; /* 0: any */
} functions[] = {
	{ "sock_def_readable()", "sk_data_ready", NULL, 0 },
	{ "udp_recvmsg()", "sock_recv_length", NULL, 5 },
	{ "udpv6_recvmsg()", "sock_recv_length", NULL, 5 },
	{ "br_handle_frame()", NULL, "bridge", 0 },
	{ "nf_conntrack_in()", NULL, "nf_conntrack", 0 },
	{ "nft_do_chain()", NULL, "nf_tables", 0 },
	{ "ipt_do_table()", NULL, "ip_tables", 0 },
	{ "ip6t_do_table()", NULL, "ip6_tables", 0 },
};

static const struct function *function_of(const char *name)
{
	static const struct function any = { .name = NULL };

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(functions[i].name, name))
			return &functions[i];
	return &any;
}

/* ---- names of hooks ---------------------------------------------------------------------- */

static bool is_function(const char *hook)
{
	return strchr(hook, '(');
}

/* Returns true if the hook "ip_rcv_core()" is the function "ip_rcv_core". */
static bool is_named(const char *hook, const char *bare, bool function)
{
	size_t len = strlen(bare);

	return !strncmp(hook, bare, len) && !strcmp(hook + len, function ? "()" : "");
}

/* Returns the name without parentheses. */
static const char *bare_name(const char *hook, char buf[64])
{
	snprintf(buf, 64, "%.*s", (int)strcspn(hook, "("), hook);
	return buf;
}

/* ---- hooks of the kernel ------------------------------------------------------------------ */

/* Returns true if the hook is in the kernel itself, with the arguments that the recorder's program expects. */
static bool is_built_in(const struct btf_names *kernel, const char *hook)
{
	unsigned int arguments = function_of(hook)->arguments;
	const struct btf_type *t;
	char type[96], text[64];

	if (!is_function(hook)) {
		snprintf(type, sizeof(type), "btf_trace_%s", hook);
		return btf_names_typedef(kernel, type);
	}
	t = btf_names_type(kernel, btf_names_func(kernel, bare_name(hook, text)));
	if (!t || !arguments)
		return t;
	t = btf_names_type(kernel, t->type);
	return t && BTF_INFO_VLEN(t->info) == arguments;
}

static bool is_here(const struct path_points *p, const struct btf_names *kernel, enum netcost_of of,
		    const char *hook)
{
	const struct function *f = function_of(hook);

	if (is_function(hook) && p->refused)
		return false;
	if (of != NETCOST_OF_STAGE)
		return is_built_in(kernel, hook);
	if (f->better && is_built_in(kernel, f->better))
		return false;
	return is_built_in(kernel, hook) ||
	       (f->module && !p->modules_refused && module_btf_is_there(f->module));
}

/* ---- choosing ---------------------------------------------------------------------------- */

static const struct path_point *point_of(const struct path_points *p, enum netcost_of of,
					 unsigned int number)
{
	return of == NETCOST_OF_LATENCY ? &p->latencies[number] :
	       of == NETCOST_OF_STAGE	? &p->stages[number] :
					  &p->of_tail;
}

static bool is_asked(const struct path_points *p, enum netcost_of of)
{
	return of == NETCOST_OF_LATENCY ? p->latency :
	       of == NETCOST_OF_STAGE	? p->sample :
					  p->latency && p->tail && !p->tail_refused;
}

/* Returns a bit mask of the existing hooks. *missing is the first hook that does not exist. */
static unsigned int hooks_here(const struct path_points *p, const struct btf_names *kernel,
			       const struct checkpoint *c, const char **missing)
{
	unsigned int here = 0;

	*missing = NULL;
	for (unsigned int i = 0; c->hook[i]; i++) {
		if (is_here(p, kernel, c->of, c->hook[i]))
			here |= 1u << i;
		else if (!*missing)
			*missing = c->hook[i];
	}
	return here;
}

static void choose(struct path_points *p, struct path_point *point, const struct btf_names *kernel,
		   const struct checkpoint *c)
{
	const char *missing;
	unsigned int here = hooks_here(p, kernel, c, &missing),
		     unknown = c->of == NETCOST_OF_LATENCY ? p->asked & ~c->knows : 0;
	bool enough = c->of == NETCOST_OF_STAGE ? here != 0 : !missing;

	if (missing && !point->missing)
		point->missing = missing;
	if (enough)
		point->unknown |= unknown;
	if (!enough || unknown || point->way)
		return;
	point->way = c;
	point->here = here;
	if (c->also && !is_here(p, kernel, c->of, c->also))
		point->without = c->also;
}

void path_points_choose(struct path_points *p, const struct btf_names *kernel)
{
	memset(p->latencies, 0, sizeof(p->latencies));
	memset(p->stages, 0, sizeof(p->stages));
	memset(&p->of_tail, 0, sizeof(p->of_tail));
	for (size_t i = 0; i < CHECKPOINTS; i++) {
		const struct checkpoint *c = &checkpoints[i];

		if (is_asked(p, c->of))
			choose(p, (struct path_point *)point_of(p, c->of, c->number), kernel, c);
	}
}

void path_points_drop(struct path_points *p, const char *function)
{
	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++) {
		struct path_point *point = &p->stages[s];

		for (unsigned int i = 0; point->way && point->way->hook[i]; i++) {
			if (!is_named(point->way->hook[i], function, true))
				continue;
			point->here &= ~(1u << i);
			point->dropped |= 1u << i;
		}
	}
}

/* ---- queries of the choices -------------------------------------------------------------- */

/* Returns the first hook in use that passes the test. Returns NULL if none does. */
static const char *find(const struct path_point *point, const struct btf_names *kernel,
			bool (*test)(const struct btf_names *kernel, const char *hook))
{
	for (unsigned int i = 0; point->way && point->way->hook[i]; i++)
		if (point->here & 1u << i && test(kernel, point->way->hook[i]))
			return point->way->hook[i];
	return NULL;
}

static bool test_function(const struct btf_names *kernel, const char *hook)
{
	(void)kernel;
	return is_function(hook);
}

static bool test_module(const struct btf_names *kernel, const char *hook)
{
	return !is_built_in(kernel, hook);
}

bool path_points_functions(const struct path_points *p)
{
	bool found = false;

	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		found |= !!find(&p->stages[s], NULL, test_function);
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		found |= !!find(&p->latencies[h], NULL, test_function);
	return found;
}

bool path_points_modules(const struct path_points *p, const struct btf_names *kernel)
{
	bool found = false;

	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		found |= !!find(&p->stages[s], kernel, test_module);
	return found;
}

static bool uses(const struct path_point *point, const char *name, bool function)
{
	for (unsigned int i = 0; point->way && point->way->hook[i]; i++)
		if (point->here & 1u << i && is_named(point->way->hook[i], name, function))
			return true;
	return point->way && point->way->also && !point->without &&
	       is_named(point->way->also, name, function);
}

bool path_points_counts(const struct path_points *p, const struct btf_names *kernel,
			const char *name, bool function)
{
	bool used = uses(&p->of_tail, name, function);

	for (size_t i = 0; p->latency && i < sizeof(always) / sizeof(always[0]); i++)
		used |= is_named(always[i], name, function) && is_built_in(kernel, always[i]);
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		used |= uses(&p->latencies[h], name, function);
	return used;
}

bool path_points_follows(const struct path_points *p, const char *name, bool function)
{
	bool used = false;

	for (unsigned int s = 0; s < NETCOST_STAGE_COUNT; s++)
		used |= uses(&p->stages[s], name, function);
	return used;
}

bool path_points_measures(const struct path_points *p, enum netcost_latency hook)
{
	return p->latencies[hook].way;
}

bool path_points_measures_any(const struct path_points *p)
{
	bool any = false;

	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		any |= path_points_measures(p, h);
	return any;
}

bool path_points_by(const struct path_points *p, enum netcost_latency hook, const char *function)
{
	return uses(&p->latencies[hook], function, true);
}

/* ---- descriptions for the trace ---------------------------------------------------------- */

static const char *name_of(enum netcost_of of, unsigned int number)
{
	static const char *const latencies[] = {
#define X(id, name, key, from, to) [id] = key,
		NETCOST_LATENCIES(X)
#undef X
	};
	static const char *const stages[] = {
#define X(id, name, key, kind, what) [id] = key,
		NETCOST_STAGES(X)
#undef X
	};

	return of == NETCOST_OF_LATENCY ? latencies[number] :
	       of == NETCOST_OF_STAGE	? stages[number] :
					  "tail";
}

/* Writes the weakness of the chosen method to why. */
static void say_weak(const struct path_point *point, char *why)
{
	const char *weak = point->way->why ? point->way->why : "";
	char text[64], half[128];

	if (!point->without) {
		snprintf(why, SOURCE_WHY, "%s", weak);
		return;
	}
	snprintf(half, sizeof(half), reason_latency_no_ipv6, bare_name(point->without, text));
	snprintf(why, SOURCE_WHY, "%s%s%s", half, *weak ? " " : "", weak);
}

/* Returns the name of one of the unknown keys. */
static const char *unknown_key(unsigned int unknown)
{
	return unknown & LATENCY_KNOWS_PROCESS ? "pid" :
	       unknown & LATENCY_KNOWS_QUEUE   ? "queue" :
	       unknown & LATENCY_KNOWS_CGROUP  ? "cgroup" :
						 "interface";
}

/* Explains that a checkpoint is not measured because the best method lacks a hook. */
static void say_missing(const struct path_points *p, const struct path_point *point,
			const char *hook, char *why)
{
	const char *module = function_of(hook)->module;
	int refused = p->refused ? p->refused : module ? p->modules_refused : 0;
	char text[64];

	if (!is_function(hook))
		snprintf(why, SOURCE_WHY, reason_no_tracepoint, hook);
	else if (refused)
		snprintf(why, SOURCE_WHY, reason_latency_refused, refused);
	else if (module && !(point->dropped & 1) && !module_btf_is_there(module))
		snprintf(why, SOURCE_WHY, reason_stages_no_module, module);
	else
		snprintf(why, SOURCE_WHY, reason_latency_no_function, bare_name(hook, text));
}

static void say_why(const struct path_points *p, enum netcost_of of, const struct path_point *point,
		    char *why)
{
	if (point->way && point->here)
		say_weak(point, why);
	else if (of == NETCOST_OF_TAIL && p->tail_refused)
		snprintf(why, SOURCE_WHY, reason_not_loaded, p->tail_refused);
	else if (point->unknown)
		snprintf(why, SOURCE_WHY, reason_latency_only_unknown, unknown_key(point->unknown));
	else if (point->way || point->missing)
		say_missing(p, point, point->way ? point->way->hook[0] : point->missing, why);
}

void path_points_say(const struct path_points *p, enum netcost_of of, unsigned int number,
		     struct source_point *said)
{
	const struct path_point *point = point_of(p, of, number);

	*said = (struct source_point){
		.of = of, .number = number, .name = name_of(of, number), .method = "off"
	};
	for (unsigned int i = 0; point->way && point->way->hook[i]; i++) {
		const char *hook = point->way->hook[i];

		if (!(point->here & 1u << i))
			continue;
		said->hook[said->n++] = hook;
		if (is_function(hook) || of == NETCOST_OF_STAGE || !strcmp(said->method, "off"))
			said->method = is_function(hook) ? "fentry" : "tracepoint";
	}
	say_why(p, of, point, said->why);
}
