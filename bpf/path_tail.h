/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* path_tail.h: saves what the CPU did while the slowest packet of the current tick waited for a checkpoint (--tail). */
#ifndef NETCOST_PATH_TAIL_H
#define NETCOST_PATH_TAIL_H

#include "path_edges.h"
#include "path_packets.h"

/* The recorder sets max_entries to NETCOST_EXEMPLARS before loading, and maps this map into its memory. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_exemplar);
} tail_exemplars SEC(".maps");

/* ---- steps of packets -------------------------------------------------------------------- */

/*
 * Returns 1 + the latency in ns, or 0 (unknown) for latencies of 4 s or more. word: the word of the packet's receive
 * path.
 */
static __always_inline __u32 passed_after(__u64 word, __u64 now)
{
	__u64 ns = NETCOST_WORD_NS(now - word) + 1;

	return ns >> 32 ? 0 : (__u32)ns;
}

/* Notes that a packet passes a step of its receive path. before: number of packets ahead of it in its queue. */
static __always_inline void tail_pass(struct netcost_path_cpu *c, const struct place *p, __u32 step,
				      __u64 word, __u64 now, __u32 before)
{
	struct netcost_packet *e = entry_of(p);

	if (!with_tail)
		return;
	e->passed[step & 3] = passed_after(word, now);
	if (step == NETCOST_TAIL_QUEUED) {
		e->before = before;
		e->cpu = (__u16)bpf_get_smp_processor_id();
	}
	c->way = p->at;
}

/* Notes that a packet enters and has not passed any step yet. */
static __always_inline void tail_enter(const struct place *p)
{
	struct netcost_packet *e = entry_of(p);

	if (with_tail)
		e->passed[0] = e->passed[1] = e->passed[2] = e->passed[3] = 0;
}

/* Notes that the receive core got the packet. had: the packet's word. */
static __always_inline void tail_receive(struct netcost_path_cpu *c, const struct place *p,
					 __u64 had, __u64 now)
{
	if (!with_tail)
		return;
	tail_pass(c, p, NETCOST_TAIL_RECEIVED, had, now, 0);
	entry_of(p)->others = now - c->received_ns < NETCOST_WORD_NS(now - had);
}

/*
 * Notes that a packet is taken from the queue of a socket or device. Returns when the previous packet was taken from
 * that queue, or 0 if the time is unknown.
 */
static __always_inline __u64 tail_take(const struct place *p, __u64 now)
{
	struct netcost_source *s = source_of(p);
	__u64 had = s->taken;

	s->taken = word_now(p, NETCOST_TAKEN_FROM, now);
	return is_of(had, p) ? now - NETCOST_WORD_NS(now - had) : 0;
}

static __always_inline void tail_read(struct netcost_path_cpu *c, const struct sock *sk, __u64 now)
{
	struct place p;

	if (!with_tail)
		return;
	p = place_of(sk);
	c->read_before_ns = tail_take(&p, now);
}

/* The device queue in which a packet waits. */
struct tail_queue {
	__u64 address; /* address of the queue; 0: unknown */
	__u32 packets; /* length of the queue, or NETCOST_NOT_COUNTED */
};

/* Returns the length of a queue. Some qdiscs count their length per CPU, and the count of one CPU is not the length. */
static __always_inline __u32 tail_packets(__u32 flags, __u32 qlen)
{
	return flags & (TCQ_F_CPUSTATS | TCQ_F_NOLOCK) ? NETCOST_NOT_COUNTED : qlen;
}

/*
 * Returns the queue of a device with several queues. The verifier knows no type for an element of the queues' array, so
 * the element is not read directly.
 */
static __always_inline struct tail_queue tail_queue_at(const struct net_device *dev, __u32 at)
{
	struct tail_queue queue = { .packets = NETCOST_NOT_COUNTED };
	const char *queues = (const char *)BPF_CORE_READ(dev, _tx);
	const struct netdev_queue *of =
		(const void *)(queues + at * bpf_core_type_size(struct netdev_queue));
	const struct Qdisc *q = queues ? BPF_CORE_READ(of, qdisc) : 0;

	queue.address = (__u64)q;
	if (q)
		queue.packets = tail_packets(BPF_CORE_READ(q, flags), BPF_CORE_READ(q, q.qlen));
	return queue;
}

/* Returns the device queue of a packet. No lock is needed for reading. */
static __always_inline struct tail_queue tail_queue_of(const struct sk_buff *skb)
{
	struct tail_queue queue = { .packets = NETCOST_NOT_COUNTED };
	const struct net_device *dev = skb->dev;
	const struct netdev_queue *first;
	const struct Qdisc *q;

	if (skb->queue_mapping)
		return tail_queue_at(dev, skb->queue_mapping);
	first = dev->_tx;
	q = first ? first->qdisc : NULL;
	if (!q)
		return queue;
	queue.address = address_of(q);
	queue.packets = tail_packets(q->flags, q->q.qlen);
	return queue;
}

/* Notes that a packet is passed to a device. */
static __always_inline void tail_sent(const struct sk_buff *skb, const struct place *p)
{
	if (with_tail)
		entry_of(p)->before = tail_queue_of(skb).packets;
}

/* Notes that the driver takes a packet from the packet's device queue. */
static __always_inline void tail_send(struct netcost_path_cpu *c, const struct sk_buff *skb,
				      const struct place *of, __u64 now)
{
	struct place p;

	if (!with_tail)
		return;
	p = place_at(tail_queue_of(skb).address);
	c->sent_before_ns = tail_take(&p, now);
	c->way = of->at;
}

/* ---- activity of a CPU ------------------------------------------------------------------- */

struct tail_walk {
	__u64 from, to, end; /* end: number of edges that the CPU has had so far */
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

/* Copies the edges of a CPU in an interval to an exemplar. */
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

/* ---- exemplars --------------------------------------------------------------------------- */

static __always_inline bool tail_has_reader(__u32 hook)
{
	return hook == NETCOST_LATENCY_TCP_READ || hook == NETCOST_LATENCY_UDP_READ ||
	       hook == NETCOST_LATENCY_TCP_READ_BLOCKED;
}

static __always_inline bool tail_is_tcp(__u32 hook)
{
	return hook == NETCOST_LATENCY_TCP_START || hook == NETCOST_LATENCY_TCP_ENQUEUED ||
	       hook == NETCOST_LATENCY_TCP_READ || hook == NETCOST_LATENCY_TCP_READ_BLOCKED;
}

/* Returns the number of receive steps that can precede the checkpoint `hook`. */
static __always_inline __u32 tail_steps(__u32 hook)
{
	if (hook == NETCOST_LATENCY_RECEIVE || hook == NETCOST_LATENCY_IP_START)
		return NETCOST_TAIL_IP;
	if (hook == NETCOST_LATENCY_TCP_START || hook == NETCOST_LATENCY_UDP_START)
		return NETCOST_TAIL_PROTOCOL;
	if (hook == NETCOST_LATENCY_TCP_ENQUEUED || hook == NETCOST_LATENCY_UDP_ENQUEUED)
		return NETCOST_TAIL_QUEUED;
	return tail_has_reader(hook) ? NETCOST_TAIL_SENT : 0;
}

static __always_inline __u32 tail_hook_of(__u32 step, bool tcp)
{
	if (step == NETCOST_TAIL_RECEIVED)
		return NETCOST_LATENCY_RECEIVE;
	if (step == NETCOST_TAIL_IP)
		return NETCOST_LATENCY_IP_START;
	if (step == NETCOST_TAIL_PROTOCOL)
		return tcp ? NETCOST_LATENCY_TCP_START : NETCOST_LATENCY_UDP_START;
	return tcp ? NETCOST_LATENCY_TCP_ENQUEUED : NETCOST_LATENCY_UDP_ENQUEUED;
}

/*
 * Stores the steps that precede the checkpoint `hook`, if the entry still belongs to the packet. The exemplar's time
 * begins when the packet entered.
 */
static __always_inline void tail_way(struct netcost_exemplar *x, __u32 hook, __u32 place,
				     __u64 word)
{
	const struct netcost_packet *e = &packets[place & (NETCOST_PLACES - 1)];
	bool sent = hook == NETCOST_LATENCY_QDISC;
	__u64 now = sent ? e->out : e->in, end = tail_steps(hook);
	bool same = place < NETCOST_PLACES && with_state(now, 0) == with_state(word, 0);

	x->queued_ns = 0;
	x->others = 0;
	x->before = NETCOST_NOT_COUNTED;
	for (__u32 i = 0; i < NETCOST_TAIL_STEPS; i++)
		x->passed_ns[i] = 0;
	if (same && sent) {
		x->passed_ns[NETCOST_TAIL_SENT] = x->from_ns;
		x->before = e->before;
	}
	for (__u32 i = 0; i < NETCOST_TAIL_SENT; i++) {
		__u32 after = e->passed[i];

		if (!same || i >= end || !after || after - 1 > x->to_ns - x->from_ns)
			continue;
		x->passed_ns[i] = x->from_ns + after - 1;
		x->passed_hook[i] = tail_hook_of(i, tail_is_tcp(hook));
		if (i == NETCOST_TAIL_RECEIVED)
			x->others = e->others;
		if (i == NETCOST_TAIL_QUEUED) {
			x->before = e->before;
			x->queued_ns = x->passed_ns[i];
			x->queued_cpu = e->cpu;
		}
	}
}

static __always_inline __u64 tail_taken_before(__u32 hook, __u32 cpu)
{
	const struct netcost_path_cpu *c = bpf_map_lookup_elem(&path_cpus, &cpu);

	if (!c)
		return 0;
	if (hook == NETCOST_LATENCY_QDISC)
		return c->sent_before_ns;
	return tail_has_reader(hook) ? c->read_before_ns : 0;
}

/*
 * Saves the exemplar of a packet that passes the checkpoint `hook`; `word` has the time of the packet's entry. place:
 * place of the entry with that word, or NETCOST_PLACES if the packet's reader is not the running task. The function is
 * not inlined, so that the verifier checks it once.
 */
__noinline int tail_slowest(__u32 hook, __u64 word, __u64 now, __u32 place, __u64 at)
{
	__u32 cpu = bpf_get_smp_processor_id(), key = netcost_exemplar(hook, at, cpu);
	__u64 from = now - NETCOST_WORD_NS(now - word), split;
	bool reader = tail_has_reader(hook);
	struct netcost_exemplar *x;

	if (!with_tail || (reader && place >= NETCOST_PLACES))
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
