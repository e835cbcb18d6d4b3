/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire.h: what the BPF programs and the recorder share in memory. Not a disk format: traces have their
 * own (include/netcost/registry.h).
 */
#ifndef NETCOST_WIRE_H
#define NETCOST_WIRE_H

#include <netcost/events.h>
#include <netcost/fates.h>
#include <netcost/parts.h>
#include <netcost/probes.h>

#include "types.h"

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
 * came back to the CPU. 0: none. 58 bits of nanoseconds are 9 years of uptime.
 */
#define NETCOST_MARK_BITS 6
#define NETCOST_MARK_MSGS 0x10u	   /* sendmmsg, recvmmsg: the result counts messages, not bytes */
#define NETCOST_MARK_NO_DATA 0x20u /* a receive that takes no data out of the socket */
#define NETCOST_MARK(task_ns, what) ((task_ns) << NETCOST_MARK_BITS | (what))
#define NETCOST_MARK_NS(mark) ((mark) >> NETCOST_MARK_BITS)
#define NETCOST_MARK_WHAT(mark) ((mark)&0x3f)
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

#define NETCOST_RUN_EVENTS 16 /* power of two, at least NETCOST_EV_COUNT: likewise */

/* An operation that is interrupted now. */
struct netcost_op {
	__u64 what; /* its mark's low bits; 0: none */
	struct netcost_frame owner;
};

/* What a task that is off the CPU was doing: busy polling may be inside an operation, or alone. */
struct netcost_parked {
	struct netcost_op now, outer;
	__u64 window; /* when it was parked: see struct netcost_cpu */
};

/*
 * Most tasks that are off the CPU in an operation have it here instead, in a slot that goes by their pid: a look into task
 * storage takes some 100 instructions, and there would be two for each switch. Where two tasks meet in a slot, the one
 * that comes later goes to task storage.
 *
 * A slot's `now` and `outer` belong to the task whose pid is in it, and are written and read only while that task is
 * switched, which no two CPUs do at once: the kernel orders its going before its coming back. It is taken and left by
 * atomic operations that return a value, which are ordered with all that is around them. `crowded` stays: it is set
 * before the task that it is for is off the CPU, and so seen when that comes back. The recorder empties all slots while no
 * program is attached.
 */
#ifndef NETCOST_SLOTS
#define NETCOST_SLOTS 4096 /* power of two */
#endif
struct netcost_slot {
	__u32 task;    /* its pid; 0: free */
	__u32 crowded; /* another one may be in task storage */
	__u32 ensured; /* the last task that got its place there */
	__u32 unused;
	struct netcost_op now, outer;
} __attribute__((aligned(64)));

/* Functions that can be inside each other while a packet is received, bridges and tunnels included. */
#define NETCOST_STAGE_DEPTH 16
#define NETCOST_STAGE_SLOTS                                                                        \
	16 /* power of two, at least NETCOST_PART_COUNT: older verifiers need a mask */

/*
 * The stages of the RX softirq (--exact=full), as a stack of those that are going on. Level softirq: in
 * a NAPI thread, and while a socket is polled, they run with softirqs disabled, so that none can come
 * between. Times are those of the CPU clock (see struct netcost_cpu).
 */
struct netcost_rx_stages {
	__u64 depth;
	__u64 since;	  /* up to here all is charged */
	__u64 left;	  /* level op: busy polling ended then, and stages did not; 0: no */
	__u64 poll_since; /* rung "tracepoint": when the poll began whose end comes next; otherwise 0 */
	__u64 loose_ns; /* likewise: since then, outside of all other stages */
	struct {
		__u64 what; /* hook and stage */
		__u64 sp;
	} stack[NETCOST_STAGE_DEPTH];
	__u64 ns[NETCOST_STAGE_SLOTS];	     /* exclusive */
	__u64 total_ns[NETCOST_STAGE_SLOTS]; /* inclusive, ended ones */
	__u64 entered[NETCOST_STAGE_SLOTS];  /* when the outermost of those going on began */
	__u64 nested[NETCOST_STAGE_SLOTS];   /* how many are going on */
	__u64 calls[NETCOST_STAGE_SLOTS];
	__u64 missed;	     /* ends not seen, or no room to begin */
	__u64 polls_outside; /* of NAPI, neither in a softirq nor in a thread of its own */
};
#define NETCOST_STAGE_WHAT(hook, stage) ((__u64)(hook) << 8 | (stage))
#define NETCOST_STAGE_OF(what) ((what) & (NETCOST_STAGE_SLOTS - 1))

/*
 * With --processes all that the events count is counted by process and cgroup, too: in a row for each that ran on a CPU. Only
 * that CPU adds to it, at each switch: what came to its counters since the switch before. So the rows of a CPU sum to its
 * counters as they were at its last switch. There are two halves of rows: the recorder sets which one takes
 * them (processes_map), and empties the other one when no program can be adding to that any more.
 *
 * In a half each CPU has its own rows, as many (processes_each, a power of two). A process's is one of some that follow each
 * other, from where its ids say: the first that is its own, or free. If none of them is, it has no row. Those that are taken
 * are a list, so that the recorder need not look at all of them.
 */
#define NETCOST_PROCESS_WAYS 8
#define NETCOST_PROCESS_OPS 4

/* What hardware counters count, where there are any: in the order of pmu_events in src/record/exact/pmu.c. */
#define NETCOST_PMU_EVENTS 4
struct netcost_pmu {
	__u64 count[NETCOST_PMU_EVENTS];
	__u64 enabled_ns;		      /* for so long they were to count */
	__u64 running_ns[NETCOST_PMU_EVENTS]; /* for so long each did: they may have to take turns */
};

#define NETCOST_PROCESS_EVENT(op) ((op) < 3 ? NETCOST_EV_SOCK_SEND + (op) : NETCOST_EV_RX_BUSY_POLL)
struct netcost_process_op {
	__u64 ns, calls, failed, bytes;
};

/* What changes at a switch is together, in few cache lines. */
struct netcost_process_counts {
	__u64 switches;		     /* away from it */
	__u64 unseen;		     /* switches to it, or away, that no program saw */
	__u64 own_ns[NETCOST_BASES]; /* outside of operations, by what its tasks came as */
	struct netcost_process_op op[NETCOST_PROCESS_OPS];
	__u64 softirq_ns, tx_ns, softirq_runs, tx_runs; /* of softirqs that interrupted it */
	__u64 hardirq_ns, hardirq_runs;			/* likewise */
	__u64 uncounted;
	__u64 page_hits;
};

struct netcost_process_key {
	__u32 process; /* as the kernel's initial pid namespace has it; 0: the idle task, or no one */
	__u32 cpu;
	__u64 cgroup; /* the kernel's id: cgroup.h */
};

/* Of 6 cache lines; NETCOST_PROCESS_SHORT, without hardware counters, of 5. */
struct netcost_process {
	struct netcost_process_key key;
	struct netcost_process_counts counts;
	__u64 start_ns; /* of the process; 0: not known */
	__u32 is;	/* bits: */
	__u32 user;	/* its real user id, outside of all user namespaces, if that is known */
	__u64 name[2];	/* of its first thread, when the row was made, or that thread ended */
	__u64 next;	/* row that was taken before it on its CPU, and 1; 0: none */
	struct netcost_pmu pmu;
	__u64 unused[2];
};
#define NETCOST_PROCESS_SHORT 320
_Static_assert(sizeof(struct netcost_process) == 384, "whole cache lines");
#define NETCOST_PROCESS_KERNEL 1 /* it is a thread of the kernel */
#define NETCOST_PROCESS_ENDED                                                                      \
	2 /* its first thread was about to end when it was asked for its name */
#define NETCOST_PROCESS_USER 4 /* its user is known */

/* What of a CPU's counters is in rows, and whose the next ones will be. Level switch. */
struct netcost_told {
	struct netcost_process_key running; /* process 0: the idle task */
	__u32 half;			    /* in which it last had a row, and 1; 0: none */
	__u32 unused;
	__u32 taken[2]; /* the last row of each half that was taken, and 1 */
	__u64 op_seq, softirq_seq, hardirq_seq;
	struct netcost_process_counts all;  /* its switches, and unseen ones, are those of rows */
	struct netcost_process_counts idle; /* of the idle task */
	struct netcost_process_counts rest; /* of processes that there was no room for */
	struct netcost_pmu pmu_all, pmu_idle, pmu_rest;
	struct netcost_pmu pmu; /* the hardware counters, as they were read last */
	__u64 pmu_read;		/* bits: which of them were */
};

#include "wire_owners.h" /* with the key of a process */

/*
 * A CPU's state. Only programs on that CPU write it; the recorder reads it through a mapping.
 *
 * Two clocks of a CPU stand still while it does something else:
 *   CPU clock   CLOCK_MONOTONIC less the time that hard interrupts of network devices took (hardirq_ns)
 *   task clock  the CPU clock less the time that network softirqs took of it (softirq_ns)
 * So what interrupts never has to know, or touch, what it interrupted, and whatever it interrupted needs
 * no correction afterwards: a softirq is timed by the CPU clock, a task by the task clock. Four levels
 * of code, each owning its fields:
 *   hardirq  handlers run with interrupts off, and end before their CPU goes on with a softirq or a
 *            switch: nothing here can interrupt them, not even another handler. (That of a chip whose
 *            interrupts are those of others calls their handlers: whichever began first is timed.)
 *   softirq  a softirq is never interrupted by another one on its CPU, nor by a task; but by a hard
 *            interrupt anywhere, also within these programs
 *   switch   sched_switch runs with interrupts off: nothing here can interrupt it
 *   op       socket operations, in task context: a hard interrupt may come anywhere, and after it, or
 *            alone, a softirq; a switch or another operation never, because these programs are not
 *            preempted:
 *              kprobe      the kernel runs the programs of kprobes and kretprobes with preemption off
 *              tracepoint  likewise those of tracepoints
 *              fentry      these are only kept from migrating. So this rung is taken only where the
 *                          kernel does not preempt its own code: there the end of an interrupt does
 *                          not switch tasks (ladder.c). To turn preemption off in the programs
 *                          is no way out: turning it on again switches tasks right there, and the
 *                          kernel then leaves out the program, taking it for recursion, when the
 *                          next task comes to it (measured: 6.12 with preempt=full lost 4 % of calls)
 * Where counting costs more than it may, the recorder detaches all programs and attaches them again later. Then all of
 * this begins anew, at 0, with another `window`: an operation that was parked in another one has ended unseen since, or
 * may have, and does not come back.
 *
 * base_ns includes the operations' time; op_ns says how much. Hence the sum of base_ns, offline_ns, softirq_ns and
 * hardirq_ns is the time that passed, whatever happens to an operation.
 */
struct netcost_cpu {
	/* level hardirq */
	__u64 hardirq_seq;   /* odd while being written */
	__u64 hardirq_start; /* CLOCK_MONOTONIC; 0: none is running */
	__u64 hardirq_ns;    /* ended ones */
	__u64 hardirq_runs;  /* likewise */
	__u64 hardirq_irq;   /* number of the running one */

	/* level softirq */
	__u64 softirq_seq;   /* odd while being written */
	__u64 softirq_start; /* CPU clock; 0: none is running */
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
	 * it is back: the stay of the stopper thread, which is short, and all that follows it, is no task's time.
	 */
	__u64 offline_ns;
	__u64 seg_stopper; /* the running task is that thread */
	__u64 window;	   /* the recorder's, who sets it while no program is attached */

	/* level op */
	__u64 op_seq;		    /* odd while being written */
	__u64 mark;		    /* of the running task's operation */
	struct netcost_frame owner; /* of `mark`, if that is not 0 */
	struct netcost_op outer;    /* the one around busy polling, which is `mark` then */
	/* from here on counts only: their differences are counts, too */
	__u64 op_ns[NETCOST_EV_COUNT];
	__u64 base_op_ns[NETCOST_BASES]; /* the same time, by what the task had come as */
	__u64 calls[NETCOST_EV_COUNT];
	__u64 failed[NETCOST_EV_COUNT];
	__u64 bytes[NETCOST_EV_COUNT];
	__u64 uncounted[NETCOST_EV_COUNT]; /* calls whose bytes are not in `bytes` */
	/* Level softirq: packets that NAPI polled in it, before GRO, those that XDP took included. */
	__u64 packets[NETCOST_RUN_EVENTS];

	/* losses and witnesses */
	__u64 untracked;
	__u64 page_hits; /* by atomic operations: its program may be preempted */
	__u64 sends_outside, recvs_outside, sends_inside, recvs_inside;

	/*
	 * What the programs themselves did: how often each class of them ran, by the event that its time falls into; of a
	 * softirq and a hard interrupt, the one that they interrupted. Each class is counted on the level that it is of.
	 */
	__u64 runs_of[NETCOST_PROBE_COUNT][NETCOST_RUN_EVENTS];

	struct netcost_rx_stages stages;
	struct netcost_told told; /* with --processes */
	struct netcost_owners owners;
} __attribute__((aligned(64)));

/*
 * What handlers of an interrupt did on a CPU, by its number. Only interrupts that the recorder put there are timed: those
 * of network devices.
 */
#define NETCOST_IRQS 4096
struct netcost_irq {
	__u64 runs, ns;
};

/*
 * What the recorder's test of its own probes (src/record/exact/selftest.c) reads: the operations of one
 * thread. Apart from `tid`, which the recorder writes, only that thread's own operations change it.
 */
struct netcost_selftest {
	__u64 tid; /* as the kernel's initial pid namespace has it; 0: no test */
	__u64 calls[NETCOST_MARK_EVENTS];
	__u64 bytes[NETCOST_MARK_EVENTS];
};

/* Whose messages passed outside of every operation: room for this many pairs of process and family. */
#define NETCOST_OUTSIDE 64
struct netcost_outside_key {
	__u32 process; /* as the kernel's initial pid namespace has it; 0: a softirq's */
	__u32 family;
};
struct netcost_outside {
	__u64 sends, recvs;
	char name[16]; /* of the process's first thread, when its first message came */
};

#define NETCOST_CAST_TYPES(X)                                                                      \
	X(task_struct)                                                                             \
	X(pt_regs) X(kiocb) X(file) X(inode) X(socket) X(sock) X(nf_hook_state) X(list_head)
#define NETCOST_CAST_TYPE(name) __u32 name;
struct netcost_types {
	NETCOST_CAST_TYPES(NETCOST_CAST_TYPE)
};

/* What a call does: the low bits of its operation's mark. */
enum netcost_what {
	NETCOST_SEND = NETCOST_EV_SOCK_SEND,
	NETCOST_RECV = NETCOST_EV_SOCK_RECV,
	NETCOST_SENDM = NETCOST_SEND | NETCOST_MARK_MSGS,
	NETCOST_RECVM = NETCOST_RECV | NETCOST_MARK_MSGS,
	NETCOST_POLL = NETCOST_EV_RX_BUSY_POLL,
	/* Of system calls only, and not in a mark: argument 2 sends, otherwise argument 0 receives. */
	NETCOST_SPLICE = NETCOST_SEND | 1 << NETCOST_MARK_BITS,
	/* Of system calls only, and not in a mark: the argument with the flags, for NETCOST_MARK_NO_DATA. */
	NETCOST_FLAGS2 = NETCOST_MARK_NO_DATA,
	NETCOST_FLAGS3 = 2 << NETCOST_MARK_BITS,
};

/* What each system call does, by its number; where that is not said, argument 0 is the socket. 0: nothing. */
#define NETCOST_SYSCALLS 512

/*
 * The functions of the kernel's socket layer whose calls are operations, for the rungs fentry and kprobe. A row a
 * hook; another way into the stack is another row, and everything else is made from these, including its pair of
 * programs fentry_id and fexit_id.
 *
 *	id, HOOK, what it does (enum netcost_what), what it may be called by and is then a part of,
 *	its functions, each AT the place of its socket (enum netcost_where), WITH the argument that has the flags
 *	of a receive: where the first one is missing, or is inlined, the next one may do
 *
 * socket_file_ops' functions (sock_write_iter, sock_read_iter, splice_to_socket, sock_splice_read) are
 * called by pointer and never inlined. The global ones (__sys_sendto …) may be inlined into the system
 * call that calls them while their symbol stays: attaching then succeeds and sees nothing. That system
 * call's own function is always called by pointer, but 32-bit programs do not come that way: it is the
 * second choice. ____sys_sendmsg is also io_uring's sendmsg, sock_sendmsg its send; so for receives. What the kernel
 * itself calls, on sockets of its own as well, may be called in the middle of ANYTHING.
 *
 * Linux 6.5 (commit 2dc334f1a63a) made splice_to_socket of generic_splice_sendpage, and took
 * kernel_sendpage away. 6.9 made __napi_busy_loop of napi_busy_loop, a static function behind two global ones.
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

#define NETCOST_HOOK_SLOTS 16 /* power of two: older verifiers need a mask */
_Static_assert(HOOK_COUNT <= NETCOST_HOOK_SLOTS, "a bit of `inside` for each");

/* Where a hook's function has its socket. */
enum netcost_where {
	NETCOST_AT_NOTHING, /* this row has no function here */
	NETCOST_AT_FD,	    /* argument 0: a file descriptor */
	NETCOST_AT_REGS,    /* argument 0: registers, whose argument 0 is a file descriptor */
	NETCOST_AT_FILE0,   /* argument 0: struct file */
	NETCOST_AT_FILE1,   /* argument 1: struct file */
	NETCOST_AT_KIOCB,   /* argument 0: struct kiocb */
	NETCOST_AT_SOCKET,  /* argument 0: struct socket */
	NETCOST_AT_NO_ONE,  /* it polls for any socket */
};

struct netcost_hook {
	__u8 where;
	__u8 what;  /* a mark's low bits; on a local socket its event is SOCK_LOCAL */
	__u8 flags; /* the argument that has a receive's flags, in registers of AT_REGS; 0: none */
	__u8 messages; /* what it returns are bytes of the sendmmsg or recvmmsg around it */
	__u16 inside;  /* bit n: may be called by hook n, and is then a part of its operation */
};

/*
 * The functions whose calls are stages of the RX softirq, for --exact=full on the same rungs. A row a hook, as above,
 * with programs part_fentry_id and part_fexit_id. A stage may have several; one inside another of the same stage
 * counts once.
 *
 *	id, STAGE, HOW a call of it is that stage (enum netcost_stage_how), the module that it is in where it is not built
 *	in, which has to be loaded by then, its functions: the first that there is
 *
 * They are Netto's (its bpf/netto.bpf.c), where they still are what they were, and what has become of
 * them. __napi_poll is where NAPI calls a driver, or the backlog; the receive core has two ways in, for a
 * packet and for a list, that all others lead to. napi_gro_receive has become an inline around
 * gro_receive_skb, napi_gro_flush one around __gro_flush (6.1 and 6.12 have the former, 6.18 the latter).
 *
 * tcf_classify is all that a clsact or ingress qdisc calls; programs of tcx (6.6) are called without it,
 * and no function of the kernel's begins and ends with them: they count to the receive core.
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
 * What begins and ends stages on the rung "tracepoint", where only some have any: NAME_entry and NAME_exit. Those of
 * netif_receive_skb() would not do for the receive core: the backlog and GRO reach it without them.
 */
#define STAGE_TRACEPOINTS(X)                                                                       \
	X(napi_gro_receive, GRO)                                                                   \
	X(napi_gro_frags, GRO)

/* Numbered after the functions. */
enum stage_hook {
#define X(...) +1
	STAGE_HOOK_COUNT = 0 STAGE_HOOKS(X),
#undef X
#define X(name, stage) STAGE_TP_##name,
	STAGE_TRACEPOINTS(X)
#undef X
};

#define NETCOST_STAGE_HOOK_SLOTS 32 /* power of two: older verifiers need a mask */
_Static_assert(STAGE_HOOK_COUNT <= NETCOST_STAGE_HOOK_SLOTS, "a slot for each");

/* Which stage a call of a hook's function is. */
enum netcost_stage_how {
	NETCOST_STAGE_NOTHING, /* this row has no function here */
	NETCOST_STAGE_ALWAYS,  /* its own */
	NETCOST_STAGE_TC,      /* its own, if argument 0, an skb, is on its way in */
	NETCOST_STAGE_NF, /* argument 1, a struct nf_hook_state, says which: this or a prerouting */
};

struct netcost_stage_hook {
	__u8 how, stage;
};

#endif
