/* SPDX-License-Identifier: BSD-2-Clause */
/* path.h: loads the BPF programs that follow packets (bpf/path.bpf.c), once for latency, stages and drops. */
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
	struct path_bpf *skel; /* NULL: the programs are not loaded */
	unsigned int ncpus;    /* number of possible CPUs */
	struct path_points points;
	bool drops; /* the programs also count drops */

	struct netcost_path_cpu *cpu; /* mapped states of CPUs */
	/* mapped rows; NULL: nothing is counted by key */
	const struct netcost_latency_keyed *keyed;
	const struct netcost_drops *dropped;	  /* mapped counters of drops */
	const struct netcost_exemplar *exemplars; /* mapped exemplars, for the tail */
	char why[SOURCE_WHY];			  /* reason why the programs are not loaded */
	/* the first nlinks elements are links; the last nstay elements are links that pauses do not detach */
	struct bpf_link **link;
	size_t nlinks, nstay;
	const void *lister; /* the source that lists the programs */
};

/*
 * Loads and attaches the programs that h requires. *pp is NULL if neither latency nor stages are requested, or if
 * programs cannot be loaded. Returns 0 or -ENOMEM.
 */
int path_new(struct path **pp, const struct source_host *h);
void path_free(struct path *p); /* NULL is allowed */

/*
 * path_pause() detaches all programs except the program that counts drops and the programs of functions. The programs
 * of functions then return at once. path_resume() attaches all programs again, but they count only drops until
 * path_follow() is called. So all programs start to follow packets at the same time. Packets whose path began earlier
 * are unknown. path_resume() returns 0 or -errno.
 */
void path_pause(struct path *p);
int path_resume(struct path *p);
void path_follow(struct path *p, bool follow);
/* Returns the number of program runs on the CPU so far. */
uint64_t path_runs(const struct path *p, unsigned int cpu);

/*
 * Returns the i-th program if `source` is the first source that called this function. Returns NULL for any other
 * source, and after the last program.
 */
const struct bpf_program *path_program(struct path *p, const void *source, size_t i);

#endif
