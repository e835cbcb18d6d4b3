/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire.h: what the BPF programs and the recorder share in memory. Not a disk format: traces have their
 * own (include/netcost/registry.h). Included by BPF code too, so no system header.
 */
#ifndef NETCOST_WIRE_H
#define NETCOST_WIRE_H

#include <netcost/events.h>
#include <netcost/parts.h>

/* What a task was switched in as. */
enum netcost_base {
	NETCOST_BASE_IDLE,
	NETCOST_BASE_TASK,
	NETCOST_BASE_IO_WORKER,
	NETCOST_BASE_NAPI,
	NETCOST_BASES,
};

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

/* An operation that is not going on now. */
struct netcost_op {
	__u64 what; /* its mark's low bits; 0: none */
	struct netcost_frame owner;
};

/* What a task that is off the CPU was doing: busy polling stands inside of an operation, or alone. */
struct netcost_parked {
	struct netcost_op now, outer;
};

/* Functions that can be inside each other while a packet is received, bridges and tunnels included. */
#define NETCOST_PART_DEPTH 16
#define NETCOST_PART_SLOTS                                                                         \
	16 /* power of two, at least NETCOST_PART_COUNT: older verifiers need a mask */

/*
 * The parts of the RX softirq (--exact=full), as a stack of those that are going on. Level softirq: in
 * a NAPI thread, and while a socket is polled, they run with softirqs disabled, so that none can come
 * between. Times are CLOCK_MONOTONIC: nothing in here is suspended.
 */
struct netcost_parts {
	__u64 depth;
	__u64 since;	  /* up to here all is charged */
	__u64 left;	  /* level op: busy polling ended then, and parts did not; 0: no */
	__u64 poll_since; /* rung "tracepoint": when the poll began whose end comes next; else 0 */
	__u64 loose_ns;	  /* likewise: since then, outside of all other parts */
	struct {
		__u64 what; /* hook and part */
		__u64 sp;
	} stack[NETCOST_PART_DEPTH];
	__u64 ns[NETCOST_PART_SLOTS];	    /* exclusive */
	__u64 total_ns[NETCOST_PART_SLOTS]; /* inclusive, ended ones */
	__u64 entered[NETCOST_PART_SLOTS];  /* when the outermost of those going on began */
	__u64 nested[NETCOST_PART_SLOTS];   /* how many are going on */
	__u64 calls[NETCOST_PART_SLOTS];
	__u64 missed;	     /* ends not seen, or no room to begin */
	__u64 polls_outside; /* of NAPI, neither in a softirq nor in a thread of its own */
};
#define NETCOST_PART_WHAT(hook, part) ((__u64)(hook) << 8 | (part))
#define NETCOST_PART_OF(what) ((what) & (NETCOST_PART_SLOTS - 1))

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
	__u64 tx_ns;	     /* the part of that which was TX */
	__u64 softirq_runs;  /* begun */
	__u64 tx_runs;	     /* those of them which were TX */

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
	struct netcost_op outer;    /* what busy polling, which is `mark` then, stands in */
	/* from here on counts only: their differences are counts, too */
	__u64 op_ns[NETCOST_EV_COUNT];
	__u64 base_op_ns[NETCOST_BASES]; /* the same time, by what the task had come as */
	__u64 calls[NETCOST_EV_COUNT];
	__u64 failed[NETCOST_EV_COUNT];
	__u64 bytes[NETCOST_EV_COUNT];
	__u64 uncounted[NETCOST_EV_COUNT]; /* calls whose bytes nobody counted: bytes then do not hold */

	/* losses and witnesses */
	__u64 untracked;
	__u64 sends_outside, recvs_outside, sends_inside, recvs_inside;

	struct netcost_parts parts;
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

/* Whose messages passed outside of every operation: so many processes, and families, are told apart. */
#define NETCOST_OUTSIDE 64
struct netcost_outside_key {
	__u32 process; /* as the kernel's initial pid namespace has it; 0: a softirq's */
	__u32 family;
};
struct netcost_outside {
	__u64 sends, recvs;
	char name[16]; /* of the process's first thread, when its first message came */
};

/* Functions of the kernel that begin and end operations: the rows of src/record/hooks.c. */
#define NETCOST_HOOKS 14
#define NETCOST_HOOK_SLOTS 16 /* power of two: older verifiers need a mask */

/*
 * The kernel's structs that programs tell the verifier of, each as its id in the kernel's BTF: by a call of this
 * number, of which src/record/tracing.c makes one of bpf_rdonly_cast(). Declared as what it is, libbpf would parse
 * the whole of that BTF for it.
 */
#define NETCOST_CALL_CAST 0x63617374ul
#define NETCOST_CAST_TYPES(X)                                                                      \
	X(task_struct)                                                                             \
	X(pt_regs) X(kiocb) X(file) X(inode) X(socket) X(sock) X(nf_hook_state)
#define NETCOST_CAST_TYPE(name) __u32 name;
struct netcost_types {
	NETCOST_CAST_TYPES(NETCOST_CAST_TYPE)
};

/* Where such a function has its socket. */
enum netcost_where {
	NETCOST_AT_NOTHING, /* this row has no function here */
	NETCOST_AT_FD,	    /* argument 0: a file descriptor */
	NETCOST_AT_REGS,    /* argument 0: registers, whose argument 0 is a file descriptor */
	NETCOST_AT_FILE0,   /* argument 0: struct file */
	NETCOST_AT_FILE1,   /* argument 1: struct file */
	NETCOST_AT_KIOCB,   /* argument 0: struct kiocb */
	NETCOST_AT_SOCKET,  /* argument 0: struct socket */
	NETCOST_AT_NO_ONE,  /* it polls for whatever socket */
};

struct netcost_hook {
	__u8 where;
	__u8 what;     /* a mark's low bits; on a local socket its event is SOCK_LOCAL */
	__u8 messages; /* what it returns are bytes of the sendmmsg or recvmmsg around it */
	__u16 inside;  /* bit n: may be called by hook n, and is then a part of its operation */
};

_Static_assert(NETCOST_HOOKS <= NETCOST_HOOK_SLOTS &&
		       NETCOST_HOOK_SLOTS <= 8 * sizeof(((struct netcost_hook *)0)->inside),
	       "inside has a bit for each hook");

/* Functions that begin and end parts of the RX softirq: the rows of src/record/part_hooks.c. */
#define NETCOST_PART_HOOKS 17
#define NETCOST_PART_HOOK_SLOTS 32 /* power of two: older verifiers need a mask */

/* Which part such a function's call is. */
enum netcost_part_how {
	NETCOST_PART_NOTHING, /* this row has no function here */
	NETCOST_PART_ALWAYS,  /* its own */
	NETCOST_PART_TC,      /* its own, if argument 0, an skb, is on its way in */
	NETCOST_PART_NF,      /* argument 1, a struct nf_hook_state, says which */
};

struct netcost_part_hook {
	__u8 how, part;
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
