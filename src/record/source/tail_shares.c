// SPDX-License-Identifier: BSD-2-Clause
/* From the changes of what a CPU did to how much of a packet's time each thing took. */
#include <stdlib.h>
#include <string.h>

#include <linux/types.h> /* the programs' __u64 */

#include <netcost/trace.h>

#include "bpf/tail.h"
#include "latency_tail.h"

struct shares {
	struct tail_share *share;
	size_t n;
	struct tail_spans *spans;
	bool full; /* there is no more room for spans */
};

static bool is_same(const struct tail_share *a, const struct tail_share *b)
{
	return a->what == b->what && a->reader == b->reader && a->number == b->number &&
	       !strcmp(a->name, b->name);
}

/* The time just before that which is known already. */
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

/* The last one is kept for what is not known: there is always room for that. */
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

/* ---- a piece of time --------------------------------------------------------------------- */

/* What the CPU did, whoever waited. */
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
		s.what = NETCOST_CULPRIT_IDLE;
	} else {
		s.what = NETCOST_CULPRIT_TASK;
		s.number = e->flags & NETCOST_EDGE_POLICY;
		memcpy(s.name, e->name, sizeof(s.name));
		s.name[sizeof(s.name) - 1] = '\0';
	}
	return s;
}

/* The packet's reader, from when it was told on. */
struct waiter {
	bool is;
	bool told; /* it is known when it was */
	uint32_t task;
	uint64_t can_ns; /* it could run from then on, until it did; 0: not known */
};

/* While its reader has the CPU, nobody takes that from it but interrupts; while it sleeps, nobody does. */
static struct tail_share blamed(const struct netcost_edge *e, const struct waiter *w, bool can_run)
{
	struct tail_share s = done(e);

	s.reader = w->is;
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
		return s;
	return (struct tail_share){ .what = w->told ? NETCOST_CULPRIT_LATE :
						      NETCOST_CULPRIT_UNKNOWN,
				    .reader = true,
				    .number = TRACE_NIL };
}

static void add_piece(struct shares *s, const struct netcost_edge *e, const struct waiter *w,
		      bool can_run, uint64_t from, uint64_t to)
{
	struct tail_share share = blamed(e, w, can_run);

	share.ns = to > from ? to - from : 0;
	add(s, share);
}

static void add_as(struct shares *s, enum netcost_culprit what, bool reader, uint64_t from,
		   uint64_t to)
{
	add(s, (struct tail_share){ .what = what,
				    .reader = reader,
				    .number = TRACE_NIL,
				    .ns = to > from ? to - from : 0 });
}

/* It may have begun to wait for the CPU in between. */
static void add_whole(struct shares *s, const struct netcost_edge *e, const struct waiter *w,
		      uint64_t from, uint64_t to)
{
	uint64_t split = w->can_ns < from ? from : w->can_ns > to ? to : w->can_ns;

	if (w->is && !w->can_ns && !(e->task == w->task && e->flags & NETCOST_EDGE_KNOWN)) {
		add_as(s, NETCOST_CULPRIT_UNKNOWN, true, from, to);
		return;
	}
	add_piece(s, e, w, true, split, to);
	add_piece(s, e, w, false, from, split);
}

/* ---- all of it --------------------------------------------------------------------------- */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * From the latest change to the first one: of each it is known what came after it, which of a reader that came to the
 * CPU says since when it could. A timer that was late says what the CPU did before.
 */
static void add_phase(struct shares *s, const struct netcost_edge *edge, uint32_t n,
		      struct waiter w, uint64_t from, uint64_t to)
{
	uint64_t masked = to; /* from here to what is known already, no interrupt was taken */
	bool is_masked = false;

	for (uint32_t i = 0; i < n && to > from; i++) {
		const struct netcost_edge *e = &edge[i];
		uint64_t begin = sooner(later(e->ns, from), to);

		if (is_masked && !e->irq && masked < to) {
			uint64_t at = later(masked, begin);

			add_as(s, NETCOST_CULPRIT_MASKED, w.is, at, to);
			to = at;
		}
		add_whole(s, e, &w, begin, to);
		to = begin;
		if (e->flags & NETCOST_EDGE_LATE) {
			masked = is_masked ? sooner(masked, e->since) : e->since;
			is_masked = true;
		}
		if (e->flags & NETCOST_EDGE_SWITCHED && e->task == w.task)
			w.can_ns = e->since;
	}
	add_as(s, NETCOST_CULPRIT_UNKNOWN, w.is, from, to);
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

/* The largest first; spans follow. */
static void sort(struct shares *s)
{
	size_t now[TAIL_SHARES];

	qsort(s->share, s->n, sizeof(*s->share), by_ns);
	for (size_t i = 0; i < s->n; i++)
		now[s->share[i].place] = i;
	for (size_t i = 0; i < s->spans->n; i++)
		s->spans->share[i] = now[s->spans->share[i]];
}

/* From the latest time back, as each phase is. */
size_t tail_shares(const struct netcost_exemplar *x, struct tail_share share[TAIL_SHARES],
		   struct tail_spans *spans)
{
	uint64_t split = x->queued_ns ? x->queued_ns : x->task ? x->from_ns : x->to_ns;
	struct waiter nobody = { .is = false };
	struct waiter reader = { .is = true, .told = x->queued_ns, .task = x->task };
	struct shares s = { .share = share, .spans = spans };

	spans->n = 0;
	add_phase(&s, x->phase[NETCOST_TAIL_READER].edge, edges_of(x, NETCOST_TAIL_READER), reader,
		  split, x->to_ns);
	add_phase(&s, x->phase[NETCOST_TAIL_WAY].edge, edges_of(x, NETCOST_TAIL_WAY), nobody,
		  x->from_ns, split);
	sort(&s);
	return s.n;
}
