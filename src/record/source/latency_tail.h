/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_tail.h: what CPUs did while the slowest packets waited (--tail): from the programs of path.bpf.c to records. */
#ifndef NETCOST_LATENCY_TAIL_H
#define NETCOST_LATENCY_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/culprits.h>
#include <netcost/latency.h>

struct bpf_object;
struct btf_names;
struct netcost_exemplar;
struct source_point;
struct trace_writer;

struct latency_tail {
	bool asked, on;			    /* on: the programs are to be loaded, or are */
	int off;			    /* errno: they are refused; 0: not */
	const char *missing;		    /* this tracepoint is; NULL: none */
	const struct netcost_exemplar *now; /* mapped */
};

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

/* Before anything is loaded: whether the kernel has what it takes. */
void latency_tail_choose(struct latency_tail *t, const struct btf_names *kernel);
/* Is the program of this tracepoint one of its own, and wanted? */
bool latency_tail_wants(const struct latency_tail *t, const char *name);
/* Before the programs are loaded: makes room. After that: maps it. 0 or -errno. */
int latency_tail_size(const struct latency_tail *t, const struct bpf_object *obj,
		      unsigned int ncpus);
int latency_tail_map(struct latency_tail *t, const struct bpf_object *obj);
void latency_tail_unmap(struct latency_tail *t);

void latency_tail_say(const struct latency_tail *t, struct source_point *said);
/* The slowest packets of a tick that the programs have left. Negative: the writer's error. */
int latency_tail_write(const struct latency_tail *t, enum netcost_latency hook, uint64_t done,
		       struct trace_writer *w);

#endif
