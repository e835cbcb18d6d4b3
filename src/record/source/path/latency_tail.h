/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_tail.h: what CPUs did while the slowest packets waited (--tail): from the programs of path.bpf.c to records. */
#ifndef NETCOST_LATENCY_TAIL_H
#define NETCOST_LATENCY_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/culprits.h>
#include <netcost/latency.h>

struct netcost_exemplar;
struct trace_writer;

/* One of the things that a CPU did while a packet waited. */
struct tail_share {
	enum netcost_culprit what;
	bool reader;	 /* once its reader was told */
	uint64_t number; /* TRACE_NIL: it has none */
	char name[16];	 /* "": likewise */
	uint64_t ns;
	size_t place; /* while they are found */
};

#define TAIL_SHARES 32 /* more are unknown */
#define TAIL_SPANS 128

/* The latest of its time: what it was, from the end of it back, without a gap. */
struct tail_spans {
	size_t n;
	uint64_t share[TAIL_SPANS], ns[TAIL_SPANS];
};

/* They sum to how long it waited; the largest is the first. Returns how many. */
size_t tail_shares(const struct netcost_exemplar *x, enum netcost_latency hook,
		   struct tail_share share[TAIL_SHARES], struct tail_spans *spans);

/*
 * The slowest packets of a tick that the programs have left; now: NETCOST_EXEMPLARS of them; NULL: none. Negative: the writer's
 * error.
 */
int latency_tail_write(const struct netcost_exemplar *now, enum netcost_latency hook, uint64_t done,
		       struct trace_writer *w);

#endif
