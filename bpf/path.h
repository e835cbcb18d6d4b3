/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* path.h: what path.bpf.c and the recorder share in memory: packets on their path, and what was counted of them. */
#ifndef NETCOST_BPF_PATH_H
#define NETCOST_BPF_PATH_H

#include <netcost/latency.h>

#include "types.h"

/*
 * A packet has an entry by the address of its struct sk_buff. A word of the entry is written and read as a whole: it has
 * the rest of the address, the packet's state, and a time: the low bits of CLOCK_MONOTONIC. Two structs are 200 bytes and
 * more apart, so the lowest 7 bits of the address say nothing; nor do those above NETCOST_PLACE_HIGH, on a machine with
 * less memory than 32 TiB. What is left is multiplied by an odd number, which can be undone: place and rest identify
 * the packet. A place has one entry: the packet that comes later takes it.
 */
#define NETCOST_PLACE_LOW 7
#define NETCOST_PLACE_HIGH 45
#define NETCOST_PLACE_BITS 16
#define NETCOST_PLACES (1u << NETCOST_PLACE_BITS)
#define NETCOST_REST_BITS (NETCOST_PLACE_HIGH - NETCOST_PLACE_LOW - NETCOST_PLACE_BITS)
#define NETCOST_STATE_BITS 4
#define NETCOST_WORD_NS_BITS NETCOST_LATENCY_NS_BITS
_Static_assert(NETCOST_REST_BITS + NETCOST_STATE_BITS + NETCOST_WORD_NS_BITS == 64, "one word");

#define NETCOST_WORD_NS(word) ((word) & ((1ull << NETCOST_WORD_NS_BITS) - 1))
#define NETCOST_WORD_STATE(word) ((word) >> NETCOST_WORD_NS_BITS & ((1u << NETCOST_STATE_BITS) - 1))
/* The recorder removes words that are older: they would seem young again. */
#define NETCOST_WORD_MOST_NS (1ull << (NETCOST_WORD_NS_BITS - 1))

/* On the way in. A clone has no time: only its path is followed. */
enum netcost_in {
	NETCOST_IN_NOT, /* the word is free */
	NETCOST_IN_ENTERED,
	NETCOST_IN_AGAIN, /* entered again, with the time of its first entry */
	NETCOST_IN_RECEIVED, /* by the receive core; a packet that GRO merges into another one never is */
	NETCOST_IN_CLONED,     /* a clone of a received packet */
	NETCOST_IN_FORWARDED,  /* given to another device: it may enter again */
	NETCOST_IN_TCP,	       /* after this, only a reader of a TCP socket looks for it */
	NETCOST_IN_BLOCKED,    /* as TCP, but a packet before it is missing */
	NETCOST_IN_TCP_CLONED, /* as TCP, without a time */
	NETCOST_IN_UDP,	       /* after this, only a reader of a UDP socket looks for it */
	NETCOST_IN_DONE,       /* read; or in a UDP socket without a time, or dropped from it */
	NETCOST_IN_READ,       /* a reader of a UDP socket has freed it, and does not say so yet */
};

/* On the way out. The entry's packet is on its way out while this word is its own. */
enum netcost_out {
	NETCOST_OUT_NOT,
	NETCOST_OUT_INSIDE,   /* seen in the stack, not given to a device yet */
	NETCOST_OUT_CLONED,   /* a clone of a packet that a driver has */
	NETCOST_OUT_QUEUED,   /* given to a device */
	NETCOST_OUT_SENT,     /* given to a driver */
	NETCOST_OUT_FILTERED, /* given to a driver, and not asked for */
};

/*
 * One cache line. head and where prove that a packet is the one whose word this is, as many sk_buffs are freed without an
 * event and their memory is used again. The receive core counts the packets of each CPU from 1 on.
 *
 * where: ENTERED, AGAIN, FORWARDED: NETCOST_WHERE() of the last packet that the CPU had received by then; RECEIVED: of
 * this one; CLONED: of the packet that was cloned; TCP states, DONE: the socket and the packet's first sequence number;
 * UDP, DONE: the socket.
 */
struct netcost_packet {
	__u64 in, out;
	__u64 head; /* NETCOST_HEAD() of skb->head, and how many packets had been split when it was received */
	__u64 where;
	__u64 number; /* of a packet of the sample, with the rest of its address; 0: it is not in the sample */
	/* --tail: for how long it had waited when it passed: NETCOST_TAIL_RECEIVED to _QUEUED, in ns, and 1; 0: it did not */
	__u32 passed[4];
	__u32 before; /* packets in its last queue; NETCOST_NOT_COUNTED */
	__u16 cpu;    /* where its reader was woken */
	__u16 others; /* packets were received between its entry and when it was received itself */
};
_Static_assert(sizeof(struct netcost_packet) == 64, "one cache line");

#define NETCOST_HEAD(head, splits)                                                                 \
	((__u64)(head) << 16 | (__u16)(splits)) /* less bits that all heads have */
#define NETCOST_WHERE_CPU_BITS 16
#define NETCOST_WHERE(order, cpu) ((order) << NETCOST_WHERE_CPU_BITS | (cpu))

/* Of a CPU: which received packets it may be delivering now. */
struct netcost_batch {
	__u64 order; /* of the last packet */
	__u64 first; /* of the first one of its list; most lists are one packet */
};

/* A socket in a send call: the state of its word. */
enum netcost_sends {
	NETCOST_SENDS_NOT,
	NETCOST_SENDS,
};

/* By the address of a socket, or of a queue of a device. */
struct netcost_source {
	__u64 sends;  /* since when a call sends … */
	__u64 sender; /* … of this task */
	__u64 taken;  /* --tail: when a packet was last taken from it; state NETCOST_TAKEN_FROM */
	__u64 unused;
};

/*
 * Counts never fall. min_ns and max_ns are of one tick: the recorder selects the half that takes them, and reads the
 * other one.
 */
struct netcost_latency_hist {
	__u64 sum_ns; /* with the halves, in one cache line */
	struct {
		__u64 tick, min_ns, max_ns;
	} half[2];
	__u64 lost[NETCOST_LATENCY_LOSS_COUNT];
	__u32 bucket[NETCOST_LATENCY_BUCKETS]; /* these wrap */
} __attribute__((aligned(64)));

/*
 * By interface, cgroup or process, on all CPUs: for each hook the row of packets whose key is unknown, the row of packets
 * that there is no room to keep apart, and then those of keys that were seen.
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
struct netcost_path_cpu {
	__u64 received; /* the last packet that the receive core got */
	struct netcost_batch batch;
	/* What one program knows and the next one counts: an event between the two overwrites it. */
	__u64 driver_packet, driver_ns, driver_filtered, driver_number; /* a driver has it */
	__u64 tcp_sk;		    /* a packet is in TCP: of that socket; 0: none */
	__u64 tcp_word, tcp_number; /* of the packet; 0: not known, not in the sample */
	__u64 tcp_packet, tcp_end;  /* its address, and where it ends */
	__u64 tcp_iif;		    /* where it came in */
	__u64 place; /* of a packet that is being read; NETCOST_PLACES: its reader is not the running task */
	/* --tail: of the packet on its path; when one was taken before from the queue that is read, or sent from; when one was received */
	__u64 way, read_before_ns, sent_before_ns, received_ns;
	__u64 runs;  /* of the programs */
	__u64 keyed; /* packets of this CPU are counted by key, too, if any are */
	/* Of the sample. Counts never fall. */
	__u64 packets; /* began here, in the sample or not */
	__u64 full;    /* in the sample, but the ring had no room for an event */
	__u64 evicted; /* in the sample, but another packet took the entry */
	struct netcost_latency_hist hist[NETCOST_LATENCY_COUNT];
	/* More of UDP_READ: of packets whose enqueue was counted after they were read. A softirq counts them, which may interrupt a reader. */
	struct netcost_latency_hist late_read;
};

/* Of a task that sends: since when it waits for memory; 0: it does not. */
struct netcost_waiting {
	__u64 since_ns;
};

/* Of a TCP socket, while its queue in the devices is full; and what it had sent by then. */
struct netcost_throttled {
	__u64 since_ns; /* 0: it is not */
	__u32 sent;	/* snd_nxt */
};

/* What a UDP socket's next reader gets, as far as it is known. */
struct netcost_udp_next {
	__u64 packet;	/* 0: not known */
	__u64 word;	/* of its way in, as it was then */
	__u64 iif;	/* where it came in; 0: not known */
	__u64 read_ns;	/* time of a read whose packet is not known yet; 0: no such read */
	__u64 filtered; /* that read is not asked for */
};

#endif
