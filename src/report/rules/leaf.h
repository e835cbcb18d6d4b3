/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * leaf.h: the leaves that a CPU's time is split into.
 *
 *	ENUM		key		title			column		exact event, -1: none
 */
#ifndef NETCOST_REPORT_LEAF_H
#define NETCOST_REPORT_LEAF_H

#include <stdbool.h>

#include <netcost/events.h>

#define LEAVES(X)                                                                                  \
	X(IDLE, "idle", "idle", "idle", NETCOST_EV_IDLE)                                           \
	X(USER, "user", "user", "user", -1)                                                        \
	X(SOCK_SEND, "sock_send", "socket send", "send", NETCOST_EV_SOCK_SEND)                     \
	X(SOCK_RECV, "sock_recv", "socket receive", "recv", NETCOST_EV_SOCK_RECV)                  \
	X(RX_SOFTIRQ, "rx_softirq", "RX softirq", "RX", NETCOST_EV_RX_SOFTIRQ)                     \
	X(TX_SOFTIRQ, "tx_softirq", "TX softirq", "TX", NETCOST_EV_TX_SOFTIRQ)                     \
	X(HARDIRQ_NET, "hardirq_net", "hard interrupts: network devices", "irq",                   \
	  NETCOST_EV_HARDIRQ_NET)                                                                  \
	X(OTHER_NETWORK, "other_network", "other network", "othnet", -1)                           \
	X(SOCK_LOCAL, "sock_local", "local sockets", "local", NETCOST_EV_SOCK_LOCAL)               \
	X(IO_WORKER, "io_worker", "io_uring workers", "iowrk", NETCOST_EV_IO_WORKER)               \
	X(OTHER_KERNEL, "other_kernel", "other", "other", -1)                                      \
	/* Where there are no samples to tell user mode from the kernel. */                        \
	X(TASK, "user_and_other_kernel", "user + other kernel", "task", NETCOST_EV_TASK)           \
	/* What the recorder itself cost, where it is known; otherwise it is in the others. */     \
	X(OWN, "netcost_itself", "netcost itself", "own", -1)

enum leaf {
#define X(name, key, title, column, event) LEAF_##name,
	LEAVES(X)
#undef X
		LEAF_COUNT
};

/* A set of leaves. */
#define LEAF_BIT(name) (1u << LEAF_##name)
#define LEAF_NETWORK                                                                               \
	(LEAF_BIT(SOCK_SEND) | LEAF_BIT(SOCK_RECV) | LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ) | \
	 LEAF_BIT(HARDIRQ_NET) | LEAF_BIT(OTHER_NETWORK))
#define LEAF_KERNEL                                                                                \
	(LEAF_NETWORK | LEAF_BIT(SOCK_LOCAL) | LEAF_BIT(IO_WORKER) | LEAF_BIT(OTHER_KERNEL))
#define LEAF_BUSY (LEAF_KERNEL | LEAF_BIT(USER) | LEAF_BIT(TASK))
#define LEAF_ALL (LEAF_BUSY | LEAF_BIT(IDLE) | LEAF_BIT(OWN))
/*
 * Of these no sample tells: TASK is what there is without samples; and a sampler's timer waits until a hard interrupt's
 * handlers have run, or, if it need not wait, finds them in what they interrupted. They are shown where they were
 * measured; otherwise their time is in other leaves. So is OWN, which is everywhere.
 */
#define LEAF_NOT_SAMPLED (LEAF_BIT(TASK) | LEAF_BIT(HARDIRQ_NET) | LEAF_BIT(OWN))

/* Also of items that follow the leaves. */
static inline bool leaf_is_sampled(unsigned int leaf)
{
	return leaf >= LEAF_COUNT || !(LEAF_NOT_SAMPLED >> leaf & 1);
}

struct leaf_desc {
	const char *key, *title, *column;
	int event; /* enum netcost_event, or -1 */
};

extern const struct leaf_desc leaf_desc[LEAF_COUNT];

/* The tree: parents and leaves from top to bottom. */
struct leaf_node {
	const char *key, *title;
	unsigned int depth, leaves; /* a set; a leaf has one */
	const char *brief;	    /* a title where there is little room; NULL: title */
};

#define LEAF_NODES 16
extern const struct leaf_node leaf_node[LEAF_NODES];

#endif
