/* SPDX-License-Identifier: BSD-2-Clause */
/* breakdown.h: CPU time by CPU, task, process, cgroup or interval, and timelines. */
#ifndef NETCOST_REPORT_BREAKDOWN_H
#define NETCOST_REPORT_BREAKDOWN_H

#include "intervals.h"
#include "summary.h"
#include "processes.h"
#include "processes_shares.h"

/* ---- by CPU, task, process, cgroup, interval ------------------------------------------- */

/*
 * The split of CPU time by CPU, task, process, cgroup, or interval. The rows sum to the whole, because rows that are
 * not shown are merged into the row "others".
 *
 * Tasks, processes and cgroups are known only from samples. The time of each leaf on a CPU is the same as in the
 * summary. It is distributed over the leaf's samples on that CPU. The time of a leaf without samples belongs to the row
 * of unknown owners. Exact idle time and the recorder's own time belong to no row.
 */

enum breakdown_kind {
	BREAKDOWN_CPU,
	BREAKDOWN_TASK,
	BREAKDOWN_PROCESS,
	BREAKDOWN_CGROUP,
	BREAKDOWN_INTERVAL,
	BREAKDOWN_KINDS,
};

/* Returns true for tasks, processes and cgroups, which are known only from samples. */
bool breakdown_is_sampled(enum breakdown_kind kind);

extern const char *const breakdown_names[BREAKDOWN_KINDS + 1]; /* NULL-terminated */

struct breakdown_row {
	uint64_t id;		/* CPU, thread or process; TRACE_NIL: unknown */
	const char *name;	/* name of the task or process */
	double begin_s, end_s;	/* begin and end of the interval */
	uint64_t samples;	/* number of samples on which the split is based */
	struct split_cpu split; /* wall_ns: the row's total time */
};

struct breakdown {
	enum breakdown_kind kind;
	const struct summary *s;
	/* rows in descending order of network time; intervals are in chronological order */
	struct breakdown_row *row;
	size_t n, nothers;
	struct breakdown_row others, all; /* `others` is valid if `nothers` is not 0 */
	/* Number of samples before the first tick and after the last tick, for intervals. */
	uint64_t samples_outside;
};

/*
 * Makes a breakdown. n is the largest number of rows; 0 means the default. iv is used for BREAKDOWN_INTERVAL. Returns 0
 * or -ENOMEM.
 */
int breakdown_make(struct breakdown *b, const struct summary *s, enum breakdown_kind kind, size_t n,
		   const struct intervals *iv);
void breakdown_free(struct breakdown *b);
/* Returns true if the times of all CPUs together are distributed over the samples, not those of each CPU. */
bool breakdown_is_of_all_cpus(const struct breakdown *b);
/*
 * Returns the half-width of the confidence interval of a row's network time. For rows that are known only from samples,
 * the half-width combines two errors: the error of the row's share of the network's samples, and the row's share of the
 * error of the network's time.
 */
double breakdown_network_ci95_ns(const struct breakdown *b, const struct breakdown_row *r);

/* ---- timelines ------------------------------------------------------------------------- */

/*
 * Timelines consist of rows that are computed one by one from the intervals of intervals.h, for the host or for
 * processes. NaN means "not measured".
 */

/* ---- the host ---------------------------------------------------------------------------- */

struct timeline_row {
	double begin_s, end_s, seconds;
	uint64_t samples;
	struct split_cpu split;
	double packets_per_s, bits_per_s; /* rx + tx */
	double rx_packets_per_s, tx_packets_per_s, rx_bits_per_s, tx_bits_per_s;
	double total_w, network_w;
	/* index of the row's first mark in the model, and number of its marks */
	size_t moment, nmoments;
};

/*
 * Returns the energy of packages and memory. A counter that covers too little of the row is ignored. `moved` is the
 * result of timeline_energy_moved().
 */
double timeline_joules(const struct interval *row, bool moved);
/* Returns true if any energy counter ever moved. If not, energy counters are ignored. */
bool timeline_energy_moved(const struct intervals *iv);

struct timeline {
	const struct intervals *intervals;
	const struct model *m;
	bool moved; /* an energy counter has moved */
};

void timeline_init(struct timeline *t, const struct intervals *iv, const struct model *m);
/* Makes row i. Before the call, r contains the previous row, or zeros. Returns 0 or -ENOMEM. */
int timeline_row(struct timeline_row *r, const struct timeline *t, size_t i);

/* ---- the processes or cgroups with the most time, and the rest ---------------------- */

/* A row of a timeline by process or cgroup. The parts sum to wall_ns. NaN: unknown. */
struct timeline_by_row {
	double begin_s, end_s;
	double wall_ns, idle_ns; /* sums over the CPUs, in the time that was counted */
	/* times of each track; the last entry is the track of everything else */
	double (*track)[PROCESS_TIMES];
	double interrupted_ns; /* time of network interrupts of all processes */
	double missing_ns;     /* time that belongs to none of the parts */
	double joules;	       /* energy of packages and memory */
	/* Joules per ns of busy time (processes_shares.h). `low` is NaN if idle power is unknown. */
	struct energy_range joules_a_ns;
};

struct timeline_by {
	const struct intervals *intervals;
	const struct processes *p;
	struct process_tracks tracks;
	struct processes_energy energy;
	bool has_energy;
	struct timeline_by_row row; /* the last row that was made */
};

/*
 * Makes tracks of the first n rows of p. All arguments must outlive t. Returns 0, or -ENOMEM if out of memory, in which
 * case there is nothing to free.
 */
int timeline_by_make(struct timeline_by *t, const struct intervals *iv, const struct processes *p,
		     const struct process_times *times, size_t n);
/* Makes row i. */
const struct timeline_by_row *timeline_by_row(struct timeline_by *t, size_t i);
/*
 * timeline_by_energy() returns the energy of an amount of busy time in a row. timeline_by_idle_energy() returns the
 * row's remaining energy, which is attributed to idle power or to idle time. NaN: unknown.
 */
struct energy_range timeline_by_energy(const struct timeline_by_row *r, double ns);
struct energy_range timeline_by_idle_energy(const struct timeline_by_row *r);
void timeline_by_free(struct timeline_by *t);

#endif
