// SPDX-License-Identifier: BSD-2-Clause
#include "colors.h"

#include <string.h>

#include <netcost/parts.h>

const char *const leaf_color[LEAF_COUNT] = {
	[LEAF_IDLE] = "#f2f2f2",	 [LEAF_USER] = "#7fb2d9",
	[LEAF_SOCK_SEND] = "#e69f00",	 [LEAF_SOCK_RECV] = "#56b4e9",
	[LEAF_RX_SOFTIRQ] = "#2fbf8f",	 [LEAF_TX_SOFTIRQ] = "#d98cb8",
	[LEAF_HARDIRQ_NET] = "#b8d98c",	 [LEAF_OTHER_NETWORK] = "#f0e442",
	[LEAF_SOCK_LOCAL] = "#c9b28f",	 [LEAF_IO_WORKER] = "#b3a6d9",
	[LEAF_OTHER_KERNEL] = "#c4c4c4", [LEAF_TASK] = "#c4c4c4",
	[LEAF_OWN] = "#9a9a9a",
};

const char *color_of(unsigned int leaves)
{
	if (leaves && !(leaves & (leaves - 1)))
		return leaf_color[__builtin_ctz(leaves)];
	return leaves & ~LEAF_NETWORK ? COLOR_MIXED : COLOR_NETWORK;
}

/* IPv4 is darker, IPv6 of the same part lighter. */
static const char *const part_color[] = {
	[NETCOST_PART_DRIVER_POLL] = "#b48ac6",	  [NETCOST_PART_GRO] = "#ee8866",
	[NETCOST_PART_RECEIVE] = "#eedd88",	  [NETCOST_PART_XDP_GENERIC] = "#9fc4a8",
	[NETCOST_PART_TC_INGRESS] = "#ffaabb",	  [NETCOST_PART_NF_INGRESS] = "#c8a078",
	[NETCOST_PART_CONNTRACK] = "#55c8c0",	  [NETCOST_PART_BRIDGING] = "#aaaa33",
	[NETCOST_PART_PREROUTING_V4] = "#bbcc33", [NETCOST_PART_PREROUTING_V6] = "#dfe8a0",
	[NETCOST_PART_FORWARD_V4] = "#cc7788",	  [NETCOST_PART_FORWARD_V6] = "#e8c0c8",
	[NETCOST_PART_LOCAL_V4] = "#77aadd",	  [NETCOST_PART_LOCAL_V6] = "#c2d8f0",
};

_Static_assert(sizeof(part_color) / sizeof(*part_color) == NETCOST_PART_COUNT,
	       "each part has a colour");

const char *category_color(const char *key, size_t i)
{
	static const char *const part_key[] = {
#define X(id, name, key, title, doc) [id] = key,
		NETCOST_PARTS(X)
#undef X
	};

	for (size_t p = 0; p < NETCOST_PART_COUNT; p++)
		if (!strcmp(part_key[p], key))
			return part_color[p];
	return part_color[i % NETCOST_PART_COUNT];
}
