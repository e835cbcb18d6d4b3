/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire.h: what the BPF programs and the recorder share in memory. Not a disk format: traces have their
 * own (include/netcost/registry.h). Included by BPF code too, so no system header.
 */
#ifndef NETCOST_WIRE_H
#define NETCOST_WIRE_H

#include <netcost/events.h>

/* What a task was switched in as; the first events, so that their ids index base_ns. */
#define NETCOST_BASES 3 /* IDLE, TASK, IO_WORKER */

/*
 * A socket operation's mark: event and flag in the low bits, above them the task clock when it began or
 * came back to the CPU. 0: none. 59 bits of nanoseconds are 18 years of uptime.
 */
#define NETCOST_MARK_BITS 5
#define NETCOST_MARK_MSGS 0x10u /* sendmmsg, recvmmsg: the result counts messages, not bytes */
#define NETCOST_MARK(task_ns, what) ((task_ns) << NETCOST_MARK_BITS | (what))
#define NETCOST_MARK_NS(mark) ((mark) >> NETCOST_MARK_BITS)
#define NETCOST_MARK_WHAT(mark) ((mark)&0x1f)
#define NETCOST_MARK_EVENT(mark) ((mark)&0x0f)
#define NETCOST_MARK_EVENTS 16 /* older verifiers know no better of one */

/*
 * What began an operation: which hook, and where the frame of that call of it lies on the task's
 * stack. Only the return of that same call ends it. On the rung "tracepoint" both are 0: system
 * calls do not nest.
 */
struct netcost_frame {
	__u64 hook, sp;
};

/* The operation of a task that is off the CPU. */
struct netcost_op {
	__u64 what; /* its mark's low bits; 0: none */
	struct netcost_frame owner;
};

/*
 * A CPU's state. Only programs on that CPU write it; the recorder reads it through a mapping.
 *
 * The *task clock* of a CPU is CLOCK_MONOTONIC less the time that its network softirqs took
 * (softirq_ns): it stands still while one runs. So a softirq never has to know, or touch, what it
 * interrupted, and whatever it interrupted needs no correction afterwards. Three levels of code, each
 * owning its fields:
 *   softirq  a softirq is never interrupted by another one on its CPU, nor by a task
 *   switch   sched_switch runs with interrupts off: nothing here can interrupt it
 *   op       socket operations, in task context: a softirq may interrupt them anywhere, a switch or
 *            another operation never, because these programs are not preempted:
 *              kprobe      the kernel runs the programs of kprobes and kretprobes with preemption off
 *              tracepoint  likewise those of tracepoints
 *              fentry      these are only kept from migrating. So this rung is taken only where the
 *                          kernel does not preempt its own code: there the end of an interrupt does
 *                          not switch tasks (ladder_host.c). To turn preemption off in the programs
 *                          is no way out: turning it on again switches tasks right there, and the
 *                          kernel then leaves out the program, taking it for recursion, when the
 *                          next task comes to it (measured: 6.12 with preempt=full lost 4 % of calls)
 * base_ns includes the operations' time; op_ns says how much. Hence the sum of base_ns, offline_ns and the
 * softirq times is the time that passed, whatever happens to an operation.
 */
struct netcost_cpu {
	/* level softirq */
	__u64 softirq_seq;   /* odd while being written */
	__u64 softirq_start; /* CLOCK_MONOTONIC; 0: none is running */
	__u64 softirq_ns;    /* RX and TX, ended ones */
	__u64 softirq_event; /* of the running one */
	__u64 rx_ns, tx_ns;
	__u64 rx_runs, tx_runs;

	/* level switch */
	__u64 switch_seq; /* odd while being written */
	__u64 seg_start;  /* task clock when the running task came; 0: no switch was seen yet */
	__u64 seg_base;	  /* what it came as */
	__u64 base_ns[NETCOST_BASES];
	__u64 runs[NETCOST_BASES]; /* how often one went */
	__u64 ensured;		   /* the running task has a place in task storage */
	/*
	 * A CPU that goes offline does so below its stopper thread, and comes back in its idle task; in between
	 * tracepoints are silent there (cpu_online() is a condition of each). So that it went is known only when
	 * it is back: the stay of the stopper thread, which is short, and all that follows it, is nobody's.
	 */
	__u64 offline_ns;
	__u64 seg_stopper; /* the running task is that thread */

	/* level op */
	__u64 op_seq;		    /* odd while being written */
	__u64 mark;		    /* of the running task's operation */
	struct netcost_frame owner; /* of `mark`, if that is not 0 */
	/* from here on counts only: their differences are counts, too */
	__u64 op_ns[NETCOST_EV_COUNT];
	__u64 io_op_ns[NETCOST_EV_COUNT]; /* the part of op_ns that io_uring workers did */
	__u64 calls[NETCOST_EV_COUNT];
	__u64 failed[NETCOST_EV_COUNT];
	__u64 bytes[NETCOST_EV_COUNT];
	__u64 uncounted[NETCOST_EV_COUNT]; /* calls whose bytes nobody counted: bytes then do not hold */

	/* losses and witnesses */
	__u64 untracked;
	__u64 sends_outside, recvs_outside, sends_inside, recvs_inside;
} __attribute__((aligned(64)));

/*
 * What the recorder's test of its own probes (src/record/selftest.c) is told: the operations of one
 * thread. Apart from `tid`, which the recorder writes, only that thread's own operations change it.
 */
struct netcost_selftest {
	__u64 tid; /* as the kernel's initial pid namespace has it; 0: no test */
	__u64 calls[NETCOST_MARK_EVENTS];
	__u64 bytes[NETCOST_MARK_EVENTS];
};

/* Functions of the kernel that begin and end operations: the rows of src/record/hooks.c. */
#define NETCOST_HOOKS 13

/* Where such a function has its socket. */
enum netcost_where {
	NETCOST_AT_NOTHING, /* this row has no function here */
	NETCOST_AT_FD,	    /* argument 0: a file descriptor */
	NETCOST_AT_REGS,    /* argument 0: registers, whose argument 0 is a file descriptor */
	NETCOST_AT_FILE0,   /* argument 0: struct file */
	NETCOST_AT_FILE1,   /* argument 1: struct file */
	NETCOST_AT_KIOCB,   /* argument 0: struct kiocb */
	NETCOST_AT_SOCKET,  /* argument 0: struct socket */
};

struct netcost_hook {
	__u8 where;
	__u8 what;     /* a mark's low bits; on a local socket its event is SOCK_LOCAL */
	__u8 messages; /* what it returns are bytes of the sendmmsg or recvmmsg around it */
	__u16 inside;  /* bit n: may be called by hook n, and is then a part of its operation */
};

/* What a system call does, by its number: an event, which argument is the socket. */
#define NETCOST_SYSCALLS 512
enum netcost_syscall {
	NETCOST_SYS_NONE,
	NETCOST_SYS_SEND,   /* argument 0 */
	NETCOST_SYS_RECV,   /* argument 0 */
	NETCOST_SYS_SENDM,  /* argument 0; returns messages, not bytes */
	NETCOST_SYS_RECVM,  /* likewise */
	NETCOST_SYS_SPLICE, /* argument 2 sends, argument 0 receives */
};

#endif
