/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * recorder.h: the inline recorders that every attach point shares. The programs (netcost.bpf.c)
 * only say when something begins and ends. Who may interrupt whom is argued at struct netcost_cpu
 * in wire.h.
 */
#ifndef NETCOST_RECORDER_H
#define NETCOST_RECORDER_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "wire.h"

/* max_entries is set to the possible CPUs before loading. Mapped: reading it costs no system call. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_cpu);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct netcost_parked);
} parked SEC(".maps");

struct netcost_selftest selftest; /* mapped, too */

/*
 * Around each change, the reading of the clock included: else a reader that comes between the two
 * sees time on one event that the next reading has on another.
 */
#define PUBLISH(seq) PUBLISH_AS(seq, (seq) + 1)

/* Where what it becomes is known: not even the counter is read then. */
#define PUBLISH_AS(seq, value)                                                                     \
	do {                                                                                       \
		barrier();                                                                         \
		*(volatile __u64 *)&(seq) = (value);                                               \
		barrier();                                                                         \
	} while (0)

static __always_inline struct netcost_cpu *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&cpus, &cpu);
}

/*
 * The CPU's task clock. Between the two reads a softirq may come and go; then softirq_ns has
 * changed and the pair is read again. A third one in a row within nanoseconds is not seen in
 * practice; its time would go to the operation.
 */
static __always_inline __u64 task_clock(const struct netcost_cpu *c)
{
	const volatile __u64 *stopped_ns = &c->softirq_ns;
	__u64 now, stopped;

	stopped = *stopped_ns;
	now = bpf_ktime_get_ns();
	if (stopped != *stopped_ns) {
		stopped = *stopped_ns;
		now = bpf_ktime_get_ns();
	}
	return now - stopped;
}

/*
 * The field of an object that is known by its address. Where the verifier can be told its type
 * (casts: bpf_rdonly_cast(); Linux 6.2, commit a35b9af4ec2c) this is a load; else a call that takes some 80
 * instructions.
 */
#define FIELD(type, address, field, casts)                                                         \
	((casts) ? ((struct type *)kernel_cast((const void *)(address), types.type))->field :      \
		   BPF_CORE_READ((struct type *)(address), field))

/*
 * The verifier wants to know of each pointer that is read from an object whether it is to be trusted, and asks the
 * kernel's BTF by name, some milliseconds each (6.4 and later). Not if it does not trust the object itself.
 */
#define UNTRUSTED(type, object, casts)                                                             \
	((casts) ? (struct type *)kernel_cast(object, types.type) : (object))

#include "rx_parts.h"

/* ---- level softirq ----------------------------------------------------------------------- */

static __always_inline void softirq_begin(struct netcost_cpu *c, __u64 event)
{
	PUBLISH(c->softirq_seq);
	c->softirq_event = event;
	c->softirq_runs++;
	if (event == NETCOST_EV_TX_SOFTIRQ)
		c->tx_runs++;
	c->softirq_start = bpf_ktime_get_ns();
	if (full)
		parts_edge(&c->parts, c->softirq_start);
	PUBLISH(c->softirq_seq);
}

static __always_inline void softirq_end(struct netcost_cpu *c, __u64 event)
{
	__u64 start = c->softirq_start, seq = c->softirq_seq, now;

	if (!start)
		return; /* it was running when the programs were attached */
	PUBLISH_AS(c->softirq_seq, seq + 1);
	now = bpf_ktime_get_ns();
	if (full)
		parts_edge(&c->parts, now);
	c->softirq_ns += now - start;
	if (event == NETCOST_EV_TX_SOFTIRQ)
		c->tx_ns += now - start;
	c->softirq_start = 0;
	PUBLISH_AS(c->softirq_seq, seq + 2);
}

/* ---- operations -------------------------------------------------------------------------- */

/*
 * Adds what the operation behind `mark` used up to `now` on this CPU. It cannot have begun before its
 * task came: a mark that says so was made before a preemption, and its task has paid for that already.
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
		return; /* no switch was seen here yet: base_ns does not include this time */
	c->op_ns[event] += now - start;
	c->base_op_ns[base] += now - start;
}

/*
 * A task that may be switched out inside an operation needs a place in task storage by then: it cannot
 * be had inside sched_switch, where memory must not be allocated. Once a stay on the CPU is enough.
 */
static __always_inline bool op_ensure(struct netcost_cpu *c)
{
	struct netcost_parked none = { 0 };

	if (c->ensured)
		return true;
	if (!bpf_task_storage_get(&parked, bpf_get_current_task_btf(), &none,
				  BPF_LOCAL_STORAGE_GET_F_CREATE))
		return false;
	c->ensured = 1;
	return true;
}

/*
 * What a softirq interrupted is not its calls' to touch; and all that a NAPI thread does is receiving,
 * what the kernel itself then sends and receives included, as in a softirq.
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

/*
 * Its end was missed. What it used is charged: a reader may have seen it; but it is no call. Nor is what
 * it stood in.
 */
static __always_inline void op_drop(struct netcost_cpu *c)
{
	PUBLISH(c->op_seq);
	if (full && is_busy_polling(c))
		parts_leave(&c->parts);
	op_charge(c, c->mark, task_clock(c));
	c->mark = 0;
	c->untracked += c->outer.what ? 2 : 1;
	c->outer.what = 0;
	PUBLISH(c->op_seq);
}

/* -ERESTARTSYS .. -ERESTART_RESTARTBLOCK: the kernel will begin the call again. */
static __always_inline bool will_restart(long ret)
{
	return ret <= -512 && ret >= -516;
}

/* `event` has been checked. The self-test compares what it did itself, and nobody else. */
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
	PUBLISH(c->op_seq);
}

#include "busy_poll.h"

/* ---- level switch ------------------------------------------------------------------------ */

static __always_inline void op_park(struct netcost_cpu *c, struct task_struct *prev, __u64 now)
{
	struct netcost_parked *place;
	__u64 mark = c->mark;

	if (!mark)
		return;
	op_charge(c, mark, now);
	c->mark = 0;
	/* A task that has gone left its operation, and its end was missed. */
	place = prev->exit_state ? 0 : bpf_task_storage_get(&parked, prev, 0, 0);
	if (!place) {
		c->untracked += c->outer.what ? 2 : 1;
		c->outer.what = 0;
		return;
	}
	place->now.what = NETCOST_MARK_WHAT(mark);
	place->now.owner = c->owner;
	place->outer.what = c->outer.what;
	if (!c->outer.what)
		return;
	place->outer.owner = c->outer.owner;
	c->outer.what = 0;
}

static __always_inline void op_unpark(struct netcost_cpu *c, struct task_struct *next, __u64 now,
				      bool casts)
{
	struct netcost_parked *place;

	if (!UNTRUSTED(task_struct, next, casts)
		     ->bpf_storage) /* most tasks never had any: spare the call */
		return;
	place = bpf_task_storage_get(&parked, next, 0, 0);
	if (!place)
		return;
	c->ensured = 1;
	if (place->now.what) {
		c->mark = NETCOST_MARK(now, place->now.what);
		c->owner = place->now.owner;
		c->outer = place->outer;
		place->now.what = 0;
	}
}

/* "napi/DEVICE-ID" (5.12, commit 29863d41bb6e) and "backlog_napi/CPU" (6.10, commit dad6b9770263) */
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

/* A kernel thread of the highest priority that is bound to its CPU. Where others are the same, no harm is done. */
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
	__u64 now;

	PUBLISH(c->switch_seq);
	now = bpf_ktime_get_ns() - c->softirq_ns;
	op_park(c, prev, now);
	stay_charge(c, prev, now);
	c->seg_start = now;
	c->seg_base = base_of(next);
	if (full)
		parts_edge(&c->parts, now + c->softirq_ns);
	c->seg_stopper = is_stopper(next);
	c->ensured = 0;
	op_unpark(c, next, now, casts);
	PUBLISH(c->switch_seq);
}

#include "sockets.h"

/* ---- operations that are calls of functions: rungs "fentry" and "kprobe" ------------------ */

/* What a hook's call does to which socket: a mark's low bits, or 0. */
static __always_inline __u64 hook_what(const volatile struct netcost_hook *h, __u64 arg0,
				       __u64 arg1)
{
	__u64 network = NETCOST_MARK_EVENT(h->what), event;

	switch (h->where) {
	case NETCOST_AT_FD:
		event = socket_event(arg0, network, hooks_cast);
		break;
	case NETCOST_AT_REGS:
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
	return event ? event | (h->what & NETCOST_MARK_MSGS) : 0;
}

/*
 * May an operation begin with this call? Inside another one it is a part of that: the stack grows down,
 * so its frame is lower. A call with a frame that is not, or of a function that the other one does not
 * call, says that the other one has returned and that its end was missed: kretprobes in flight are
 * limited in number, and a trampoline that is changed under a call (someone attaches to the same
 * function) leaves out what follows it.
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

	if (!c->mark || c->softirq_start)
		return;
	if (c->outer.what && c->outer.owner.sp == sp && c->outer.owner.hook == hook)
		busy_drop(c);
	mark = c->mark;
	event = NETCOST_MARK_EVENT(mark);
	if (c->owner.sp == sp && c->owner.hook == hook)
		op_end(c, ret);
	else if (mark & NETCOST_MARK_MSGS && hooks[hook].messages && !has_witness && ret > 0 &&
		 sp < c->owner.sp && event < NETCOST_EV_COUNT)
		add_bytes(c, event, ret);
}

/*
 * A message passed a socket: the witness for what the operations cover. Inside an operation it also
 * brings the bytes of sendmmsg and recvmmsg. True: it was outside.
 */
static __always_inline bool message_seen(struct netcost_cpu *c, const struct sock *sk, int ret,
					 __u64 network_event, __u64 *inside, __u64 *outside)
{
	__u64 mark = c->softirq_start ? 0 : c->mark, event = NETCOST_MARK_EVENT(mark);

	if (mark & NETCOST_MARK_MSGS && event < NETCOST_EV_COUNT && ret > 0)
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
