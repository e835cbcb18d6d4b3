/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* wire_owners.h: who receives packets (--owners): a part of wire.h. */
#ifndef NETCOST_WIRE_OWNERS_H
#define NETCOST_WIRE_OWNERS_H

/*
 * With --owners: whose the time of the RX softirq is, and of threaded NAPI, by the CPU clock. Level softirq, as the stages.
 * A packet's slice goes from one netif_receive_skb to the next, or to the end of its poll; what is marked in it says what
 * became of it. Times of fates that have rows are in rows, and only then: see owners.h.
 */
#define NETCOST_LIST 16	      /* power of two; GRO's lists are of 8 (net.core.gro_normal_batch) */
#define NETCOST_FATE_SLOTS 16 /* power of two, at least NETCOST_FATE_COUNT */

/* Who receives from a socket. */
struct netcost_owner {
	__u32 process, unused; /* process 0: not known */
	__u64 cgroup;
};

/* What is needed for each packet is in the first cache line, and the next one. */
struct netcost_owners {
	__u64 since;		  /* up to here all is charged */
	__u64 packet;		  /* its address: this is its slice; 0: none is going on */
	struct netcost_owner key; /* of that packet: whose, or of what: see owners.h */
	__u64 key_of; /* the storage of the socket that `key` is of; 0: of none, or that is not known */
	__u32 flow; /* of that packet: what the kernel has as its hash; 0: none */
	__u32 cpu;
	__u8 fate;    /* of that packet, as far as it is known */
	__u8 weak;    /* likewise: known by whom it woke alone */
	__u8 looking; /* a softirq or a turn of a NAPI thread is going on, and looked at */
	__u8 listed;  /* in this poll packets come in lists */
	__u8 listed_n; /* packets of a list, which all come before anything becomes of the first one */
	__u8 delivered; /* something has become of one: see owners_lists.h */
	__u8 tap;	/* the last mark was an AF_PACKET socket's */
	__u8 unused;
	__u64 looks;	   /* softirqs that were looked at, of which some are not */
	__u64 pool_ns;	   /* of the turn, in no fate yet: outside of slices */
	__u64 polled, xdp; /* packets of the turn's polls so far; those of them that XDP took */
	/* Packets of the current poll that GRO got, and that the receive core got. */
	__u32 poll_gro, poll_received;
	/* What is in no row: of all other fates, and that for which there was no room. */
	__u64 ns[NETCOST_FATE_SLOTS], packets[NETCOST_FATE_SLOTS];
	__u64 squares[NETCOST_FATE_SLOTS]; /* see struct netcost_owned */
	__u64 square_of[NETCOST_FATE_SLOTS], square_ns[NETCOST_FATE_SLOTS];
	__u64 name[2];	/* of an interface: that packet's, as `key` */
	__u32 taken[2]; /* the last row of each half that was taken, and 1; 0: none was */
	__u64 marked;	/* of the list: whose packet a mark is about */
	struct netcost_listed {
		__u64 packet, ns;
		__u32 flow, unused;
		__u64 process; /* whose it is; 0: not known yet, and `ns` is in no row */
	} list[NETCOST_LIST];
} __attribute__((aligned(64)));

/*
 * A row: of a process and cgroup, or of what else became of packets; if both are 0, it is free. Rows are like those of
 * processes, in halves that turn with theirs, and as many. Those that are taken are a list, which ends where a row is free:
 * rows before that were taken since the recorder emptied the half.
 */
struct netcost_owned {
	__u32 process;
	__u32 next; /* row that was taken before it on its CPU, and 1; 0: none */
	__u64 cgroup;
	__u64 ns, packets;
	__u64 squares;	     /* of its time in each softirq, in units of 1024 ns2: for one in N */
	__u64 look, look_ns; /* the last one that it was in, and its time there so far */
	__u64 name[2];	     /* of an interface */
};
#define NETCOST_SQUARE_BITS 10

/*
 * Whose a flow was last, on this CPU, by its hash: for packets that no mark tells of, as those that wait until their
 * socket's user lets go of it. Where two flows meet, the later one has the place.
 */
#define NETCOST_FLOWS 256 /* power of two */
struct netcost_flow {
	__u32 flow; /* 0: none */
	__u32 process;
	__u64 cgroup;
};

#endif
