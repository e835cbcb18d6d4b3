/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost.h: what the recording itself cost, as far as it is known.
 *
 * Probes: how often each class of them ran is counted, and a run of each costs what the recorder measured when it began.
 * Samples likewise. The kernel's own statistics of the recorder's BPF programs know nothing of the way to a program and
 * back, and are on for a part of the time only, which is taken to have the same share of all of it: a check, and all there
 * is in traces without the records of probes.
 */
#ifndef NETCOST_REPORT_COST_H
#define NETCOST_REPORT_COST_H

#include <stdbool.h>
#include <stddef.h>

#include "report/model/model.h"

/* Shares of the time of the recorded CPUs. What is not known is NaN. */
struct cost {
	bool has_programs; /* false: the recording needed none */
	double programs, recorder, all;
	bool measured; /* the trace says what runs of probes, or samples, cost: `all` is by that */
	double probes, samples;
	double ci95;	    /* of `all`: half-width */
	double busiest;	    /* probes and samples, of the CPU where they took most of its time */
	unsigned int lacks; /* kinds of probes that ran, but what a run of them costs is not known */
	/* For how long runs were counted, of the time between the first tick and the last. */
	double counted_s, of_s;
	/* Runs that were left out, and kprobes that were missed, of all programs. */
	double recursion, missed;
};

struct cost cost_make(const struct model *m);

/* One program. */
struct cost_program {
	double runs, run_ns; /* in the time counted */
	double ns_per_run, share;
	double recursion, missed;
};

struct cost_program cost_program(const struct model *m, const struct model_program *p);

/* A class of probes, or the samples. */
struct cost_probe {
	bool there;
	double runs, ns; /* all of them */
	double ns_per_run, ci95_per_run;
	double share, ci95;
};

struct cost_probe cost_probe(const struct model *m, enum netcost_probe probe);

/* What was left out, in words; empty: nothing was. Returns dst. */
char *cost_misses(const struct model *m, char *dst, size_t size);
/* Do the programs run so often that counting their runs must have slowed the load down? */
bool cost_slowed(const struct model *m);

#endif
