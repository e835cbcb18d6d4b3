/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_impl.h: the exact counters, to exact.c, which makes and attaches them, and exact_read.c, which reads them.
 */
#ifndef NETCOST_EXACT_IMPL_H
#define NETCOST_EXACT_IMPL_H

#include "exact.h"
#include "record/kernel/probe_object.h"

struct exact {
	struct probe_object probe;
	struct netcost_bpf *skel;
	struct attach *attach;
	struct netcost_cpu *cpu; /* mapped */
	struct netcost_cpu *at_begin;
	struct exact_past *past;
	struct exact_gap *gap;
	struct exact_reading *last; /* of each CPU that has been seen */
	uint64_t window;	    /* how often it was attached before */
	struct outside *outside;
	struct processes *processes; /* NULL: not asked for */
	struct owners *owners;	     /* likewise */
	unsigned int ncpus;
};

/* A CPU's state as of `now`. False: it never held still. */
bool exact_copy(const struct exact *e, unsigned int cpu, struct netcost_cpu *copy, uint64_t *now);

#endif
