// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The attach points. Each says when something begins or ends; recorder.h does the counting. Which of
 * them are loaded is decided by the table in src/record/probes.c.
 */
#include "kernel_types.h"

const volatile bool has_witness; /* filled in before loading */

#include "recorder.h"

/* What each system call does, by its number on this machine: filled in before loading. */
const volatile __u8 syscalls[NETCOST_SYSCALLS];

/* ---- tracepoints of the scheduler and the softirqs: the same on every rung --------------- */

SEC("tp_btf/sched_switch")
int BPF_PROG(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct netcost_cpu *c = this_cpu();

	if (c)
		task_switch(c, prev, next);
	return 0;
}

static __always_inline __u64 softirq_event(unsigned int vec)
{
	return vec == NET_RX_SOFTIRQ ? NETCOST_EV_RX_SOFTIRQ :
	       vec == NET_TX_SOFTIRQ ? NETCOST_EV_TX_SOFTIRQ :
				       0;
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(softirq_entry, unsigned int vec)
{
	__u64 event = softirq_event(vec);
	struct netcost_cpu *c;

	if (event && (c = this_cpu()))
		softirq_begin(c, event);
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(softirq_exit, unsigned int vec)
{
	__u64 event = softirq_event(vec);
	struct netcost_cpu *c;

	if (event && (c = this_cpu()))
		softirq_end(c, event);
	return 0;
}

/* ---- socket operations, rung "tracepoint": from entry to exit of the system call --------- */

#if defined(__TARGET_ARCH_x86)
#define ARG0(regs) ((regs)->di)
#define ARG2(regs) ((regs)->dx)
#elif defined(__TARGET_ARCH_arm64)
#define ARG0(regs) ((regs)->orig_x0)
#define ARG2(regs) ((regs)->regs[2])
#endif

/* What a system call is about to do to which socket: a mark's low bits, or 0. */
static __always_inline __u64 syscall_op(__u8 kind, struct pt_regs *regs)
{
	__u64 event;

	switch (kind) {
	case NETCOST_SYS_SEND:
		return socket_event(ARG0(regs), NETCOST_EV_SOCK_SEND);
	case NETCOST_SYS_RECV:
		return socket_event(ARG0(regs), NETCOST_EV_SOCK_RECV);
	case NETCOST_SYS_SENDM:
		event = socket_event(ARG0(regs), NETCOST_EV_SOCK_SEND);
		return event ? event | NETCOST_MARK_MSGS : 0;
	case NETCOST_SYS_RECVM:
		event = socket_event(ARG0(regs), NETCOST_EV_SOCK_RECV);
		return event ? event | NETCOST_MARK_MSGS : 0;
	case NETCOST_SYS_SPLICE:
		event = socket_event(ARG2(regs), NETCOST_EV_SOCK_SEND);
		return event ? event : socket_event(ARG0(regs), NETCOST_EV_SOCK_RECV);
	default:
		return 0;
	}
}

static __always_inline bool is_compat(void)
{
#if defined(__TARGET_ARCH_x86)
	struct task_struct *task = bpf_get_current_task_btf();

	return task->thread_info.status & TS_COMPAT;
#else
	return false;
#endif
}

/* Calls of 32-bit programs have other numbers and are left out: the witness counts them as outside. */
SEC("tp_btf/sys_enter")
int BPF_PROG(sys_enter, struct pt_regs *regs, long id)
{
	struct netcost_cpu *c;
	__u64 what;
	__u8 kind;

	if ((unsigned long)id >= NETCOST_SYSCALLS)
		return 0;
	kind = syscalls[id];
	if (!kind || is_compat())
		return 0;
	what = syscall_op(kind, regs);
	if (what && (c = this_cpu()))
		op_begin(c, what);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(sys_exit, struct pt_regs *regs, long ret)
{
	struct netcost_cpu *c = this_cpu();

	if (c)
		op_end(c, ret);
	return 0;
}

/* ---- the witness: Linux 6.3, commit 6e6eda44b939 ----------------------------------------- */

SEC("tp_btf/sock_send_length")
int BPF_PROG(sock_send_length, struct sock *sk, int ret, int flags)
{
	struct netcost_cpu *c = this_cpu();

	if (c)
		message_seen(c, sk, ret, NETCOST_EV_SOCK_SEND, &c->sends_inside, &c->sends_outside);
	return 0;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(sock_recv_length, struct sock *sk, int ret, int flags)
{
	struct netcost_cpu *c = this_cpu();

	if (c)
		message_seen(c, sk, ret, NETCOST_EV_SOCK_RECV, &c->recvs_inside, &c->recvs_outside);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
