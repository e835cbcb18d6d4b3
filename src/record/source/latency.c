// SPDX-License-Identifier: BSD-2-Clause
/* For how long packets wait (--latency), counted by BPF programs: bpf/latency.bpf.c. */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>
#include <linux/types.h> /* the programs' __u64 */

#include <netcost/cpuset.h>
#include <netcost/messages.h>
#include <netcost/trace.h>

#include "bpf/latency.h"
#include "bpf/latency.skel.h" /* made by bpftool from bpf/latency.bpf.c, in build/ */
#include "record/base/clock.h"
#include "record/kernel/btf_names.h"
#include "record/kernel/tracing.h"

#define PREFIX "latency_" /* of a program; then its tracepoint or function */
#define NEEDS 3
#define WAYS 2

/*
 * What each hook can be measured by, best first: all of it has to be there; and what is taken besides, if it is there.
 * Names with brackets are functions. why: what is weak.
 */
static const struct hook {
	struct way {
		const char *needs[NEEDS + 1], *also, *why;
	} way[WAYS + 1];
} hooks[NETCOST_LATENCY_COUNT] = {
	[NETCOST_LATENCY_RECEIVE] = { { { { "netif_receive_skb" }, NULL, "" } } },
	[NETCOST_LATENCY_IP_START] = { { { { "netif_receive_skb", "ip_rcv_core()" },
					   "ip6_rcv_core()",
					   "" } } },
	[NETCOST_LATENCY_TCP_START] = { { { { "netif_receive_skb", "tcp_v4_rcv()" },
					    "tcp_v6_rcv()",
					    "" },
					  { { "netif_receive_skb", "tcp_probe" },
					    NULL,
					    said_latency_established } } },
	[NETCOST_LATENCY_UDP_START] = { { { { "netif_receive_skb", "udp_rcv()" },
					    "udpv6_rcv()",
					    "" } } },
	[NETCOST_LATENCY_TCP_ENQUEUED] = { { { { "netif_receive_skb", "tcp_probe", "sk_data_ready" },
					       NULL,
					       said_latency_established },
					     { { "netif_receive_skb", "tcp_probe",
						 "sock_def_readable()" },
					       NULL,
					       said_latency_established } } },
	[NETCOST_LATENCY_UDP_ENQUEUED] = { { { { "netif_receive_skb", "sk_data_ready" }, NULL, "" },
					     { { "netif_receive_skb", "sock_def_readable()" },
					       NULL,
					       "" } } },
	[NETCOST_LATENCY_TCP_READ] = { { { { "netif_receive_skb", "tcp_probe",
					     "skb_copy_datagram_iovec" },
					   NULL,
					   "" } } },
	[NETCOST_LATENCY_TCP_READ_BLOCKED] = { { { { "netif_receive_skb", "tcp_probe",
						     "skb_copy_datagram_iovec" },
						   NULL,
						   said_latency_established } } },
	[NETCOST_LATENCY_UDP_READ] = { { { { "netif_receive_skb", "sk_data_ready",
					     "sock_recv_length" },
					   NULL,
					   said_latency_udp_read },
					 { { "netif_receive_skb", "sock_def_readable()",
					     "udp_recvmsg()" },
					   "udpv6_recvmsg()",
					   said_latency_udp_read } } },
	[NETCOST_LATENCY_QDISC] = { { { { "net_dev_queue", "net_dev_start_xmit" }, NULL, "" } } },
	[NETCOST_LATENCY_DRIVER] = { { { { "net_dev_start_xmit", "net_dev_xmit" }, NULL, "" } } },
	[NETCOST_LATENCY_COMPLETION] = { { { { "net_dev_start_xmit", "consume_skb" }, NULL, "" } } },
};

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

/* What was counted up to the tick before. */
struct past {
	uint64_t sum_ns, lost[NETCOST_LATENCY_LOSS_COUNT];
	uint32_t bucket[NETCOST_LATENCY_BUCKETS];
};

struct latency {
	struct latency_bpf *skel;
	struct bpf_link *link[SOURCE_PROGRAMS];
	size_t nlinks;
	const struct netcost_latencies *now; /* mapped; by CPU */
	size_t map_bytes;
	const struct cpuset *cpus;
	const struct way *way[NETCOST_LATENCY_COUNT]; /* NULL: it is not measured, for lack of … */
	const char *missing[NETCOST_LATENCY_COUNT];   /* … this, which the best way needs */
	bool functions;				      /* programs may be attached to them */
	int refused;				      /* otherwise: errno */

	struct past *past; /* [place of the CPU][hook] */
	uint64_t swept_ns;
	bool begun; /* what was counted before the first tick is left out */
	uint64_t bucket[NETCOST_LATENCY_BUCKETS],
		packets[NETCOST_LATENCY_BUCKETS]; /* of a record */
};

/* ---- programs ---------------------------------------------------------------------------- */

static bool is_function(const char *name)
{
	return strchr(name, '(');
}

/* "ip_rcv_core()" without the brackets. */
static const char *bare(const char *name, char buf[64])
{
	snprintf(buf, 64, "%.*s", (int)strcspn(name, "("), name);
	return buf;
}

static bool is_there(const struct latency *l, const struct btf_names *kernel, const char *name)
{
	char type[96], text[64];

	if (is_function(name))
		return l->functions && btf_names_func(kernel, bare(name, text));
	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf_names_typedef(kernel, type);
}

/* NULL: nothing is. */
static const char *missing_of(const struct latency *l, const struct btf_names *kernel,
			      const struct way *w)
{
	for (const char *const *name = w->needs; *name; name++)
		if (!is_there(l, kernel, *name))
			return *name;
	return NULL;
}

static void choose_ways(struct latency *l, const struct btf_names *kernel)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		l->way[h] = NULL;
		l->missing[h] = missing_of(l, kernel, &hooks[h].way[0]);
		for (const struct way *w = hooks[h].way; w->needs[0] && !l->way[h]; w++)
			if (!missing_of(l, kernel, w))
				l->way[h] = w;
	}
}

static bool names(const struct way *w, const char *program)
{
	char text[64];

	for (const char *const *name = w->needs; *name; name++)
		if (!strcmp(bare(*name, text), program))
			return true;
	return w->also && !strcmp(bare(w->also, text), program);
}

/* program: without the prefix. */
static bool is_wanted(const struct latency *l, const char *program)
{
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		if (!strcmp(always[i], program))
			return true;
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (l->way[h] && names(l->way[h], program))
			return true;
	return false;
}

/* A program of fentry or fexit is told of its function here. */
static int choose(struct latency *l, const struct source_host *h)
{
	struct bpf_program *prog;
	int err = 0;

	choose_ways(l, h->kernel);
	bpf_object__for_each_program (prog, l->skel->obj) {
		const char *name = bpf_program__name(prog) + strlen(PREFIX);
		bool function = strncmp(bpf_program__section_name(prog), "tp_btf/", 7) != 0;
		char target[64];
		bool wanted;

		snprintf(target, sizeof(target), "%s%s", name, function ? "()" : "");
		wanted = is_wanted(l, name) && is_there(l, h->kernel, target);
		bpf_program__set_autoload(prog, wanted);
		if (wanted && function && !err)
			err = tracing_function(h->tracing, prog, name);
	}
	l->skel->rodata->tcp_start_by_function = l->way[NETCOST_LATENCY_TCP_START] ==
						 &hooks[NETCOST_LATENCY_TCP_START].way[0];
	return err;
}

static bool is_measured(const struct latency *l, unsigned int h)
{
	return l->way[h];
}

static bool is_any_measured(const struct latency *l)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (is_measured(l, h))
			return true;
	return false;
}

static int map_counts(struct latency *l, unsigned int ncpus)
{
	void *p;

	l->map_bytes = ncpus * sizeof(*l->now);
	p = mmap(NULL, l->map_bytes, PROT_READ, MAP_SHARED, bpf_map__fd(l->skel->maps.latencies),
		 0);
	if (p == MAP_FAILED)
		return -errno;
	l->now = p;
	return 0;
}

static int attach(struct latency *l, struct source_status *st)
{
	struct bpf_program *prog;
	int err = 0;

	bpf_object__for_each_program (prog, l->skel->obj) {
		struct bpf_link *link;

		if (!bpf_program__autoload(prog) || l->nlinks == SOURCE_PROGRAMS)
			continue;
		link = bpf_program__attach_trace(prog);
		if (!link) {
			err = -errno;
			snprintf(st->why, sizeof(st->why), said_not_attached,
				 bpf_program__name(prog) + strlen(PREFIX), strerror(-err));
			break;
		}
		l->link[l->nlinks++] = link;
	}
	return err;
}

static void choose_types(struct latency *l, const struct tracing *tracing)
{
	l->skel->rodata->udp_sock_type = tracing_struct(tracing, "udp_sock");
	l->skel->rodata->tcp_sock_type = tracing_struct(tracing, "tcp_sock");
}

static int load_programs(struct latency *l, const struct source_host *h)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = tracing_path(h->tracing));
	unsigned int ncpus = (unsigned int)libbpf_num_possible_cpus();
	int err;

	l->skel = latency_bpf__open_opts(&opts);
	err = l->skel ? tracing_begin(h->tracing, l->skel->obj) : -errno;
	if (!err)
		err = bpf_map__set_max_entries(l->skel->maps.latencies, ncpus);
	if (!err)
		err = choose(l, h);
	if (err)
		return err;
	l->skel->bss->tick = 1;
	if (btf_names_func(h->kernel, "bpf_rdonly_cast"))
		choose_types(l, h->tracing);
	err = latency_bpf__load(l->skel);
	return err ? err : map_counts(l, ncpus);
}

static void unload(struct latency *l)
{
	while (l->nlinks)
		bpf_link__destroy(l->link[--l->nlinks]);
	if (l->now)
		munmap((void *)(uintptr_t)l->now, l->map_bytes);
	l->now = NULL;
	latency_bpf__destroy(l->skel);
	l->skel = NULL;
}

static int load(struct latency *l, const struct source_host *h, struct source_status *st)
{
	int err = load_programs(l, h);

	if (!err)
		return attach(l, st);
	snprintf(st->why, sizeof(st->why), said_not_loaded, strerror(-err));
	return err;
}

/* Where programs of functions are refused, those of tracepoints do what they can. */
static int load_best(struct latency *l, const struct source_host *h, struct source_status *st)
{
	int err;

	libbpf_set_print(NULL); /* what is wrong is said once, and by us */
	l->swept_ns = now_ns();
	l->functions = true;
	err = load(l, h, st);
	if (!err)
		return 0;
	l->refused = -err;
	l->functions = false;
	st->why[0] = '\0';
	unload(l);
	return load(l, h, st);
}

/* ---- life -------------------------------------------------------------------------------- */

static void latency_close(void *ctx)
{
	struct latency *l = ctx;

	if (!l)
		return;
	unload(l);
	free(l->past);
	free(l);
}

static int latency_open(void **ctx, const struct source_desc *desc, const struct source_host *h,
			struct source_status *st)
{
	struct latency *l;

	*ctx = NULL;
	if (!h->latency)
		return 0; /* and not mentioned */
	st->via = desc->path;
	st->state = "refused";
	if (!h->tracing) {
		snprintf(st->why, sizeof(st->why), "%.199s", h->why);
		return 0;
	}
	l = calloc(1, sizeof(*l));
	if (l)
		l->past = calloc((size_t)h->cpus->n * NETCOST_LATENCY_COUNT, sizeof(*l->past));
	if (!l || !l->past) {
		latency_close(l);
		return -ENOMEM;
	}
	l->cpus = h->cpus;
	if (load_best(l, h, st) || !is_any_measured(l)) {
		latency_close(l);
		return 0;
	}
	st->state = "measured";
	*ctx = l;
	return 0;
}

static const struct bpf_program *latency_program(void *ctx, size_t i)
{
	const struct latency *l = ctx;
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, l->skel->obj)
		if (bpf_program__autoload(prog) && !i--)
			return prog;
	return NULL;
}

/* ---- what was there too long -------------------------------------------------------------- */

#define SWEEP_NS (NETCOST_CAME_MOST_NS / 4)

/* A place whose time would seem young again before the next look is made free. A program may use it at the same time. */
static void sweep(uint64_t *word, uint64_t now)
{
	for (unsigned int i = 0; i < NETCOST_CAME_PLACES; i++) {
		uint64_t had = __atomic_load_n(&word[i], __ATOMIC_RELAXED);

		if (had && NETCOST_CAME_NS(now - had) > NETCOST_CAME_MOST_NS / 2)
			__atomic_compare_exchange_n(&word[i], &had, 0, false, __ATOMIC_RELAXED,
						    __ATOMIC_RELAXED);
	}
}

static void sweep_all(struct latency *l)
{
	uint64_t now = now_ns();

	if (now - l->swept_ns < SWEEP_NS)
		return;
	l->swept_ns = now;
	sweep((uint64_t *)l->skel->bss->came, now);
	sweep((uint64_t *)l->skel->bss->left, now);
}

/* ---- a tick ------------------------------------------------------------------------------ */

static void say_why(const struct latency *l, unsigned int h, char *why, size_t size)
{
	const char *missing = l->missing[h];
	char text[64];

	if (l->way[h])
		snprintf(why, size, "%s", l->way[h]->why);
	else if (!is_function(missing))
		snprintf(why, size, said_no_tracepoint, missing);
	else if (l->refused)
		snprintf(why, size, said_latency_refused, strerror(l->refused));
	else
		snprintf(why, size, said_latency_no_function, bare(missing, text));
}

static int write_hook(const struct latency *l, unsigned int h, struct trace_writer *w)
{
	const struct way *way = l->way[h];
	const char *hooked[NEEDS + 1];
	bool functions = false;
	char why[160];
	size_t n = 0;

	say_why(l, h, why, sizeof(why));
	for (; way && way->needs[n]; n++) {
		hooked[n] = way->needs[n];
		functions |= is_function(hooked[n]);
	}
	trace_writer_begin(w, TRACE_LATENCY_POINT, 4);
	trace_writer_uint(w, TRACE_LATENCY_POINT_HOOK, h);
	trace_writer_str(w, TRACE_LATENCY_POINT_RUNG,
			 !way	   ? "off" :
			 functions ? "fentry" :
				     "tracepoint");
	trace_writer_strs(w, TRACE_LATENCY_POINT_HOOKS, hooked, n);
	trace_writer_str(w, TRACE_LATENCY_POINT_WHY, why);
	return trace_writer_end(w);
}

/* The buckets that gained any, into the columns; returns how many. */
static size_t gained(struct latency *l, struct past *past, const struct netcost_latency_hist *now)
{
	size_t n = 0;

	for (uint32_t b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		uint32_t v = __atomic_load_n(&now->bucket[b], __ATOMIC_RELAXED),
			 more = v - past->bucket[b];

		if (!more)
			continue;
		past->bucket[b] = v;
		l->bucket[n] = b;
		l->packets[n++] = more;
	}
	return n;
}

static uint64_t since(uint64_t *past, const __u64 *now)
{
	uint64_t v = __atomic_load_n(now, __ATOMIC_RELAXED), more = v - *past;

	*past = v;
	return more;
}

/* Since the tick before, of a hook on the i-th CPU, if there is anything. done: the tick that the programs have left. */
static int write_counts(struct latency *l, unsigned int h, uint32_t i, uint64_t done,
			struct trace_writer *w)
{
	const struct netcost_latency_hist *now = &l->now[l->cpus->cpu[i]].hist[h];
	struct past *past = &l->past[(size_t)i * NETCOST_LATENCY_COUNT + h];
	bool ranged = now->half[done & 1].tick == done;
	uint64_t lost[NETCOST_LATENCY_LOSS_COUNT], sum_ns = since(&past->sum_ns, &now->sum_ns);
	size_t n = gained(l, past, now);
	bool any = n;

	for (unsigned int k = 0; k < NETCOST_LATENCY_LOSS_COUNT; k++) {
		lost[k] = since(&past->lost[k], &now->lost[k]);
		any |= lost[k];
	}
	if (!l->begun || !any)
		return 0;
	trace_writer_begin(w, TRACE_LATENCY, 9u + 2 * ranged);
	trace_writer_uint(w, TRACE_LATENCY_HOOK, h);
	trace_writer_uint(w, TRACE_LATENCY_CPU, l->cpus->cpu[i]);
	trace_writer_uint(w, TRACE_LATENCY_NS, sum_ns);
	if (ranged) {
		trace_writer_uint(w, TRACE_LATENCY_MIN_NS, now->half[done & 1].min_ns);
		trace_writer_uint(w, TRACE_LATENCY_MAX_NS, now->half[done & 1].max_ns);
	}
	trace_writer_uints(w, TRACE_LATENCY_BUCKET, l->bucket, n);
	trace_writer_uints(w, TRACE_LATENCY_PACKETS, l->packets, n);
	trace_writer_uint(w, TRACE_LATENCY_UNKNOWN, lost[NETCOST_LATENCY_LOSS_UNKNOWN]);
	trace_writer_uint(w, TRACE_LATENCY_OTHER, lost[NETCOST_LATENCY_LOSS_OTHER]);
	trace_writer_uint(w, TRACE_LATENCY_OLD, lost[NETCOST_LATENCY_LOSS_OLD]);
	trace_writer_uint(w, TRACE_LATENCY_MERGED, lost[NETCOST_LATENCY_LOSS_MERGED]);
	return trace_writer_end(w);
}

static int latency_tick(void *ctx, struct trace_writer *w)
{
	struct latency *l = ctx;
	uint64_t done = l->skel->bss->tick;
	int err = 0;

	__atomic_store_n(&l->skel->bss->tick, done + 1, __ATOMIC_RELAXED);
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT && !err; h++) {
		if (!l->begun)
			err = write_hook(l, h, w);
		for (uint32_t i = 0; is_measured(l, h) && i < l->cpus->n && !err; i++)
			err = write_counts(l, h, i, done, w);
	}
	l->begun = true;
	sweep_all(l);
	return err;
}

const struct source_desc latency_source = {
	.name = "latency",
	.path = said_latency_via,
	.open = latency_open,
	.tick = latency_tick,
	.close = latency_close,
	.program = latency_program,
};
