/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stages.h: the stages of a packet's path through the host (record --stages), and the order in which stages may follow
 * each other.
 *
 * The numbers are written to traces, so they are never reused or changed.
 */
#ifndef NETCOST_STAGES_H
#define NETCOST_STAGES_H

/*
 * FIRST: a path may begin at this stage. If the stage is inside the stack, this is only true for sent packets and
 * clones. END: a path ends at this stage. ON: all other stages.
 *
 * 	id	ENUM		key		kind	what has happened
 */
#define NETCOST_STAGES(X)                                                                          \
	X(0, QUEUED, "queued", FIRST, "the packet is passed to a device or to the device's queue") \
	X(1, DRIVER, "driver", FIRST, "the packet is passed to the device's driver")               \
	X(2, RETURNED, "returned", ON, "the driver has taken the packet")                          \
	X(3, ENTRY, "entry", FIRST, "a driver has received the packet")                            \
	X(4, RECEIVE, "receive", FIRST, "the receive core processes the packet")                   \
	X(5, IP, "ip", ON, "IP has received the packet")                                           \
	X(6, NETFILTER, "netfilter", FIRST, "a netfilter hook processes the packet")               \
	X(7, ROUTE, "route", ON, "a route is looked up for the packet")                            \
	X(8, TCP, "tcp", ON, "TCP has received the packet for an established connection")          \
	X(9, SOCKET, "socket", ON, "the packet is in a socket, and the reader is woken")           \
	X(10, READ, "read", END, "the packet is read from a socket")                               \
	X(11, NO_DATA, "no-data", END, "TCP has received the packet, which contains no data")      \
	X(12, MERGED, "merged", END,                                                               \
	  "TCP has merged the packet into the previous one, which is not read yet")                \
	X(13, FREED, "freed", END, "the packet is freed after it was consumed")                    \
	X(14, DROPPED, "dropped", END, "the packet is dropped")                                    \
	X(15, CLONED, "cloned", FIRST,                                                             \
	  "the packet is cloned, or begins here as a clone or segment")                            \
	X(16, TC, "tc", FIRST, "a classifier of traffic control processes the packet")             \
	X(17, BRIDGE, "bridge", ON, "a bridge has received the packet")                            \
	X(18, CONNTRACK, "conntrack", FIRST, "the packet's connection is looked up")               \
	X(19, NFTABLES, "nftables", FIRST, "the packet passes a chain of nftables")                \
	X(20, IPTABLES, "iptables", FIRST, "the packet passes a table of iptables")                \
	X(21, SPLIT, "split", END, "the packet is split into segments for a socket")

enum netcost_stage {
#define X(id, name, key, kind, what) NETCOST_STAGE_##name = id,
	NETCOST_STAGES(X)
#undef X
		NETCOST_STAGE_COUNT
};

#define NETCOST_STAGE_BIT(name) (1u << NETCOST_STAGE_##name)

/* Bit masks of stages. */
#define NETCOST_STAGES_END                                                                         \
	(NETCOST_STAGE_BIT(READ) | NETCOST_STAGE_BIT(NO_DATA) | NETCOST_STAGE_BIT(MERGED) |        \
	 NETCOST_STAGE_BIT(FREED) | NETCOST_STAGE_BIT(DROPPED) | NETCOST_STAGE_BIT(SPLIT))
/* Stages that have a netfilter hook. Most of these stages also have a table. */
#define NETCOST_STAGES_RULES                                                                       \
	(NETCOST_STAGE_BIT(NETFILTER) | NETCOST_STAGE_BIT(CONNTRACK) |                             \
	 NETCOST_STAGE_BIT(NFTABLES) | NETCOST_STAGE_BIT(IPTABLES))
#define NETCOST_STAGES_FIRST                                                                       \
	(NETCOST_STAGE_BIT(QUEUED) | NETCOST_STAGE_BIT(DRIVER) | NETCOST_STAGE_BIT(ENTRY) |        \
	 NETCOST_STAGE_BIT(RECEIVE) | NETCOST_STAGE_BIT(CLONED) | NETCOST_STAGE_BIT(TC) |          \
	 NETCOST_STAGES_RULES)
#define NETCOST_STAGES_GONE (NETCOST_STAGE_BIT(FREED) | NETCOST_STAGE_BIT(DROPPED))
#define NETCOST_STAGES_INSIDE                                                                      \
	(NETCOST_STAGE_BIT(IP) | NETCOST_STAGE_BIT(ROUTE) | NETCOST_STAGE_BIT(CLONED) |            \
	 NETCOST_STAGE_BIT(TC) | NETCOST_STAGE_BIT(BRIDGE) | NETCOST_STAGES_RULES)

/* Returns the stages that may follow a stage. The programs in bpf/path.bpf.c ensure this order. */
static inline unsigned int netcost_stages_after(enum netcost_stage stage)
{
	const unsigned int received = NETCOST_STAGES_INSIDE | NETCOST_STAGES_END |
				      NETCOST_STAGE_BIT(TCP) | NETCOST_STAGE_BIT(SOCKET) |
				      NETCOST_STAGE_BIT(QUEUED) | NETCOST_STAGE_BIT(ENTRY);

	switch (stage) {
	case NETCOST_STAGE_QUEUED:
		return NETCOST_STAGES_INSIDE | NETCOST_STAGE_BIT(QUEUED) |
		       NETCOST_STAGE_BIT(DRIVER) | NETCOST_STAGES_GONE;
	case NETCOST_STAGE_DRIVER:
	case NETCOST_STAGE_RETURNED:
		return NETCOST_STAGES_INSIDE | NETCOST_STAGES_FIRST | NETCOST_STAGES_GONE |
		       (stage == NETCOST_STAGE_DRIVER ? NETCOST_STAGE_BIT(RETURNED) : 0);
	case NETCOST_STAGE_ENTRY:
		return NETCOST_STAGE_BIT(RECEIVE) | NETCOST_STAGES_GONE;
	case NETCOST_STAGE_RECEIVE:
		return received;
	case NETCOST_STAGE_TCP:
		return NETCOST_STAGE_BIT(SOCKET) | NETCOST_STAGE_BIT(READ) |
		       NETCOST_STAGE_BIT(MERGED);
	case NETCOST_STAGE_SOCKET:
		return NETCOST_STAGE_BIT(READ) | NETCOST_STAGES_GONE;
	default:
		/* a stage inside the stack may be on either path, and no stage follows an end */
		return 1u << stage & NETCOST_STAGES_INSIDE ?
			       received | NETCOST_STAGES_FIRST | NETCOST_STAGE_BIT(RETURNED) :
			       0;
	}
}

#endif
