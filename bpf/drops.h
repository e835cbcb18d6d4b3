/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* drops.h: what the programs and the recorder share in memory: how many packets each CPU dropped, by reason. */
#ifndef NETCOST_DROPS_H
#define NETCOST_DROPS_H

#include "types.h"

/* A reason's high 16 bits are a subsystem's number; 0: the network stack itself. */
#define NETCOST_DROP_CORE 256u /* its reasons below, and … */
#define NETCOST_DROP_SUBSYSTEMS 3u
#define NETCOST_DROP_EACH                                                                          \
	64u /* … those of each of the first subsystems have a place of their own */
#define NETCOST_DROP_PLACES 512u
#define NETCOST_DROP_OTHERS (NETCOST_DROP_PLACES - 1) /* all the rest */

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
