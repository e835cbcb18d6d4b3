/* SPDX-License-Identifier: BSD-2-Clause */
/* path.h: the BPF programs that follow packets (bpf/path.bpf.c), loaded once for latency, stages and drops. */
#ifndef NETCOST_RECORD_PATH_H
#define NETCOST_RECORD_PATH_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h> /* the programs' __u64 */

#include "path_points.h"
#include "record/source/source.h"

struct netcost_drops;
struct netcost_exemplar;
struct netcost_latency_keyed;
struct netcost_path_cpu;
struct path_bpf;

struct path {
	struct path_bpf *skel; /* NULL: not loaded */
	unsigned int ncpus;    /* possible CPUs */
	struct path_points points;
	bool drops; /* counts drops, too */

	struct netcost_path_cpu *cpu;		   /* mapped */
	const struct netcost_latency_keyed *keyed; /* mapped; NULL: off */
	const struct netcost_drops *dropped;	   /* mapped */
	const struct netcost_exemplar *exemplars;  /* mapped; for the tail */
	char why[SOURCE_WHY];			   /* why it is not loaded */
	/* nlinks links from the begin; nstay from the end, which pauses do not detach */
	struct bpf_link **link;
	size_t nlinks, nstay;
	const void *lister; /* the source that lists the programs */
};

/*
 * Loads and attaches what h requires. *pp NULL: neither latency nor stages are requested, or
 * programs cannot be loaded. -ENOMEM
 */
int path_new(struct path **pp, const struct source_host *h);
void path_free(struct path *p); /* NULL is allowed */

/*
 * path_pause() detaches the programs, except for the one that counts drops and those of functions, which return at
 * once. After path_resume() all are attached, but count nothing except drops until path_follow(): so all start at once.
 * Packets that are on their path then are unknown. 0 or -errno.
 */
void path_pause(struct path *p);
int path_resume(struct path *p);
bool path_follows(const struct path *p);
void path_follow(struct path *p, bool follow);
/* Number of program runs on the CPU so far. */
uint64_t path_runs(const struct path *p, unsigned int cpu);

/* Returns the i-th program, to the first source that asks; NULL: no more. */
const struct bpf_program *path_program(struct path *p, const void *source, size_t i);

#endif
