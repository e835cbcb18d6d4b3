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
 * The split of CPU time by CPU, task, process, cgroup, or interval. The rows sum to the whole:
 * those that are not shown are one row, "others".
 *
 * Tasks, processes and cgroups are known from samples only: the time of each leaf on a CPU, as in
 * the summary, is distributed over the samples there. Time of a leaf without samples is in the row
 * of unknown owners. Exact idle time and the recorder's own time are in no row.
 */

enum breakdown_kind {
	BREAKDOWN_CPU,
	BREAKDOWN_TASK,
	BREAKDOWN_PROCESS,
	BREAKDOWN_CGROUP,
	BREAKDOWN_INTERVAL,
	BREAKDOWN_KINDS,
};

/* True for tasks, processes and cgroups, which are known from samples only. */
bool breakdown_is_sampled(enum breakdown_kind kind);

extern const char *const breakdown_names[BREAKDOWN_KINDS + 1]; /* NULL-terminated */

struct breakdown_row {
	uint64_t id;		/* CPU, thread or process; TRACE_NIL: unknown */
	const char *name;	/* of a task or process */
	double begin_s, end_s;	/* of an interval */
	uint64_t samples;	/* number of samples on which the split is based */
	struct split_cpu split; /* wall_ns: the row's total time */
};

struct breakdown {
	enum breakdown_kind kind;
	const struct summary *s;
	struct breakdown_row *row; /* by descending network time; intervals in the order of time */
	size_t n, nothers;
	struct breakdown_row others, all; /* others is valid if nothers */
	/* for intervals: samples before the first tick and after the last */
	uint64_t samples_outside;
};

/* n: the largest number of rows; 0: the default. iv: for BREAKDOWN_INTERVAL. -ENOMEM. */
int breakdown_make(struct breakdown *b, const struct summary *s, enum breakdown_kind kind, size_t n,
		   const struct intervals *iv);
void breakdown_free(struct breakdown *b);

/* ---- timelines ------------------------------------------------------------------------- */

/*
 * Timelines: rows computed one by one from the intervals of intervals.h, for the host or for
 * processes. NaN: not measured.
 */

/* ---- the host ---------------------------------------------------------------------------- */

struct timeline_row {
	double begin_s, end_s, seconds;
	uint64_t samples;
	struct split_cpu split;
	double packets_per_s, bits_per_s, total_w, network_w;
	size_t moment, nmoments; /* its marks in the model */
};

/*
	 * Energy of packages and memory. A counter that does not cover nearly all of the row is
	 * ignored. moved: some counters moved.
	 */
double timeline_joules(const struct interval *row, bool moved);
/* False: the energy counters never moved and are ignored. */
bool timeline_energy_moved(const struct intervals *iv);

struct timeline {
	const struct intervals *intervals;
	const struct model *m;
	bool moved; /* an energy counter has moved */
};

void timeline_init(struct timeline *t, const struct intervals *iv, const struct model *m);
/* r: holds the previous row, or zeros. -ENOMEM. */
int timeline_row(struct timeline_row *r, const struct timeline *t, size_t i);

/* ---- the processes or cgroups with the most time, and the rest ---------------------- */

/* The parts sum to wall_ns. NaN: unknown. */
struct timeline_by_row {
	double begin_s, end_s;
	double wall_ns, idle_ns;	/* of the CPUs, in the time that was counted */
	double (*track)[PROCESS_TIMES]; /* of each track, then of the rest */
	double interrupted_ns;		/* network interrupts of all processes */
	double missing_ns;		/* time in none of the parts */
	double joules;			/* of packages and memory */
	/* Joules per ns of busy time: processes_shares.h; low NaN: idle power is unknown. */
	struct energy_range joules_a_ns;
};

struct timeline_by {
	const struct intervals *intervals;
	const struct processes *p;
	struct process_tracks tracks;
	struct processes_energy energy;
	bool has_energy;
	struct timeline_by_row row; /* the last row made */
};

/* Makes tracks of the first n rows of p. All arguments must outlive it. -ENOMEM: nothing to free. */
int timeline_by_make(struct timeline_by *t, const struct intervals *iv, const struct processes *p,
		     const struct process_times *times, size_t n);
/* Makes row i. */
const struct timeline_by_row *timeline_by_row(struct timeline_by *t, size_t i);
/* Return the energy of an amount of a row's busy time, and the energy of idle power or time. NaN: unknown. */
struct energy_range timeline_by_energy(const struct timeline_by_row *r, double ns);
struct energy_range timeline_by_idle_energy(const struct timeline_by_row *r);
void timeline_by_free(struct timeline_by *t);

#endif
