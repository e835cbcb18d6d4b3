/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* tail_take.h: at a hook, of the slowest packet of a tick so far: what its CPU did while it waited (--tail). */
#ifndef NETCOST_TAIL_TAKE_H
#define NETCOST_TAIL_TAKE_H

#include "tail_edges.h"

/* max_entries is set before loading: NETCOST_EXEMPLARS. Mapped. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_exemplar);
} tail_exemplars SEC(".maps");

/* By the place of a packet's time: NETCOST_CAME_PLACES. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_queued);
} tail_queued SEC(".maps");

/* Its reader is told. */
static __always_inline void tail_queue(__u32 place, __u64 word, __u64 now)
{
	struct netcost_queued *q;

	if (!TAIL_IS_ON || !(q = bpf_map_lookup_elem(&tail_queued, &place)))
		return;
	q->word = (word >> NETCOST_CAME_NS_BITS << NETCOST_CAME_NS_BITS) | NETCOST_CAME_NS(now);
	q->cpu = bpf_get_smp_processor_id();
}

/* ---- what a CPU did ---------------------------------------------------------------------- */

struct tail_walk {
	__u64 from, to, end; /* end: of the CPU's edges */
	__u32 cpu, exemplar, phase, n, whole;
};

static long tail_step(__u32 i, struct tail_walk *w)
{
	__u32 cpu = w->cpu, at = w->exemplar;
	struct netcost_edges *e = bpf_map_lookup_elem(&tail_edges, &cpu);
	struct netcost_exemplar *x = bpf_map_lookup_elem(&tail_exemplars, &at);
	struct netcost_edge *edge, *to;

	if (!e || !x)
		return 1;
	edge = &e->last[(w->end - 1 - i) & (NETCOST_EDGES - 1)];
	if (edge->ns > w->to)
		return 0;
	if (w->n >= NETCOST_TAIL_EDGES)
		return 1;
	to = &x->phase[w->phase & 1].edge[w->n & (NETCOST_TAIL_EDGES - 1)];
	to->ns = edge->ns;
	to->since = edge->since;
	to->name[0] = edge->name[0];
	to->name[1] = edge->name[1];
	to->task = edge->task;
	to->irq = edge->irq;
	to->softirq = edge->softirq;
	to->flags = edge->flags;
	w->n++;
	w->whole = edge->ns <= w->from;
	return w->whole;
}

/* Of a CPU, from then to then. */
static __always_inline void tail_walk(__u32 exemplar, __u32 phase, __u32 cpu, __u64 from, __u64 to)
{
	struct tail_walk w = {
		.from = from, .to = to, .cpu = cpu, .exemplar = exemplar, .phase = phase
	};
	struct netcost_edges *e = bpf_map_lookup_elem(&tail_edges, &cpu);
	struct netcost_exemplar *x;

	if (e) {
		w.end = e->n;
		bpf_loop(w.end < NETCOST_EDGES_READ ? (__u32)w.end : NETCOST_EDGES_READ, tail_step,
			 &w, 0);
	}
	x = bpf_map_lookup_elem(&tail_exemplars, &exemplar);
	if (!x)
		return;
	x->phase[phase & 1].n = w.n;
	x->phase[phase & 1].whole = w.whole;
}

/* ---- an exemplar ------------------------------------------------------------------------- */

static __always_inline bool tail_has_reader(__u32 hook)
{
	return hook == NETCOST_LATENCY_TCP_READ || hook == NETCOST_LATENCY_UDP_READ ||
	       hook == NETCOST_LATENCY_TCP_READ_BLOCKED;
}

/* When its reader was told, and where; 0: not known. */
static __always_inline __u64 tail_was_queued(__u32 place, __u64 word, __u64 from, __u64 to,
					     __u32 *cpu)
{
	struct netcost_queued *q = bpf_map_lookup_elem(&tail_queued, &place);
	__u64 ago;

	if (!q || (q->word ^ word) >> (64 - NETCOST_CAME_REST_BITS) || !NETCOST_CAME_STATE(q->word))
		return 0;
	ago = NETCOST_CAME_NS(to - q->word);
	if (ago > to - from)
		return 0; /* another packet's, in the same memory */
	*cpu = (__u32)q->cpu;
	return to - ago;
}

/*
 * A packet that came by then, as `word` says, is at that hook. place: of that word; NETCOST_CAME_PLACES: its reader is not
 * who runs. A function of its own for the verifier, which looks at it once.
 */
__noinline int tail_slowest(__u32 hook, __u64 word, __u64 now, __u32 place, __u64 at)
{
	__u32 cpu = bpf_get_smp_processor_id(), queued_cpu = cpu;
	__u32 key = netcost_exemplar(hook, at, cpu);
	__u64 from = now - NETCOST_CAME_NS(now - word), queued = 0, split;
	bool reader = tail_has_reader(hook);
	struct netcost_exemplar *x;

	if (!TAIL_IS_ON || (reader && place >= NETCOST_CAME_PLACES))
		return 0;
	x = bpf_map_lookup_elem(&tail_exemplars, &key);
	if (!x || __sync_lock_test_and_set(&x->busy, 1))
		return 0;
	if (x->tick == at && x->to_ns - x->from_ns >= now - from) {
		__sync_lock_test_and_set(&x->busy, 0);
		return 0;
	}
	if (reader)
		queued = tail_was_queued(place, word, from, now, &queued_cpu);
	x->tick = at;
	x->cpu = cpu;
	x->queued_cpu = queued_cpu;
	x->from_ns = from;
	x->queued_ns = queued;
	x->to_ns = now;
	x->task = reader ? (__u32)bpf_get_current_pid_tgid() : 0;
	bpf_get_current_comm(x->name, sizeof(x->name));
	split = queued ? queued : reader ? from : now;
	tail_walk(key, NETCOST_TAIL_WAY, queued_cpu, from, split);
	tail_walk(key, NETCOST_TAIL_READER, cpu, split, now);
	__sync_lock_test_and_set(&x->busy, 0);
	return 0;
}

#endif
