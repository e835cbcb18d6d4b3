/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency_tail.h: what CPUs did while the slowest packets waited (--tail): from the programs of path.bpf.c to records.
 */
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
	bool reader;	 /* after its reader was woken */
	uint64_t number; /* TRACE_NIL: none */
	char name[16];	 /* "": none */
	uint64_t ns;
	size_t place; /* used during the computation */
};

#define TAIL_SHARES 32 /* maximum; the excess counts as unknown */
#define TAIL_SPANS 128

/* The last spans of the packet's time: what the CPU did, from the end backwards, without gaps. */
struct tail_spans {
	size_t n;
	uint64_t share[TAIL_SPANS], ns[TAIL_SPANS];
};

/* Computes the shares, which sum to the packet's latency, largest first. Returns their number. */
size_t tail_shares(const struct netcost_exemplar *x, enum netcost_latency hook,
		   struct tail_share share[TAIL_SHARES], struct tail_spans *spans);

/*
 * Writes the slowest packets of a tick that the programs no longer write. now: NETCOST_EXEMPLARS
 * exemplars; NULL: none. Negative: the writer's error.
 */
int latency_tail_write(const struct netcost_exemplar *now, enum netcost_latency hook, uint64_t done,
		       struct trace_writer *w);

#endif
