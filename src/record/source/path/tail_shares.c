// SPDX-License-Identifier: BSD-2-Clause
/* Derives the share of each activity in a packet's time from the changes of a CPU's activity. */
#include <stdlib.h>
#include <string.h>

#include <linux/types.h> /* the programs' __u64 */

#include <netcost/trace.h>

#include "bpf/tail.h"
#include "latency_tail.h"

/* Linux's softirq vectors. */
#define SOFTIRQ_NET_TX 2
#define SOFTIRQ_NET_RX 3

struct shares {
	struct tail_share *share;
	size_t n;
	struct tail_spans *spans;
	bool full; /* there is no room for more spans */
};

static bool is_same(const struct tail_share *a, const struct tail_share *b)
{
	return a->what == b->what && a->reader == b->reader && a->number == b->number &&
	       !strcmp(a->name, b->name);
}

/* Adds a span just before the spans that were added already. */
static void add_span(struct shares *s, size_t share, uint64_t ns)
{
	struct tail_spans *spans = s->spans;
	size_t n = spans->n;

	if (n && spans->share[n - 1] == share && !s->full) {
		spans->ns[n - 1] += ns;
		return;
	}
	s->full |= n == TAIL_SPANS;
	if (s->full)
		return;
	spans->share[n] = share;
	spans->ns[n] = ns;
	spans->n++;
}

/* Adds time to a share. The last share is reserved for unknown time, so that there is always room for unknown time. */
static void add(struct shares *s, struct tail_share more)
{
	size_t most = more.what == NETCOST_CULPRIT_UNKNOWN ? TAIL_SHARES : TAIL_SHARES - 2, i = 0;

	if (!more.ns)
		return;
	while (i < s->n && !is_same(&s->share[i], &more))
		i++;
	if (i == s->n && i >= most) {
		add(s, (struct tail_share){
			       .reader = more.reader, .number = TRACE_NIL, .ns = more.ns });
		return;
	}
	if (i == s->n) {
		more.place = s->n++;
		s->share[i] = more;
	} else {
		s->share[i].ns += more.ns;
	}
	add_span(s, i, more.ns);
}

/* ---- time of an activity ----------------------------------------------------------------- */

/* Returns the activity to which a CPU changed. The result does not depend on the packet. */
static struct tail_share done(const struct netcost_edge *e)
{
	struct tail_share s = { .number = TRACE_NIL };

	if (e->irq) {
		s.what = NETCOST_CULPRIT_INTERRUPT;
		s.number = e->irq - 1u;
	} else if (e->softirq) {
		s.what = NETCOST_CULPRIT_SOFTIRQ;
		s.number = e->softirq - 1u;
	} else if (!(e->flags & NETCOST_EDGE_KNOWN)) {
		s.what = NETCOST_CULPRIT_UNKNOWN;
	} else if (!e->task) {
		/* woken() changes this to WAKE if there was work for the CPU */
		s.what = NETCOST_CULPRIT_IDLE;
	} else {
		s.what = NETCOST_CULPRIT_TASK;
		s.number = e->flags & NETCOST_EDGE_POLICY;
		memcpy(s.name, e->name, sizeof(s.name));
		s.name[sizeof(s.name) - 1] = '\0';
	}
	return s;
}

/*
 * How a packet waits. `is` is false while the packet is on its path, where it waits for a CPU or a device. `is` is true
 * after its reader was woken, when it waits for the reader.
 */
struct waiter {
	bool is;
	bool told; /* the time of the wakeup is known */
	uint32_t task;
	uint64_t can_ns; /* time when the reader became runnable; 0: unknown */
	/* on its path: end of the CPU's idle time, if the CPU was idle when the packet arrived; otherwise 0 */
	uint64_t wake_ns;
	enum netcost_queue queue;
	/* end of the time during which other packets were ahead; 0: no packets were ahead, or unknown */
	uint64_t behind_ns;
};

/* Returns true if this activity serves the packets ahead, or does not affect how long they wait. */
static bool is_behind(const struct tail_share *s, enum netcost_queue queue)
{
	switch (queue) {
	case NETCOST_QUEUE_BACKLOG:
		return s->what == NETCOST_CULPRIT_SOFTIRQ && s->number == SOFTIRQ_NET_RX;
	case NETCOST_QUEUE_SOCKET:
		return s->what == NETCOST_CULPRIT_READER;
	default:
		return s->what == NETCOST_CULPRIT_IDLE || s->what == NETCOST_CULPRIT_TASK ||
		       s->what == NETCOST_CULPRIT_UNKNOWN ||
		       (s->what == NETCOST_CULPRIT_SOFTIRQ && s->number == SOFTIRQ_NET_TX);
	}
}

/* Returns the share of a CPU that has work to do. If the CPU is idle, this share is the time of its wake-up. */
static struct tail_share woken(struct tail_share s, uint64_t state)
{
	if (s.what == NETCOST_CULPRIT_IDLE) {
		s.what = NETCOST_CULPRIT_WAKE;
		s.number = state;
	}
	return s;
}

/*
 * Returns the share that caused the delay. Only interrupts can delay a running reader. A CPU's activities do not delay
 * a sleeping reader.
 */
static struct tail_share blamed(const struct netcost_edge *e, const struct waiter *w, bool can_run,
				uint64_t state, uint64_t to)
{
	struct tail_share s = done(e);

	s.reader = w->is;
	if (!w->is && to <= w->wake_ns)
		return woken(s, state);
	if (!w->is || !w->task)
		return s;
	if (e->flags & NETCOST_EDGE_KNOWN && e->task == w->task) {
		if (s.what == NETCOST_CULPRIT_TASK)
			s = (struct tail_share){ .what = NETCOST_CULPRIT_READER,
						 .reader = true,
						 .number = TRACE_NIL };
		return s;
	}
	if (can_run)
		return woken(s, state);
	return (struct tail_share){ .what = w->told ? NETCOST_CULPRIT_LATE :
						      NETCOST_CULPRIT_UNKNOWN,
				    .reader = true,
				    .number = TRACE_NIL };
}

/* Adds the time of a share. While other packets were ahead, the packet may have waited for them. */
static void add_time(struct shares *s, const struct waiter *w, struct tail_share share,
		     uint64_t from, uint64_t to)
{
	uint64_t split = w->behind_ns < from ? from : w->behind_ns > to ? to : w->behind_ns;

	if (to <= from)
		return;
	share.ns = to - split;
	add(s, share);
	if (is_behind(&share, w->queue))
		share = (struct tail_share){ .what = NETCOST_CULPRIT_QUEUE,
					     .reader = w->is,
					     .number = w->queue };
	share.ns = split - from;
	add(s, share);
}

static void add_as(struct shares *s, const struct waiter *w, enum netcost_culprit what,
		   uint64_t from, uint64_t to)
{
	add_time(s, w, (struct tail_share){ .what = what, .reader = w->is, .number = TRACE_NIL },
		 from, to);
}

/*
 * Adds the time of an activity. The packet may start to wait for the CPU during this time. state: the idle state of an
 * idle CPU.
 */
static void add_whole(struct shares *s, const struct netcost_edge *e, const struct waiter *w,
		      uint64_t state, uint64_t from, uint64_t to)
{
	uint64_t split = w->can_ns < from ? from : w->can_ns > to ? to : w->can_ns;

	if (w->is && !w->can_ns && !(e->task == w->task && e->flags & NETCOST_EDGE_KNOWN)) {
		add_as(s, w, NETCOST_CULPRIT_UNKNOWN, from, to);
		return;
	}
	add_time(s, w, blamed(e, w, true, state, to), split, to);
	add_time(s, w, blamed(e, w, false, state, to), from, split);
}

/* ---- idle CPUs --------------------------------------------------------------------------- */

static bool is_idle(const struct netcost_edge *e)
{
	return e->flags & NETCOST_EDGE_KNOWN && !e->task && !e->irq && !e->softirq;
}

static bool is_asleep(const struct netcost_edge *e)
{
	return is_idle(e) && e->flags & NETCOST_EDGE_ASLEEP;
}

/*
 * Returns the idle state at the given edge, or the last idle state before it. Returns TRACE_NIL if the state is
 * unknown. Edges are in reverse order.
 */
static uint64_t state_at(const struct netcost_edge *edge, uint32_t n, uint32_t i)
{
	for (; i < n && is_idle(&edge[i]); i++)
		if (is_asleep(&edge[i]))
			return edge[i].name[0];
	return TRACE_NIL;
}

/*
 * Returns the end of the CPU's idle time, if the CPU was idle at `from`. Returns 0 if the CPU was not idle or its state
 * is unknown.
 */
static uint64_t idle_until(const struct netcost_edge *edge, uint32_t n, uint64_t from, uint64_t to)
{
	if (!n || edge[n - 1].ns > from || !is_idle(&edge[n - 1]))
		return 0;
	while (n && is_idle(&edge[n - 1]))
		n--;
	return n ? edge[n - 1].ns : to;
}

/* ---- shares of a packet's time ----------------------------------------------------------- */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Adds the time of a phase. Walks from the latest change to the first one, so the activity after each change is known.
 * A switch to the reader also shows since when the reader was runnable. A late timer shows that interrupts were
 * disabled before it. A sleeping CPU is an exception, because it disables interrupts by sleeping.
 */
static void add_phase(struct shares *s, const struct netcost_edge *edge, uint32_t n,
		      struct waiter w, uint64_t from, uint64_t to)
{
	/* start of the time without interrupts, which lasts until `to` */
	uint64_t masked = to;
	bool is_masked = false;

	for (uint32_t i = 0; i < n && to > from; i++) {
		const struct netcost_edge *e = &edge[i];
		uint64_t begin = sooner(later(e->ns, from), to);

		if (is_masked && !e->irq && !is_asleep(e) && masked < to) {
			uint64_t at = later(masked, begin);

			add_as(s, &w, NETCOST_CULPRIT_MASKED, at, to);
			to = at;
		}
		add_whole(s, e, &w, state_at(edge, n, i), begin, to);
		to = begin;
		if (e->flags & NETCOST_EDGE_LATE) {
			masked = is_masked ? sooner(masked, e->since) : e->since;
			is_masked = true;
		}
		if (e->flags & NETCOST_EDGE_SWITCHED && e->task == w.task)
			w.can_ns = e->since;
	}
	add_as(s, &w, NETCOST_CULPRIT_UNKNOWN, from, to);
}

static int by_ns(const void *a, const void *b)
{
	uint64_t x = ((const struct tail_share *)a)->ns, y = ((const struct tail_share *)b)->ns;

	return x < y ? 1 : x > y ? -1 : 0;
}

static uint32_t edges_of(const struct netcost_exemplar *x, unsigned int phase)
{
	uint32_t n = x->phase[phase].n;

	return n < NETCOST_TAIL_EDGES ? n : NETCOST_TAIL_EDGES;
}

/* Sorts the shares by size, largest first, and renumbers the spans. */
static void sort(struct shares *s)
{
	size_t now[TAIL_SHARES];

	qsort(s->share, s->n, sizeof(*s->share), by_ns);
	for (size_t i = 0; i < s->n; i++)
		now[s->share[i].place] = i;
	for (size_t i = 0; i < s->spans->n; i++)
		s->spans->share[i] = now[s->spans->share[i]];
}

/*
 * Returns the wait of a packet on its path. The packet reaches a CPU that may be idle, or waits for a device, which
 * needs no CPU.
 */
static struct waiter on_its_way(const struct netcost_exemplar *x, enum netcost_latency hook,
				uint64_t to)
{
	const struct netcost_edge *edge = x->phase[NETCOST_TAIL_WAY].edge;
	struct waiter w = { .queue = NETCOST_QUEUE_BACKLOG,
			    .behind_ns = x->others ? x->passed_ns[NETCOST_TAIL_RECEIVED] : 0 };

	if (hook == NETCOST_LATENCY_QDISC) {
		w.queue = NETCOST_QUEUE_QDISC;
		w.behind_ns = x->before ? x->taken_ns : 0;
	}
	if (hook != NETCOST_LATENCY_QDISC && hook != NETCOST_LATENCY_DRIVER &&
	    hook != NETCOST_LATENCY_COMPLETION)
		w.wake_ns = idle_until(edge, edges_of(x, NETCOST_TAIL_WAY), x->from_ns, to);
	return w;
}

/* Works backwards from the end, through the phases and within each phase. */
size_t tail_shares(const struct netcost_exemplar *x, enum netcost_latency hook,
		   struct tail_share share[TAIL_SHARES], struct tail_spans *spans)
{
	uint64_t split = x->queued_ns ? x->queued_ns : x->task ? x->from_ns : x->to_ns;
	struct waiter reader = { .is = true,
				 .told = x->queued_ns,
				 .task = x->task,
				 .queue = NETCOST_QUEUE_SOCKET,
				 .behind_ns = x->taken_ns };
	struct shares s = { .share = share, .spans = spans };

	spans->n = 0;
	add_phase(&s, x->phase[NETCOST_TAIL_READER].edge, edges_of(x, NETCOST_TAIL_READER), reader,
		  split, x->to_ns);
	add_phase(&s, x->phase[NETCOST_TAIL_WAY].edge, edges_of(x, NETCOST_TAIL_WAY),
		  on_its_way(x, hook, split), x->from_ns, split);
	sort(&s);
	return s.n;
}
