/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost.h: what the recording itself cost, as far as it is known. Runs of the recorder's BPF programs
 * are counted for a part of the time; they are taken to have the same share of all of it.
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

/* What was left out, in words; empty: nothing was. Returns dst. */
char *cost_misses(const struct model *m, char *dst, size_t size);
/* Do the programs run so often that counting their runs must have slowed the load down? */
bool cost_slowed(const struct model *m);

#endif
