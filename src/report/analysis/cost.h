/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost.h: what the recording itself cost, as far as it is known.
 *
 * Probes: how often each class of them ran is counted, and a run of each costs what the recorder measured when it began.
 * Samples likewise. The kernel's own statistics of the recorder's BPF programs know nothing of the way to a program and
 * back, and are on for a part of the time only, which is taken to have the same share of all of it.
 *
 * Programs in no class of probes (--latency, --tail, --stages) are known by these statistics, and by the samples below them.
 * Both are lower bounds: these samples lack the ways that other programs use, too. The larger one counts, and the cost is
 * then at least that. The same holds for classes whose programs take longer by the statistics than their runs cost.
 *
 * Programs that the recorder's own process runs (the iterator of --owners, the look-up of names) are in its CPU time, and
 * the sampler's program is in the cost of a sample.
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
	double all_programs; /* `all` has that much of them where nothing is measured: by_samples, if that is more */
	double by_samples; /* all own programs */
	double others; /* programs in no class: by the larger of the next two; NaN: there are none, or not known */
	double others_statistics, others_samples, others_samples_ci95;
	bool has_others; /* there are programs in no class */
	bool by_statistics; /* programs in classes: by the statistics, which exceed what their runs cost */
	bool at_least; /* `all` is a lower bound: it has no ci95 */
	bool measured; /* the trace says what runs of probes, or samples, cost: `all` is by that */
	double probes, samples;
	double ci95;	    /* of `all`: half-width */
	double busiest;	    /* all but the recorder, of the CPU where that took most of its time */
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
