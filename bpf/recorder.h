/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * recorder.h: inline functions that all attach points share. The programs (netcost.bpf.c) only report that something
 * begins or ends. Each header includes the headers that it uses, in this order: config.h, cpu.h, clock.h, rx_stages.h,
 * op.h, pmu.h, processes.h, owners.h, busy_poll.h, sockets.h.
 */
#ifndef NETCOST_RECORDER_H
#define NETCOST_RECORDER_H

#include "busy_poll.h"
#include "clock.h"
#include "config.h"
#include "cpu.h"
#include "op.h"
#include "owners.h"
#include "pmu.h"
#include "processes.h"
#include "rx_stages.h"
#include "sockets.h"

/* ---- level hardirq ----------------------------------------------------------------------- */

/*
 * Notes that a handler of a network device's interrupt begins. A handler that this handler calls counts as part of it.
 */
static __always_inline void hardirq_begin(struct netcost_cpu *c, __u32 irq)
{
	if (c->hardirq_start)
		return;
	PUBLISH(c->hardirq_seq);
	c->hardirq_irq = irq;
	c->hardirq_start = bpf_ktime_get_ns();
	PUBLISH(c->hardirq_seq);
}

/*
 * Ends a handler. Returns false if the handler does not belong to a network device, or began before the programs were
 * attached.
 */
static __always_inline bool hardirq_end(struct netcost_cpu *c, __u32 irq, __u64 *ns)
{
	if (!c->hardirq_start || c->hardirq_irq != irq) {
		count_run(c, NETCOST_PROBE_OTHER_HARDIRQ, event_now(c));
		return false;
	}
	PUBLISH(c->hardirq_seq);
	*ns = bpf_ktime_get_ns() - c->hardirq_start;
	c->hardirq_ns += *ns;
	c->hardirq_runs++;
	count_run(c, NETCOST_PROBE_HARDIRQ, event_now(c));
	c->hardirq_start = 0;
	PUBLISH(c->hardirq_seq);
	return true;
}

/* ---- level softirq ----------------------------------------------------------------------- */

static __always_inline void softirq_begin(struct netcost_cpu *c, __u64 event)
{
	__u64 now;

	PUBLISH(c->softirq_seq);
	c->softirq_event = event;
	c->softirq_runs++;
	if (event == NETCOST_EV_TX_SOFTIRQ)
		c->tx_runs++;
	count_run(c, NETCOST_PROBE_SOFTIRQ, task_event(c));
	now = cpu_clock(c);
	if (owners_every)
		owners_leave(c, now);
	c->softirq_start = now;
	if (owners_every)
		owners_enter(c, now);
	if (full)
		stages_edge(&c->stages, c->softirq_start);
	PUBLISH(c->softirq_seq);
}

static __always_inline void softirq_end(struct netcost_cpu *c, __u64 event)
{
	__u64 start = c->softirq_start, seq = c->softirq_seq, now;

	if (!start)
		return; /* the softirq began before the programs were attached */
	PUBLISH_AS(c->softirq_seq, seq + 1);
	now = cpu_clock(c);
	if (full)
		stages_edge(&c->stages, now);
	if (owners_every)
		owners_leave(c, now);
	c->softirq_ns += now - start;
	if (event == NETCOST_EV_TX_SOFTIRQ)
		c->tx_ns += now - start;
	c->softirq_start = 0;
	if (owners_every)
		owners_enter(c, now);
	PUBLISH_AS(c->softirq_seq, seq + 2);
}

/* ---- level switch ------------------------------------------------------------------------ */

/*
 * Returns true if the task is a NAPI thread, whose name is "napi/DEVICE-ID" (5.12: 29863d41bb6e) or "backlog_napi/CPU"
 * (6.10: dad6b9770263).
 */
static __always_inline bool is_napi_thread(const struct task_struct *task)
{
	__u64 name = *(const __u64 *)task->comm;

	return (name & 0xffffffffff) == 0x2f6970616e || name == 0x5f676f6c6b636162;
}

static __always_inline __u64 base_of(const struct task_struct *task)
{
	unsigned int flags = task->flags;

	if (!task->pid)
		return NETCOST_BASE_IDLE;
	if (flags & PF_IO_WORKER)
		return NETCOST_BASE_IO_WORKER;
	return flags & PF_KTHREAD && is_napi_thread(task) ? NETCOST_BASE_NAPI : NETCOST_BASE_TASK;
}

/*
 * Returns true if this is a CPU's stopper thread: a kernel thread of the highest priority that is bound to its CPU. If
 * another thread matches, no harm is done.
 */
static __always_inline bool is_stopper(const struct task_struct *task)
{
	const unsigned int flags = PF_KTHREAD | PF_NO_SETAFFINITY;

	return !task->prio && (task->flags & flags) == flags;
}

static __always_inline void stay_charge(struct netcost_cpu *c, const struct task_struct *prev,
					__u64 now)
{
	__u64 base = c->seg_base;

	if (!c->seg_start || base >= NETCOST_BASES)
		return;
	if (c->seg_stopper && !prev->pid) {
		c->offline_ns += now - c->seg_start;
		return;
	}
	c->base_ns[base] += now - c->seg_start;
	c->runs[base]++;
}

static __always_inline void task_switch(struct netcost_cpu *c, struct task_struct *prev,
					struct task_struct *next, bool casts)
{
	bool in_op = c->mark != 0;
	__u64 now;

	PUBLISH(c->switch_seq);
	now = bpf_ktime_get_ns() - stood_still(c, true);
	op_park(c, prev, now);
	stay_charge(c, prev, now);
	if (processes)
		processes_switch(c, prev, next, in_op, casts);
	if (owners_every)
		owners_leave(c, now + c->softirq_ns);
	c->seg_start = now;
	c->seg_base = base_of(next);
	if (owners_every)
		owners_enter(c, now + c->softirq_ns);
	if (full)
		stages_edge(&c->stages, now + c->softirq_ns);
	c->seg_stopper = is_stopper(next);
	op_unpark(c, next, now, casts);
	/*
	 * Most of this program runs after the clock is read, in the next task's time. The part before was charged to
	 * the previous task.
	 */
	count_run(c, NETCOST_PROBE_SWITCH, task_event(c));
	PUBLISH(c->switch_seq);
}

/* ---- operations by function calls: methods "fentry" and "kprobe" ---------------------------- */

/*
 * Returns the mark's bit for operations without data. MSG_PEEK leaves the data in the socket, and MSG_ERRQUEUE returns
 * sent data, so a receive with one of these flags receives no bytes.
 */
static __always_inline __u64 no_data(__u64 flags)
{
	return flags & (MSG_PEEK | MSG_ERRQUEUE) ? NETCOST_MARK_NO_DATA : 0;
}

/*
 * Returns the low bits of the mark: the operation and the socket class. Returns 0 if the call is not an operation.
 * flags: the flags of a receive, unless they are in registers.
 */
static __always_inline __u64 hook_what(const volatile struct netcost_hook *h, __u64 arg0,
				       __u64 arg1, __u64 flags)
{
	__u64 network = NETCOST_MARK_EVENT(h->what), event;

	switch (h->where) {
	case NETCOST_AT_FD:
		event = socket_event(arg0, network, hooks_cast);
		break;
	case NETCOST_AT_REGS:
		flags = h->flags == 2 ? FIELD(pt_regs, arg0, REG_SYSCALL_ARG2, hooks_cast) :
			h->flags == 3 ? FIELD(pt_regs, arg0, REG_SYSCALL_ARG3, hooks_cast) :
					0;
		arg0 = FIELD(pt_regs, arg0, REG_SYSCALL_ARG0, hooks_cast);
		event = socket_event(arg0, network, hooks_cast);
		break;
	case NETCOST_AT_FILE0:
		event = file_event((struct file *)arg0, network, hooks_cast);
		break;
	case NETCOST_AT_FILE1:
		event = file_event((struct file *)arg1, network, hooks_cast);
		break;
	case NETCOST_AT_KIOCB:
		event = file_event(FIELD(kiocb, arg0, ki_filp, hooks_cast), network, hooks_cast);
		break;
	case NETCOST_AT_SOCKET:
		event = sock_event((struct socket *)arg0, network, hooks_cast);
		break;
	default:
		return 0;
	}
	return event ? event | (h->what & NETCOST_MARK_MSGS) | no_data(flags) : 0;
}

/*
 * Returns true if an operation begins with this call. If the call is inside another operation, it is part of that
 * operation. In that case the frame of this call is lower, because the stack grows down. If the frame is not lower, or
 * if the other function does not call this one, the other function has returned and its end was missed. There are two
 * reasons for a missed end: the number of kretprobes in flight is limited, and a trampoline that changes during a call
 * (another tool attaches to the same function) skips the rest of its programs.
 */
static __always_inline bool hook_may_begin(struct netcost_cpu *c, __u32 hook, __u64 sp)
{
	if (!has_operations(c))
		return false;
	if (!c->mark)
		return true;
	if (sp < c->owner.sp &&
	    hooks[hook].inside >> (c->owner.hook & (NETCOST_HOOK_SLOTS - 1)) & 1)
		return false;
	op_drop(c);
	return true;
}

static __always_inline void hook_end(struct netcost_cpu *c, __u32 hook, __u64 sp, int ret)
{
	__u64 mark, event;

	if (!c->mark || c->softirq_start) {
		count_run(c, NETCOST_PROBE_FUNCTION, event_now(c));
		return;
	}
	if (c->outer.what && c->outer.owner.sp == sp && c->outer.owner.hook == hook)
		busy_drop(c);
	mark = c->mark;
	event = NETCOST_MARK_EVENT(mark);
	if (c->owner.sp == sp && c->owner.hook == hook) {
		op_end(c, ret);
		return;
	}
	count_run(c, NETCOST_PROBE_FUNCTION, event);
	if ((mark & (NETCOST_MARK_MSGS | NETCOST_MARK_NO_DATA)) == NETCOST_MARK_MSGS &&
	    hooks[hook].messages && !has_witness && ret > 0 && sp < c->owner.sp &&
	    event < NETCOST_EV_COUNT)
		add_bytes(c, event, ret);
}

/* Counts a message as an operation, for methods that see only messages. */
static __always_inline void message_count(struct netcost_cpu *c, const struct sock *sk, int ret,
					  int flags, __u64 network_event)
{
	__u64 event = family_is_local(sk->__sk_common.skc_family) ? NETCOST_EV_SOCK_LOCAL :
								    network_event;

	if (!has_operations(c)) {
		count_run(c, NETCOST_PROBE_MESSAGE, event_now(c));
		return;
	}
	PUBLISH(c->op_seq);
	count_run(c, NETCOST_PROBE_MESSAGE, event);
	add_call(c, event | no_data(flags), ret);
	PUBLISH(c->op_seq);
}

/*
 * Counts a message that passed a socket, as the witness for the coverage of operations. Inside an operation, the
 * function also counts the bytes of sendmmsg and recvmmsg. flags: the flags of a receive. Returns true if the message
 * was outside of all operations.
 */
static __always_inline bool message_seen(struct netcost_cpu *c, const struct sock *sk, int ret,
					 int flags, __u64 network_event, __u64 *inside,
					 __u64 *outside)
{
	__u64 mark = c->softirq_start ? 0 : c->mark, event = NETCOST_MARK_EVENT(mark);

	if (counts_calls) {
		message_count(c, sk, ret, flags, network_event);
		return false;
	}
	count_run(c, NETCOST_PROBE_MESSAGE, event_now(c));
	if (mark & NETCOST_MARK_MSGS && event < NETCOST_EV_COUNT && ret > 0 && !no_data(flags))
		add_bytes(c, event, ret);
	if (family_is_local(sk->__sk_common.skc_family))
		return false;
	if (event == network_event)
		(*inside)++;
	else
		(*outside)++;
	return event != network_event;
}

#endif
