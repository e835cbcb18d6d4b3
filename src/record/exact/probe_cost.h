/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_cost.h: the cost of a run of each class of probes (netcost/probes.h). While BPF statistics are on, the cost of
 * the programs of a class is known (entry_cost.h), and the number of the class's runs is counted; their ratio is the
 * cost of a run. So the cost of all runs in that time equals that of the programs, whatever they did.
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

#define PROBE_COST_GROUPS 7 /* groups of classes that the same programs count */
#define PROBE_COST_WHY 120

/* Sums over pieces: the intervals between two readings of the statistics, since the first one. */
struct probe_cost_sums {
	double ns, runs, ns2, ns_runs, runs2;
	unsigned int pieces;
};

struct probe_costs {
	/* with tracepoints: operations are a class separate from system calls */
	bool operations_apart;
	struct probe_cost_sums group[PROBE_COST_GROUPS];
	uint64_t runs[NETCOST_PROBE_COUNT]; /* of each class at the last reading */
	double piece_ns[PROBE_COST_GROUPS]; /* of the current piece */
	bool news;			    /* changed since the last write */
	struct own_sample_cost sample;	    /* measured at the start; sample_why says why not */
	char sample_why[PROBE_COST_WHY];
};

/* All costs are unknown. */
void probe_costs_init(struct probe_costs *c, const struct ladder *l);
/* Returns the group of a program by its name; -1: none. */
int probe_costs_group(const struct ladder *l, const char *program);

/*
 * A piece: add the cost of each program, then end it with the runs of each class so far. counted:
 * BPF statistics were on.
 */
void probe_costs_add(struct probe_costs *c, int group, double ns);
void probe_costs_end(struct probe_costs *c, const uint64_t runs[NETCOST_PROBE_COUNT], bool counted);

/* Returns the cost of a run in ns, and in *ci95, unless NULL, the half-width of its 95 % interval. NaN: unknown. */
double probe_costs_of(const struct probe_costs *c, enum netcost_probe probe, double *ci95);
/* Returns the part of that cost which is in the time of the event that the probe measures; NaN: none, or unknown. */
double probe_costs_inside(const struct probe_costs *c, enum netcost_probe probe);

/* Returns the programs' cost on a CPU between two of its readings. Unknown costs are assumed to be high. */
uint64_t probe_costs_ns(const struct probe_costs *c, const struct exact_reading *from,
			const struct exact_reading *to);

/* Writes changed costs. all: a file begins. samples: the recording takes samples. ladder: NULL: nothing is attached. */
int probe_costs_write(struct probe_costs *c, const struct ladder *ladder, bool samples, bool all,
		      struct trace_writer *w);
/* Writes the runs of each class at a tick. */
int probe_costs_write_runs(const struct ladder *ladder, const struct exact_reading *reading,
			   size_t n, bool first, uint64_t *column, struct trace_writer *w);

#endif
