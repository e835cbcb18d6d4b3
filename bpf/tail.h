/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tail.h: memory that path.bpf.c shares with the recorder for --tail: the changes of activity of each CPU, and a copy
 * of the changes during the latency of the slowest packet of a tick.
 */
#ifndef NETCOST_TAIL_H
#define NETCOST_TAIL_H

#include <netcost/latency.h>

#include "types.h"

/* The activity of a CPU from `ns` on. */
struct netcost_edge {
	__u64 ns;
	/* SWITCHED: time since which the task was runnable; LATE: time at which a timer was due; 0: unknown */
	__u64 since;
	__u64 name[2]; /* the task's comm; if ASLEEP is set, [0] is the idle state */
	__u32 task;
	__u16 irq;    /* 1 + number of the interrupt whose handler runs; 0: none */
	__u8 softirq; /* 1 + number of the softirq vector that runs; 0: none */
	__u8 flags;
};

#define NETCOST_EDGE_POLICY 7u /* the task's scheduling policy */
#define NETCOST_EDGE_KNOWN 8u  /* set if the task was seen */
#define NETCOST_EDGE_SWITCHED 16u
#define NETCOST_EDGE_LATE 32u
#define NETCOST_EDGE_ASLEEP 64u /* set if the CPU is in an idle state */

/*
 * Number of edges that are kept for each CPU; a power of two. The oldest edges may be overwritten while they are read.
 */
#define NETCOST_EDGES 1024
#define NETCOST_EDGES_READ (NETCOST_EDGES - 16)

struct netcost_edges {
	__u64 n;	      /* number of edges so far, which is also the place of the next edge */
	__u64 interrupted_ns; /* time of the last interrupt */
	struct netcost_edge now;
	struct netcost_edge last[NETCOST_EDGES];
};

/* A timer is late if it expires more than this many ns after its due time. */
#define NETCOST_LATE_NS 100000

/*
 * The times since which tasks have been runnable. The low bits of a task's pid select the place, which holds the pid
 * and the low bits of the time.
 */
#define NETCOST_RUNNABLES 4096
#define NETCOST_RUNNABLE_NS_BITS 42 /* Linux has at most 2^22 pids */
#define NETCOST_RUNNABLE_NS ((1ull << NETCOST_RUNNABLE_NS_BITS) - 1)

/* Steps of a packet: first those of the receive path, in this order, then those of the transmit path. */
enum {
	NETCOST_TAIL_RECEIVED,
	NETCOST_TAIL_IP,
	NETCOST_TAIL_PROTOCOL,
	NETCOST_TAIL_QUEUED, /* the packet's reader was woken */
	NETCOST_TAIL_SENT,   /* the packet was passed to a device's queue */
	NETCOST_TAIL_STEPS
};

#define NETCOST_NOT_COUNTED (~0u) /* value for an unknown number of packets */

/* State of the word netcost_source.taken. */
#define NETCOST_TAKEN_FROM 1

/*
 * The slowest packet of a tick, with the activity of its CPUs before and after the packet's reader was woken. The
 * latest change of activity comes first. Several CPUs share a slot, and the packet with the longest latency gets it.
 */
#define NETCOST_TAIL_EDGES 256 /* power of two */
/* number of slots for each checkpoint and each half of ticks; a power of two */
#define NETCOST_TAIL_SLOTS 4
#define NETCOST_EXEMPLARS (NETCOST_LATENCY_COUNT * 2 * NETCOST_TAIL_SLOTS)
enum { NETCOST_TAIL_WAY, NETCOST_TAIL_READER, NETCOST_TAIL_PHASES };
struct netcost_exemplar {
	__u64 busy; /* set while the slot is being written */
	__u64 tick;
	/* queued_ns is 0 if it is unknown or if there is no reader */
	__u64 from_ns, queued_ns, to_ns;
	__u64 name[2]; /* the reader's comm */
	__u32 task;    /* the reader's thread id; 0: no reader */
	__u32 cpu, queued_cpu;
	__u32 before; /* number of packets ahead of the packet in its queue, or NETCOST_NOT_COUNTED */
	__u32 others;	/* set if other packets were received before the packet */
	__u64 taken_ns; /* time at which the previous packet was taken from the queue; 0: unknown */
	/* times at which the packet passed the steps; 0: unknown, or the step comes after the checkpoint */
	__u64 passed_ns[NETCOST_TAIL_STEPS];
	__u32 passed_hook[NETCOST_TAIL_STEPS];
	struct {
		/* whole: set if the oldest edge precedes the interval, so that the edges cover all of it */
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
