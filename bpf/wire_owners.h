/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* wire_owners.h: receivers of packets (--owners). Part of wire.h. */
#ifndef NETCOST_WIRE_OWNERS_H
#define NETCOST_WIRE_OWNERS_H

/*
 * The time of the RX softirq and of threaded NAPI by receiver (--owners), in ns of the CPU clock. The data belongs to
 * level softirq, as the stages do. A packet's slice lasts until the next netif_receive_skb, or until the end of the
 * packet's poll. A mark within the slice sets the packet's disposition. The times of dispositions with rows are only in
 * the rows: see owners.h.
 */
/* power of two; GRO's lists have 8 packets (net.core.gro_normal_batch) */
#define NETCOST_LIST 16
#define NETCOST_FATE_SLOTS 16 /* power of two, at least NETCOST_FATE_COUNT */

/* The receiver of a socket. */
struct netcost_owner {
	__u32 process, unused; /* process 0: the receiver is unknown */
	__u64 cgroup;
};

/* Fields that are needed for each packet are in the first two cache lines. */
struct netcost_owners {
	__u64 since;		  /* time up to which time has been charged */
	__u64 packet;		  /* address of the packet of the current slice; 0: none */
	struct netcost_owner key; /* the packet's receiver, or its disposition: see owners.h */
	__u64 key_of; /* storage of the socket from which `key` was taken; 0: none or unknown */
	__u32 flow;   /* the kernel's hash of the packet; 0: none */
	__u32 cpu;
	__u8 fate;     /* disposition of the packet so far */
	__u8 weak;     /* set if a wakeup is the only evidence for the packet's receiver */
	__u8 looking;  /* set if a softirq or a NAPI thread's turn is in progress and observed */
	__u8 listed;   /* set if the packets of this poll come in lists */
	__u8 listed_n; /* number of packets in `list`, with or without a disposition */
	/* set if a packet of the list has got its disposition: see owners_lists.h */
	__u8 delivered;
	__u8 tap; /* set if the last mark was made by an AF_PACKET socket */
	__u8 unused;
	__u64 looks; /* number of observed softirqs, if only some are observed */
	/* time of the current turn that was outside of slices and is not charged yet, ns */
	__u64 pool_ns;
	/* number of packets that this turn polled, and the number of these that XDP took */
	__u64 polled, xdp;
	/* Numbers of packets of the current poll that reached GRO and the receive core. */
	__u32 poll_gro, poll_received;
	/* Time and packets of dispositions that have no rows, or for which there was no room in the rows. */
	__u64 ns[NETCOST_FATE_SLOTS], packets[NETCOST_FATE_SLOTS];
	__u64 squares[NETCOST_FATE_SLOTS]; /* sums of squares, as in struct netcost_owned */
	__u64 square_of[NETCOST_FATE_SLOTS], square_ns[NETCOST_FATE_SLOTS];
	__u64 name[2];	/* name of the interface that belongs to `key` */
	__u32 taken[2]; /* 1 + the last row taken in each half; 0: none */
	__u64 marked;	/* index of the list's packet to which a mark belongs */
	struct netcost_listed {
		__u64 packet, ns;
		__u32 flow, unused;
		__u64 process; /* receiver; 0: unknown so far, and `ns` is not charged yet */
	} list[NETCOST_LIST];
} __attribute__((aligned(64)));

/*
 * A row of a process and cgroup, or of another disposition. If process and cgroup are both 0, the row is free. The
 * number of rows equals the number of rows of struct netcost_process, and the halves of both are swapped together. The
 * rows in use form a list, which ends at a free row. The rows in front of the free row were taken since the recorder
 * emptied the half.
 */
struct netcost_owned {
	__u32 process;
	__u32 next; /* 1 + the previous row in use on this CPU; 0: none */
	__u64 cgroup;
	__u64 ns, packets;
	/*
	 * sum of the squares of the row's time per softirq, in units of 1024 ns²; used if only one softirq in N is
	 * observed
	 */
	__u64 squares;
	/*
	 * number of the last observed softirq in which the row was charged, and the row's time in that softirq so far,
	 * ns
	 */
	__u64 look, look_ns;
	__u64 name[2]; /* name of the interface */
};
#define NETCOST_SQUARE_BITS 10

/*
 * The last receiver of a flow on this CPU, by the flow's hash. It is used for packets without a mark, such as packets
 * that wait until their socket is no longer in use. If two flows collide, the later flow takes the place.
 */
#define NETCOST_FLOWS 256 /* power of two */
struct netcost_flow {
	__u32 flow; /* 0: the place is free */
	__u32 process;
	__u64 cgroup;
};

#endif
