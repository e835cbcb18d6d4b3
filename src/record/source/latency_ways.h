/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_ways.h: by which tracepoints and functions each hook of --latency is measured, and which programs that takes. */
#ifndef NETCOST_LATENCY_WAYS_H
#define NETCOST_LATENCY_WAYS_H

#include <stdbool.h>

#include <netcost/latency.h>

struct btf_names;
struct latency_way;
struct source_point;

/* What was chosen; before that, whether functions may be used. */
struct latency_ways {
	bool functions; /* programs may be attached to them */
	int refused;	/* otherwise: errno */

	const struct latency_way
		*way[NETCOST_LATENCY_COUNT];	    /* NULL: it is not measured, for lack of … */
	const char *missing[NETCOST_LATENCY_COUNT]; /* … this, which the best way needs */
	const char *without
		[NETCOST_LATENCY_COUNT]; /* what would be taken besides, if it were there; or NULL */
};

void latency_ways_choose(struct latency_ways *w, const struct btf_names *kernel);
bool latency_ways_measure(const struct latency_ways *w, enum netcost_latency hook);
bool latency_ways_measure_any(const struct latency_ways *w);
/* Does it take the program of this tracepoint or function, and has the kernel that? */
bool latency_ways_want(const struct latency_ways *w, const struct btf_names *kernel,
		       const char *name, bool function);
/* Is tcp-start that of a function, which has packets in all of TCP's states? */
bool latency_ways_tcp_function(const struct latency_ways *w);
void latency_ways_say(const struct latency_ways *w, enum netcost_latency hook,
		      struct source_point *said);

#endif
