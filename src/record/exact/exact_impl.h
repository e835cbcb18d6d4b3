/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_impl.h: internals shared by exact.c, which creates and attaches the exact counters, and
 * exact_read.c, which reads them.
 */
#ifndef NETCOST_EXACT_IMPL_H
#define NETCOST_EXACT_IMPL_H

#include "exact.h"
#include "record/kernel/probe_object.h"

struct exact {
	struct probe_object probe;
	struct netcost_bpf *skel;
	struct attach *attach;
	struct netcost_cpu *cpu; /* the mapped states of all CPUs */
	struct netcost_cpu *at_begin;
	struct exact_past *past;
	struct exact_gap *gap;
	struct exact_reading *last; /* last reading of each CPU that was seen */
	uint64_t window;	    /* number of earlier windows */
	struct outside *outside;
	struct processes *processes; /* NULL: --processes is off */
	struct owners *owners;	     /* NULL: --owners is off */
	unsigned int ncpus;
	uint32_t each; /* processes_each() */
};

/* Copies a CPU's state as of `now`. Returns false if it kept changing. */
bool exact_copy(const struct exact *e, unsigned int cpu, struct netcost_cpu *copy, uint64_t *now);

#endif
