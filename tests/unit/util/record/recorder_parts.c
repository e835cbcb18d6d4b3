// SPDX-License-Identifier: BSD-2-Clause
#include "recorder_parts.h"

#include "record/exact/part_hooks.h"

#define SOFTIRQ_STACK (STACK + 0x10000)
#define TASK_STACK (STACK - 0x1000) /* below all that the task has called */

static bool part_missed(void)
{
	return m.plan.misses && one_in(20);
}

void call_part_begin(struct vcpu *c, struct part_frame f)
{
	struct call before = enter(c, LEVEL_PART);

	if (m.plan.functions) {
		part_begin(this_cpu(), f.hook, f.part, f.sp);
	} else {
		part_tp_begin(this_cpu(), f.hook, f.part);
		f.sp = NETCOST_PART_DEPTH - c->parts.depth;
	}
	if (model_in_rx(c))
		parts_model_begin(&c->parts, f);
	m.call = before;
}

void call_part_end(struct vcpu *c, struct part_frame f)
{
	struct call before = enter(c, LEVEL_PART);

	if (m.plan.functions) {
		part_end(this_cpu(), f.hook, f.sp);
	} else {
		part_tp_end(this_cpu(), f.hook);
		f.sp = NETCOST_PART_DEPTH + 1 - c->parts.depth;
	}
	if (model_in_rx(c) && c->parts.depth)
		parts_model_end(&c->parts, f.hook, f.sp);
	m.call = before;
}

static void call_part_polled(struct vcpu *c)
{
	struct call before = enter(c, LEVEL_PART);

	part_polled(this_cpu());
	if (model_in_rx(c))
		parts_model_polled(&c->parts);
	else
		c->parts.polls_outside++;
	m.call = before;
}

/* ---- chance ------------------------------------------------------------------------------ */

/* Which part a row's call is; now and then none. */
static unsigned int random_part(unsigned int row)
{
	static const unsigned int netfilter[] = { NETCOST_PART_NF_INGRESS,
						  NETCOST_PART_PREROUTING_V4,
						  NETCOST_PART_PREROUTING_V6, NETCOST_PART_COUNT };

	if (part_hook_descs[row].how == NETCOST_PART_NF)
		return netfilter[below(4)];
	return one_in(20) ? NETCOST_PART_COUNT : part_hook_descs[row].part;
}

static struct part_frame random_part_frame(const struct vcpu *c)
{
	static const struct part_frame pairs[] = {
		{ PART_TP_napi_gro_receive, NETCOST_PART_GRO, 0 },
		{ PART_TP_napi_gro_frags, NETCOST_PART_GRO, 0 },
	};
	const struct parts_calls *p = &c->calling;
	struct part_frame f;

	if (!m.plan.functions)
		return pairs[below(2)];
	f.hook = below(PART_HOOK_COUNT);
	f.part = random_part((unsigned int)f.hook);
	f.sp = p->depth ? p->frame[p->depth - 1].sp : c->in_softirq ? SOFTIRQ_STACK : TASK_STACK;
	f.sp -= 8 + 8ull * below(5);
	return f;
}

static void part_called(struct vcpu *c)
{
	struct parts_calls *p = &c->calling;
	struct part_frame f = random_part_frame(c);

	if (p->depth == CALLING)
		return;
	p->frame[p->depth++] = f;
	if (!part_missed())
		call_part_begin(c, f);
}

static void part_returned(struct vcpu *c)
{
	struct part_frame f = c->calling.frame[--c->calling.depth];

	if (!part_missed())
		call_part_end(c, f);
}

void parts_over(struct vcpu *c)
{
	while (c->calling.depth)
		part_returned(c);
	if (!m.plan.functions && one_in(2))
		call_part_polled(c);
}

void random_part_step(struct vcpu *c)
{
	if (!c->calling.depth && !m.plan.functions && one_in(4))
		call_part_polled(c);
	else if (!c->calling.depth || !one_in(m.now & 1 << 16 ? 6 : 2))
		part_called(c);
	else
		part_returned(c);
}
