// SPDX-License-Identifier: BSD-2-Clause
/* Packets that the kernel dropped, by reason and CPU: skb:kfree_skb, counted by a BPF program. */
#include "record/source/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>
#include <linux/types.h> /* the program's __u64 */

#include <netcost/array.h>
#include <netcost/cpuset.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "bpf/drops.h"
#include "bpf/drops.skel.h" /* made by bpftool from bpf/drops.bpf.c, in build/ */
#include "path.h"
#include "record/base/clock.h"
#include "record/kernel/drop_reasons.h"

#define NAME 64

/* A reason and a CPU: what the trace has an id for. */
struct drop {
	uint32_t cpu, place;
	char name[NAME];
};

struct drops {
	struct drops_bpf *skel; /* NULL: the programs that follow packets count drops, too */
	struct drop_reasons *reasons;
	const struct netcost_drops *count; /* mapped; by CPU */
	size_t map_bytes;		   /* 0: mapped by those */
	const struct cpuset *cpus;

	uint32_t *id; /* [place of the CPU][place of the reason]: 0: not seen yet */
	struct drop *drop;
	size_t drop_room, ndrops, ndefined;
	uint64_t *packets; /* by id - 1 */
	size_t packets_room;
};

/* ---- reasons ----------------------------------------------------------------------------- */

static uint32_t reason_of(uint32_t place)
{
	uint32_t i = place - NETCOST_DROP_CORE;

	if (place < NETCOST_DROP_CORE)
		return place;
	return (i / NETCOST_DROP_EACH + 1) << 16 | i % NETCOST_DROP_EACH;
}

static void name_drop(const struct drops *d, struct drop *drop)
{
	if (drop->place == NETCOST_DROP_OTHERS)
		snprintf(drop->name, NAME, "others");
	else
		drop_reasons_name(d->reasons, reason_of(drop->place), drop->name, NAME);
}

static bool is_counted(const struct drops *d, uint32_t place)
{
	return place == NETCOST_DROP_OTHERS || !drop_reasons_is_none(d->reasons, reason_of(place));
}

/* ---- life -------------------------------------------------------------------------------- */

static void drops_close(void *ctx)
{
	struct drops *d = ctx;

	if (!d)
		return;
	if (d->map_bytes)
		munmap((void *)(uintptr_t)d->count, d->map_bytes);
	drops_bpf__destroy(d->skel);
	drop_reasons_free(d->reasons);
	free(d->id);
	free(d->drop);
	free(d->packets);
	free(d);
}

static int map_counts(struct drops *d, unsigned int ncpus)
{
	size_t bytes = ncpus * sizeof(*d->count);
	void *p;

	p = mmap(NULL, bytes, PROT_READ, MAP_SHARED, bpf_map__fd(d->skel->maps.drops), 0);
	if (p == MAP_FAILED)
		return -errno;
	d->count = p;
	d->map_bytes = bytes;
	return 0;
}

static int load(struct drops *d, struct source_status *st)
{
	unsigned int ncpus = (unsigned int)libbpf_num_possible_cpus();
	int err;

	libbpf_set_print(NULL); /* what is wrong is said once, and by us */
	d->skel = drops_bpf__open();
	err = d->skel ? bpf_map__set_max_entries(d->skel->maps.drops, ncpus) : -errno;
	if (!err)
		err = drops_bpf__load(d->skel);
	if (!err)
		err = map_counts(d, ncpus);
	if (err) {
		snprintf(st->why, sizeof(st->why), reason_not_loaded, -err);
		return err;
	}
	err = drops_bpf__attach(d->skel);
	if (err)
		snprintf(st->why, sizeof(st->why), reason_not_attached, "kfree_skb", -err);
	return err;
}

/* Whether this kernel says why it drops a packet. */
static bool gives_reasons(const struct source_host *h, struct source_status *st)
{
	enum drop_reasons_here here = h->kernel ? drop_reasons_here(h->kernel) : DROP_REASONS_NONE;

	st->state = h->kernel ? "absent" : "refused";
	if (!h->kernel)
		snprintf(st->why, sizeof(st->why), "%.199s", h->why);
	else if (here == DROP_REASONS_NONE)
		snprintf(st->why, sizeof(st->why), reason_no_tracepoint, "kfree_skb");
	else if (here == DROP_REASONS_OLD)
		snprintf(st->why, sizeof(st->why), "%s", reason_drops_old);
	return here == DROP_REASONS_GIVEN;
}

static int drops_open(void **ctx, const struct source_desc *desc, const struct source_host *h,
		      struct source_status *st)
{
	struct drops *d = calloc(1, sizeof(*d));
	int err = 0;

	*ctx = NULL;
	st->via = desc->path;
	st->state = "off";
	if (!d)
		return -ENOMEM;
	if (!h->programs) {
		snprintf(st->why, sizeof(st->why), "%s", reason_exact_off);
		goto out;
	}
	if (!gives_reasons(h, st))
		goto out;
	d->cpus = h->cpus;
	d->id = calloc((size_t)h->cpus->n * NETCOST_DROP_PLACES + 1, sizeof(*d->id));
	err = d->id ? drop_reasons_new(&d->reasons, h->kernel) : -ENOMEM;
	if (err)
		goto out;
	st->state = "measured";
	if (h->path && h->path->dropped)
		d->count = h->path->dropped;
	if (d->count || !load(d, st)) {
		*ctx = d;
		return 0;
	}
	st->state = "refused";
out:
	drops_close(d);
	return err;
}

static const struct bpf_program *drops_program(void *ctx, size_t i)
{
	const struct drops *d = ctx;

	return i || !d->skel ? NULL : d->skel->progs.kfree_skb;
}

/* ---- a tick ------------------------------------------------------------------------------ */

static int add(struct drops *d, uint32_t i, uint32_t place)
{
	int err = array_reserve(&d->drop, &d->drop_room, d->ndrops + 1, sizeof(*d->drop));

	if (!err)
		err = array_reserve(&d->packets, &d->packets_room, d->ndrops + 1,
				    sizeof(*d->packets));
	if (err)
		return err;
	d->drop[d->ndrops] = (struct drop){ .cpu = d->cpus->cpu[i], .place = place };
	name_drop(d, &d->drop[d->ndrops]);
	d->id[(size_t)i * NETCOST_DROP_PLACES + place] = (uint32_t)++d->ndrops;
	return 0;
}

/* Those of the i-th CPU. */
static int read_cpu(struct drops *d, uint32_t i)
{
	const struct netcost_drops *counts = &d->count[d->cpus->cpu[i]];
	int err = 0;

	for (uint32_t place = 0; place < NETCOST_DROP_PLACES && !err; place++) {
		uint64_t n = __atomic_load_n(&counts->count[place], __ATOMIC_RELAXED);
		const uint32_t *id = &d->id[(size_t)i * NETCOST_DROP_PLACES + place];

		if (!n || !is_counted(d, place))
			continue;
		if (!*id)
			err = add(d, i, place);
		if (!err)
			d->packets[*id - 1] = n;
	}
	return err;
}

/* What is here for the first time. */
static int define(struct drops *d, struct trace_writer *w)
{
	size_t n = d->ndrops - d->ndefined;
	const char **name;
	uint64_t *cpu;
	int err;

	if (!n)
		return 0;
	name = malloc(n * sizeof(*name));
	cpu = malloc(n * sizeof(*cpu));
	err = name && cpu ? 0 : -ENOMEM;
	for (size_t i = 0; i < n && !err; i++) {
		name[i] = d->drop[d->ndefined + i].name;
		cpu[i] = d->drop[d->ndefined + i].cpu;
	}
	if (!err) {
		trace_writer_begin(w, TRACE_DROP_REASONS);
		trace_writer_uint(w, TRACE_DROP_REASONS_FIRST, d->ndefined + 1);
		trace_writer_strs(w, TRACE_DROP_REASONS_NAME, name, n);
		trace_writer_uints(w, TRACE_DROP_REASONS_CPU, cpu, n);
		err = trace_writer_end(w);
		d->ndefined = d->ndrops;
	}
	free(name);
	free(cpu);
	return err;
}

static int drops_again(void *ctx, struct trace_writer *w)
{
	struct drops *d = ctx;

	d->ndefined = 0;
	return define(d, w);
}

/* Also where nothing was dropped: that is known, too. */
static int drops_tick(void *ctx, struct trace_writer *w)
{
	struct drops *d = ctx;
	uint64_t began_ns = now_ns(), ended_ns;
	int err = 0;

	for (uint32_t i = 0; i < d->cpus->n && !err; i++)
		err = read_cpu(d, i);
	ended_ns = now_ns();
	if (!err)
		err = define(d, w);
	if (err)
		return err;
	trace_writer_begin(w, TRACE_DROPS);
	trace_writer_uints(w, TRACE_DROPS_PACKETS, d->packets, d->ndrops);
	return source_end(w, began_ns, ended_ns);
}

const struct source_desc drops_source = {
	.name = "drops",
	.path = reason_drops,
	.open = drops_open,
	.tick = drops_tick,
	.again = drops_again,
	.close = drops_close,
	.program = drops_program,
};
