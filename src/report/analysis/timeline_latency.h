/* SPDX-License-Identifier: BSD-2-Clause */
/* timeline_latency.h: for how long packets waited in each piece of time, of one hook or of those of reads together. */
#ifndef NETCOST_REPORT_TIMELINE_LATENCY_H
#define NETCOST_REPORT_TIMELINE_LATENCY_H

#include "latency_pieces.h"

#define TIMELINE_LATENCY_READ "read" /* the hooks of reads from sockets, whatever the protocol */

/* NaN: no packets. */
struct timeline_latency_row {
	double packets, p50_ns, p99_ns;
};

struct timeline_latency {
	struct latency_pieces pieces; /* its watch is the second of the intervals */
	const char *of;		      /* a hook, or TIMELINE_LATENCY_READ */
	struct dist sum;	      /* of the piece at hand */
	struct timeline_latency_row *row;
	size_t n; /* pieces */
	bool no_memory;
};

/* hook: NULL: those of reads. */
void timeline_latency_init(struct timeline_latency *t, const char *hook);
void timeline_latency_free(struct timeline_latency *t);

/* Was any of its hooks measured? */
bool timeline_latency_is_measured(const struct timeline_latency *t, const struct model *m);
struct timeline_latency_row timeline_latency_row(const struct timeline_latency *t, size_t piece);

#endif
