/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_parts_model.h: the parts of the RX softirq on one CPU of that machine, with each nanosecond added up
 * where it passes, and their comparison with what the recorders left.
 */
#ifndef NETCOST_TESTS_RECORDER_PARTS_MODEL_H
#define NETCOST_TESTS_RECORDER_PARTS_MODEL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/exact/exact.h"

#define CALLING 20 /* deeper than the recorders follow */

/* A call of a function, or what comes between a pair of tracepoints. */
struct part_frame {
	uint64_t hook, part, sp;
};

/* What really goes on. */
struct parts_calls {
	struct part_frame frame[CALLING];
	unsigned int depth;
};

/* What the recorders were told of it. */
struct parts_model {
	struct part_frame stack[NETCOST_PART_DEPTH];
	unsigned int depth;
	bool over; /* busy polling ended, and what is on the stack with it */
	uint64_t ns[NETCOST_PART_COUNT], total_ns[NETCOST_PART_COUNT], calls[NETCOST_PART_COUNT];
	uint64_t missed, polls_outside;
	uint64_t polling_ns, loose_ns; /* since the last poll; outside of all parts */
	uint64_t slack; /* passed inside recorders since then, and in the last call before */
	int64_t off[2][NETCOST_PART_COUNT];
};

static inline bool parts_model_in(const struct parts_model *p, unsigned int part)
{
	for (unsigned int i = 0; i < p->depth; i++)
		if (p->stack[i].part == part)
			return true;
	return false;
}

static inline void parts_model_pass(struct parts_model *p, uint64_t ns)
{
	if (p->over)
		return;
	p->polling_ns += ns;
	if (!p->depth)
		p->loose_ns += ns;
	else
		p->ns[p->stack[p->depth - 1].part] += ns;
	for (unsigned int part = 0; part < NETCOST_PART_COUNT; part++)
		if (parts_model_in(p, part))
			p->total_ns[part] += ns;
}

/* A softirq or a task's turn begins or ends. */
static inline void parts_model_edge(struct parts_model *p)
{
	p->missed += p->depth;
	p->depth = 0;
	p->over = false;
	p->polling_ns = p->loose_ns = 0;
}

static inline void parts_model_leave(struct parts_model *p)
{
	p->over = p->depth;
}

static inline void parts_model_drop(struct parts_model *p, uint64_t below_sp)
{
	if (p->over)
		parts_model_edge(p);
	while (p->depth && p->stack[p->depth - 1].sp < below_sp) {
		p->depth--;
		p->missed++;
	}
}

static inline void parts_model_begin(struct parts_model *p, struct part_frame f)
{
	if (f.part >= NETCOST_PART_COUNT)
		return;
	parts_model_drop(p, f.sp + 1);
	if (p->depth == NETCOST_PART_DEPTH)
		p->missed++;
	else
		p->stack[p->depth++] = f;
}

static inline void parts_model_end(struct parts_model *p, uint64_t hook, uint64_t sp)
{
	const struct part_frame *top;

	parts_model_drop(p, sp);
	if (!p->depth)
		return;
	top = &p->stack[p->depth - 1];
	if (top->sp != sp || top->hook != hook)
		return;
	p->calls[top->part]++;
	p->depth--;
}

/* A poll of NAPI ended, as a tracepoint tells. */
static inline void parts_model_polled(struct parts_model *p)
{
	p->missed += p->depth;
	p->depth = 0;
	p->ns[NETCOST_PART_DRIVER_POLL] += p->loose_ns;
	p->total_ns[NETCOST_PART_DRIVER_POLL] += p->polling_ns;
	p->calls[NETCOST_PART_DRIVER_POLL]++;
	p->polling_ns = p->loose_ns = 0;
}

/* ---- readings ---------------------------------------------------------------------------- */

/* Holds for every reading: nothing shrinks, and the parts are no more than the whole. NULL: it does. */
static inline const char *parts_wrong(const struct exact_reading *last,
				      const struct exact_reading *r)
{
	static char what[100];
	uint64_t sum = 0, whole = r->ns[NETCOST_EV_RX_SOFTIRQ] + r->ns[NETCOST_EV_RX_THREAD] +
				  r->ns[NETCOST_EV_RX_BUSY_POLL];

	for (unsigned int part = 0; part < NETCOST_PART_COUNT; part++) {
		sum += r->part_ns[part];
		snprintf(what, sizeof(what), "part %u: %lld ns, %lld inclusive, before %lld, %lld",
			 part, (long long)r->part_ns[part], (long long)r->part_total_ns[part],
			 (long long)last->part_ns[part], (long long)last->part_total_ns[part]);
		if (r->part_ns[part] < last->part_ns[part] ||
		    r->part_total_ns[part] < last->part_total_ns[part] ||
		    r->part_total_ns[part] < r->part_ns[part] || r->part_total_ns[part] > whole)
			return what;
	}
	snprintf(what, sizeof(what), "the parts are %llu ns, the RX work %llu",
		 (unsigned long long)sum, (unsigned long long)whole);
	return sum > whole ? what : NULL;
}

static inline bool parts_differ(int64_t *off, uint64_t recorded, uint64_t modelled, uint64_t slack)
{
	int64_t now = (int64_t)(recorded - modelled), change = now - *off;

	*off = now;
	return (uint64_t)llabs(change) > slack;
}

/* Outside of calls: as the events, with no more off than passed inside recorders. NULL: they agree. */
static inline const char *parts_model_differs(struct parts_model *p, bool polls,
					      const struct exact_reading *r, uint64_t slack)
{
	static char what[120];

	p->slack += slack;
	for (unsigned int part = 0; part < NETCOST_PART_COUNT; part++) {
		uint64_t most = part == NETCOST_PART_DRIVER_POLL ? p->slack : slack;
		bool poll = polls && part == NETCOST_PART_DRIVER_POLL;
		bool own = parts_differ(&p->off[0][part], r->part_ns[part],
					p->ns[part] + (poll ? p->loose_ns : 0), most);
		bool all = parts_differ(&p->off[1][part], r->part_total_ns[part],
					p->total_ns[part] + (poll ? p->polling_ns : 0), most);

		snprintf(what, sizeof(what),
			 "part %u went off: %lld ns, inclusive %lld; %llu calls, not %llu", part,
			 (long long)p->off[0][part], (long long)p->off[1][part],
			 (unsigned long long)r->part_calls[part],
			 (unsigned long long)p->calls[part]);
		if (own || all || r->part_calls[part] != p->calls[part])
			return what;
	}
	if (!p->polling_ns)
		p->slack = slack;
	snprintf(what, sizeof(what), "%llu parts missed, not %llu; %llu polls outside, not %llu",
		 (unsigned long long)r->parts_missed, (unsigned long long)p->missed,
		 (unsigned long long)r->polls_outside, (unsigned long long)p->polls_outside);
	return r->parts_missed != p->missed || r->polls_outside != p->polls_outside ? what : NULL;
}

#endif
