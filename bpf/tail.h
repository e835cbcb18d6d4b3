/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tail.h: memory that path.bpf.c shares with the recorder for --tail: each CPU's changes of
 * activity, and those during the latency of the slowest packet of a tick.
 */
#ifndef NETCOST_TAIL_H
#define NETCOST_TAIL_H

#include <netcost/latency.h>

#include "types.h"

/* The activity of a CPU starting at `ns`. */
struct netcost_edge {
	__u64 ns;
	/* SWITCHED: since when its task was runnable; LATE: when a timer was due; 0: unknown */
	__u64 since;
	__u64 name[2]; /* the task's comm; ASLEEP: [0] is the idle state */
	__u32 task;
	__u16 irq;    /* 1 + the interrupt whose handler runs; 0: none */
	__u8 softirq; /* 1 + the softirq vector that runs; 0: none */
	__u8 flags;
};

#define NETCOST_EDGE_POLICY 7u /* the task's scheduling policy */
#define NETCOST_EDGE_KNOWN 8u  /* the task was seen */
#define NETCOST_EDGE_SWITCHED 16u
#define NETCOST_EDGE_LATE 32u
#define NETCOST_EDGE_ASLEEP 64u /* in an idle state */

/* The last edges of a CPU: a power of two. The oldest ones may be overwritten while they are read. */
#define NETCOST_EDGES 1024
#define NETCOST_EDGES_READ (NETCOST_EDGES - 16)

struct netcost_edges {
	__u64 n;	      /* number of edges so far; also the place of the next one */
	__u64 interrupted_ns; /* time of the last interrupt */
	struct netcost_edge now;
	struct netcost_edge last[NETCOST_EDGES];
};

/* A timer that is later than this was delayed. */
#define NETCOST_LATE_NS 100000

/* Since when a task is runnable, by the low bits of its pid: the pid, and the low bits of the time. */
#define NETCOST_RUNNABLES 4096
#define NETCOST_RUNNABLE_NS_BITS 42 /* Linux has 2^22 pids at most */
#define NETCOST_RUNNABLE_NS ((1ull << NETCOST_RUNNABLE_NS_BITS) - 1)

/* Steps of a packet: of the receive path in this order, then of the transmit path. */
enum {
	NETCOST_TAIL_RECEIVED,
	NETCOST_TAIL_IP,
	NETCOST_TAIL_PROTOCOL,
	NETCOST_TAIL_QUEUED, /* its reader was woken */
	NETCOST_TAIL_SENT,   /* passed to a device's queue */
	NETCOST_TAIL_STEPS
};

#define NETCOST_NOT_COUNTED (~0u) /* the number is unknown */

/* State of netcost_source.taken. */
#define NETCOST_TAKEN_FROM 1

/*
 * The slowest packet of a tick: the CPU's activity on the packet's path, and after its reader was
 * woken, latest change first. Several CPUs share a slot: the longest latency wins it.
 */
#define NETCOST_TAIL_EDGES 256 /* power of two */
#define NETCOST_TAIL_SLOTS 4   /* power of two; slots of each hook and half of ticks */
#define NETCOST_EXEMPLARS (NETCOST_LATENCY_COUNT * 2 * NETCOST_TAIL_SLOTS)
enum { NETCOST_TAIL_WAY, NETCOST_TAIL_READER, NETCOST_TAIL_PHASES };
struct netcost_exemplar {
	__u64 busy; /* being written */
	__u64 tick;
	__u64 from_ns, queued_ns, to_ns; /* queued_ns is 0 if unknown or without a reader */
	__u64 name[2];			 /* the reader's comm */
	__u32 task;			 /* the reader's thread id; 0: no reader */
	__u32 cpu, queued_cpu;
	__u32 before;	/* packets ahead in its queue, or NETCOST_NOT_COUNTED */
	__u32 others;	/* other packets were received before it */
	__u64 taken_ns; /* when the previous packet was taken from its queue; 0: unknown */
	__u64 passed_ns[NETCOST_TAIL_STEPS]; /* 0: unknown, or after this checkpoint */
	__u32 passed_hook[NETCOST_TAIL_STEPS];
	struct {
		/* whole: the last edge precedes the interval, so it is covered completely */
		__u32 n, whole;
		struct netcost_edge edge[NETCOST_TAIL_EDGES];
	} phase[NETCOST_TAIL_PHASES];
};

static inline __attribute__((always_inline)) __u32 netcost_exemplar(__u32 hook, __u64 tick,
								    __u32 slot)
{
	return (hook * 2 + (tick & 1)) * NETCOST_TAIL_SLOTS + slot % NETCOST_TAIL_SLOTS;
}

#endif
