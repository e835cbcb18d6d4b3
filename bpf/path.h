/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * path.h: memory that path.bpf.c shares with the recorder: the packets that are followed, and the counters of packets.
 */
#ifndef NETCOST_BPF_PATH_H
#define NETCOST_BPF_PATH_H

#include <netcost/latency.h>

#include "types.h"

/*
 * A packet has an entry in a table, which is found by the address of the packet's struct sk_buff. Programs read and
 * write each word of an entry as a whole. A word holds the rest of the address, the packet's state and a time: the low
 * bits of CLOCK_MONOTONIC. Two structs sk_buff are at least 200 bytes apart, so the lowest 7 bits of the address carry
 * no information. On a machine with less than 32 TiB of memory, the bits above NETCOST_PLACE_HIGH carry no information
 * either. The bits between are multiplied by an odd number, and the product is split into the entry's place in the
 * table and the rest. The multiplication is reversible, so place and rest together identify the packet. A place has one
 * entry, so a later packet evicts the earlier packet.
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
/* Maximum age of a word. The recorder removes older words, whose time bits would wrap around and look recent. */
#define NETCOST_WORD_MOST_NS (1ull << (NETCOST_WORD_NS_BITS - 1))

/* States of the receive path. A clone has no time of entry, so only its path is followed. */
enum netcost_in {
	NETCOST_IN_NOT, /* the word is free */
	NETCOST_IN_ENTERED,
	NETCOST_IN_AGAIN, /* the packet entered again, and has the time of its first entry */
	/* the receive core got the packet; a packet that GRO merges into another one never gets into this state */
	NETCOST_IN_RECEIVED,
	NETCOST_IN_CLONED, /* a clone of a received packet */
	/* the packet was passed to another device, from which it may enter again */
	NETCOST_IN_FORWARDED,
	/* the packet is in a TCP socket, and only a reader of the socket looks for it */
	NETCOST_IN_TCP,
	/* as NETCOST_IN_TCP, but an earlier packet of the connection is missing */
	NETCOST_IN_BLOCKED,
	NETCOST_IN_TCP_CLONED, /* as NETCOST_IN_TCP, but the packet has no time of entry */
	/* the packet is in a UDP socket, and only a reader of the socket looks for it */
	NETCOST_IN_UDP,
	/* the packet was read, or was dropped from a UDP socket, or is in a UDP socket and has no time of entry */
	NETCOST_IN_DONE,
	/* a reader of a UDP socket has freed the packet, and the event that reports the read is still to come */
	NETCOST_IN_READ,
};

/*
 * States of the transmit path. The packet of the entry is on the transmit path as long as this word belongs to the
 * packet.
 */
enum netcost_out {
	NETCOST_OUT_NOT,
	/* the packet was seen in the stack, and is not passed to a device yet */
	NETCOST_OUT_INSIDE,
	NETCOST_OUT_CLONED, /* the packet is a clone of a packet that was passed to a driver */
	NETCOST_OUT_QUEUED, /* the packet was passed to a device */
	NETCOST_OUT_SENT,   /* the packet was passed to a driver */
	/* the packet was passed to a driver, and --latency-only excludes it */
	NETCOST_OUT_FILTERED,
};

/*
 * The entry of a packet, in one cache line. `head` and `where` prove that a packet owns the entry's words. The proof is
 * needed because many sk_buffs are freed without an event and their memory is reused. Each CPU numbers the packets in
 * its receive core, starting at 1.
 *
 * The content of `where` depends on the state. ENTERED, AGAIN, FORWARDED: NETCOST_WHERE() of the last packet that the
 * CPU had received at that time. RECEIVED: NETCOST_WHERE() of this packet. CLONED: NETCOST_WHERE() of the packet that
 * was cloned. TCP states, and DONE after TCP: the socket and the packet's first sequence number. UDP, and DONE after
 * UDP: the socket.
 */
struct netcost_packet {
	__u64 in, out;
	/* NETCOST_HEAD() of skb->head and of the number of packets that had been split when this packet was received */
	__u64 head;
	__u64 where;
	__u64 number; /* number and rest of the address of a sampled packet; 0: not sampled */
	/*
	 * --tail: 1 + the packet's latency in ns at each step from NETCOST_TAIL_RECEIVED to NETCOST_TAIL_QUEUED; 0 if
	 * the packet has not passed the step
	 */
	__u32 passed[4];
	/* number of packets ahead of this packet in its last queue, or NETCOST_NOT_COUNTED */
	__u32 before;
	__u16 cpu; /* CPU on which the packet's reader was woken */
	/* set if other packets were received after this packet entered and before it was received */
	__u16 others;
};
_Static_assert(sizeof(struct netcost_packet) == 64, "one cache line");

#define NETCOST_HEAD(head, splits)                                                                 \
	((__u64)(head) << 16 | (__u16)(splits)) /* drops bits that are the same in all heads */
#define NETCOST_WHERE_CPU_BITS 16
#define NETCOST_WHERE(order, cpu) ((order) << NETCOST_WHERE_CPU_BITS | (cpu))

/* The range of packets that a CPU has received and may be delivering now. */
struct netcost_batch {
	__u64 order; /* number of the last received packet */
	/* number of the first packet in the list of the last packet; most lists have one packet */
	__u64 first;
};

/* State of the word of a socket that is in a send call. */
enum netcost_sends {
	NETCOST_SENDS_NOT,
	NETCOST_SENDS,
};

/* The entry of a socket or of a device's queue, which is found by the address of the socket or queue. */
struct netcost_source {
	__u64 sends;  /* word with the start of the send call in progress */
	__u64 sender; /* the task that made the send call */
	/*
	 * --tail: word with the state NETCOST_TAKEN_FROM and the time at which a packet was last taken from the socket
	 * or queue
	 */
	__u64 taken;
	__u64 unused;
};

/*
 * A histogram of latencies. Counts never decrease. min_ns and max_ns belong to one tick. The recorder selects the half
 * that is written, and reads the other half.
 */
struct netcost_latency_hist {
	__u64 sum_ns; /* in the same cache line as the halves */
	struct {
		__u64 tick, min_ns, max_ns;
	} half[2];
	__u64 lost[NETCOST_LATENCY_LOSS_COUNT];
	__u32 bucket[NETCOST_LATENCY_BUCKETS]; /* these counts wrap around */
} __attribute__((aligned(64)));

/*
 * Rows of histograms by interface, cgroup or process, over all CPUs. Each checkpoint has one row for packets with an
 * unknown key, and one row for packets whose key has no row of its own. The rows of known keys follow.
 */
#define NETCOST_LATENCY_KEYS 512
#define NETCOST_LATENCY_FIRST_KEY (2 * NETCOST_LATENCY_COUNT)
#define NETCOST_LATENCY_KEYED (NETCOST_LATENCY_FIRST_KEY + NETCOST_LATENCY_KEYS)
#define NETCOST_LATENCY_NAME 16

struct netcost_latency_key {
	__u32 hook;
	__u32 number; /* number of an interface, or id of a process */
	/* network namespace of an interface, start time of a process, or id of a cgroup */
	__u64 id;
};

struct netcost_latency_keyed {
	struct netcost_latency_key key;
	char name[NETCOST_LATENCY_NAME]; /* empty if the name is unknown */
	__u64 sum_ns;
	__u32 bucket[NETCOST_LATENCY_BUCKETS]; /* these counts wrap around */
};

/*
 * State of a CPU. A single program counts each checkpoint, and the kernel never runs a program recursively on one CPU,
 * so nothing interrupts the update of a counter.
 */
struct netcost_path_cpu {
	__u64 received; /* address of the packet that the receive core got last */
	struct netcost_batch batch;
	/*
	 * Fields in which one program passes data to the next program. An event between the two programs overwrites the
	 * fields.
	 */
	/* packet that was passed to a driver, until the driver returns */
	__u64 driver_packet, driver_ns, driver_filtered, driver_number;
	__u64 tcp_sk; /* socket of the packet that TCP processes; 0: none */
	/* word and number of the packet that TCP processes; 0: unknown, or not sampled */
	__u64 tcp_word, tcp_number;
	/* address and end sequence number of the packet that TCP processes */
	__u64 tcp_packet, tcp_end;
	__u64 tcp_iif; /* interface on which the packet that TCP processes was received */
	/* place of the packet that is being read; NETCOST_PLACES: its reader is not the running task */
	__u64 place;
	/*
	 * --tail: place of the packet that passes a checkpoint; times at which the previous packet was taken from the
	 * socket's queue and from the device's queue; time at which the last packet was received
	 */
	__u64 way, read_before_ns, sent_before_ns, received_ns;
	__u64 runs; /* number of runs of these programs */
	/* set if the histograms by key also count this CPU's packets; used if --latency-by is on */
	__u64 keyed;
	/* Counters of the sample. They never decrease. */
	__u64 packets; /* packets whose path began on this CPU, sampled or not */
	__u64 full;    /* number of sampled packets for which the ring had no room */
	__u64 evicted; /* number of sampled packets whose entry another packet took over */
	struct netcost_latency_hist hist[NETCOST_LATENCY_COUNT];
	/*
	 * Histogram of UDP_READ for packets that were read before their enqueue was counted. It is separate because
	 * softirqs write it, and a softirq may interrupt a reader that writes the main histogram of UDP_READ.
	 */
	struct netcost_latency_hist late_read;
};

/* The time since which a sending task has waited for memory; 0 if the task does not wait. */
struct netcost_waiting {
	__u64 since_ns;
};

/* The time since which a TCP socket has been throttled (TCP small queues), and the data that it had sent by then. */
struct netcost_throttled {
	__u64 since_ns; /* 0 if the socket is not throttled */
	__u32 sent;	/* snd_nxt at that time */
};

/* The packet that the next reader of a UDP socket will get, if the programs know it. */
struct netcost_udp_next {
	__u64 packet;	/* address of the packet; 0: unknown */
	__u64 word;	/* word of the packet's receive path when the packet was seen */
	__u64 iif;	/* interface on which the packet was received; 0: unknown */
	__u64 read_ns;	/* time of a read whose packet is still unknown; 0: none */
	__u64 filtered; /* set if --latency-only excludes the read at read_ns */
};

#endif
