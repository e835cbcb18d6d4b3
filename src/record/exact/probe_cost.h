/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_cost.h: what a run of each class of probes costs (netcost/probes.h). While the kernel's statistics are on, the cost of
 * the programs that belong to a class is known (entry_cost.h), and the number of the class's runs is counted; the ratio is the
 * cost of a run. So the cost of all runs in that time is that of the programs, whatever they did in it.
 */
#ifndef NETCOST_PROBE_COST_H
#define NETCOST_PROBE_COST_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/probes.h>

#include "record/sample/own_sample.h"

struct exact_reading;
struct ladder;
struct trace_writer;

#define PROBE_COST_GROUPS 7 /* of classes that the same programs count */
#define PROBE_COST_WHY 120

/* Between two readings of the statistics, and of all since the first one. */
struct probe_cost_sums {
	double ns, runs, ns2, ns_runs, runs2;
	unsigned int pieces;
};

struct probe_costs {
	bool operations_apart; /* they are in a class of their own beside system calls: tracepoints */
	struct probe_cost_sums group[PROBE_COST_GROUPS];
	uint64_t runs[NETCOST_PROBE_COUNT]; /* of each class at the last reading */
	double piece_ns[PROBE_COST_GROUPS]; /* of the piece that goes on */
	bool news;			    /* since it was written last */
	struct own_sample_cost sample;	    /* measured at the start, or why not */
	char sample_why[PROBE_COST_WHY];
};

/* Nothing is known yet. */
void probe_costs_init(struct probe_costs *c, const struct ladder *l);
/* The group of a program, by its name; -1: it is in no class. */
int probe_costs_group(const struct ladder *l, const char *program);

/* A piece: what each program cost in it, then how often each class has run so far. counted: the statistics were on. */
void probe_costs_add(struct probe_costs *c, int group, double ns);
void probe_costs_end(struct probe_costs *c, const uint64_t runs[NETCOST_PROBE_COUNT], bool counted);

/* The cost of a run in ns, and the half-width of its 95 % interval, which may be NULL. NaN: not known. */
double probe_costs_of(const struct probe_costs *c, enum netcost_probe probe, double *ci95);
/* What of it is time of the event that the probe measures; NaN: nothing, or not known. */
double probe_costs_inside(const struct probe_costs *c, enum netcost_probe probe);

/* What the programs cost a CPU between two of its readings. What is not known is assumed to cost much. */
uint64_t probe_costs_ns(const struct probe_costs *c, const struct exact_reading *from,
			const struct exact_reading *to);

/* Writes what is new. all: a file begins. samples: they are taken. ladder: NULL: nothing is attached. */
int probe_costs_write(struct probe_costs *c, const struct ladder *ladder, bool samples, bool all,
		      struct trace_writer *w);
/* How often each class ran, at a tick. */
int probe_costs_write_runs(const struct ladder *ladder, const struct exact_reading *reading,
			   size_t n, bool first, uint64_t *column, struct trace_writer *w);

#endif
