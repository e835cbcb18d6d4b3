/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * op.h: the start, the end and the time of socket operations. This code runs at level op; sched_switch calls op_park()
 * and op_unpark(). The callers decide which calls are operations.
 */
#ifndef NETCOST_OP_H
#define NETCOST_OP_H

#include "clock.h"
#include "config.h"
#include "cpu.h"
#include "rx_stages.h"

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct netcost_parked);
} parked SEC(".maps");

struct netcost_slot slots[NETCOST_SLOTS]; /* the recorder maps this array */
struct netcost_selftest selftest;

/*
 * Charges the operation of `mark` with the time up to `now` on this CPU. If the mark is older than the last switch to
 * the operation's task, the task was preempted after the mark was made. Then only the time since that switch is
 * charged, because the time before the preemption has been charged already.
 */
static __always_inline void op_charge(struct netcost_cpu *c, __u64 mark, __u64 now)
{
	__u64 start = NETCOST_MARK_NS(mark), event = NETCOST_MARK_EVENT(mark);
	__u64 base = c->seg_base;

	if (start < c->seg_start)
		start = c->seg_start;
	if (event >= NETCOST_EV_COUNT || base >= NETCOST_BASES || now <= start)
		return;
	if (!c->seg_start)
		/* no context switch has been seen on this CPU yet, so base_ns does not include this time */
		return;
	c->op_ns[event] += now - start;
	c->base_op_ns[base] += now - start;
}

static __always_inline struct netcost_slot *slot_of(__u32 pid)
{
	return &slots[pid & (NETCOST_SLOTS - 1)];
}

/*
 * Ensures that the task has task storage before it can be switched out inside an operation. sched_switch must not
 * allocate memory. One allocation per task is enough; c->ensured and the slot record that the allocation was made.
 */
static __always_inline bool op_ensure(struct netcost_cpu *c)
{
	struct netcost_parked none = { 0 };
	struct task_struct *task;

	if (c->ensured)
		return true;
	task = bpf_get_current_task_btf();
	if (!bpf_task_storage_get(&parked, task, &none, BPF_LOCAL_STORAGE_GET_F_CREATE))
		return false;
	slot_of(task->pid)->ensured = task->pid;
	c->ensured = 1;
	return true;
}

/*
 * Returns true if the current context can have operations. Only a task context can have operations. A socket call
 * within a softirq must not touch the operation that the softirq interrupted. All the work of a NAPI thread counts as
 * receiving, as in a softirq, including packets that the kernel itself sends or receives during that work.
 */
static __always_inline bool has_operations(const struct netcost_cpu *c)
{
	return !c->softirq_start && c->seg_base != NETCOST_BASE_NAPI;
}

static __always_inline void op_begin(struct netcost_cpu *c, __u64 what, __u64 hook, __u64 sp)
{
	if (!op_ensure(c)) {
		c->untracked++;
		return;
	}
	PUBLISH(c->op_seq);
	c->owner.hook = hook;
	c->owner.sp = sp;
	c->mark = NETCOST_MARK(task_clock(c), what);
	PUBLISH(c->op_seq);
}

static __always_inline bool is_busy_polling(const struct netcost_cpu *c)
{
	return NETCOST_MARK_EVENT(c->mark) == NETCOST_EV_RX_BUSY_POLL;
}

/* Forgets the current operation, whose end was missed or will be missed, and the operation that encloses it. */
static __always_inline void op_forget(struct netcost_cpu *c)
{
	c->untracked += c->outer.what ? 2 : 1;
	c->outer.what = 0;
}

/*
 * Ends an operation whose end was missed. The operation's time is charged, because a reader may already have seen this
 * time. Neither this operation nor the enclosing operation is counted as a call.
 */
static __always_inline void op_drop(struct netcost_cpu *c)
{
	PUBLISH(c->op_seq);
	if (full && is_busy_polling(c))
		stages_leave(c);
	op_charge(c, c->mark, task_clock(c));
	c->mark = 0;
	op_forget(c);
	PUBLISH(c->op_seq);
}

/* Returns true if the kernel restarts the system call: `ret` is then -ERESTARTSYS to -ERESTART_RESTARTBLOCK. */
static __always_inline bool will_restart(long ret)
{
	return ret <= -512 && ret >= -516;
}

/* Adds bytes to an event, which the caller has checked. The self-test compares the counters of its own thread. */
static __always_inline void add_bytes(struct netcost_cpu *c, __u64 event, long bytes)
{
	c->bytes[event] += bytes;
	if (selftest.tid && selftest.tid == (__u32)bpf_get_current_pid_tgid())
		selftest.bytes[event] += bytes;
}

static __always_inline void add_call(struct netcost_cpu *c, __u64 mark, long ret)
{
	__u64 event = NETCOST_MARK_EVENT(mark);

	if (event >= NETCOST_EV_COUNT || will_restart(ret))
		return;
	c->calls[event]++;
	if (selftest.tid && selftest.tid == (__u32)bpf_get_current_pid_tgid())
		selftest.calls[event]++;
	if (ret < 0)
		c->failed[event]++;
	else if (mark & NETCOST_MARK_NO_DATA)
		return;
	else if (!(mark & NETCOST_MARK_MSGS))
		add_bytes(c, event, ret);
	else if (!counts_messages)
		c->uncounted[event]++;
}

static __always_inline void op_end(struct netcost_cpu *c, long ret)
{
	__u64 mark = c->mark;

	if (!mark)
		return;
	PUBLISH(c->op_seq);
	op_charge(c, mark, task_clock(c));
	c->mark = 0;
	add_call(c, mark, ret);
	count_run(c, NETCOST_PROBE_OPERATION, NETCOST_MARK_EVENT(mark));
	PUBLISH(c->op_seq);
}

/* ---- a task leaves its CPU and returns ---------------------------------------------------- */

/* Takes the slot for `pid`. Returns false if another task occupies it. */
static __always_inline bool slot_take(struct netcost_cpu *c, struct netcost_slot *slot, __u32 pid)
{
	__u32 there = __sync_val_compare_and_swap(&slot->task, 0, pid);

	/* the switch back to this task was missed, and the end of the task's last operation was missed, too */
	if (there == pid)
		c->untracked += slot->outer.what ? 2 : 1;
	if (!there || there == pid)
		return pid;
	slot->crowded = 1;
	return false;
}

static __always_inline void park(struct netcost_cpu *c, __u64 mark, struct netcost_op *now,
				 struct netcost_op *outer)
{
	now->what = NETCOST_MARK_WHAT(mark);
	now->owner = c->owner;
	outer->what = c->outer.what;
	if (!c->outer.what)
		return;
	outer->owner = c->outer.owner;
	c->outer.what = 0;
}

static __always_inline void op_park(struct netcost_cpu *c, struct task_struct *prev, __u64 now)
{
	struct netcost_parked *place;
	struct netcost_slot *slot;
	__u64 mark = c->mark;

	if (!mark)
		return;
	op_charge(c, mark, now);
	c->mark = 0;
	/* a task that has exited cannot be inside an operation, so the operation's end was missed */
	if (prev->exit_state) {
		op_forget(c);
		return;
	}
	slot = slot_of(prev->pid);
	if (slot_take(c, slot, prev->pid)) {
		park(c, mark, &slot->now, &slot->outer);
		return;
	}
	place = bpf_task_storage_get(&parked, prev, 0, 0);
	if (!place) {
		op_forget(c);
		return;
	}
	place->window = c->window;
	park(c, mark, &place->now, &place->outer);
}

static __always_inline void unpark(struct netcost_cpu *c, __u64 now, const struct netcost_op *op,
				   const struct netcost_op *outer)
{
	c->mark = NETCOST_MARK(now, op->what);
	c->owner = op->owner;
	c->outer = *outer;
}

static __always_inline void op_unpark(struct netcost_cpu *c, struct task_struct *next, __u64 now,
				      bool casts)
{
	struct netcost_slot *slot = slot_of(next->pid);
	struct netcost_parked *place;

	c->ensured = next->pid && slot->ensured == (__u32)next->pid;
	if (next->pid && slot->task == (__u32)next->pid) {
		unpark(c, now, &slot->now, &slot->outer);
		__sync_lock_test_and_set(&slot->task, 0);
		return;
	}
	if (!slot->crowded)
		return;
	/* Skips the call if the task has no storage. Most tasks have none. */
	if (!UNTRUSTED(task_struct, next, casts)->bpf_storage)
		return;
	place = bpf_task_storage_get(&parked, next, 0, 0);
	if (!place)
		return;
	c->ensured = 1;
	if (place->now.what && place->window == c->window) {
		unpark(c, now, &place->now, &place->outer);
		place->now.what = 0;
	}
}

/*
 * Resumes the running task's operation if it is parked. Called where an operation may end but no operation is known to
 * be in progress. If the operation is parked, the switch back to the task was missed, because Linux 6.18 does not
 * report some switches in calls that let other tasks run (sendmmsg, recvmmsg). The time since that switch is unknown.
 */
static __always_inline void op_find(struct netcost_cpu *c)
{
	__u32 pid = (__u32)bpf_get_current_pid_tgid();
	struct netcost_slot *slot = slot_of(pid);

	if (!pid || slot->task != pid)
		return;
	PUBLISH(c->op_seq);
	unpark(c, task_clock(c), &slot->now, &slot->outer);
	PUBLISH(c->op_seq);
	__sync_lock_test_and_set(&slot->task, 0);
}

#endif
