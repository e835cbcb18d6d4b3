/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_ways.h: by which tracepoints and functions each hook of --latency is measured, and which programs that takes. */
#ifndef NETCOST_LATENCY_WAYS_H
#define NETCOST_LATENCY_WAYS_H

#include <stdbool.h>

#include <netcost/latency.h>

struct btf_names;
struct latency_way;
struct source_point;

/* What is known of a packet besides its network namespace, and --latency-only may ask for. */
enum {
	LATENCY_KNOWS_CGROUP = 1,
	LATENCY_KNOWS_QUEUE = 2,
	LATENCY_KNOWS_PROCESS = 4,
	LATENCY_KNOWS_INTERFACE = 8,
};

/* What was chosen; before that, whether functions may be used, and what has to be known of packets. */
struct latency_ways {
	unsigned int asked;
	bool functions; /* programs may be attached to them */
	int refused;	/* otherwise: errno */

	const struct latency_way
		*way[NETCOST_LATENCY_COUNT];	    /* NULL: it is not measured, for lack of … */
	const char *missing[NETCOST_LATENCY_COUNT]; /* … this, which the best way needs, or … */
	unsigned int unknown[NETCOST_LATENCY_COUNT]; /* … of this, which is asked for */
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
/* Is udp-read measured by functions? */
bool latency_ways_udp_functions(const struct latency_ways *w);
void latency_ways_say(const struct latency_ways *w, enum netcost_latency hook,
		      struct source_point *said);

#endif
