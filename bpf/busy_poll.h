/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * busy_poll.h: times tasks that busy-poll a device for their socket. If a task polls inside a socket operation, the
 * operation is suspended while the task polls. This code runs at level op: see struct netcost_cpu in wire.h.
 */
#ifndef NETCOST_BUSY_POLL_H
#define NETCOST_BUSY_POLL_H

#include "op.h"

/* Ends the polling of the running task and resumes the operation that encloses the polling, if any. */
static __always_inline void busy_leave(struct netcost_cpu *c)
{
	__u64 now;

	if (full)
		stages_leave(c);
	now = task_clock(c);
	op_charge(c, c->mark, now);
	c->mark = 0;
	if (!c->outer.what)
		return;
	c->mark = NETCOST_MARK(now, c->outer.what);
	c->owner = c->outer.owner;
	c->outer.what = 0;
}

/* Ends the polling in progress, whose end was missed. Polling does not nest, so a second begin shows the missed end. */
static __always_inline void busy_drop(struct netcost_cpu *c)
{
	PUBLISH(c->op_seq);
	c->untracked++;
	busy_leave(c);
	PUBLISH(c->op_seq);
}

static __always_inline void busy_begin(struct netcost_cpu *c, __u64 hook, __u64 sp)
{
	__u64 mark, now;

	if (!has_operations(c))
		return;
	if (is_busy_polling(c))
		busy_drop(c);
	if (c->mark && sp >= c->owner.sp)
		op_drop(c);
	if (!op_ensure(c)) {
		c->untracked++;
		return;
	}
	PUBLISH(c->op_seq);
	mark = c->mark;
	now = task_clock(c);
	if (mark)
		op_charge(c, mark, now);
	c->outer.what = NETCOST_MARK_WHAT(mark);
	c->outer.owner = c->owner;
	c->owner.hook = hook;
	c->owner.sp = sp;
	c->mark = NETCOST_MARK(now, NETCOST_EV_RX_BUSY_POLL);
	PUBLISH(c->op_seq);
}

static __always_inline void busy_end(struct netcost_cpu *c, __u64 hook, __u64 sp)
{
	if (c->softirq_start || !is_busy_polling(c) || c->owner.hook != hook || c->owner.sp != sp)
		return;
	PUBLISH(c->op_seq);
	add_call(c, NETCOST_EV_RX_BUSY_POLL, 0);
	count_run(c, NETCOST_PROBE_OPERATION, NETCOST_EV_RX_BUSY_POLL);
	busy_leave(c);
	PUBLISH(c->op_seq);
}

#endif
