/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * drops.h: the map that the programs share with the recorder. It holds the number of dropped packets of each CPU by
 * drop reason.
 */
#ifndef NETCOST_DROPS_H
#define NETCOST_DROPS_H

#include "types.h"

/* The high 16 bits of a drop reason are the number of a subsystem. Subsystem 0 is the network stack itself. */
#define NETCOST_DROP_CORE 256u /* the network stack's reasons below this number have a slot each */
#define NETCOST_DROP_SUBSYSTEMS 3u
#define NETCOST_DROP_EACH                                                                          \
	64u /* in each of the first subsystems, the reasons below this number have a slot each */
#define NETCOST_DROP_PLACES 512u
#define NETCOST_DROP_OTHERS (NETCOST_DROP_PLACES - 1) /* all remaining reasons share this slot */

struct netcost_drops {
	__u64 count[NETCOST_DROP_PLACES];
};

static inline __attribute__((always_inline)) __u32 netcost_drop_place(__u32 reason)
{
	__u32 subsystem = reason >> 16, number = reason & 0xffff;

	if (!subsystem && number < NETCOST_DROP_CORE)
		return number;
	if (!subsystem || subsystem > NETCOST_DROP_SUBSYSTEMS || number >= NETCOST_DROP_EACH)
		return NETCOST_DROP_OTHERS;
	return NETCOST_DROP_CORE + (subsystem - 1) * NETCOST_DROP_EACH + number;
}

#endif
