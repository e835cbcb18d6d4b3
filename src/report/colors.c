// SPDX-License-Identifier: BSD-2-Clause
#include "colors.h"

const char *const leaf_color[LEAF_COUNT] = {
	[LEAF_IDLE] = "#f2f2f2",	  [LEAF_USER] = "#7fb2d9",
	[LEAF_SOCK_SEND] = "#e69f00",	  [LEAF_SOCK_RECV] = "#56b4e9",
	[LEAF_RX_SOFTIRQ] = "#2fbf8f",	  [LEAF_TX_SOFTIRQ] = "#d98cb8",
	[LEAF_OTHER_NETWORK] = "#f0e442", [LEAF_SOCK_LOCAL] = "#c9b28f",
	[LEAF_IO_WORKER] = "#b3a6d9",	  [LEAF_OTHER_KERNEL] = "#c4c4c4",
	[LEAF_TASK] = "#c4c4c4",
};

const char *color_of(unsigned int leaves)
{
	if (leaves && !(leaves & (leaves - 1)))
		return leaf_color[__builtin_ctz(leaves)];
	return leaves & ~LEAF_NETWORK ? COLOR_MIXED : COLOR_NETWORK;
}
