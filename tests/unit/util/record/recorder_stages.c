// SPDX-License-Identifier: BSD-2-Clause
#include "recorder_stages.h"

#include "record/exact/hooks.h"

#define SOFTIRQ_STACK (STACK + 0x10000)
#define TASK_STACK (STACK - 0x1000) /* below the frames of all hook calls of the task */

static bool stage_missed(void)
{
	return m.plan.misses && one_in(20);
}

void call_stage_begin(struct vcpu *c, struct stage_frame f)
{
	struct call before = enter(c, LEVEL_STAGE);

	if (m.plan.functions) {
		stage_begin(this_cpu(), f.hook, f.stage, f.sp);
	} else {
		stage_tp_begin(this_cpu(), f.hook, f.stage);
		f.sp = NETCOST_STAGE_DEPTH - c->stages.depth;
	}
	if (model_in_rx(c))
		stages_model_begin(&c->stages, f);
	m.call = before;
}

void call_stage_end(struct vcpu *c, struct stage_frame f)
{
	struct call before = enter(c, LEVEL_STAGE);

	if (m.plan.functions) {
		stage_end(this_cpu(), f.hook, f.sp);
	} else {
		stage_tp_end(this_cpu(), f.hook);
		f.sp = NETCOST_STAGE_DEPTH + 1 - c->stages.depth;
	}
	if (model_in_rx(c) && c->stages.depth)
		stages_model_end(&c->stages, f.hook, f.sp);
	m.call = before;
}

static void call_stage_polled(struct vcpu *c)
{
	struct call before = enter(c, LEVEL_STAGE);

	stage_polled(this_cpu());
	if (model_in_rx(c))
		stages_model_polled(&c->stages);
	else
		c->stages.polls_outside++;
	m.call = before;
}

/* ---- chance ------------------------------------------------------------------------------ */

/* Returns the stage that a call of this hook's function belongs to, and occasionally no stage. */
static unsigned int random_stage(unsigned int row)
{
	static const unsigned int netfilter[] = { NETCOST_PART_NF_INGRESS,
						  NETCOST_PART_PREROUTING_V4,
						  NETCOST_PART_PREROUTING_V6, NETCOST_PART_COUNT };

	if (hook_descs[HOOK_COUNT + row].stage.how == NETCOST_STAGE_NF)
		return netfilter[below(4)];
	return one_in(20) ? NETCOST_PART_COUNT : hook_descs[HOOK_COUNT + row].stage.stage;
}

static struct stage_frame random_stage_frame(const struct vcpu *c)
{
	static const struct stage_frame pairs[] = {
		{ STAGE_TP_napi_gro_receive, NETCOST_PART_GRO, 0 },
		{ STAGE_TP_napi_gro_frags, NETCOST_PART_GRO, 0 },
	};
	const struct stages_calls *p = &c->calling;
	struct stage_frame f;

	if (!m.plan.functions)
		return pairs[below(2)];
	f.hook = below(STAGE_HOOK_COUNT);
	f.stage = random_stage((unsigned int)f.hook);
	f.sp = p->depth ? p->frame[p->depth - 1].sp : c->in_softirq ? SOFTIRQ_STACK : TASK_STACK;
	f.sp -= 8 + 8ull * below(5);
	return f;
}

static void stage_called(struct vcpu *c)
{
	struct stages_calls *p = &c->calling;
	struct stage_frame f = random_stage_frame(c);

	if (p->depth == CALLING)
		return;
	p->frame[p->depth++] = f;
	if (!stage_missed())
		call_stage_begin(c, f);
}

static void stage_returned(struct vcpu *c)
{
	struct stage_frame f = c->calling.frame[--c->calling.depth];

	if (!stage_missed())
		call_stage_end(c, f);
}

void stages_over(struct vcpu *c)
{
	while (c->calling.depth)
		stage_returned(c);
	if (!m.plan.functions && one_in(2))
		call_stage_polled(c);
}

void random_stage_step(struct vcpu *c)
{
	if (!c->calling.depth && !m.plan.functions && one_in(4))
		call_stage_polled(c);
	else if (!c->calling.depth || !one_in(m.now & 1 << 16 ? 6 : 2))
		stage_called(c);
	else
		stage_returned(c);
}
