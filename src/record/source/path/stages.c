// SPDX-License-Identifier: BSD-2-Clause
/* The ways of packets through the host (--stages), told by BPF programs: bpf/path.bpf.c. */
#include "record/source/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>
#include <linux/types.h> /* the programs' __u64 */

#include <netcost/array.h>
#include <netcost/reasons.h>

#include "bpf/path.h"
#include "bpf/path.skel.h" /* made by bpftool from bpf/path.bpf.c, in build/ */
#include "bpf/path_events.h"
#include "path.h"
#include "record/base/clock.h"
#include "record/kernel/drop_reasons.h"
#include "stages_write.h"

#define MOST (NETCOST_STAGE_RING / sizeof(struct netcost_stage_event)) /* are taken at a tick */

struct stages {
	struct path *path;
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

/* ---- life -------------------------------------------------------------------------------- */

static void stages_close(void *ctx)
{
	struct stages *s = ctx;

	if (!s)
		return;
	ring_buffer__free(s->ring);
	stages_writer_free(s->writer);
	drop_reasons_free(s->reasons);
	free(s->event);
	free(s);
}

static int stages_new(struct stages **sp, const struct source_host *h)
{
	struct stages *s = calloc(1, sizeof(*s));
	int err = s ? drop_reasons_new(&s->reasons, h->kernel) : -ENOMEM;

	*sp = s;
	if (!err)
		err = stages_writer_new(&s->writer, s->reasons);
	if (err)
		return err;
	s->path = h->path;
	s->every = h->stages_every;
	s->ring = ring_buffer__new(bpf_map__fd(s->path->skel->maps.events), take, s, NULL);
	return s->ring ? 0 : -errno;
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
	if (!h->path || !h->path->skel) {
		snprintf(st->why, sizeof(st->why), "%.199s", h->path ? h->path->why : h->why);
		return 0;
	}
	err = stages_new(&s, h);
	if (err) {
		stages_close(s);
		return err;
	}
	st->state = "measured";
	if (path_points_functions(&s->path->points))
		st->via = reason_latency_via_functions;
	*ctx = s;
	return 0;
}

static const struct bpf_program *stages_program(void *ctx, size_t i)
{
	const struct stages *s = ctx;

	return path_program(s->path, s, i);
}

static bool stages_point(void *ctx, size_t i, struct source_point *p)
{
	const struct stages *s = ctx;

	if (i < NETCOST_STAGE_COUNT)
		path_points_say(&s->path->points, NETCOST_OF_STAGE, (unsigned int)i, p);
	return i < NETCOST_STAGE_COUNT;
}

/* ---- a tick ------------------------------------------------------------------------------ */

/* Since the tick before, of all CPUs. */
static struct stages_counts count(struct stages *s)
{
	struct stages_counts c = { .every = s->every }, now = { .every = 0 };

	for (unsigned int cpu = 0; cpu < s->path->ncpus; cpu++) {
		now.packets += __atomic_load_n(&s->path->cpu[cpu].packets, __ATOMIC_RELAXED);
		now.full += __atomic_load_n(&s->path->cpu[cpu].full, __ATOMIC_RELAXED);
		now.evicted += __atomic_load_n(&s->path->cpu[cpu].evicted, __ATOMIC_RELAXED);
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
	.follows = true,
};
