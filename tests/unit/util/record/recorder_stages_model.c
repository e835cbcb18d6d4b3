// SPDX-License-Identifier: BSD-2-Clause
#include "recorder_stages_model.h"

#include <stdio.h>
#include <stdlib.h>

static bool stages_model_in(const struct stages_model *p, unsigned int stage)
{
	for (unsigned int i = 0; i < p->depth; i++)
		if (p->stack[i].stage == stage)
			return true;
	return false;
}

void stages_model_pass(struct stages_model *p, uint64_t ns)
{
	if (p->over)
		return;
	p->polling_ns += ns;
	if (!p->depth)
		p->loose_ns += ns;
	else
		p->ns[p->stack[p->depth - 1].stage] += ns;
	for (unsigned int stage = 0; stage < NETCOST_PART_COUNT; stage++)
		if (stages_model_in(p, stage))
			p->total_ns[stage] += ns;
}

void stages_model_edge(struct stages_model *p)
{
	p->missed += p->depth;
	p->depth = 0;
	p->over = false;
	p->polling_ns = p->loose_ns = 0;
}

void stages_model_leave(struct stages_model *p)
{
	p->over = p->depth;
}

static void stages_model_drop(struct stages_model *p, uint64_t below_sp)
{
	if (p->over)
		stages_model_edge(p);
	while (p->depth && p->stack[p->depth - 1].sp < below_sp) {
		p->depth--;
		p->missed++;
	}
}

void stages_model_begin(struct stages_model *p, struct stage_frame f)
{
	if (f.stage >= NETCOST_PART_COUNT)
		return;
	stages_model_drop(p, f.sp + 1);
	if (p->depth == NETCOST_STAGE_DEPTH)
		p->missed++;
	else
		p->stack[p->depth++] = f;
}

void stages_model_end(struct stages_model *p, uint64_t hook, uint64_t sp)
{
	const struct stage_frame *top;

	stages_model_drop(p, sp);
	if (!p->depth)
		return;
	top = &p->stack[p->depth - 1];
	if (top->sp != sp || top->hook != hook)
		return;
	p->calls[top->stage]++;
	p->depth--;
}

void stages_model_polled(struct stages_model *p)
{
	p->missed += p->depth;
	p->depth = 0;
	p->ns[NETCOST_PART_DRIVER_POLL] += p->loose_ns;
	p->total_ns[NETCOST_PART_DRIVER_POLL] += p->polling_ns;
	p->calls[NETCOST_PART_DRIVER_POLL]++;
	p->polling_ns = p->loose_ns = 0;
}

/* ---- readings ---------------------------------------------------------------------------- */

const char *stages_wrong(const struct exact_reading *last, const struct exact_reading *r)
{
	static char what[100];
	uint64_t sum = 0, whole = r->ns[NETCOST_EV_RX_SOFTIRQ] + r->ns[NETCOST_EV_RX_THREAD] +
				  r->ns[NETCOST_EV_RX_BUSY_POLL];

	for (unsigned int stage = 0; stage < NETCOST_PART_COUNT; stage++) {
		sum += r->stage_ns[stage];
		if (r->stage_ns[stage] >= last->stage_ns[stage] &&
		    r->stage_total_ns[stage] >= last->stage_total_ns[stage] &&
		    r->stage_total_ns[stage] >= r->stage_ns[stage] &&
		    r->stage_total_ns[stage] <= whole)
			continue;
		snprintf(what, sizeof(what), "stage %u: %lld ns, %lld inclusive, before %lld, %lld",
			 stage, (long long)r->stage_ns[stage], (long long)r->stage_total_ns[stage],
			 (long long)last->stage_ns[stage], (long long)last->stage_total_ns[stage]);
		return what;
	}
	if (sum <= whole)
		return NULL;
	snprintf(what, sizeof(what), "the stages are %llu ns, the RX work %llu",
		 (unsigned long long)sum, (unsigned long long)whole);
	return what;
}

static bool stages_differ(int64_t *off, uint64_t recorded, uint64_t modelled, uint64_t slack)
{
	int64_t now = (int64_t)(recorded - modelled), change = now - *off;

	*off = now;
	return (uint64_t)llabs(change) > slack;
}

/*
 * Returns whether a stage's counters differ from the model. `open` means that the recorders may count the time since a
 * poll began as a stage although the end of the poll is not yet reported.
 */
static bool stage_differs(struct stages_model *p, unsigned int stage, bool open,
			  const struct exact_reading *r, uint64_t slack)
{
	bool own = stages_differ(&p->off[0][stage], r->stage_ns[stage],
				 p->ns[stage] + (open ? p->loose_ns : 0), slack);
	bool all = stages_differ(&p->off[1][stage], r->stage_total_ns[stage],
				 p->total_ns[stage] + (open ? p->polling_ns : 0), slack);

	return own || all || r->stage_calls[stage] != p->calls[stage];
}

const char *stages_model_differs(struct stages_model *p, bool polls, const struct exact_reading *r,
				 uint64_t slack)
{
	static char what[120];

	p->slack += slack;
	for (unsigned int stage = 0; stage < NETCOST_PART_COUNT; stage++) {
		bool poll = stage == NETCOST_PART_DRIVER_POLL;

		if (!stage_differs(p, stage, polls && poll, r, poll ? p->slack : slack))
			continue;
		snprintf(what, sizeof(what),
			 "stage %u went off: %lld ns, inclusive %lld; %llu calls, not %llu", stage,
			 (long long)p->off[0][stage], (long long)p->off[1][stage],
			 (unsigned long long)r->stage_calls[stage],
			 (unsigned long long)p->calls[stage]);
		return what;
	}
	if (!p->polling_ns)
		p->slack = slack;
	if (r->stages_missed == p->missed && r->polls_outside == p->polls_outside)
		return NULL;
	snprintf(what, sizeof(what), "%llu stages missed, not %llu; %llu polls outside, not %llu",
		 (unsigned long long)r->stages_missed, (unsigned long long)p->missed,
		 (unsigned long long)r->polls_outside, (unsigned long long)p->polls_outside);
	return what;
}
