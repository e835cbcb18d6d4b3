// SPDX-License-Identifier: BSD-2-Clause
/* The ways of packets through the host (--stages), told by BPF programs: bpf/stages.bpf.c. */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include <bpf/libbpf.h>
#include <linux/types.h> /* the programs' __u64 */

#include <netcost/array.h>
#include <netcost/cpuset.h>
#include <netcost/reasons.h>

#include "bpf/stages.h"
#include "bpf/stages.skel.h" /* made by bpftool from bpf/stages.bpf.c, in build/ */
#include "record/base/clock.h"
#include "record/kernel/btf_names.h"
#include "record/kernel/drop_reasons.h"
#include "record/kernel/module_btf.h"
#include "record/kernel/tracing.h"
#include "stages_points.h"
#include "stages_write.h"

#define PREFIX "stages_" /* of a program; then its tracepoint or function */
#define PROGRAMS (sizeof(((struct stages_bpf *)NULL)->progs) / sizeof(struct bpf_program *))
_Static_assert(PROGRAMS < SOURCE_PROGRAMS / 2, "and others'");
#define MOST (NETCOST_STAGE_RING / sizeof(struct netcost_stage_event)) /* are taken at a tick */

struct stages {
	struct stages_bpf *skel;
	struct bpf_link *link[PROGRAMS];
	size_t nlinks;
	const struct netcost_stages_cpu *now; /* mapped; by CPU */
	size_t map_bytes;
	unsigned int ncpus; /* possible ones */
	struct stages_points points;
	struct drop_reasons *reasons;
	struct stages_writer *writer;
	struct ring_buffer *ring;

	struct netcost_stage_event *event; /* of this tick */
	size_t nevents, room;
	bool no_memory;

	unsigned long every;
	struct stages_counts past; /* up to the tick before */
	bool begun;		   /* what happened before the first tick is left out */
};

/* ---- programs ---------------------------------------------------------------------------- */

/* Where structs of modules have what programs need; without that these are of no use. */
static void find_members(struct stages *s)
{
	const struct module_member member[] = {
		{ "nf_tables", "nft_pktinfo", "state", &s->skel->rodata->nft_hook },
		{ "nf_tables", "nft_chain", "table", &s->skel->rodata->nft_table },
		{ "nf_tables", "nft_table", "name", &s->skel->rodata->nft_table_name },
		{ "x_tables", "xt_table", "name", &s->skel->rodata->xt_table_name },
	};

	if (!s->points.here[NETCOST_STAGE_NFTABLES] && !s->points.here[NETCOST_STAGE_IPTABLES])
		return;
	module_btf_members(member, sizeof(member) / sizeof(member[0]));
	if (s->skel->rodata->nft_hook == UINT32_MAX || s->skel->rodata->nft_table == UINT32_MAX ||
	    s->skel->rodata->nft_table_name == UINT32_MAX)
		stages_points_drop(&s->points, "nft_do_chain");
	if (s->skel->rodata->xt_table_name != UINT32_MAX)
		return;
	stages_points_drop(&s->points, "ipt_do_table");
	stages_points_drop(&s->points, "ip6t_do_table");
}

/* A program of fentry or fexit is told of its function here. In a module it may not be there after all. */
static void choose(struct stages *s, const struct source_host *h)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, s->skel->obj) {
		const char *name = bpf_program__name(prog) + strlen(PREFIX);
		bool function = strncmp(bpf_program__section_name(prog), "tp_btf/", 7) != 0;
		bool wanted = stages_points_want(&s->points, name, function);

		if (wanted && function && tracing_function(h->tracing, prog, name)) {
			stages_points_drop(&s->points, name);
			wanted = false;
		}
		bpf_program__set_autoload(prog, wanted);
	}
}

static void configure(struct stages *s, const struct source_host *h)
{
	uint64_t random[2] = { 0 };
	unsigned int bits = 0;

	while (s->ncpus > 1u << bits)
		bits++;
	if (getrandom(random, sizeof(random), 0) < 0)
		random[0] = (uint64_t)(uintptr_t)s; /* better than none */
	memcpy((void *)s->skel->rodata->key, random, sizeof(random));
	s->skel->rodata->cpu_bits = bits;
	s->skel->rodata->below = ((1ull << 32) + s->every - 1) / s->every;
	s->skel->rodata->addresses = h->addresses;
	s->skel->rodata->has_reasons = drop_reasons_here(h->kernel) == DROP_REASONS_GIVEN;
}

static int map_counts(struct stages *s)
{
	void *p;

	s->map_bytes = s->ncpus * sizeof(*s->now);
	p = mmap(NULL, s->map_bytes, PROT_READ, MAP_SHARED, bpf_map__fd(s->skel->maps.stages), 0);
	if (p == MAP_FAILED)
		return -errno;
	s->now = p;
	return 0;
}

/* What cannot be kept is told as an error of the tick. */
static int take(void *ctx, void *data, size_t size)
{
	struct stages *s = ctx;
	const struct netcost_stage_flow_event *f = data; /* as far as that is there */
	struct netcost_stage_event *e;

	if (size < sizeof(*e))
		return 0;
	if ((size >= sizeof(*f) && stages_writer_flow(s->writer, f->of.event.flow, &f->whose)) ||
	    array_reserve(&s->event, &s->room, s->nevents + 1, sizeof(*s->event))) {
		s->no_memory = true;
		return -ENOMEM;
	}
	e = &s->event[s->nevents++];
	memcpy(e, data, sizeof(*e));
	if (size >= sizeof(f->of) && f->of.table[0])
		e->reason = stages_writer_table(s->writer, f->of.table);
	return s->nevents < MOST ? 0 : -ENOSPC;
}

static int load_programs(struct stages *s, const struct source_host *h)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = tracing_path(h->tracing));
	int err;

	s->skel = stages_bpf__open_opts(&opts);
	err = s->skel ? tracing_begin(h->tracing, s->skel->obj) : -errno;
	if (!err)
		err = bpf_map__set_max_entries(s->skel->maps.stages, s->ncpus);
	if (err)
		return err;
	find_members(s);
	choose(s, h);
	configure(s, h);
	err = stages_bpf__load(s->skel);
	if (!err)
		err = map_counts(s);
	if (err)
		return err;
	s->ring = ring_buffer__new(bpf_map__fd(s->skel->maps.events), take, s, NULL);
	return s->ring ? 0 : -errno;
}

static int attach(struct stages *s, struct source_status *st)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, s->skel->obj) {
		struct bpf_link *link;
		int err;

		if (!bpf_program__autoload(prog))
			continue;
		link = bpf_program__attach_trace(prog);
		if (!link) {
			err = -errno;
			snprintf(st->why, sizeof(st->why), reason_not_attached,
				 bpf_program__name(prog) + strlen(PREFIX), -err);
			return err;
		}
		s->link[s->nlinks++] = link;
	}
	return 0;
}

static void unload(struct stages *s)
{
	while (s->nlinks)
		bpf_link__destroy(s->link[--s->nlinks]);
	ring_buffer__free(s->ring);
	s->ring = NULL;
	if (s->now)
		munmap((void *)(uintptr_t)s->now, s->map_bytes);
	s->now = NULL;
	stages_bpf__destroy(s->skel);
	s->skel = NULL;
}

static int load(struct stages *s, const struct source_host *h, struct source_status *st)
{
	int err = load_programs(s, h);

	if (!err)
		return attach(s, st);
	snprintf(st->why, sizeof(st->why), reason_not_loaded, -err);
	return err;
}

/* Where programs of modules' functions are refused, or of all functions, the others do what they can. */
static int load_best(struct stages *s, const struct source_host *h, struct source_status *st)
{
	int refused = 0, modules_refused = 0, err;

	libbpf_set_print(NULL); /* what is wrong is said once, and by us */
	for (;;) {
		st->why[0] = '\0';
		stages_points_choose(&s->points, h->kernel, refused, modules_refused);
		err = load(s, h, st);
		if (!err || !stages_points_functions(&s->points))
			return err;
		if (stages_points_modules(&s->points, h->kernel))
			modules_refused = -err;
		else
			refused = -err;
		unload(s);
	}
}

/* ---- life -------------------------------------------------------------------------------- */

static void stages_close(void *ctx)
{
	struct stages *s = ctx;

	if (!s)
		return;
	unload(s);
	stages_writer_free(s->writer);
	drop_reasons_free(s->reasons);
	free(s->event);
	free(s);
}

static int stages_open(void **ctx, const struct source_desc *desc, const struct source_host *h,
		       struct source_status *st)
{
	struct stages *s;
	int err;

	*ctx = NULL;
	if (!h->stages_every)
		return 0; /* and not mentioned */
	st->via = desc->path;
	st->state = "refused";
	if (!h->tracing) {
		snprintf(st->why, sizeof(st->why), "%.199s", h->why);
		return 0;
	}
	s = calloc(1, sizeof(*s));
	err = s ? drop_reasons_new(&s->reasons, h->kernel) : -ENOMEM;
	if (!err)
		err = stages_writer_new(&s->writer, s->reasons);
	if (err) {
		stages_close(s);
		return err;
	}
	s->every = h->stages_every;
	s->ncpus = (unsigned int)libbpf_num_possible_cpus();
	if (load_best(s, h, st)) {
		stages_close(s);
		return 0;
	}
	st->state = "measured";
	if (stages_points_functions(&s->points))
		st->via = reason_latency_via_functions;
	*ctx = s;
	return 0;
}

static const struct bpf_program *stages_program(void *ctx, size_t i)
{
	const struct stages *s = ctx;
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, s->skel->obj)
		if (bpf_program__autoload(prog) && !i--)
			return prog;
	return NULL;
}

static bool stages_point(void *ctx, size_t i, struct source_point *p)
{
	const struct stages *s = ctx;

	if (i < NETCOST_STAGE_COUNT)
		stages_points_say(&s->points, (enum netcost_stage)i, p);
	return i < NETCOST_STAGE_COUNT;
}

/* ---- a tick ------------------------------------------------------------------------------ */

/* Since the tick before, of all CPUs. */
static struct stages_counts count(struct stages *s)
{
	struct stages_counts c = { .every = s->every }, now = { .every = 0 };

	for (unsigned int cpu = 0; cpu < s->ncpus; cpu++) {
		now.packets += __atomic_load_n(&s->now[cpu].packets, __ATOMIC_RELAXED);
		now.full += __atomic_load_n(&s->now[cpu].full, __ATOMIC_RELAXED);
		now.evicted += __atomic_load_n(&s->now[cpu].evicted, __ATOMIC_RELAXED);
	}
	c.packets = now.packets - s->past.packets;
	c.full = now.full - s->past.full;
	c.evicted = now.evicted - s->past.evicted;
	s->past = now;
	return c;
}

/*
 * CPUs tell of what happened a little later, and one earlier than another. So what is younger than this waits for
 * the next tick, and all is in order.
 */
#define LATE_NS 1000000

static int stages_tick(void *ctx, struct trace_writer *w)
{
	struct stages *s = ctx;
	struct stages_counts counts;
	uint64_t now = now_ns();

	(void)ring_buffer__consume(s->ring); /* an error is take()'s own */
	if (s->no_memory)
		return -ENOMEM;
	counts = count(s);
	if (s->begun)
		return stages_writer_write(s->writer, s->event, &s->nevents, now - LATE_NS, &counts,
					   w);
	s->begun = true;
	s->nevents = 0;
	return 0;
}

const struct source_desc stages_source = {
	.name = "stages",
	.path = reason_latency_via,
	.open = stages_open,
	.tick = stages_tick,
	.close = stages_close,
	.program = stages_program,
	.point = stages_point,
};
