/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tail.h: what path.bpf.c and the recorder share in memory for --tail: what each CPU does, as it changes, and that of
 * the time in which the slowest packet of a tick waited.
 */
#ifndef NETCOST_TAIL_H
#define NETCOST_TAIL_H

#include <netcost/latency.h>

#include "types.h"

/* What a CPU does from here on. */
struct netcost_edge {
	__u64 ns;
	__u64 since; /* SWITCHED: its task could run since then; LATE: a timer was due then; 0: not known */
	__u64 name[2]; /* of the task; ASLEEP: [0] is the idle state */
	__u32 task;
	__u16 irq;    /* in the handler of that interrupt, and 1; 0: in none */
	__u8 softirq; /* likewise */
	__u8 flags;
};

#define NETCOST_EDGE_POLICY 7u /* of the task */
#define NETCOST_EDGE_KNOWN 8u  /* its task was seen */
#define NETCOST_EDGE_SWITCHED 16u
#define NETCOST_EDGE_LATE 32u
#define NETCOST_EDGE_ASLEEP 64u /* in an idle state */

/* The last ones of a CPU: a power of two, of which the oldest may be written over while they are read. */
#define NETCOST_EDGES 1024
#define NETCOST_EDGES_READ (NETCOST_EDGES - 16)

struct netcost_edges {
	__u64 n;	      /* so far: also where the next one goes */
	__u64 interrupted_ns; /* it took an interrupt then */
	struct netcost_edge now;
	struct netcost_edge last[NETCOST_EDGES];
};

/* A timer that is later than that was kept from running. */
#define NETCOST_LATE_NS 100000

/* Since when a task can run, by the low bits of its pid: that, and the low bits of the time. */
#define NETCOST_RUNNABLES 4096
#define NETCOST_RUNNABLE_NS_BITS 42 /* Linux has 2^22 pids at most */
#define NETCOST_RUNNABLE_NS ((1ull << NETCOST_RUNNABLE_NS_BITS) - 1)

/* Where a packet has been: of the way in, in this order, and of the way out. */
enum {
	NETCOST_TAIL_RECEIVED,
	NETCOST_TAIL_IP,
	NETCOST_TAIL_PROTOCOL,
	NETCOST_TAIL_QUEUED, /* its reader was told */
	NETCOST_TAIL_SENT,   /* to a device's queue */
	NETCOST_TAIL_STEPS
};

#define NETCOST_NOT_COUNTED (~0u) /* it is not known how many */

/* The state of netcost_source.taken. */
#define NETCOST_TAKEN_FROM 1

/*
 * Of the slowest packet of a tick: on its way, and from when its reader was told. The latest changes come first. Some CPUs
 * share a slot: who waited longest has it.
 */
#define NETCOST_TAIL_EDGES 256 /* power of two */
#define NETCOST_TAIL_SLOTS 4   /* power of two: of each hook and half of ticks */
#define NETCOST_EXEMPLARS (NETCOST_LATENCY_COUNT * 2 * NETCOST_TAIL_SLOTS)
enum { NETCOST_TAIL_WAY, NETCOST_TAIL_READER, NETCOST_TAIL_PHASES };
struct netcost_exemplar {
	__u64 busy; /* it is being written */
	__u64 tick;
	__u64 from_ns, queued_ns, to_ns; /* queued_ns: 0: not known, or it has no reader */
	__u64 name[2];			 /* of its reader */
	__u32 task;			 /* likewise; 0: it has none */
	__u32 cpu, queued_cpu;
	__u32 before;	/* packets in its queue; NETCOST_NOT_COUNTED */
	__u32 others;	/* were received before it */
	__u64 taken_ns; /* the last one that was taken from its queue before it; 0: not known */
	__u64 passed_ns[NETCOST_TAIL_STEPS]; /* 0: not known, or it is further on */
	__u32 passed_hook[NETCOST_TAIL_STEPS];
	struct {
		__u32 n, whole; /* whole: the last one is from before */
		struct netcost_edge edge[NETCOST_TAIL_EDGES];
	} phase[NETCOST_TAIL_PHASES];
};

static inline __attribute__((always_inline)) __u32 netcost_exemplar(__u32 hook, __u64 tick,
								    __u32 slot)
{
	return (hook * 2 + (tick & 1)) * NETCOST_TAIL_SLOTS + slot % NETCOST_TAIL_SLOTS;
}

#endif
