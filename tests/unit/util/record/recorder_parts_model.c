// SPDX-License-Identifier: BSD-2-Clause
#include "recorder_parts_model.h"

#include <stdio.h>
#include <stdlib.h>

static bool parts_model_in(const struct parts_model *p, unsigned int part)
{
	for (unsigned int i = 0; i < p->depth; i++)
		if (p->stack[i].part == part)
			return true;
	return false;
}

void parts_model_pass(struct parts_model *p, uint64_t ns)
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

void parts_model_edge(struct parts_model *p)
{
	p->missed += p->depth;
	p->depth = 0;
	p->over = false;
	p->polling_ns = p->loose_ns = 0;
}

void parts_model_leave(struct parts_model *p)
{
	p->over = p->depth;
}

static void parts_model_drop(struct parts_model *p, uint64_t below_sp)
{
	if (p->over)
		parts_model_edge(p);
	while (p->depth && p->stack[p->depth - 1].sp < below_sp) {
		p->depth--;
		p->missed++;
	}
}

void parts_model_begin(struct parts_model *p, struct part_frame f)
{
	if (f.part >= NETCOST_PART_COUNT)
		return;
	parts_model_drop(p, f.sp + 1);
	if (p->depth == NETCOST_PART_DEPTH)
		p->missed++;
	else
		p->stack[p->depth++] = f;
}

void parts_model_end(struct parts_model *p, uint64_t hook, uint64_t sp)
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

void parts_model_polled(struct parts_model *p)
{
	p->missed += p->depth;
	p->depth = 0;
	p->ns[NETCOST_PART_DRIVER_POLL] += p->loose_ns;
	p->total_ns[NETCOST_PART_DRIVER_POLL] += p->polling_ns;
	p->calls[NETCOST_PART_DRIVER_POLL]++;
	p->polling_ns = p->loose_ns = 0;
}

/* ---- readings ---------------------------------------------------------------------------- */

const char *parts_wrong(const struct exact_reading *last, const struct exact_reading *r)
{
	static char what[100];
	uint64_t sum = 0, whole = r->ns[NETCOST_EV_RX_SOFTIRQ] + r->ns[NETCOST_EV_RX_THREAD] +
				  r->ns[NETCOST_EV_RX_BUSY_POLL];

	for (unsigned int part = 0; part < NETCOST_PART_COUNT; part++) {
		sum += r->part_ns[part];
		if (r->part_ns[part] >= last->part_ns[part] &&
		    r->part_total_ns[part] >= last->part_total_ns[part] &&
		    r->part_total_ns[part] >= r->part_ns[part] && r->part_total_ns[part] <= whole)
			continue;
		snprintf(what, sizeof(what), "part %u: %lld ns, %lld inclusive, before %lld, %lld",
			 part, (long long)r->part_ns[part], (long long)r->part_total_ns[part],
			 (long long)last->part_ns[part], (long long)last->part_total_ns[part]);
		return what;
	}
	if (sum <= whole)
		return NULL;
	snprintf(what, sizeof(what), "the parts are %llu ns, the RX work %llu",
		 (unsigned long long)sum, (unsigned long long)whole);
	return what;
}

static bool parts_differ(int64_t *off, uint64_t recorded, uint64_t modelled, uint64_t slack)
{
	int64_t now = (int64_t)(recorded - modelled), change = now - *off;

	*off = now;
	return (uint64_t)llabs(change) > slack;
}

/* `open`: a poll's end, still to be told of, may make what goes on since its begin a part. */
static bool part_differs(struct parts_model *p, unsigned int part, bool open,
			 const struct exact_reading *r, uint64_t slack)
{
	bool own = parts_differ(&p->off[0][part], r->part_ns[part],
				p->ns[part] + (open ? p->loose_ns : 0), slack);
	bool all = parts_differ(&p->off[1][part], r->part_total_ns[part],
				p->total_ns[part] + (open ? p->polling_ns : 0), slack);

	return own || all || r->part_calls[part] != p->calls[part];
}

const char *parts_model_differs(struct parts_model *p, bool polls, const struct exact_reading *r,
				uint64_t slack)
{
	static char what[120];

	p->slack += slack;
	for (unsigned int part = 0; part < NETCOST_PART_COUNT; part++) {
		bool poll = part == NETCOST_PART_DRIVER_POLL;

		if (!part_differs(p, part, polls && poll, r, poll ? p->slack : slack))
			continue;
		snprintf(what, sizeof(what),
			 "part %u went off: %lld ns, inclusive %lld; %llu calls, not %llu", part,
			 (long long)p->off[0][part], (long long)p->off[1][part],
			 (unsigned long long)r->part_calls[part],
			 (unsigned long long)p->calls[part]);
		return what;
	}
	if (!p->polling_ns)
		p->slack = slack;
	if (r->parts_missed == p->missed && r->polls_outside == p->polls_outside)
		return NULL;
	snprintf(what, sizeof(what), "%llu parts missed, not %llu; %llu polls outside, not %llu",
		 (unsigned long long)r->parts_missed, (unsigned long long)p->missed,
		 (unsigned long long)r->polls_outside, (unsigned long long)p->polls_outside);
	return what;
}
