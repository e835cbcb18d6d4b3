/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* path.h: memory that path.bpf.c shares with the recorder: packets on their path, and their counters. */
#ifndef NETCOST_BPF_PATH_H
#define NETCOST_BPF_PATH_H

#include <netcost/latency.h>

#include "types.h"

/*
 * A packet has an entry, which is found by the address of its struct sk_buff. Each word of an entry is read and written
 * as a whole. It holds the rest of the address, the packet's state and a time: the low bits of CLOCK_MONOTONIC. Two
 * structs are at least 200 bytes apart, so the lowest 7 bits of the address carry no information, nor do those above
 * NETCOST_PLACE_HIGH on a machine with less than 32 TiB of memory. The bits between are multiplied by an odd number,
 * which is reversible, so place and rest together identify the packet. A place has one entry: a later packet evicts the
 * earlier one.
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
/* The recorder removes older words, because the time bits wrap and old words would look recent. */
#define NETCOST_WORD_MOST_NS (1ull << (NETCOST_WORD_NS_BITS - 1))

/* States of the receive path. A clone has no time: only its path is followed. */
enum netcost_in {
	NETCOST_IN_NOT, /* the word is free */
	NETCOST_IN_ENTERED,
	NETCOST_IN_AGAIN, /* entered again, with the time of its first entry */
	/* the receive core had it; a packet that GRO merges into another never gets here */
	NETCOST_IN_RECEIVED,
	NETCOST_IN_CLONED,     /* a clone of a received packet */
	NETCOST_IN_FORWARDED,  /* passed to another device: it may enter again */
	NETCOST_IN_TCP,	       /* only a reader of a TCP socket looks for it now */
	NETCOST_IN_BLOCKED,    /* as TCP, but a packet before it is missing */
	NETCOST_IN_TCP_CLONED, /* as TCP, without a time */
	NETCOST_IN_UDP,	       /* only a reader of a UDP socket looks for it now */
	NETCOST_IN_DONE,       /* read; or in a UDP socket without a time, or dropped from it */
	NETCOST_IN_READ,       /* freed by a reader of a UDP socket, whose event is still to come */
};

/* States of the transmit path. The entry's packet is on the transmit path as long as this word is the packet's. */
enum netcost_out {
	NETCOST_OUT_NOT,
	NETCOST_OUT_INSIDE,   /* seen in the stack, not passed to a device yet */
	NETCOST_OUT_CLONED,   /* a clone of a packet that a driver has */
	NETCOST_OUT_QUEUED,   /* passed to a device */
	NETCOST_OUT_SENT,     /* passed to a driver */
	NETCOST_OUT_FILTERED, /* passed to a driver, and excluded by --latency-only */
};

/*
 * One cache line. `head` and `where` prove that a packet is the one that owns the word, because many sk_buffs are freed
 * without an event and their memory is reused. Each CPU numbers the packets in its receive core, starting at 1.
 *
 * `where` by state. ENTERED, AGAIN, FORWARDED: NETCOST_WHERE() of the last packet that the CPU had received by then.
 * RECEIVED: of this packet. CLONED: of the packet that was cloned. TCP states, DONE: the socket and the packet's first
 * sequence number. UDP, DONE: the socket.
 */
struct netcost_packet {
	__u64 in, out;
	/* NETCOST_HEAD() of skb->head and of the number of split packets when it was received */
	__u64 head;
	__u64 where;
	__u64 number; /* number of a sampled packet, with the rest of its address; 0: not sampled */
	/* --tail: latency when it passed NETCOST_TAIL_RECEIVED to _QUEUED, in ns, plus 1; 0: not passed */
	__u32 passed[4];
	__u32 before; /* packets ahead in its last queue, or NETCOST_NOT_COUNTED */
	__u16 cpu;    /* CPU on which its reader was woken */
	__u16 others; /* other packets were received between its entry and its own receive */
};
_Static_assert(sizeof(struct netcost_packet) == 64, "one cache line");

#define NETCOST_HEAD(head, splits)                                                                 \
	((__u64)(head) << 16 | (__u16)(splits)) /* drops bits that all heads share */
#define NETCOST_WHERE_CPU_BITS 16
#define NETCOST_WHERE(order, cpu) ((order) << NETCOST_WHERE_CPU_BITS | (cpu))

/* Per CPU: the range of received packets that may be in delivery now. */
struct netcost_batch {
	__u64 order; /* number of the last packet */
	__u64 first; /* number of the first packet of its list; most lists have one packet */
};

/* State of the word of a socket in a send call. */
enum netcost_sends {
	NETCOST_SENDS_NOT,
	NETCOST_SENDS,
};

/* Found by the address of a socket, or of a device's queue. */
struct netcost_source {
	__u64 sends;  /* word with the time at which the current send call began … */
	__u64 sender; /* … and the task that made the call */
	/* --tail: word with the time at which a packet was last taken from it; state NETCOST_TAKEN_FROM */
	__u64 taken;
	__u64 unused;
};

/*
 * Counts never decrease. min_ns and max_ns belong to one tick: the recorder selects the half that
 * is written, and reads the other half.
 */
struct netcost_latency_hist {
	__u64 sum_ns; /* in one cache line with the halves */
	struct {
		__u64 tick, min_ns, max_ns;
	} half[2];
	__u64 lost[NETCOST_LATENCY_LOSS_COUNT];
	__u32 bucket[NETCOST_LATENCY_BUCKETS]; /* these wrap around */
} __attribute__((aligned(64)));

/*
 * Rows by interface, cgroup or process, over all CPUs: for each hook a row for packets with an unknown key, and a row
 * for packets whose key got no row of its own. The rows of known keys follow.
 */
#define NETCOST_LATENCY_KEYS 512
#define NETCOST_LATENCY_FIRST_KEY (2 * NETCOST_LATENCY_COUNT)
#define NETCOST_LATENCY_KEYED (NETCOST_LATENCY_FIRST_KEY + NETCOST_LATENCY_KEYS)
#define NETCOST_LATENCY_NAME 16

struct netcost_latency_key {
	__u32 hook;
	__u32 number; /* of an interface or process */
	/* network namespace of an interface; start time of a process; id of a cgroup */
	__u64 id;
};

struct netcost_latency_keyed {
	struct netcost_latency_key key;
	char name[NETCOST_LATENCY_NAME]; /* empty: unknown */
	__u64 sum_ns;
	__u32 bucket[NETCOST_LATENCY_BUCKETS]; /* these wrap around */
};

/* State of a CPU. Only one program counts each hook, and the kernel never runs a program recursively on one CPU. */
struct netcost_path_cpu {
	__u64 received; /* the last packet that the receive core got */
	struct netcost_batch batch;
	/* One program sets these for the next one. An event between the two overwrites them. */
	/* the packet that a driver has */
	__u64 driver_packet, driver_ns, driver_filtered, driver_number;
	__u64 tcp_sk;		    /* socket of the packet that is in TCP; 0: none */
	__u64 tcp_word, tcp_number; /* of that packet; 0: unknown, or not sampled */
	__u64 tcp_packet, tcp_end;  /* address of that packet, and its end sequence number */
	__u64 tcp_iif;		    /* interface on which it was received */
	/* place of the packet that is being read; NETCOST_PLACES: its reader is not the running task */
	__u64 place;
	/*
	 * --tail: place of the packet on its path; when the previous packet was taken from the
	 * queue that is read, and from the one that is sent from; when the last packet was received
	 */
	__u64 way, read_before_ns, sent_before_ns, received_ns;
	__u64 runs;  /* number of program runs */
	__u64 keyed; /* histograms by key also count this CPU's packets, if --latency-by is on */
	/* For the sample. Counts never decrease. */
	__u64 packets; /* packets that began on this CPU, sampled or not */
	__u64 full;    /* sampled packets for which the ring had no room */
	__u64 evicted; /* sampled packets whose entry another packet took */
	struct netcost_latency_hist hist[NETCOST_LATENCY_COUNT];
	/*
	 * UDP_READ of packets whose enqueue was counted after they were read. Counted separately
	 * because a softirq counts them, and may interrupt a reader.
	 */
	struct netcost_latency_hist late_read;
};

/* Per task that sends: since when it waits for memory; 0: it does not wait. */
struct netcost_waiting {
	__u64 since_ns;
};

/* Per TCP socket: since when it is throttled (TCP small queues), and what it had sent by then. */
struct netcost_throttled {
	__u64 since_ns; /* 0: not throttled */
	__u32 sent;	/* snd_nxt */
};

/* The packet that the next reader of a UDP socket gets, as far as it is known. */
struct netcost_udp_next {
	__u64 packet;	/* 0: unknown */
	__u64 word;	/* word of its receive path when it was seen */
	__u64 iif;	/* interface on which it was received; 0: unknown */
	__u64 read_ns;	/* time of a read whose packet is unknown yet; 0: none */
	__u64 filtered; /* that read is excluded by --latency-only */
};

#endif
