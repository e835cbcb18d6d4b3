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

/* By the place of a packet's time, or of a socket or a device's queue: NETCOST_CAME_PLACES. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_passes);
} tail_passes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} tail_taken SEC(".maps");

/* ---- where packets are ------------------------------------------------------------------- */

/* A packet is at that hook; word: its own. */
static __always_inline void tail_pass(struct netcost_latencies *c, __u32 place, __u32 step,
				      __u32 hook, __u64 word, __u64 now, __u32 before)
{
	struct netcost_passes *passes;
	struct netcost_passed *p;

	if (!TAIL_IS_ON || !(passes = bpf_map_lookup_elem(&tail_passes, &place)))
		return;
	p = &passes->step[step];
	p->word = (word >> NETCOST_CAME_NS_BITS << NETCOST_CAME_NS_BITS) | NETCOST_CAME_NS(now);
	p->cpu = (__u16)bpf_get_smp_processor_id();
	p->hook = (__u16)hook;
	p->before = before;
	c->way = place;
}

/* By the receive core. had: its word. */
static __always_inline void tail_receive(struct netcost_latencies *c, __u32 place, __u64 had,
					 __u64 now)
{
	if (!TAIL_IS_ON)
		return;
	tail_pass(c, place, NETCOST_TAIL_RECEIVED, NETCOST_LATENCY_RECEIVE, had, now,
		  now - c->received_ns < NETCOST_CAME_NS(now - had));
	c->received_ns = now;
}

/* From a socket, or a device's queue, one is taken: when was the one before it? 0: not known. */
static __always_inline __u64 tail_take(const struct place *p, __u64 now)
{
	__u32 at = p->at;
	__u64 *word = bpf_map_lookup_elem(&tail_taken, &at), had;

	if (!word)
		return 0;
	had = *word;
	*word = word_now(p, NETCOST_TAKEN_FROM, now);
	return is_of(had, p) ? now - NETCOST_CAME_NS(now - had) : 0;
}

static __always_inline void tail_read(struct netcost_latencies *c, const struct sock *sk)
{
	struct place p;

	if (!TAIL_IS_ON)
		return;
	p = mix((__u64)sk - (__u64)came);
	c->read_before_ns = tail_take(&p, bpf_ktime_get_ns());
}

/* The queue that a device is given it from, or puts it in; its lock is not needed to look. 0: not known. */
static __always_inline const struct Qdisc *tail_qdisc(const struct sk_buff *skb)
{
	const struct net_device *dev = skb->dev;
	const char *queues = (const char *)BPF_CORE_READ(dev, _tx);
	const struct netdev_queue *queue;

	queue = (const void *)(queues +
			       skb->queue_mapping * bpf_core_type_size(struct netdev_queue));
	return queues ? BPF_CORE_READ(queue, qdisc) : 0;
}

/* Some count by CPU what is in them: that of one says little. */
static __always_inline __u32 tail_queued(const struct Qdisc *q)
{
	if (!q || BPF_CORE_READ(q, flags) & (TCQ_F_CPUSTATS | TCQ_F_NOLOCK))
		return NETCOST_NOT_COUNTED;
	return BPF_CORE_READ(q, q.qlen);
}

/* word: of the packet, as it was given to the device. */
static __always_inline void tail_sent(struct netcost_latencies *c, const struct sk_buff *skb,
				      __u32 place, __u64 word, __u64 now)
{
	__u32 queued;

	if (!TAIL_IS_ON)
		return;
	queued = tail_queued(tail_qdisc(skb));
	tail_pass(c, place, NETCOST_TAIL_SENT, NETCOST_LATENCY_QDISC, word, now, queued);
}

/* A driver gets it, from there. */
static __always_inline void tail_send(struct netcost_latencies *c, const struct sk_buff *skb,
				      __u32 place, __u64 now)
{
	struct place p;

	if (!TAIL_IS_ON)
		return;
	p = place_at((__u64)tail_qdisc(skb));
	c->sent_before_ns = tail_take(&p, now);
	c->way = place;
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

/* How many steps of a packet's way there can be before that hook. From which one on they are told. */
static __always_inline void tail_steps(__u32 hook, __u32 *first, __u32 *end)
{
	*first = 0;
	*end = NETCOST_TAIL_SENT;
	if (hook == NETCOST_LATENCY_RECEIVE || hook == NETCOST_LATENCY_IP_START)
		*end = NETCOST_TAIL_IP;
	else if (hook == NETCOST_LATENCY_TCP_START || hook == NETCOST_LATENCY_UDP_START)
		*end = NETCOST_TAIL_PROTOCOL;
	else if (!tail_has_reader(hook))
		*end = NETCOST_TAIL_QUEUED;
	if (hook != NETCOST_LATENCY_QDISC)
		return;
	*first = NETCOST_TAIL_SENT;
	*end = NETCOST_TAIL_STEPS;
}

/* When it passed there; another packet in the same memory did not. */
static __always_inline void tail_passed(struct netcost_exemplar *x, const struct netcost_passed *p,
					__u32 i, __u64 word)
{
	__u64 ago = NETCOST_CAME_NS(x->to_ns - p->word);

	if ((p->word ^ word) >> (64 - NETCOST_CAME_REST_BITS) || !NETCOST_CAME_STATE(p->word) ||
	    ago > x->to_ns - x->from_ns)
		return;
	x->passed_ns[i] = x->to_ns - ago;
	x->passed_hook[i] = p->hook;
	if (i == NETCOST_TAIL_RECEIVED)
		x->others = p->before;
	if (i >= NETCOST_TAIL_QUEUED)
		x->before = p->before;
	if (i != NETCOST_TAIL_QUEUED)
		return;
	x->queued_ns = x->passed_ns[i];
	x->queued_cpu = p->cpu;
}

static __always_inline void tail_way(struct netcost_exemplar *x, __u32 hook, __u32 place,
				     __u64 word)
{
	struct netcost_passes *passes = bpf_map_lookup_elem(&tail_passes, &place);
	__u32 first, end;

	tail_steps(hook, &first, &end);
	x->queued_ns = 0;
	x->others = 0;
	x->before = NETCOST_NOT_COUNTED;
	for (__u32 i = 0; i < NETCOST_TAIL_STEPS; i++) {
		x->passed_ns[i] = 0;
		if (passes && i >= first && i < end)
			tail_passed(x, &passes->step[i], i, word);
	}
}

static __always_inline __u64 tail_taken_before(__u32 hook, __u32 cpu)
{
	const struct netcost_latencies *c = bpf_map_lookup_elem(&latencies, &cpu);

	if (!c)
		return 0;
	if (hook == NETCOST_LATENCY_QDISC)
		return c->sent_before_ns;
	return tail_has_reader(hook) ? c->read_before_ns : 0;
}

/*
 * A packet that came by then, as `word` says, is at that hook. place: of that word; NETCOST_CAME_PLACES: its reader is not
 * who runs. A function of its own for the verifier, which looks at it once.
 */
__noinline int tail_slowest(__u32 hook, __u64 word, __u64 now, __u32 place, __u64 at)
{
	__u32 cpu = bpf_get_smp_processor_id(), key = netcost_exemplar(hook, at, cpu);
	__u64 from = now - NETCOST_CAME_NS(now - word), split;
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
	x->tick = at;
	x->cpu = x->queued_cpu = cpu;
	x->from_ns = from;
	x->to_ns = now;
	x->taken_ns = tail_taken_before(hook, cpu);
	tail_way(x, hook, place, word);
	x->task = reader ? (__u32)bpf_get_current_pid_tgid() : 0;
	bpf_get_current_comm(x->name, sizeof(x->name));
	split = x->queued_ns ? x->queued_ns : reader ? from : now;
	tail_walk(key, NETCOST_TAIL_WAY, x->queued_cpu, from, split);
	tail_walk(key, NETCOST_TAIL_READER, cpu, split, now);
	__sync_lock_test_and_set(&x->busy, 0);
	return 0;
}

#endif
