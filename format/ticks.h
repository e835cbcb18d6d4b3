/* SPDX-License-Identifier: BSD-2-Clause */
/* ticks.h: inside the trace library: ticks that are differences from a base. SPEC.md, "Bases". */
#ifndef NETCOST_TICKS_H
#define NETCOST_TICKS_H

#include <netcost/trace.h>

/* What a key of a TICK or counter is in a tick that has a base. */
enum tick_role {
	TICK_ADDED, /* a difference; not there: none */
	TICK_NAME,  /* which record of the base it is for */
	TICK_OWN,   /* as in any tick */
	TICK_KEPT,  /* the base's: never there */
	TICK_MADE,  /* the library's, which those who write and read do not see */
};

static inline enum tick_role tick_role(unsigned int type, unsigned int key)
{
	switch (type) {
	case TRACE_TICK:
		return key == TRACE_TICK_AT_NS				? TICK_OWN :
		       key == TRACE_TICK_CPU				? TICK_KEPT :
		       key == TRACE_TICK_BASE || key == TRACE_TICK_FROM ? TICK_MADE :
									  TICK_ADDED;
	case TRACE_EXACT:
		return key == TRACE_EXACT_EVENT ? TICK_NAME : TICK_ADDED;
	case TRACE_EXACT_PART:
		return key == TRACE_EXACT_PART_PART ? TICK_NAME : TICK_ADDED;
	case TRACE_NETDEV_STATS:
		return key == TRACE_NETDEV_STATS_ID ? TICK_KEPT : TICK_ADDED;
	default:
		return TICK_ADDED;
	}
}

static inline bool tick_is_counter(unsigned int type)
{
	const struct trace_type_desc *desc = trace_type_desc(type);

	return desc && desc->of == TRACE_COUNTER;
}

#endif
