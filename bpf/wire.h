/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire.h: memory that the BPF programs share with the recorder. The layout is not a file format, because traces have
 * their own format (include/netcost/registry.h).
 */
#ifndef NETCOST_WIRE_H
#define NETCOST_WIRE_H

#include <netcost/events.h>
#include <netcost/fates.h>
#include <netcost/parts.h>
#include <netcost/probes.h>

#include "types.h"

/* Kinds of tasks that can be switched in. */
enum netcost_base {
	NETCOST_BASE_IDLE,
	NETCOST_BASE_TASK,
	NETCOST_BASE_IO_WORKER,
	NETCOST_BASE_NAPI,
	NETCOST_BASES,
};

/*
 * The mark of a socket operation; 0: none. The low bits hold the event and flags. The bits above hold the task clock at
 * the time when the operation began or its task was switched in. 58 bits of nanoseconds last for 9 years of uptime.
 */
#define NETCOST_MARK_BITS 6
/* flag of sendmmsg and recvmmsg: the result is a number of messages, not of bytes */
#define NETCOST_MARK_MSGS 0x10u
#define NETCOST_MARK_NO_DATA 0x20u /* flag of a receive that takes no data out of the socket */
#define NETCOST_MARK(task_ns, what) ((task_ns) << NETCOST_MARK_BITS | (what))
#define NETCOST_MARK_NS(mark) ((mark) >> NETCOST_MARK_BITS)
#define NETCOST_MARK_WHAT(mark) ((mark)&0x3f)
#define NETCOST_MARK_EVENT(mark) ((mark)&0x0f)
/* power of two, so that a mask limits the index, because older verifiers cannot bound an event otherwise */
#define NETCOST_MARK_EVENTS 16

/*
 * The hook that began an operation, and the address of the frame of the hook's call on the task's stack. Only the
 * return of this call ends the operation. With the method "tracepoint", `hook` and `sp` are 0, because system calls do
 * not nest.
 */
struct netcost_frame {
	__u64 hook, sp;
};

#define NETCOST_RUN_EVENTS                                                                         \
	16 /* power of two, at least NETCOST_EV_COUNT, because older verifiers need a mask */

/* A suspended operation. */
struct netcost_op {
	__u64 what; /* low bits of the operation's mark; 0: none */
	struct netcost_frame owner;
};

/*
 * The operation of a task that is off the CPU. `now` and `outer` are both used if the task busy-polls inside an
 * operation.
 */
struct netcost_parked {
	struct netcost_op now, outer;
	__u64 window; /* window in which the operation was parked: see struct netcost_cpu */
};

/*
 * Most tasks that are off the CPU inside an operation are parked here, in a slot selected by their pid. Task storage
 * would be slower, because each switch would need two lookups of about 100 instructions. If two tasks share a slot, the
 * later one is parked in task storage.
 *
 * A slot's `now` and `outer` belong to the task whose pid is in it. They are written and read only while that task is
 * switched out or in. Two CPUs never do that at the same time, because the kernel orders the switch-out of a task
 * before its next switch-in. A slot is taken and freed by atomic operations that return a value, which order all
 * accesses around them. `crowded` is never cleared. It is set before a task is parked in task storage, so the programs
 * see it when the task is switched in. The recorder empties all slots while no program is attached.
 */
#ifndef NETCOST_SLOTS
#define NETCOST_SLOTS 4096 /* power of two */
#endif
struct netcost_slot {
	__u32 task;    /* pid of the parked task; 0: the slot is free */
	__u32 crowded; /* set if another task may be parked in task storage */
	__u32 ensured; /* pid of the last task for which task storage was allocated */
	__u32 unused;
	struct netcost_op now, outer;
} __attribute__((aligned(64)));

/* Maximum nesting of the functions that process a received packet, including bridges and tunnels. */
#define NETCOST_STAGE_DEPTH 16
#define NETCOST_STAGE_SLOTS                                                                        \
	16 /* power of two, at least NETCOST_PART_COUNT, because older verifiers need a mask */

/*
 * The stages of the RX softirq (--exact=full). The stages in progress form a stack. The data belongs to level softirq.
 * In a NAPI thread, and while a task polls for its socket, the code that writes the data runs with softirqs disabled,
 * so no softirq can interrupt this code. Times are of the CPU clock (see struct netcost_cpu).
 */
struct netcost_rx_stages {
	__u64 depth;
	__u64 since; /* time up to which time has been charged to stages */
	/* level op: time at which busy polling ended while stages seemed to be in progress; 0: none */
	__u64 left;
	__u64 poll_since; /* method "tracepoint": start of the poll that ends next; otherwise 0 */
	/* method "tracepoint": time outside of all other stages since poll_since, ns */
	__u64 loose_ns;
	struct {
		__u64 what; /* hook and stage of the call */
		__u64 sp;
	} stack[NETCOST_STAGE_DEPTH];
	__u64 ns[NETCOST_STAGE_SLOTS];	     /* exclusive time of each stage */
	__u64 total_ns[NETCOST_STAGE_SLOTS]; /* inclusive time of calls that have ended */
	__u64 entered[NETCOST_STAGE_SLOTS];  /* start of the outermost call in progress */
	__u64 nested[NETCOST_STAGE_SLOTS];   /* number of calls in progress */
	__u64 calls[NETCOST_STAGE_SLOTS];
	/* number of ends that no program saw, and of starts for which the stack had no room */
	__u64 missed;
	__u64 polls_outside; /* NAPI polls that ran neither in a softirq nor in a NAPI thread */
};
#define NETCOST_STAGE_WHAT(hook, stage) ((__u64)(hook) << 8 | (stage))
#define NETCOST_STAGE_OF(what) ((what) & (NETCOST_STAGE_SLOTS - 1))

/*
 * With --processes, all counters are also kept by process and cgroup. Each pair of process and cgroup that ran on a CPU
 * has one row on that CPU. Only that CPU writes the row: at each context switch, the increase of the CPU's counters
 * since the previous switch is added to the row. So the rows of a CPU sum to its counters at its last switch. There are
 * two halves of rows. The recorder selects the half that is written (processes_map), and empties the other half as soon
 * as no program can be writing it.
 *
 * Each CPU has the same number of rows in each half (processes_each, a power of two). A process's row is one of
 * NETCOST_PROCESS_WAYS consecutive rows, starting at a place that the ids select. The process takes the first row that
 * is its own or free. If no such row exists, the process has no row. The rows in use form a list, so that the recorder
 * need not visit all rows.
 */
#define NETCOST_PROCESS_WAYS 8
#define NETCOST_PROCESS_OPS 4

/* The hardware counters of a process, in the order of pmu_events in src/record/exact/pmu.c. */
#define NETCOST_PMU_EVENTS 4
struct netcost_pmu {
	__u64 count[NETCOST_PMU_EVENTS];
	__u64 enabled_ns; /* time_enabled of the counters, ns */
	/* time_running of each counter, which may be less than enabled_ns because counters may be multiplexed */
	__u64 running_ns[NETCOST_PMU_EVENTS];
};

#define NETCOST_PROCESS_EVENT(op) ((op) < 3 ? NETCOST_EV_SOCK_SEND + (op) : NETCOST_EV_RX_BUSY_POLL)
struct netcost_process_op {
	__u64 ns, calls, failed, bytes;
};

/* The counters of a process. Fields that change at a switch are next to each other, in few cache lines. */
struct netcost_process_counts {
	__u64 switches;		     /* switches away from the process */
	__u64 unseen;		     /* switches to or away from the process that no program saw */
	__u64 own_ns[NETCOST_BASES]; /* time outside of operations, by the kind of task */
	struct netcost_process_op op[NETCOST_PROCESS_OPS];
	/* time and number of softirqs that interrupted the process */
	__u64 softirq_ns, tx_ns, softirq_runs, tx_runs;
	/* time and number of hard interrupts that interrupted the process */
	__u64 hardirq_ns, hardirq_runs;
	__u64 uncounted;
	__u64 page_hits;
};

struct netcost_process_key {
	__u32 process; /* process id in the initial pid namespace; 0: the idle task, or none */
	__u32 cpu;
	__u64 cgroup; /* the kernel's id of the cgroup: see cgroup.h */
};

/* The row of a process. It has 6 cache lines, or 5 without hardware counters (NETCOST_PROCESS_SHORT). */
struct netcost_process {
	struct netcost_process_key key;
	struct netcost_process_counts counts;
	__u64 start_ns; /* start time of the process; 0: unknown */
	__u32 is;	/* bit mask of the NETCOST_PROCESS_ flags below */
	__u32 user;	/* real uid in the initial user namespace; see NETCOST_PROCESS_USER */
	/* comm of the first thread of the process, read when the row was made or when that thread ended */
	__u64 name[2];
	__u64 next; /* 1 + the previous row in use on this CPU; 0: none */
	struct netcost_pmu pmu;
	__u64 unused[2];
};
#define NETCOST_PROCESS_SHORT 320
_Static_assert(sizeof(struct netcost_process) == 384, "whole cache lines");
#define NETCOST_PROCESS_KERNEL 1 /* the process is a kernel thread */
#define NETCOST_PROCESS_ENDED 2	 /* the name was read when the first thread was about to end */
#define NETCOST_PROCESS_USER 4	 /* the field `user` is valid */

/*
 * The amounts of a CPU's counters that have already been added to rows, and the process to charge next. Level switch.
 */
struct netcost_told {
	/* the process to charge next; process 0: the idle task */
	struct netcost_process_key running;
	/* 1 + the half in which the process last had a row; 0: none */
	__u32 half;
	__u32 unused;
	__u32 taken[2]; /* 1 + the last row taken in each half */
	__u64 op_seq, softirq_seq, hardirq_seq;
	/* amounts already charged; `switches` and `unseen` exclude those of the idle task */
	struct netcost_process_counts all;
	struct netcost_process_counts idle; /* amounts charged to the idle task */
	struct netcost_process_counts rest; /* amounts charged to processes that got no row */
	struct netcost_pmu pmu_all, pmu_idle, pmu_rest;
	struct netcost_pmu pmu; /* last readings of the hardware counters */
	__u64 pmu_read;		/* bit mask of the hardware counters that were read */
};

#include "wire_owners.h" /* included here because it uses the key of a process */

/*
 * The state of a CPU. Only programs on that CPU write it. The recorder maps it into its memory and reads it.
 *
 * Each CPU has two clocks, which stop during interrupts:
 *   CPU clock   CLOCK_MONOTONIC less the time of network devices' hard interrupts (hardirq_ns)
 *   task clock  the CPU clock less the time of network softirqs (softirq_ns)
 * So the code for an interrupt never needs to know or change the state of the interrupted code, and the interrupted
 * time needs no correction afterwards: a softirq is timed by the CPU clock, a task by the task clock. Each of four
 * levels of code owns its fields:
 *   hardirq  Handlers run with interrupts off, and end before their CPU continues with a softirq
 *            or a switch: nothing can interrupt this level, not even another handler. (A chained
 *            handler, of a chip that multiplexes interrupts, calls other handlers: the first to
 *            begin is timed.)
 *   softirq  Neither another softirq nor a task interrupts a softirq on its CPU, but a hard
 *            interrupt may, even within these programs.
 *   switch   sched_switch runs with interrupts off: nothing can interrupt this level.
 *   op       Socket operations, in task context. A hard interrupt may come anywhere, and a softirq
 *            after it or alone. A switch or another operation never comes, because these programs
 *            are not preempted:
 *              kprobe      The kernel disables preemption in programs of kprobes and kretprobes.
 *              tracepoint  The kernel disables preemption in programs of tracepoints.
 *              fentry      The kernel disables only migration. So this method is used only on
 *                          kernels that do not preempt their own code, where the end of an
 *                          interrupt does not switch tasks (ladder.c). Disabling preemption in
 *                          the programs does not help: enabling it again switches tasks right
 *                          there, and the kernel then skips the program as recursive when the
 *                          next task reaches it (measured: 6.12 with preempt=full lost 4 % of
 *                          calls).
 *
 * If counting exceeds its budget, the recorder detaches all programs and attaches them again later. Then all fields
 * restart at 0 with another `window`. An operation that was parked in an earlier window may have ended unseen since
 * then, and is not resumed.
 *
 * base_ns includes the time of operations, which op_ns and base_op_ns state. So the sum of base_ns, offline_ns,
 * softirq_ns and hardirq_ns is the elapsed time, no matter what happens to an operation.
 */
struct netcost_cpu {
	/* The fields of level hardirq. */
	__u64 hardirq_seq;   /* odd while being written */
	__u64 hardirq_start; /* CLOCK_MONOTONIC when the interrupt in progress began; 0: none */
	__u64 hardirq_ns;    /* time of interrupts that have ended */
	__u64 hardirq_runs;  /* number of interrupts that have ended */
	__u64 hardirq_irq;   /* number of the interrupt in progress */

	/* The fields of level softirq. */
	__u64 softirq_seq;   /* odd while being written */
	__u64 softirq_start; /* CPU clock when the softirq in progress began; 0: none */
	__u64 softirq_ns;    /* time of RX and TX softirqs that have ended */
	__u64 softirq_event; /* event of the softirq in progress */
	__u64 tx_ns;	     /* part of softirq_ns that belongs to TX */
	__u64 softirq_runs;  /* number of softirqs begun */
	__u64 tx_runs;	     /* number of TX softirqs begun */

	/* The fields of level switch. */
	__u64 switch_seq; /* odd while being written */
	/* task clock when the running task was switched in; 0: no switch has been seen yet */
	__u64 seg_start;
	__u64 seg_base; /* enum netcost_base of the running task */
	__u64 base_ns[NETCOST_BASES];
	__u64 runs[NETCOST_BASES]; /* number of times that a task of the kind was switched out */
	__u64 ensured;		   /* set if the running task has task storage */
	/*
	 * time during which the CPU was offline. A CPU goes offline in its stopper thread, and comes back in its idle
	 * task. In between, its tracepoints do not fire (each requires cpu_online()). So the recorder learns that the
	 * CPU was offline only after it has come back. Neither the stopper thread's run, which is short, nor the time
	 * after it is charged to any task.
	 */
	__u64 offline_ns;
	__u64 seg_stopper; /* set if the running task is the stopper thread */
	/* number of the current window; the recorder sets it while no program is attached */
	__u64 window;

	/* The fields of level op. */
	__u64 op_seq; /* odd while being written */
	__u64 mark;   /* mark of the running task's operation */
	/* frame of the call that began the operation, if `mark` is not 0 */
	struct netcost_frame owner;
	/* the operation that encloses busy polling; `mark` is then the mark of the polling */
	struct netcost_op outer;
	/* All following fields are counters, so the difference of two readings is also a set of counts. */
	__u64 op_ns[NETCOST_EV_COUNT];
	__u64 base_op_ns[NETCOST_BASES]; /* op_ns by the kind of task */
	__u64 calls[NETCOST_EV_COUNT];
	__u64 failed[NETCOST_EV_COUNT];
	__u64 bytes[NETCOST_EV_COUNT];
	__u64 uncounted[NETCOST_EV_COUNT]; /* number of calls whose bytes are not in `bytes` */
	/*
	 * Level softirq: number of packets that NAPI polled during each event, before GRO and including packets that
	 * XDP took.
	 */
	__u64 packets[NETCOST_RUN_EVENTS];

	/* Counters of losses, and of messages that the witnesses saw. */
	__u64 untracked;
	__u64 page_hits; /* updated atomically, because the program that counts may be preempted */
	__u64 sends_outside, recvs_outside, sends_inside, recvs_inside;

	/*
	 * The runs of the programs themselves, by class and by the event to which their time is charged. Runs in
	 * softirqs and hard interrupts are charged to the interrupted event. Each class is counted on its own level.
	 */
	__u64 runs_of[NETCOST_PROBE_COUNT][NETCOST_RUN_EVENTS];

	struct netcost_rx_stages stages;
	struct netcost_told told; /* used with --processes */
	struct netcost_owners owners;
} __attribute__((aligned(64)));

/*
 * Time and number of an interrupt's handlers on a CPU, by interrupt number. Only interrupts that the recorder inserted
 * are timed: the interrupts of network devices.
 */
#define NETCOST_IRQS 4096
struct netcost_irq {
	__u64 runs, ns;
};

/*
 * Counters of one thread's operations, for the recorder's self-test of its probes (src/record/exact/selftest.c). The
 * recorder writes `tid`; only the operations of that thread change the other fields.
 */
struct netcost_selftest {
	__u64 tid; /* thread id in the initial pid namespace; 0: no test is in progress */
	__u64 calls[NETCOST_MARK_EVENTS];
	__u64 bytes[NETCOST_MARK_EVENTS];
};

/* Maximum number of pairs of process and family for which messages outside of operations are counted. */
#define NETCOST_OUTSIDE 64
struct netcost_outside_key {
	__u32 process; /* process id in the initial pid namespace; 0: a softirq */
	__u32 family;
};
struct netcost_outside {
	__u64 sends, recvs;
	/* comm of the first thread of the process, at the first message of the process */
	char name[16];
};

#define NETCOST_CAST_TYPES(X)                                                                      \
	X(task_struct)                                                                             \
	X(pt_regs) X(kiocb) X(file) X(inode) X(socket) X(sock) X(nf_hook_state) X(list_head)
#define NETCOST_CAST_TYPE(name) __u32 name;
struct netcost_types {
	NETCOST_CAST_TYPES(NETCOST_CAST_TYPE)
};

/* The kinds of calls, which are the low bits of an operation's mark. */
enum netcost_what {
	NETCOST_SEND = NETCOST_EV_SOCK_SEND,
	NETCOST_RECV = NETCOST_EV_SOCK_RECV,
	NETCOST_SENDM = NETCOST_SEND | NETCOST_MARK_MSGS,
	NETCOST_RECVM = NETCOST_RECV | NETCOST_MARK_MSGS,
	NETCOST_POLL = NETCOST_EV_RX_BUSY_POLL,
	/*
	 * Used for system calls only, and never in a mark: if argument 2 is a socket, the call sends; otherwise, if
	 * argument 0 is a socket, it receives.
	 */
	NETCOST_SPLICE = NETCOST_SEND | 1 << NETCOST_MARK_BITS,
	/*
	 * Used for system calls only, and never in a mark: argument 2 or 3 has the flags of the receive, which decide
	 * NETCOST_MARK_NO_DATA.
	 */
	NETCOST_FLAGS2 = NETCOST_MARK_NO_DATA,
	NETCOST_FLAGS3 = 2 << NETCOST_MARK_BITS,
};

/*
 * The kind of each system call, by its number; 0 if it is not an operation. Argument 0 is the socket unless stated
 * otherwise.
 */
#define NETCOST_SYSCALLS 512

/*
 * Functions of the kernel's socket layer whose calls are operations, for the methods fentry and kprobe. There is one
 * row per hook. To add a hook, add a row: all other code is generated from the rows, including the pair of programs
 * fentry_id and fexit_id.
 *
 * 	id, HOOK, what it does (enum netcost_what), the hooks that may call it (it is then part of their operation),
 * 	and its functions: AT(where the socket is (enum netcost_where), function), or WITH(number of the argument
 * 	with the flags of a receive, where the socket is, function). If a function is missing or inlined, the next
 * 	is used.
 *
 * The functions of socket_file_ops (sock_write_iter, sock_read_iter, splice_to_socket, sock_splice_read) are called by
 * pointer and never inlined. A global function (__sys_sendto …) may be inlined into the system call that calls it,
 * although its symbol remains. In that case, attaching succeeds, but the program never runs. The system call's own
 * function is always called by pointer, but calls of 32-bit programs do not reach it, so it is the second choice.
 * io_uring's sendmsg also calls ____sys_sendmsg, and its send calls sock_sendmsg; its receives call the corresponding
 * functions. Functions that the kernel itself calls, also on its own sockets, may be called within ANYTHING.
 *
 * Linux 6.5 (commit 2dc334f1a63a) replaced generic_splice_sendpage with splice_to_socket, and removed kernel_sendpage.
 * 6.9 replaced napi_busy_loop with __napi_busy_loop, a static function that two global functions call.
 */
#define HOOKS(X)                                                                                   \
	X(0, WRITE, SEND, NOTHING, AT(KIOCB, "sock_write_iter"))                                   \
	X(1, SENDTO, SEND, NOTHING, AT(FD, "__sys_sendto"), AT(REGS, "__x64_sys_sendto"))          \
	X(2, SENDMSG, SEND, ONE(SENDMMSG), AT(SOCKET, "____sys_sendmsg"), AT(FD, "__sys_sendmsg"), \
	  AT(REGS, "__x64_sys_sendmsg"))                                                           \
	X(3, SENDMMSG, SENDM, NOTHING, AT(FD, "__sys_sendmmsg"), AT(REGS, "__x64_sys_sendmmsg"))   \
	X(4, SPLICE_TO, SEND, NOTHING, AT(FILE1, "splice_to_socket"),                              \
	  AT(FILE1, "generic_splice_sendpage"))                                                    \
	X(5, KERNEL_SEND, SEND, ANYTHING, AT(SOCKET, "sock_sendmsg"))                              \
	X(6, KERNEL_SENDPAGE, SEND, ANYTHING, AT(SOCKET, "kernel_sendpage"))                       \
	X(7, READ, RECV, ONE(SPLICE_FROM), AT(KIOCB, "sock_read_iter"))                            \
	X(8, RECVFROM, RECV, NOTHING, WITH(3, FD, "__sys_recvfrom"),                               \
	  WITH(3, REGS, "__x64_sys_recvfrom"))                                                     \
	X(9, RECVMSG, RECV, ONE(RECVMMSG), WITH(4, SOCKET, "____sys_recvmsg"),                     \
	  WITH(2, FD, "__sys_recvmsg"), WITH(2, REGS, "__x64_sys_recvmsg"))                        \
	X(10, RECVMMSG, RECVM, NOTHING, WITH(3, FD, "do_recvmmsg"), WITH(3, FD, "__sys_recvmmsg"), \
	  WITH(3, REGS, "__x64_sys_recvmmsg"))                                                     \
	X(11, SPLICE_FROM, RECV, NOTHING, AT(FILE0, "sock_splice_read"))                           \
	X(12, KERNEL_RECV, RECV, ANYTHING, WITH(2, SOCKET, "sock_recvmsg"))                        \
	X(13, BUSY_POLL, POLL, NOTHING, AT(NO_ONE, "__napi_busy_loop"),                            \
	  AT(NO_ONE, "napi_busy_loop"))

enum hook {
#define X(id, name, what, inside, ...) HOOK_##name = id,
	HOOKS(X)
#undef X
#define X(...) +1
		HOOK_COUNT = 0 HOOKS(X)
#undef X
};

#define NETCOST_HOOK_SLOTS 16 /* power of two, because older verifiers need a mask */
_Static_assert(HOOK_COUNT <= NETCOST_HOOK_SLOTS, "`inside` has a bit for each hook");

/* Where a hook's function takes the socket from. */
enum netcost_where {
	NETCOST_AT_NOTHING, /* the function of this row is missing */
	NETCOST_AT_FD,	    /* argument 0: a file descriptor */
	NETCOST_AT_REGS,    /* argument 0: registers, whose argument 0 is a file descriptor */
	NETCOST_AT_FILE0,   /* argument 0: struct file */
	NETCOST_AT_FILE1,   /* argument 1: struct file */
	NETCOST_AT_KIOCB,   /* argument 0: struct kiocb */
	NETCOST_AT_SOCKET,  /* argument 0: struct socket */
	NETCOST_AT_NO_ONE,  /* no argument: the call polls for any socket */
};

struct netcost_hook {
	__u8 where;
	__u8 what; /* low bits of a mark; the event of a local socket is SOCK_LOCAL */
	/* number of the argument with the flags of a receive (with AT_REGS, an argument in the registers); 0: none */
	__u8 flags;
	__u8 messages; /* set if the function returns bytes of the enclosing sendmmsg or recvmmsg */
	/* bit n is set if hook n may call this function, whose call is then part of hook n's operation */
	__u16 inside;
};

/*
 * Functions whose calls are stages of the RX softirq, for --exact=full, with the same methods as HOOKS. There is one
 * row per hook, which has the programs part_fentry_id and part_fexit_id. A stage may have several hooks. A hook that
 * runs inside another hook of the same stage is not counted again.
 *
 * 	id, STAGE, HOW a call determines its stage (enum netcost_stage_how), its module, which must be loaded
 * 	already (NULL: built in), and its functions, of which the first that exists is used
 *
 * The functions are those of Netto (its bpf/netto.bpf.c) if the kernel still has them, and otherwise their successors.
 * In __napi_poll, NAPI calls a driver or the backlog. The receive core has two entry functions, for a packet and for a
 * list, and all other entry functions call one of these two. In 6.18, napi_gro_receive and napi_gro_flush are inline
 * functions that call gro_receive_skb and __gro_flush. In 6.1 and 6.12 they are not inline.
 *
 * A clsact or ingress qdisc calls only tcf_classify. Programs of tcx (6.6) are called without tcf_classify, and no
 * kernel function begins and ends with these programs. So their time is charged to the receive core.
 */
#define STAGE_HOOKS(X)                                                                             \
	X(0, DRIVER_POLL, ALWAYS, NULL, CALL("__napi_poll"))                                       \
	X(1, GRO, ALWAYS, NULL, CALL("napi_gro_receive"), CALL("gro_receive_skb"))                 \
	X(2, GRO, ALWAYS, NULL, CALL("napi_gro_frags"))                                            \
	X(3, GRO, ALWAYS, NULL, CALL("napi_gro_flush"), CALL("__gro_flush"))                       \
	X(4, RECEIVE, ALWAYS, NULL, CALL("__netif_receive_skb"),                                   \
	  CALL("__netif_receive_skb_one_core"))                                                    \
	X(5, RECEIVE, ALWAYS, NULL, CALL("__netif_receive_skb_list_core"),                         \
	  CALL("netif_receive_skb_list_internal"))                                                 \
	X(6, XDP_GENERIC, ALWAYS, NULL, CALL("do_xdp_generic"))                                    \
	X(7, TC_INGRESS, TC, NULL, CALL("tcf_classify"))                                           \
	X(8, NF_INGRESS, NF, NULL, CALL("nf_hook_slow"))                                           \
	X(9, NF_INGRESS, NF, NULL, CALL("nf_hook_slow_list"))                                      \
	X(10, CONNTRACK, ALWAYS, "nf_conntrack", CALL("nf_conntrack_in"))                          \
	X(11, BRIDGING, ALWAYS, "bridge", CALL("br_handle_frame"))                                 \
	X(12, FORWARD_V4, ALWAYS, NULL, CALL("ip_forward"))                                        \
	X(13, FORWARD_V6, ALWAYS, NULL, CALL("ip6_forward"))                                       \
	X(14, LOCAL_V4, ALWAYS, NULL, CALL("ip_local_deliver"))                                    \
	X(15, LOCAL_V6, ALWAYS, NULL, CALL("ip6_input"))                                           \
	X(16, LOCAL_V6, ALWAYS, NULL, CALL("ip6_mc_input"))

/*
 * Tracepoints that begin and end stages with the method "tracepoint": NAME_entry and NAME_exit. Only some stages have
 * such tracepoints. The tracepoints of netif_receive_skb() are unsuitable for the receive core, because the backlog and
 * GRO reach the receive core without them.
 */
#define STAGE_TRACEPOINTS(X)                                                                       \
	X(napi_gro_receive, GRO)                                                                   \
	X(napi_gro_frags, GRO)

/* Hooks of tracepoints, which are numbered after the hooks of functions. */
enum stage_hook {
#define X(...) +1
	STAGE_HOOK_COUNT = 0 STAGE_HOOKS(X),
#undef X
#define X(name, stage) STAGE_TP_##name,
	STAGE_TRACEPOINTS(X)
#undef X
};

#define NETCOST_STAGE_HOOK_SLOTS 32 /* power of two, because older verifiers need a mask */
_Static_assert(STAGE_HOOK_COUNT <= NETCOST_STAGE_HOOK_SLOTS, "a slot for each");

/* How a call of a hook's function determines its stage. */
enum netcost_stage_how {
	NETCOST_STAGE_NOTHING, /* the function of this row is missing */
	NETCOST_STAGE_ALWAYS,  /* each call is the stage of the row */
	/* the call is the stage of the row if argument 0, an skb, is on the receive path */
	NETCOST_STAGE_TC,
	/* argument 1, a struct nf_hook_state, decides whether the call is the stage of the row or a prerouting stage */
	NETCOST_STAGE_NF,
};

struct netcost_stage_hook {
	__u8 how, stage;
};

#endif
