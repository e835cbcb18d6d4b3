// SPDX-License-Identifier: BSD-2-Clause
#include "leaf.h"

#define X(name, key, title, column, event) { key, title, column, event },
const struct leaf_desc leaf_desc[LEAF_COUNT] = { LEAVES(X) };
#undef X

const struct leaf_node leaf_node[LEAF_NODES] = {
	{ "cpu", "CPU time", 0, LEAF_ALL },
	{ "idle", "idle", 1, LEAF_BIT(IDLE) },
	{ "user_and_other_kernel", "user + other kernel", 1, LEAF_BIT(TASK) },
	{ "user", "user", 1, LEAF_BIT(USER) },
	{ "kernel", "kernel", 1, LEAF_KERNEL },
	{ "network", "network", 2, LEAF_NETWORK },
	{ "sock_send", "socket send", 3, LEAF_BIT(SOCK_SEND) },
	{ "sock_recv", "socket receive", 3, LEAF_BIT(SOCK_RECV) },
	{ "rx_softirq", "RX softirq", 3, LEAF_BIT(RX_SOFTIRQ) },
	{ "tx_softirq", "TX softirq", 3, LEAF_BIT(TX_SOFTIRQ) },
	{ "hardirq_net", "hard interrupts: network devices", 3, LEAF_BIT(HARDIRQ_NET) },
	{ "other_network", "other network", 3, LEAF_BIT(OTHER_NETWORK) },
	{ "sock_local", "local sockets", 2, LEAF_BIT(SOCK_LOCAL) },
	{ "io_worker", "io_uring workers", 2, LEAF_BIT(IO_WORKER) },
	{ "other_kernel", "other", 2, LEAF_BIT(OTHER_KERNEL) },
	{ "netcost_itself", "netcost itself", 1, LEAF_BIT(OWN) },
};
