/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* latency.h: what latency.bpf.c and the recorder share in memory: when packets came, and how long they waited. */
#ifndef NETCOST_BPF_LATENCY_H
#define NETCOST_BPF_LATENCY_H

#include <netcost/latency.h>

#include "types.h"

/*
 * When a packet came, by the address of its struct sk_buff, in one word, so that it is written and read as a whole: the
 * rest of the address, the packet's state, and the low bits of CLOCK_MONOTONIC. Two such structs are 200 bytes and
 * more apart, so the lowest 7 bits say nothing; nor do those above NETCOST_CAME_HIGH, on a machine with less memory
 * than 64 TiB. What is left is multiplied by an odd number, which can be undone: place and rest say which packet it is, and
 * no two have the same ones. A place has one word: who comes later has it.
 */
#define NETCOST_CAME_LOW 7
#define NETCOST_CAME_HIGH 46
#define NETCOST_CAME_PLACE_BITS 16
#define NETCOST_CAME_PLACES (1u << NETCOST_CAME_PLACE_BITS)
#define NETCOST_CAME_REST_BITS (NETCOST_CAME_HIGH - NETCOST_CAME_LOW - NETCOST_CAME_PLACE_BITS)
#define NETCOST_CAME_STATE_BITS 3
#define NETCOST_CAME_NS_BITS NETCOST_LATENCY_NS_BITS
_Static_assert(NETCOST_CAME_REST_BITS + NETCOST_CAME_STATE_BITS + NETCOST_CAME_NS_BITS == 64,
	       "one word");

#define NETCOST_CAME_NS(word) ((word) & ((1ull << NETCOST_CAME_NS_BITS) - 1))
#define NETCOST_CAME_STATE(word)                                                                   \
	((word) >> NETCOST_CAME_NS_BITS & ((1u << NETCOST_CAME_STATE_BITS) - 1))
/* The recorder takes out what is older: it would seem young again. */
#define NETCOST_CAME_MOST_NS (1ull << (NETCOST_CAME_NS_BITS - 1))

enum netcost_came {
	NETCOST_CAME_NOT, /* the place is free */
	NETCOST_CAME_ENTERED,
	NETCOST_CAME_RECEIVED,	/* by the receive core: what GRO adds to another packet never is */
	NETCOST_CAME_FORWARDED, /* given to another device: it will come again */
	NETCOST_CAME_TCP,	/* only a reader of a TCP socket looks for it from here on */
	NETCOST_CAME_UDP,	/* likewise, of a UDP socket */
	NETCOST_CAME_DONE,	/* read */
	NETCOST_CAME_BLOCKED,	/* as TCP, but one before it is missing */
};

/* On the way out, likewise. */
enum netcost_left {
	NETCOST_LEFT_NOT,
	NETCOST_LEFT_QUEUED,
	NETCOST_LEFT_SENT,
	NETCOST_LEFT_FILTERED, /* likewise, but it is not asked for */
};

/*
 * What is known of the packet that `came` has at a place, so that another one in the same memory is not taken for it:
 * many sk_buffs are freed without an event. The receive core counts packets, for each CPU from 1 on.
 *
 * where: ENTERED, FORWARDED: NETCOST_WHERE() of the last packet that the CPU had received by then; RECEIVED: of this one;
 * TCP, BLOCKED, DONE: the socket and the packet's first sequence number; UDP: the socket.
 */
struct netcost_fact {
	__u64 head; /* NETCOST_HEAD() of skb->head, and of how many packets had been split when it was received */
	__u64 where;
};
#define NETCOST_HEAD(head, splits)                                                                 \
	((__u64)(head) << 16 | (__u16)(splits)) /* less bits that all heads have */
#define NETCOST_WHERE_CPU_BITS 16
#define NETCOST_WHERE(order, cpu) ((order) << NETCOST_WHERE_CPU_BITS | (cpu))

/* Of a CPU: which received packets it may be delivering now. */
struct netcost_batch {
	__u64 order; /* of the last packet */
	__u64 first; /* of the first one of its list; most lists are one packet */
};

/* Of sockets, likewise: in a send call. */
enum netcost_sends {
	NETCOST_SENDS_NOT,
	NETCOST_SENDS,
};

/*
 * Counts never fall. min_ns and max_ns are of one tick: of the halves the recorder has set one to take them, and reads the other
 * one.
 */
struct netcost_latency_hist {
	__u64 sum_ns;
	__u64 lost[NETCOST_LATENCY_LOSS_COUNT];
	struct {
		__u64 tick, min_ns, max_ns;
	} half[2];
	__u32 bucket[NETCOST_LATENCY_BUCKETS]; /* these wrap */
};

/*
 * By interface, cgroup or process, on all CPUs: of each hook those of which it is not known, those that there is no room to
 * keep apart, and then those that were seen.
 */
#define NETCOST_LATENCY_KEYS 512
#define NETCOST_LATENCY_FIRST_KEY (2 * NETCOST_LATENCY_COUNT)
#define NETCOST_LATENCY_KEYED (NETCOST_LATENCY_FIRST_KEY + NETCOST_LATENCY_KEYS)
#define NETCOST_LATENCY_NAME 16

struct netcost_latency_key {
	__u32 hook;
	__u32 number; /* of an interface or a process */
	__u64 id;     /* its network namespace; when it began; of a cgroup */
};

struct netcost_latency_keyed {
	struct netcost_latency_key key;
	char name[NETCOST_LATENCY_NAME]; /* empty: not known */
	__u64 sum_ns;
	__u32 bucket[NETCOST_LATENCY_BUCKETS]; /* these wrap */
};

/* Of a CPU. Each hook is counted by one program, and the kernel never runs a program inside itself on the same CPU. */
struct netcost_latencies {
	__u64 keyed;	/* those of this CPU are counted by key, too, if any are */
	__u64 received; /* the last packet that the receive core got */
	struct netcost_batch batch;
	/* What one program knows and the next one counts: what came between the two took its place. */
	__u64 tcp_sk, tcp_word, tcp_packet,
		tcp_end; /* a packet is in TCP: of that socket; 0: none; where it ends */
	__u64 tcp_iif;	 /* and where it came in */
	__u64 driver_packet, driver_ns, driver_filtered; /* a driver has it; it is not asked for */
	__u64 place; /* of a packet that is being read; NETCOST_CAME_PLACES: by another one than who runs */
	/* --tail: of one that is on its way; and when one was taken before from the queue of what is read, or sent. */
	__u64 way, read_before_ns, sent_before_ns, received_ns; /* and when one was received */
	struct netcost_latency_hist hist[NETCOST_LATENCY_COUNT];
};

/* Of a task that sends: since when it waits for memory; 0: it does not. */
struct netcost_waiting {
	__u64 since_ns;
};

/* Of a TCP socket, as its queue in the devices is full; and what it had sent by then. */
struct netcost_throttled {
	__u64 since_ns; /* 0: it is not */
	__u32 sent;	/* snd_nxt */
};

/* What a UDP socket's next reader gets, as far as it is known. */
struct netcost_udp_next {
	__u64 packet;	/* 0: not known */
	__u64 word;	/* as it was then */
	__u64 iif;	/* where it came in; 0: not known */
	__u64 read_ns;	/* of a read: which packet it took is not known yet; 0: there is none */
	__u64 filtered; /* it is not asked for */
};

#endif
