/* SPDX-License-Identifier: BSD-2-Clause */
/* path.h: the BPF programs that follow packets (bpf/path.bpf.c): loaded once for latency, stages and drops. */
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
	unsigned int ncpus;    /* possible ones */
	struct path_points points;
	bool drops; /* are counted here, too */

	struct netcost_path_cpu *cpu;		   /* mapped */
	const struct netcost_latency_keyed *keyed; /* likewise; NULL: not asked for */
	const struct netcost_drops *dropped;	   /* likewise */
	const struct netcost_exemplar *exemplars;  /* likewise: of the tail */
	char why[SOURCE_WHY];			   /* it is not loaded */
	struct bpf_link *
		*link; /* from the begin: nlinks; from the end: nstay, which pauses do not detach */
	size_t nlinks, nstay;
	const void *lister; /* the source that lists the programs */
};

/* Loads and attaches what h asks for. *pp NULL: it asks for neither latency nor stages, or programs cannot be loaded. -ENOMEM */
int path_new(struct path **pp, const struct source_host *h);
void path_free(struct path *p); /* takes NULL */

/*
 * Detaches the programs, but for the one that counts drops, and those of functions, which return at once. After
 * path_resume() all are attached, and count nothing but drops until path_follow(): then all begin at once, and packets that
 * are on their path are not known. 0 or -errno.
 */
void path_pause(struct path *p);
int path_resume(struct path *p);
bool path_follows(const struct path *p);
void path_follow(struct path *p, bool follow);
/* How often programs have run on the CPU so far. */
uint64_t path_runs(const struct path *p, unsigned int cpu);

/* The i-th program, for the first source that asks; NULL: there are no more. */
const struct bpf_program *path_program(struct path *p, const void *source, size_t i);

#endif
