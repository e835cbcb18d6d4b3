/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* wire_owners.h: receivers of packets (--owners). Part of wire.h. */
#ifndef NETCOST_WIRE_OWNERS_H
#define NETCOST_WIRE_OWNERS_H

/*
 * With --owners: to whom the time of the RX softirq and of threaded NAPI is charged, by the CPU clock. Level softirq,
 * as for the stages. A packet's slice lasts from one netif_receive_skb to the next, or to the end of its poll; a mark
 * in it sets the packet's disposition. Times of dispositions with rows are only in rows: see owners.h.
 */
/* power of two; GRO's lists have 8 packets (net.core.gro_normal_batch) */
#define NETCOST_LIST 16
#define NETCOST_FATE_SLOTS 16 /* power of two, at least NETCOST_FATE_COUNT */

/* The receiver of a socket. */
struct netcost_owner {
	__u32 process, unused; /* process 0: unknown */
	__u64 cgroup;
};

/* Fields that each packet needs are in the first two cache lines. */
struct netcost_owners {
	__u64 since;		  /* all time before this is charged */
	__u64 packet;		  /* address of the packet of the current slice; 0: none */
	struct netcost_owner key; /* the packet's receiver, or its disposition: see owners.h */
	__u64 key_of; /* storage of the socket to which `key` belongs; 0: none or unknown */
	__u32 flow;   /* the packet's hash in the kernel; 0: none */
	__u32 cpu;
	__u8 fate;	/* the packet's disposition so far */
	__u8 weak;	/* the packet's receiver is known only as a wakeup target */
	__u8 looking;	/* a softirq or a NAPI thread's turn is in progress and observed */
	__u8 listed;	/* packets of this poll come in lists */
	__u8 listed_n;	/* packets of the list; all arrive before the first one is delivered */
	__u8 delivered; /* a packet of the list has got its disposition: see owners_lists.h */
	__u8 tap;	/* the last mark was that of an AF_PACKET socket */
	__u8 unused;
	__u64 looks;	   /* number of observed softirqs, if only some are observed */
	__u64 pool_ns;	   /* time of this turn outside of slices, not charged yet */
	__u64 polled, xdp; /* packets that this turn polled; those of them that XDP took */
	/* Packets of the current poll that GRO got, and that the receive core got. */
	__u32 poll_gro, poll_received;
	/* Time outside of rows: of dispositions without rows, and of those for which there was no room. */
	__u64 ns[NETCOST_FATE_SLOTS], packets[NETCOST_FATE_SLOTS];
	__u64 squares[NETCOST_FATE_SLOTS]; /* see struct netcost_owned */
	__u64 square_of[NETCOST_FATE_SLOTS], square_ns[NETCOST_FATE_SLOTS];
	__u64 name[2];	/* interface name that belongs to `key` */
	__u32 taken[2]; /* 1 + the last row taken in each half; 0: none */
	__u64 marked;	/* index in the list of the packet that a mark belongs to */
	struct netcost_listed {
		__u64 packet, ns;
		__u32 flow, unused;
		__u64 process; /* receiver; 0: unknown yet, and `ns` is not charged */
	} list[NETCOST_LIST];
} __attribute__((aligned(64)));

/*
 * A row of a process and cgroup, or of another disposition; both 0: free. There are as many rows as
 * rows of processes, in halves that are swapped with theirs. The rows in use form a list, which
 * ends at a free row: rows before that were taken since the recorder emptied the half.
 */
struct netcost_owned {
	__u32 process;
	__u32 next; /* 1 + the previous row in use on this CPU; 0: none */
	__u64 cgroup;
	__u64 ns, packets;
	/* sum of squares of its time per softirq, in units of 1024 ns²: for one in N */
	__u64 squares;
	__u64 look, look_ns; /* the last observed softirq it was in, and its time there so far */
	__u64 name[2];	     /* interface name */
};
#define NETCOST_SQUARE_BITS 10

/*
 * The last receiver of a flow on this CPU, by the flow's hash: for packets without a mark, such as those that wait
 * until their socket is no longer in use. If two flows collide, the later one has the place.
 */
#define NETCOST_FLOWS 256 /* power of two */
struct netcost_flow {
	__u32 flow; /* 0: free */
	__u32 process;
	__u64 cgroup;
};

#endif
