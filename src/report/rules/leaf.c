// SPDX-License-Identifier: BSD-2-Clause
#include "leaf.h"

#include <stddef.h>

#define X(name, key, title, column, event) { key, title, column, event },
const struct leaf_desc leaf_desc[LEAF_COUNT] = { LEAVES(X) };
#undef X

const struct leaf_node leaf_node[LEAF_NODES] = {
	{ "cpu", "CPU time", 0, LEAF_ALL, NULL },
	{ "idle", "idle", 1, LEAF_BIT(IDLE), NULL },
	{ "user_and_other_kernel", "user + other kernel", 1, LEAF_BIT(TASK), NULL },
	{ "user", "user", 1, LEAF_BIT(USER), NULL },
	{ "kernel", "kernel", 1, LEAF_KERNEL, NULL },
	{ "network", "network", 2, LEAF_NETWORK, NULL },
	{ "sock_send", "socket send", 3, LEAF_BIT(SOCK_SEND), NULL },
	{ "sock_recv", "socket receive", 3, LEAF_BIT(SOCK_RECV), NULL },
	{ "rx_softirq", "RX softirq", 3, LEAF_BIT(RX_SOFTIRQ), NULL },
	{ "tx_softirq", "TX softirq", 3, LEAF_BIT(TX_SOFTIRQ), NULL },
	{ "hardirq_net", "hard interrupts: network devices", 3, LEAF_BIT(HARDIRQ_NET),
	  "hard interrupts" },
	{ "other_network", "other network", 3, LEAF_BIT(OTHER_NETWORK), NULL },
	{ "sock_local", "local sockets", 2, LEAF_BIT(SOCK_LOCAL), NULL },
	{ "io_worker", "io_uring workers", 2, LEAF_BIT(IO_WORKER), NULL },
	{ "other_kernel", "other", 2, LEAF_BIT(OTHER_KERNEL), NULL },
	{ "netcost_itself", "netcost itself", 1, LEAF_BIT(OWN), NULL },
};
