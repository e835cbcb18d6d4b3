/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency_tail.h: writes records about the slowest packets (--tail): what the CPUs did while these packets waited. The
 * programs of path.bpf.c observe these activities.
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

/* One activity of a CPU while a packet waited, with its time. */
struct tail_share {
	enum netcost_culprit what;
	bool reader;	 /* the packet's reader had been woken */
	uint64_t number; /* number of the interrupt, softirq or other kind; TRACE_NIL: none */
	char name[16];	 /* name of the task; "": none */
	uint64_t ns;
	size_t place; /* internal: index before sorting */
};

#define TAIL_SHARES 32 /* maximum number of shares; further activities count as unknown */
#define TAIL_SPANS 128

/*
 * The last spans of the packet's time, from the end backwards, without gaps. Each has the index of its share, and a
 * length.
 */
struct tail_spans {
	size_t n;
	uint64_t share[TAIL_SPANS], ns[TAIL_SPANS];
};

/*
 * Computes the shares, which sum to the packet's latency. The largest share comes first. Returns the number of shares.
 */
size_t tail_shares(const struct netcost_exemplar *x, enum netcost_latency hook,
		   struct tail_share share[TAIL_SHARES], struct tail_spans *spans);

/*
 * Writes the slowest packets of a tick that the programs no longer write to. now is an array of NETCOST_EXEMPLARS
 * exemplars, or NULL. Returns the writer's error if negative.
 */
int latency_tail_write(const struct netcost_exemplar *now, enum netcost_latency hook, uint64_t done,
		       struct trace_writer *w);

#endif
