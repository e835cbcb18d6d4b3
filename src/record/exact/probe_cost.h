/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_cost.h: computes the cost of a run of each class of probes (netcost/probes.h). While BPF statistics are on, the
 * cost of the programs of a class is known (entry_cost.h), and the number of the class's runs is counted. Their ratio
 * is the cost of a run. So the cost of all runs in that time equals the cost of the programs.
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

/* number of groups; the classes of a group are counted by the same programs */
#define PROBE_COST_GROUPS 7
#define PROBE_COST_WHY 120

/* Sums over all pieces. A piece is the interval between two readings of the statistics. */
struct probe_cost_sums {
	double ns, runs, ns2, ns_runs, runs2;
	unsigned int pieces;
};

struct probe_costs {
	/* operations are a class separate from system calls, which is the case with tracepoints */
	bool operations_apart;
	struct probe_cost_sums group[PROBE_COST_GROUPS];
	uint64_t runs[NETCOST_PROBE_COUNT]; /* runs of each class at the last reading */
	double piece_ns[PROBE_COST_GROUPS]; /* cost of each group in the current piece, ns */
	bool news;			    /* costs changed since the last write */
	/* cost of a sample, measured at the start; sample_why has the reason if the cost is unknown */
	struct own_sample_cost sample;
	char sample_why[PROBE_COST_WHY];
};

/* Sets all costs to unknown. */
void probe_costs_init(struct probe_costs *c, const struct ladder *l);
/* Returns the group of the program with the given name. Returns -1 if the program is in no group. */
int probe_costs_group(const struct ladder *l, const char *program);

/*
 * To record a piece, call probe_costs_add() for each program, then probe_costs_end() with the number of runs of each
 * class so far. counted: BPF statistics were on during the piece.
 */
void probe_costs_add(struct probe_costs *c, int group, double ns);
void probe_costs_end(struct probe_costs *c, const uint64_t runs[NETCOST_PROBE_COUNT], bool counted);

/*
 * Returns the cost of a run in ns, or NaN if the cost is unknown. If ci95 is not NULL, stores the half-width of the 95
 * % interval in *ci95.
 */
double probe_costs_of(const struct probe_costs *c, enum netcost_probe probe, double *ci95);
/*
 * Returns the part of the cost of a run that is in the time of the event that the probe measures. Returns NaN if no
 * part of the cost is in that time, or if the cost is unknown.
 */
double probe_costs_inside(const struct probe_costs *c, enum netcost_probe probe);

/* Returns the programs' cost in ns on a CPU between two readings of that CPU. Unknown costs are assumed to be high. */
uint64_t probe_costs_ns(const struct probe_costs *c, const struct exact_reading *from,
			const struct exact_reading *to);

/*
 * Writes the costs that changed. all: writes all costs, because a file begins. samples: the recording takes samples.
 * ladder is NULL if nothing is attached.
 */
int probe_costs_write(struct probe_costs *c, const struct ladder *ladder, bool samples, bool all,
		      struct trace_writer *w);
/* Writes the runs of each class at a tick. */
int probe_costs_write_runs(const struct ladder *ladder, const struct exact_reading *reading,
			   size_t n, bool first, uint64_t *column, struct trace_writer *w);

#endif
