// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The attach points. Each program only reports that something begins or ends; recorder.h does the counting. The table
 * in src/record/exact/ladder.c, and HOOKS and the similar lists in wire.h, select the programs that are loaded.
 */
#include "recorder.h"
#include "outside.h"

#include <bpf/bpf_tracing.h>

#include "owners.bpf.h"

/* set while counting is paused; the function probes stay attached. The recorder maps this variable. */
bool paused;

/* Returns the state of this CPU for a function probe, or NULL while counting is paused. */
static __always_inline struct netcost_cpu *counting_cpu(void)
{
	return *(volatile bool *)&paused ? 0 : this_cpu();
}

/* ---- tracepoints of the scheduler and the softirqs, used by every method ------------------ */

SEC("tp_btf/sched_switch")
int BPF_PROG(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct netcost_cpu *c = this_cpu();

	if (c)
		task_switch(c, prev, next, true);
	return 0;
}

/*
 * Handles context switches without calling bpf_rdonly_cast(), because kernels before 5.16 refuse a program that refers
 * to a missing function, even in dead code.
 */
SEC("tp_btf/sched_switch")
int BPF_PROG(sched_switch_old, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct netcost_cpu *c = this_cpu();

	if (c)
		task_switch(c, prev, next, false);
	return 0;
}

static __always_inline __u64 softirq_event(unsigned int vec)
{
	return vec == NET_RX_SOFTIRQ ? NETCOST_EV_RX_SOFTIRQ :
	       vec == NET_TX_SOFTIRQ ? NETCOST_EV_TX_SOFTIRQ :
				       0;
}

SEC("raw_tp/softirq_entry")
int BPF_PROG(softirq_entry, unsigned int vec)
{
	__u64 event = softirq_event(vec);
	struct netcost_cpu *c;

	if (event && (c = this_cpu()))
		softirq_begin(c, event);
	return 0;
}

SEC("raw_tp/softirq_exit")
int BPF_PROG(softirq_exit, unsigned int vec)
{
	__u64 event = softirq_event(vec);
	struct netcost_cpu *c;

	c = this_cpu();
	if (c && event)
		softirq_end(c, event);
	else if (c)
		count_run(c, NETCOST_PROBE_OTHER_SOFTIRQ, event_now(c));
	return 0;
}

/* ---- hard interrupts of network devices --------------------------------------------------- */

/*
 * The recorder inserts the interrupts of network devices, and removes interrupts that no longer belong to a network
 * device.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, NETCOST_IRQS);
	__type(key, __u32);
	__type(value, struct netcost_irq);
} irqs SEC(".maps");

/*
 * Notes that a handler begins. The handlers of a shared interrupt run one after the other, and each fires its own entry
 * and exit events.
 */
SEC("raw_tp/irq_handler_entry")
int BPF_PROG(irq_handler_entry, int irq)
{
	__u32 number = irq;
	struct netcost_cpu *c;

	if (bpf_map_lookup_elem(&irqs, &number) && (c = this_cpu()))
		hardirq_begin(c, number);
	return 0;
}

SEC("raw_tp/irq_handler_exit")
int BPF_PROG(irq_handler_exit, int irq)
{
	__u32 number = irq;
	struct netcost_cpu *c = this_cpu();
	struct netcost_irq *counts;
	__u64 ns;

	if (!c || !hardirq_end(c, number, &ns))
		return 0;
	counts = bpf_map_lookup_elem(&irqs, &number);
	if (counts) {
		counts->runs++;
		counts->ns += ns;
	}
	return 0;
}

/* ---- socket operations, method "fentry": a pair of programs for each hook ------------------- */

/*
 * Returns the flags of a receive. The verifier refuses to load an argument at a computed index, and compilers merge the
 * loads in the branches of a switch into one load with a computed index. The barriers keep each load in its own branch.
 */
static __always_inline __u64 fentry_flags(const volatile struct netcost_hook *h,
					  unsigned long long *ctx)
{
	__u64 flags = 0;

	if (h->where == NETCOST_AT_REGS)
		return 0;
	if (h->flags == 2) {
		flags = ctx[2];
		barrier_var(flags);
	} else if (h->flags == 3) {
		flags = ctx[3];
		barrier_var(flags);
	} else if (h->flags == 4) {
		flags = ctx[4];
		barrier_var(flags);
	}
	return flags;
}

/*
 * Reports that a hook's function begins. The trampoline's stack frame, at `ctx`, has the same address at entry and exit
 * of one call.
 */
static __always_inline void fentry_begin(unsigned long long *ctx, __u32 hook)
{
	const volatile struct netcost_hook *h = &hooks[hook];
	struct netcost_cpu *c = counting_cpu();
	__u64 what;

	if (!c)
		return;
	if (h->where == NETCOST_AT_NO_ONE)
		return busy_begin(c, hook, (__u64)ctx);
	if (!hook_may_begin(c, hook, (__u64)ctx))
		return;
	what = hook_what(h, ctx[0], h->where == NETCOST_AT_FILE1 ? ctx[1] : 0,
			 fentry_flags(h, ctx));
	if (what)
		op_begin(c, what, hook, (__u64)ctx);
}

static __always_inline void fentry_end(unsigned long long *ctx, __u32 hook)
{
	struct netcost_cpu *c = counting_cpu();
	__u64 ret = 0;

	if (!c)
		return;
	if (hooks[hook].where == NETCOST_AT_NO_ONE)
		return busy_end(c, hook, (__u64)ctx);
	bpf_get_func_ret(ctx, &ret);
	hook_end(c, hook, (__u64)ctx, ret);
}

/* Defines the two programs of a hook. */
#define PAIR(name, id, begin, end)                                                                 \
	SEC("fentry") int name##fentry_##id(unsigned long long *ctx)                               \
	{                                                                                          \
		begin(ctx, id);                                                                    \
		return 0;                                                                          \
	}                                                                                          \
	SEC("fexit") int name##fexit_##id(unsigned long long *ctx)                                 \
	{                                                                                          \
		end(ctx, id);                                                                      \
		return 0;                                                                          \
	}

#define X(id, ...) PAIR(, id, fentry_begin, fentry_end)
HOOKS(X)
#undef X

/* ---- socket operations, method "kprobe": the cookie identifies the hook --------------------- */

static __always_inline __u64 kprobe_flags(__u8 argument, struct pt_regs *ctx)
{
	__u64 arg2 = ctx->REG_ARG2, arg3 = ctx->REG_ARG3, arg4 = ctx->REG_ARG4;

	return argument == 2 ? arg2 : argument == 3 ? arg3 : argument == 4 ? arg4 : 0;
}

SEC("kprobe")
int kprobe_begin(struct pt_regs *ctx)
{
	__u64 hook = bpf_get_attach_cookie(ctx), what;
	struct netcost_cpu *c = counting_cpu();

	if (!c || hook >= HOOK_COUNT)
		return 0;
	if (hooks[hook].where == NETCOST_AT_NO_ONE) {
		busy_begin(c, hook, ctx->sp);
		return 0;
	}
	if (!hook_may_begin(c, hook, ctx->sp))
		return 0;
	what = hook_what(&hooks[hook], ctx->REG_ARG0, ctx->REG_ARG1,
			 kprobe_flags(hooks[hook].flags, ctx));
	if (what)
		op_begin(c, what, hook, ctx->sp);
	return 0;
}

SEC("kretprobe")
int kprobe_end(struct pt_regs *ctx)
{
	__u64 hook = bpf_get_attach_cookie(ctx);
	struct netcost_cpu *c = counting_cpu();

	if (!c || hook >= HOOK_COUNT)
		return 0;
	if (hooks[hook].where == NETCOST_AT_NO_ONE)
		busy_end(c, hook, ctx->sp - RETURN_POPS);
	else
		hook_end(c, hook, ctx->sp - RETURN_POPS, ctx->REG_RESULT);
	return 0;
}

/* ---- socket operations, method "tracepoint": from entry to exit of the system call --------- */

static __always_inline __u64 syscall_flags(__u8 does, struct pt_regs *regs)
{
	return does & NETCOST_FLAGS2 ? regs->REG_SYSCALL_ARG2 :
	       does & NETCOST_FLAGS3 ? regs->REG_SYSCALL_ARG3 :
				       0;
}

/*
 * Returns the low bits of the mark of a system call that begins: its operation and its socket class. Returns 0 if the
 * call is not an operation. The descriptor lookup occurs once in the code on purpose, because it dominates the
 * verification time.
 */
static __always_inline __u64 syscall_op(__u8 does, struct pt_regs *regs, bool casts)
{
	bool splices = does == NETCOST_SPLICE;
	__u64 what = socket_event(splices ? regs->REG_SYSCALL_ARG2 : regs->REG_SYSCALL_ARG0,
				  NETCOST_MARK_EVENT(does), casts);

	if (splices && !what)
		return socket_event(regs->REG_SYSCALL_ARG0, NETCOST_RECV, casts);
	return what ? what | (does & NETCOST_MARK_MSGS) | no_data(syscall_flags(does, regs)) : 0;
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

/*
 * Notes that a system call begins. 32-bit programs use other system call numbers, so their calls are ignored here. The
 * witness counts their messages as outside of operations.
 */
static __always_inline void syscall_begin(struct pt_regs *regs, long id, bool casts)
{
	struct netcost_cpu *c;
	__u64 what;
	__u8 does;

	if ((unsigned long)id >= NETCOST_SYSCALLS)
		return;
	does = syscalls[id];
	if (!does || is_compat())
		return;
	what = syscall_op(does, regs, casts);
	c = this_cpu();
	if (!c || !what)
		return;
	if (c->mark)
		op_drop(c); /* the mark belongs to a task that was switched out unseen */
	op_begin(c, what, 0, 0);
}

SEC("tp_btf/sys_enter")
int BPF_PROG(sys_enter, struct pt_regs *regs, long id)
{
	syscall_begin(regs, id, true);
	return 0;
}

/* Uses no casts, for the reason given at sched_switch_old. */
SEC("tp_btf/sys_enter")
int BPF_PROG(sys_enter_old, struct pt_regs *regs, long id)
{
	syscall_begin(regs, id, false);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(sys_exit, struct pt_regs *regs, long ret)
{
	struct netcost_cpu *c = this_cpu();
	/* signed on arm64, where the verifier of 6.1 then finds no lower bound */
	__u32 id = regs->REG_SYSCALL_ID;

	if (!c)
		return 0;
	if (!c->mark && id < NETCOST_SYSCALLS && syscalls[id])
		op_find(c);
	op_end(c, ret);
	count_run(c, NETCOST_PROBE_SYSCALL, NETCOST_EV_TASK);
	return 0;
}

/* ---- stages of the RX softirq, method "fentry" -------------------------------------------- */

/*
 * Reads only the arguments that the stage needs. Older verifiers (6.1 and 6.12) refuse to read an argument that is a
 * pointer to a pointer, such as the argument of br_handle_frame, even if the value is not used.
 */
static __always_inline void stage_fentry(volatile unsigned long long *ctx, __u32 hook)
{
	const volatile struct netcost_stage_hook *h = &stage_hooks[hook];
	struct netcost_cpu *c = counting_cpu();
	__u8 how = h->how;

	if (c && in_rx(c)) /* checked before any argument is read */
		stage_begin(c, hook,
			    stage_of(h, how == NETCOST_STAGE_TC ? ctx[0] : 0,
				     how == NETCOST_STAGE_NF ? ctx[1] : 0),
			    (__u64)ctx);
}

static __always_inline void stage_fexit(unsigned long long *ctx, __u32 hook)
{
	struct netcost_cpu *c = counting_cpu();

	if (!c)
		return;
	stage_end(c, hook, (__u64)ctx);
	count_run(c, NETCOST_PROBE_STAGE, event_now(c));
}

#define X(id, ...) PAIR(part_, id, stage_fentry, stage_fexit)
STAGE_HOOKS(X)
#undef X

/* ---- stages of the RX softirq, method "kprobe" -------------------------------------------- */

/*
 * Reads a field of the context at exactly this place in the code. The compiler must not move the load past a branch,
 * because the verifier no longer knows the pointer after the branch.
 */
#define READ_HERE(field) (*(volatile __typeof__(field) *)&(field))

SEC("kprobe")
int part_kprobe_begin(struct pt_regs *ctx)
{
	__u64 arg0 = READ_HERE(ctx->REG_ARG0), arg1 = READ_HERE(ctx->REG_ARG1);
	__u64 hook = bpf_get_attach_cookie(ctx) & (NETCOST_STAGE_HOOK_SLOTS - 1);
	__u64 sp = READ_HERE(ctx->sp);
	struct netcost_cpu *c = counting_cpu();

	if (c && in_rx(c))
		stage_begin(c, hook, stage_of(&stage_hooks[hook], arg0, arg1), sp);
	return 0;
}

SEC("kretprobe")
int part_kprobe_end(struct pt_regs *ctx)
{
	__u64 hook = bpf_get_attach_cookie(ctx);
	struct netcost_cpu *c = counting_cpu();

	if (!c || hook >= STAGE_HOOK_COUNT)
		return 0;
	stage_end(c, hook, ctx->sp - RETURN_POPS);
	count_run(c, NETCOST_PROBE_STAGE, event_now(c));
	return 0;
}

/* ---- stages of the RX softirq, method "tracepoint" -------------------------------------------- */

#define X(name, stage)                                                                             \
	SEC("raw_tp/" #name "_entry") int name##_entry(void *ctx)                                  \
	{                                                                                          \
		struct netcost_cpu *c = this_cpu();                                                \
                                                                                                   \
		if (c)                                                                             \
			stage_tp_begin(c, STAGE_TP_##name, NETCOST_PART_##stage);                  \
		return 0;                                                                          \
	}                                                                                          \
	SEC("raw_tp/" #name "_exit") int name##_exit(void *ctx)                                    \
	{                                                                                          \
		struct netcost_cpu *c = this_cpu();                                                \
                                                                                                   \
		if (!c)                                                                            \
			return 0;                                                                  \
		stage_tp_end(c, STAGE_TP_##name);                                                  \
		count_run(c, NETCOST_PROBE_STAGE, event_now(c));                                   \
		return 0;                                                                          \
	}
STAGE_TRACEPOINTS(X)
#undef X

/*
 * Counts the packets of a poll. If stages are not timed, the cost of this program counts as part of the class
 * "softirq". The cost of that class is measured with one poll per softirq.
 */
SEC("raw_tp/napi_poll")
int BPF_PROG(napi_poll, struct napi_struct *napi, int work)
{
	struct netcost_cpu *c = this_cpu();

	if (!c)
		return 0;
	polled(c, work);
	if (polls_witness)
		stage_poll_witnessed(c);
	if (!full_polls)
		return 0;
	stage_polled(c);
	count_run(c, NETCOST_PROBE_STAGE, event_now(c));
	return 0;
}

/* ---- hits of the page cache, counted as Kepler counts them --------------------------------- */

static __always_inline int page_hit(void)
{
	struct netcost_cpu *c = counting_cpu();

	if (c)
		__sync_fetch_and_add(&c->page_hits, 1);
	return 0;
}

SEC("fentry")
int page_fentry(void *ctx)
{
	return page_hit();
}

SEC("kprobe")
int page_kprobe(void *ctx)
{
	return page_hit();
}

/* ---- the witness (since Linux 6.3, commit 6e6eda44b939) ---------------------------------- */

SEC("tp_btf/sock_send_length")
int BPF_PROG(sock_send_length, struct sock *sk, int ret, int flags)
{
	struct netcost_cpu *c = this_cpu();

	if (c &&
	    message_seen(c, sk, ret, 0, NETCOST_EV_SOCK_SEND, &c->sends_inside, &c->sends_outside))
		outside_add(c, sk, true);
	if (owners_every)
		OWNER_SENDS(c, sk);
	return 0;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(sock_recv_length, struct sock *sk, int ret, int flags)
{
	struct netcost_cpu *c = this_cpu();

	if (c && message_seen(c, sk, ret, flags, NETCOST_EV_SOCK_RECV, &c->recvs_inside,
			      &c->recvs_outside))
		outside_add(c, sk, false);
	if (owners_every)
		OWNER_RECEIVES(c, sk);
	return 0;
}

/* ---- the self-test ------------------------------------------------------------------------ */

/* Learns the recorder's thread id in the initial pid namespace. The recorder runs this program once. */
SEC("raw_tp")
int selftest_begin(void *ctx)
{
	selftest.tid = (__u32)bpf_get_current_pid_tgid();
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
