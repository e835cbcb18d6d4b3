// SPDX-License-Identifier: BSD-2-Clause
#include "recorder_calls.h"

void call_hardirq_begin(struct vcpu *c, unsigned int irq)
{
	struct call before = enter(c, LEVEL_HARDIRQ);

	if (m.attached >= HARDIRQ_ENTRY) {
		hardirq_begin(this_cpu(), irq);
		c->hardirq = true;
	}
	c->in_hardirq = true;
	m.call = before;
}

void call_hardirq_end(struct vcpu *c, unsigned int irq)
{
	struct call before = enter(c, LEVEL_HARDIRQ);
	__u64 ns;

	if (m.attached >= HARDIRQ_EXIT) {
		if (hardirq_end(this_cpu(), irq, &ns) != c->hardirq)
			wrong(c, "a hard interrupt %s", c->hardirq ? "does not end" : "ends");
		c->model.calls[NETCOST_EV_HARDIRQ_NET] += c->hardirq;
		c->hardirq = false;
	}
	c->in_hardirq = false;
	m.call = before;
}

/* Runs an interrupt handler that another handler calls. */
void call_in_hardirq(struct vcpu *c, unsigned int irq)
{
	struct call before = enter(c, LEVEL_HARDIRQ);
	__u64 ns;

	hardirq_begin(this_cpu(), irq);
	pass(below(100));
	if (hardirq_end(this_cpu(), irq, &ns))
		wrong(c, "a hard interrupt ends inside another one");
	m.call = before;
}

void call_softirq_begin(struct vcpu *c, unsigned int event)
{
	struct call before = enter(c, LEVEL_SOFTIRQ);

	if (m.attached >= SOFTIRQ_ENTRY) {
		softirq_begin(this_cpu(), event);
		stages_model_edge(&c->stages);
		c->softirq = event;
	}
	c->in_softirq = true;
	m.call = before;
}

void call_softirq_end(struct vcpu *c, unsigned int event)
{
	struct call before;

	if (m.plan.stages)
		stages_over(c);
	before = enter(c, LEVEL_SOFTIRQ);
	if (m.attached >= SOFTIRQ_EXIT) {
		softirq_end(this_cpu(), event);
		stages_model_edge(&c->stages);
		c->model.calls[event] += c->softirq == event;
		c->softirq = 0;
	}
	c->in_softirq = false;
	m.call = before;
}

void call_switch(struct vcpu *c, struct vtask *next)
{
	struct call before = enter(c, LEVEL_SWITCH);

	if (m.attached >= SWITCH)
		task_switch(this_cpu(), &c->current->t, &next->t, false);
	model_switch(c, next);
	m.call = before;
}

void call_op_begin(struct vcpu *c, unsigned int what, struct vframe f)
{
	struct call before = enter(c, LEVEL_OP);
	bool may_begin = true;

	if (m.plan.functions)
		may_begin = hook_may_begin(this_cpu(), f.hook, f.sp);
	if (m.plan.functions && may_begin != model_may_begin(c, f))
		wrong(c, "a call of hook %u %s", f.hook, may_begin ? "begins" : "does not begin");
	if (may_begin && what) {
		op_begin(this_cpu(), what, f.hook, f.sp);
		if (m.call.refused)
			c->model.untracked++;
		else
			model_op_begin(c->current, what, f);
	}
	m.call = before;
}

void call_busy_begin(struct vcpu *c, struct vframe f)
{
	struct call before = enter(c, LEVEL_OP);

	busy_begin(this_cpu(), f.hook, f.sp);
	if (!model_is_receiving(c))
		model_busy_begin(c, f, m.call.refused);
	m.call = before;
}

void call_busy_end(struct vcpu *c, struct vframe f)
{
	struct call before = enter(c, LEVEL_OP);

	busy_end(this_cpu(), f.hook, f.sp);
	model_busy_end(c, f);
	m.call = before;
}

void call_op_end(struct vcpu *c, long ret, struct vframe f)
{
	struct call before = enter(c, LEVEL_OP);

	if (m.plan.functions) {
		hook_end(this_cpu(), f.hook, f.sp, (int)ret);
		model_hook_end(c, f, ret);
	} else {
		op_end(this_cpu(), ret);
		model_op_end(c, ret);
	}
	m.call = before;
}

void call_in_softirq(struct vcpu *c)
{
	struct call before = enter(c, LEVEL_OP);
	unsigned int hook = below(HOOK_COUNT);
	uint64_t sp = one_in(2) ? c->current->now.owner.sp : STACK - 8ull * below(1000);

	if (hook_may_begin(this_cpu(), hook, sp))
		wrong(c, "a call of hook %u begins in a softirq", hook);
	hook_end(this_cpu(), hook, sp, 1);
	busy_begin(this_cpu(), HOOK_BUSY_POLL, sp);
	busy_end(this_cpu(), HOOK_BUSY_POLL, sp);
	m.call = before;
}

void call_message(struct vcpu *c, unsigned short family, int ret, int flags, unsigned int event)
{
	const struct sock sk = { .__sk_common.skc_family = family };
	bool send = event == NETCOST_EV_SOCK_SEND;
	bool local = family == 1 || family == 16 || family == 38 || family == 40;

	message_seen(&c->state, &sk, ret, flags, event,
		     send ? &c->state.sends_inside : &c->state.recvs_inside,
		     send ? &c->state.sends_outside : &c->state.recvs_outside);
	model_message(c, local, flags ? 0 : ret, event);
}
