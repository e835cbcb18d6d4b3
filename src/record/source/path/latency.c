// SPDX-License-Identifier: BSD-2-Clause
/* For how long packets wait (--latency), counted by BPF programs: bpf/path.bpf.c. */
#include "record/source/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h> /* the programs' __u64 */

#include <netcost/cpuset.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "bpf/path.h"
#include "bpf/path.skel.h" /* made by bpftool from bpf/path.bpf.c, in build/ */
#include "latency_keys.h"
#include "latency_only.h"
#include "latency_tail.h"
#include "path.h"
#include "record/base/clock.h"

/* What was counted up to the tick before. */
struct past {
	uint64_t sum_ns, lost[NETCOST_LATENCY_LOSS_COUNT];
	uint32_t bucket[NETCOST_LATENCY_BUCKETS];
};

struct latency {
	struct path *path;
	struct latency_keys *keys; /* NULL: not asked for */
	const struct cpuset *cpus;
	const struct latency_only *only;

	struct past *past;		   /* [place of the CPU][hook] */
	struct netcost_latency_hist reads; /* both of a CPU's */
	uint64_t swept_ns;
	bool begun; /* what was counted before the first tick is left out */
	uint64_t bucket[NETCOST_LATENCY_BUCKETS],
		packets[NETCOST_LATENCY_BUCKETS]; /* of a record */
};

/* ---- life -------------------------------------------------------------------------------- */

static void latency_close(void *ctx)
{
	struct latency *l = ctx;

	if (!l)
		return;
	latency_keys_free(l->keys);
	free(l->past);
	free(l);
}

/* Only what is counted by checkpoint is counted by key, too. */
static int latency_begin_keys(struct latency *l, const struct source_host *h)
{
	struct path *p = l->path;

	if (!p->keyed)
		return 0;
	for (uint32_t i = 0; i < l->cpus->n; i++)
		p->cpu[l->cpus->cpu[i]].keyed = 1;
	return latency_keys_new(&l->keys, latency_keys_by(h->latency_by), p->keyed,
				&p->skel->bss->keys_taken);
}

static int latency_new(struct latency **lp, const struct source_host *h)
{
	struct latency *l = calloc(1, sizeof(*l));

	*lp = l;
	if (l)
		l->past = calloc((size_t)h->cpus->n * NETCOST_LATENCY_COUNT, sizeof(*l->past));
	if (!l || !l->past)
		return -ENOMEM;
	l->path = h->path;
	l->cpus = h->cpus;
	l->only = h->latency_only;
	l->swept_ns = now_ns();
	return latency_begin_keys(l, h);
}

static int latency_open(void **ctx, const struct source_desc *desc, const struct source_host *h,
			struct source_status *st)
{
	struct latency *l;
	int err;

	*ctx = NULL;
	if (!h->latency)
		return 0; /* and not mentioned */
	st->via = desc->path;
	st->state = "refused";
	if (!h->path || !h->path->skel) {
		snprintf(st->why, sizeof(st->why), "%.199s", h->path ? h->path->why : h->why);
		return 0;
	}
	if (!path_points_measures_any(&h->path->points))
		return 0;
	err = latency_new(&l, h);
	if (err) {
		latency_close(l);
		return err;
	}
	st->state = "measured";
	if (path_points_functions(&h->path->points))
		st->via = reason_latency_via_functions;
	*ctx = l;
	return 0;
}

static const struct bpf_program *latency_program(void *ctx, size_t i)
{
	const struct latency *l = ctx;

	return path_program(l->path, l, i);
}

static bool latency_point(void *ctx, size_t i, struct source_point *p)
{
	const struct latency *l = ctx;

	if (i < NETCOST_LATENCY_COUNT)
		path_points_say(&l->path->points, NETCOST_OF_LATENCY, (unsigned int)i, p);
	else if (i == NETCOST_LATENCY_COUNT && l->path->points.tail)
		path_points_say(&l->path->points, NETCOST_OF_TAIL, 0, p);
	else
		return false;
	return true;
}

/* ---- what was there too long -------------------------------------------------------------- */

#define SWEEP_NS (NETCOST_WORD_MOST_NS / 4)

/* A word whose time would seem young again before the next look is made free. A program may use it at the same time. */
static void sweep(__u64 *word, uint64_t now)
{
	__u64 had = __atomic_load_n(word, __ATOMIC_RELAXED);

	if (had && NETCOST_WORD_NS(now - had) > NETCOST_WORD_MOST_NS / 2)
		__atomic_compare_exchange_n(word, &had, 0, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
}

static void sweep_all(struct latency *l)
{
	struct path_bpf *skel = l->path->skel;
	uint64_t now = now_ns();

	if (now - l->swept_ns < SWEEP_NS)
		return;
	l->swept_ns = now;
	for (unsigned int i = 0; i < NETCOST_PLACES; i++) {
		sweep(&skel->bss->packets[i].in, now);
		sweep(&skel->bss->packets[i].out, now);
		sweep(&skel->bss->sources[i].sends, now);
	}
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

static void add_hist(struct netcost_latency_hist *to, const struct netcost_latency_hist *more,
		     uint64_t done)
{
	unsigned int half = done & 1;

	to->sum_ns += __atomic_load_n(&more->sum_ns, __ATOMIC_RELAXED);
	for (unsigned int k = 0; k < NETCOST_LATENCY_LOSS_COUNT; k++)
		to->lost[k] += __atomic_load_n(&more->lost[k], __ATOMIC_RELAXED);
	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++)
		to->bucket[b] += __atomic_load_n(&more->bucket[b], __ATOMIC_RELAXED);
	if (more->half[half].tick != done)
		return;
	if (to->half[half].tick != done) {
		to->half[half] = more->half[half];
		return;
	}
	if (to->half[half].min_ns > more->half[half].min_ns)
		to->half[half].min_ns = more->half[half].min_ns;
	if (to->half[half].max_ns < more->half[half].max_ns)
		to->half[half].max_ns = more->half[half].max_ns;
}

/* What a CPU has counted so far. Reads of UDP sockets are counted in two places. */
static const struct netcost_latency_hist *hist_of(struct latency *l, unsigned int h, uint32_t cpu,
						  uint64_t done)
{
	const struct netcost_path_cpu *c = &l->path->cpu[cpu];

	if (h != NETCOST_LATENCY_UDP_READ)
		return &c->hist[h];
	memset(&l->reads, 0, sizeof(l->reads));
	add_hist(&l->reads, &c->hist[h], done);
	add_hist(&l->reads, &c->late_read, done);
	return &l->reads;
}

/* Since the tick before, of a hook on the i-th CPU, if there is anything. done: the tick that the programs have left. */
static int write_counts(struct latency *l, unsigned int h, uint32_t i, uint64_t done,
			struct trace_writer *w)
{
	const struct netcost_latency_hist *now = hist_of(l, h, l->cpus->cpu[i], done);
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
	uint64_t done = l->path->skel->bss->tick;
	int err = 0;

	__atomic_store_n(&l->path->skel->bss->tick, done + 1, __ATOMIC_RELAXED);
	if (!l->begun)
		err = latency_again(l, w);
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT && !err; h++) {
		for (uint32_t i = 0;
		     path_points_measures(&l->path->points, h) && i < l->cpus->n && !err; i++)
			err = write_counts(l, h, i, done, w);
		if (l->begun && !err)
			err = latency_tail_write(l->path->exemplars, h, done, w);
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
	.follows = true,
};
