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
	const struct trace_key_desc *k = trace_key_desc(type, key);
	unsigned int flags = k ? k->flags : 0;

	if (flags & TRACE_KEY_ABOUT)
		return k->kind == TRACE_UINT ? TICK_NAME : TICK_KEPT;
	return flags & TRACE_KEY_INTERNAL ? TICK_MADE :
	       flags & TRACE_KEY_AS_IS	  ? TICK_OWN :
					    TICK_ADDED;
}

#endif
