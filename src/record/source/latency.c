// SPDX-License-Identifier: BSD-2-Clause
/* For how long packets wait (--latency), counted by BPF programs: bpf/latency.bpf.c. */
#include "source.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>
#include <linux/types.h> /* the programs' __u64 */

#include <netcost/cpuset.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "bpf/latency.h"
#include "bpf/latency.skel.h" /* made by bpftool from bpf/latency.bpf.c, in build/ */
#include "latency_keys.h"
#include "latency_only.h"
#include "latency_tail.h"
#include "latency_ways.h"
#include "record/base/clock.h"
#include "record/kernel/btf_names.h"
#include "record/kernel/cgroup_hierarchy.h"
#include "record/kernel/tracing.h"

#define PREFIX                                                                                     \
	"latency_" /* of a program; then, of a function's end, EXIT; then its tracepoint or function */
#define EXIT "exit_"
#define PROGRAMS (sizeof(((struct latency_bpf *)NULL)->progs) / sizeof(struct bpf_program *))
_Static_assert(PROGRAMS < SOURCE_PROGRAMS, "and others'");

/* What was counted up to the tick before. */
struct past {
	uint64_t sum_ns, lost[NETCOST_LATENCY_LOSS_COUNT];
	uint32_t bucket[NETCOST_LATENCY_BUCKETS];
};

struct latency {
	struct latency_bpf *skel;
	struct bpf_link *link[PROGRAMS];
	size_t nlinks;
	struct netcost_latencies *now; /* mapped; by CPU */
	size_t map_bytes;
	const struct netcost_latency_keyed *keyed; /* likewise; NULL: not asked for */
	struct latency_keys *keys;
	const struct cpuset *cpus;
	const struct latency_only *only;
	struct latency_ways ways;
	struct latency_tail tail;

	struct past *past; /* [place of the CPU][hook] */
	uint64_t swept_ns;
	bool begun; /* what was counted before the first tick is left out */
	uint64_t bucket[NETCOST_LATENCY_BUCKETS],
		packets[NETCOST_LATENCY_BUCKETS]; /* of a record */
};

/* ---- programs ---------------------------------------------------------------------------- */

static const char *hook_of(const struct bpf_program *prog)
{
	const char *name = bpf_program__name(prog) + strlen(PREFIX);

	return strncmp(name, EXIT, strlen(EXIT)) ? name : name + strlen(EXIT);
}

/* A program of fentry or fexit is told of its function here. */
static int choose(struct latency *l, const struct source_host *h)
{
	struct bpf_program *prog;
	int err = 0;

	latency_ways_choose(&l->ways, h->kernel);
	latency_tail_choose(&l->tail, h->kernel);
	bpf_object__for_each_program (prog, l->skel->obj) {
		const char *name = hook_of(prog);
		bool function = strncmp(bpf_program__section_name(prog), "tp_btf/", 7) != 0;
		bool wanted = latency_ways_want(&l->ways, h->kernel, name, function) ||
			      (!function && latency_tail_wants(&l->tail, name));

		bpf_program__set_autoload(prog, wanted);
		if (wanted && function && !err)
			err = tracing_function(h->tracing, prog, name);
	}
	l->skel->rodata->tcp_start_by_function = latency_ways_tcp_function(&l->ways);
	l->skel->rodata->tcp_sends = latency_ways_measure(&l->ways, NETCOST_LATENCY_TCP_SEND);
	l->skel->rodata->udp_sends = latency_ways_measure(&l->ways, NETCOST_LATENCY_UDP_SEND);
	l->skel->rodata->with_tail = l->tail.on;
	return err;
}

static void *map_all(const struct bpf_map *map, size_t bytes, int prot)
{
	void *p = mmap(NULL, bytes, prot, MAP_SHARED, bpf_map__fd(map), 0);

	return p == MAP_FAILED ? NULL : p;
}

static int map_counts(struct latency *l, unsigned int ncpus)
{
	l->map_bytes = ncpus * sizeof(*l->now);
	l->now = map_all(l->skel->maps.latencies, l->map_bytes, PROT_READ | PROT_WRITE);
	return l->now ? 0 : -errno;
}

/* ---- by interface, cgroup or process ----------------------------------------------------- */

#define KEYED_BYTES (NETCOST_LATENCY_KEYED * sizeof(struct netcost_latency_keyed))

/* Before loading. Where cgroups of version 2 are not used, sockets are all in their root. */
static int choose_keys(struct latency *l, const struct source_host *h)
{
	struct latency_bpf *skel = l->skel;
	char dir[PATH_MAX];
	int err;

	if (!h->latency_by)
		return 0;
	skel->rodata->latency_by = latency_keys_by(h->latency_by) + 1u;
	skel->rodata->cgroups_known = cgroup_hierarchy_mount(CGROUPS_V2, dir, sizeof(dir));
	err = bpf_map__set_max_entries(skel->maps.latency_keys, 2 * NETCOST_LATENCY_KEYS);
	return err ? err : bpf_map__set_max_entries(skel->maps.keyed, NETCOST_LATENCY_KEYED);
}

/* Likewise. */
static void choose_only(struct latency_bpf *skel, const struct latency_only *o)
{
	skel->rodata->only_interface = o->ifindex;
	skel->rodata->only_netns = o->netns;
	skel->rodata->only_cgroup = o->cgroup_id;
	skel->rodata->only_process = o->pid;
	skel->rodata->only_queue = o->queue;
}

/* Only what is counted by hook is counted by key, too. */
static int map_keys(struct latency *l, const struct source_host *h)
{
	if (!h->latency_by)
		return 0;
	l->keyed = map_all(l->skel->maps.keyed, KEYED_BYTES, PROT_READ);
	if (!l->keyed)
		return -errno;
	for (uint32_t i = 0; i < l->cpus->n; i++)
		l->now[l->cpus->cpu[i]].keyed = 1;
	return latency_keys_new(&l->keys, latency_keys_by(h->latency_by), l->keyed,
				&l->skel->bss->keys_taken);
}

/* ---- loading ----------------------------------------------------------------------------- */

static int attach(struct latency *l, struct source_status *st)
{
	struct bpf_program *prog;
	int err = 0;

	bpf_object__for_each_program (prog, l->skel->obj) {
		struct bpf_link *link;

		if (!bpf_program__autoload(prog))
			continue;
		link = bpf_program__attach_trace(prog);
		if (!link) {
			err = -errno;
			snprintf(st->why, sizeof(st->why), reason_not_attached, hook_of(prog),
				 -err);
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
	if (!err)
		err = choose_keys(l, h);
	if (!err)
		err = latency_tail_size(&l->tail, l->skel->obj, ncpus);
	if (err)
		return err;
	l->skel->bss->tick = 1;
	choose_only(l->skel, l->only);
	if (btf_names_func(h->kernel, "bpf_rdonly_cast"))
		choose_types(l, h->tracing);
	err = latency_bpf__load(l->skel);
	if (!err)
		err = map_counts(l, ncpus);
	if (!err)
		err = map_keys(l, h);
	return err ? err : latency_tail_map(&l->tail, l->skel->obj);
}

static void unload(struct latency *l)
{
	while (l->nlinks)
		bpf_link__destroy(l->link[--l->nlinks]);
	if (l->now)
		munmap(l->now, l->map_bytes);
	l->now = NULL;
	latency_keys_free(l->keys);
	l->keys = NULL;
	if (l->keyed)
		munmap((void *)(uintptr_t)l->keyed, KEYED_BYTES);
	l->keyed = NULL;
	latency_tail_unmap(&l->tail);
	latency_bpf__destroy(l->skel);
	l->skel = NULL;
}

static int load(struct latency *l, const struct source_host *h, struct source_status *st)
{
	int err = load_programs(l, h);

	if (!err)
		return attach(l, st);
	snprintf(st->why, sizeof(st->why), reason_not_loaded, -err);
	return err;
}

/* Where programs of functions are refused, those of tracepoints do what they can. */
static int load_ways(struct latency *l, const struct source_host *h, struct source_status *st)
{
	int err;

	l->ways.functions = true;
	l->ways.refused = 0;
	err = load(l, h, st);
	if (!err)
		return 0;
	l->ways.functions = false;
	l->ways.refused = -err;
	st->why[0] = '\0';
	unload(l);
	return load(l, h, st);
}

/* And without --tail, rather than not at all. */
static int load_best(struct latency *l, const struct source_host *h, struct source_status *st)
{
	int err;

	libbpf_set_print(NULL); /* what is wrong is said once, and by us */
	l->swept_ns = now_ns();
	l->tail.asked = h->tail;
	err = load_ways(l, h, st);
	if (!err || !l->tail.on)
		return err;
	l->tail.off = -err;
	st->why[0] = '\0';
	unload(l);
	return load_ways(l, h, st);
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
	l->only = h->latency_only;
	l->ways.asked = latency_only_asks(l->only);
	if (load_best(l, h, st) || !latency_ways_measure_any(&l->ways)) {
		latency_close(l);
		return 0;
	}
	st->state = "measured";
	if (l->ways.functions)
		st->via = reason_latency_via_functions;
	if (h->budget)
		snprintf(st->why, sizeof(st->why), "%s", reason_latency_unlimited);
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

static bool latency_point(void *ctx, size_t i, struct source_point *p)
{
	const struct latency *l = ctx;

	if (i < NETCOST_LATENCY_COUNT)
		latency_ways_say(&l->ways, (enum netcost_latency)i, p);
	else if (i == NETCOST_LATENCY_COUNT && l->tail.asked)
		latency_tail_say(&l->tail, p);
	else
		return false;
	return true;
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
	sweep((uint64_t *)l->skel->bss->sends, now);
}

/* ---- a tick ------------------------------------------------------------------------------ */

/* The buckets that gained any, into the columns; returns how many. */
static size_t gained(struct latency *l, unsigned int hook, struct past *past,
		     const struct netcost_latency_hist *now)
{
	size_t n = 0;

	for (uint32_t b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		uint32_t v = __atomic_load_n(&now->bucket[b], __ATOMIC_RELAXED),
			 more = v - past->bucket[b];

		if (!more)
			continue;
		past->bucket[b] = v;
		latency_keys_add(l->keys, hook, b, more);
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
	uint64_t lost[NETCOST_LATENCY_LOSS_COUNT], sum_ns = since(&past->sum_ns, &now->sum_ns);
	size_t n = gained(l, h, past, now);
	bool any = n;

	for (unsigned int k = 0; k < NETCOST_LATENCY_LOSS_COUNT; k++) {
		lost[k] = since(&past->lost[k], &now->lost[k]);
		any |= lost[k];
	}
	if (!l->begun || !any)
		return 0;
	trace_writer_begin(w, TRACE_LATENCY);
	trace_writer_uint(w, TRACE_LATENCY_HOOK, h);
	trace_writer_uint(w, TRACE_LATENCY_CPU, l->cpus->cpu[i]);
	trace_writer_uint(w, TRACE_LATENCY_NS, sum_ns);
	if (now->half[done & 1].tick == done) {
		trace_writer_uint(w, TRACE_LATENCY_MIN_NS, now->half[done & 1].min_ns);
		trace_writer_uint(w, TRACE_LATENCY_MAX_NS, now->half[done & 1].max_ns);
	}
	trace_writer_uints(w, TRACE_LATENCY_BUCKET, l->bucket, n);
	trace_writer_uints(w, TRACE_LATENCY_PACKETS, l->packets, n);
	trace_writer_uint(w, TRACE_LATENCY_UNKNOWN, lost[NETCOST_LATENCY_LOSS_UNKNOWN]);
	trace_writer_uint(w, TRACE_LATENCY_OTHER, lost[NETCOST_LATENCY_LOSS_OTHER]);
	trace_writer_uint(w, TRACE_LATENCY_OLD, lost[NETCOST_LATENCY_LOSS_OLD]);
	trace_writer_uint(w, TRACE_LATENCY_MERGED, lost[NETCOST_LATENCY_LOSS_MERGED]);
	if (l->only->asked)
		trace_writer_uint(w, TRACE_LATENCY_FILTERED, lost[NETCOST_LATENCY_LOSS_FILTERED]);
	if (lost[NETCOST_LATENCY_LOSS_LATER])
		trace_writer_uint(w, TRACE_LATENCY_LATER, lost[NETCOST_LATENCY_LOSS_LATER]);
	return trace_writer_end(w);
}

/* Of which packets, once in each file. */
static int latency_again(void *ctx, struct trace_writer *w)
{
	const struct latency *l = ctx;

	return latency_only_write(l->only, w);
}

static int latency_tick(void *ctx, struct trace_writer *w)
{
	struct latency *l = ctx;
	uint64_t done = l->skel->bss->tick;
	int err = 0;

	__atomic_store_n(&l->skel->bss->tick, done + 1, __ATOMIC_RELAXED);
	if (!l->begun)
		err = latency_again(l, w);
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT && !err; h++) {
		for (uint32_t i = 0; latency_ways_measure(&l->ways, h) && i < l->cpus->n && !err;
		     i++)
			err = write_counts(l, h, i, done, w);
		if (l->begun && !err)
			err = latency_tail_write(&l->tail, h, done, w);
	}
	if (!err)
		err = latency_keys_tick(l->keys, l->begun ? w : NULL);
	l->begun = true;
	sweep_all(l);
	return err;
}

const struct source_desc latency_source = {
	.name = "latency",
	.path = reason_latency_via,
	.open = latency_open,
	.tick = latency_tick,
	.again = latency_again,
	.close = latency_close,
	.program = latency_program,
	.point = latency_point,
};
