/* SPDX-License-Identifier: BSD-2-Clause */
/* breakdown.h: CPU time by something else than leaves, and as it changes. */
#ifndef NETCOST_REPORT_BREAKDOWN_H
#define NETCOST_REPORT_BREAKDOWN_H

#include "intervals.h"
#include "summary.h"
#include "processes.h"
#include "processes_shares.h"

/* ---- by CPU, task, process, cgroup, interval ------------------------------------------- */

/*
 * The split of CPU time by CPU, task, process, cgroup, or piece of time. The rows sum to the
 * whole: those that are not shown are one row, "others".
 *
 * Tasks, processes and cgroups are known by samples only: the time of each leaf on a CPU, as the summary has it, is
 * distributed over the samples there. Time of a leaf without samples is in the row of those who are not known. Idle time
 * that is known exactly, and the recorder's own, is in no row.
 */

enum breakdown_kind {
	BREAKDOWN_CPU,
	BREAKDOWN_TASK,
	BREAKDOWN_PROCESS,
	BREAKDOWN_CGROUP,
	BREAKDOWN_INTERVAL,
	BREAKDOWN_KINDS,
};

/* Tasks, processes and cgroups: by samples alone. */
bool breakdown_is_sampled(enum breakdown_kind kind);

extern const char *const breakdown_names[BREAKDOWN_KINDS + 1]; /* NULL-terminated */

struct breakdown_row {
	uint64_t id;		/* CPU, thread or process; TRACE_NIL: not known */
	const char *name;	/* of a task or process */
	double begin_s, end_s;	/* of a piece of time */
	uint64_t samples;	/* that its split rests on */
	struct split_cpu split; /* wall_ns: all the time it had */
};

struct breakdown {
	enum breakdown_kind kind;
	const struct summary *s;
	struct breakdown_row *row; /* most network time first; pieces of time in their order */
	size_t n, nothers;
	struct breakdown_row others, all; /* others: if nothers */
	uint64_t samples_outside; /* of pieces of time: before the first tick and after the last */
};

/* n: the most rows; 0: the usual number. iv: for BREAKDOWN_INTERVAL. -ENOMEM. */
int breakdown_make(struct breakdown *b, const struct summary *s, enum breakdown_kind kind, size_t n,
		   const struct intervals *iv);
void breakdown_free(struct breakdown *b);

/* ---- timelines ------------------------------------------------------------------------- */

/* The pieces of time of intervals.h, worked out one after the other: the host, or processes. NaN: not measured. */

/* ---- the host ---------------------------------------------------------------------------- */

struct timeline_row {
	double begin_s, end_s, seconds;
	uint64_t samples;
	struct split_cpu split;
	double packets_per_s, bits_per_s, total_w, network_w;
	size_t moment, nmoments; /* the marks of it, in the model */
};

/* Energy of packages and memory; counters that did not tell of nearly all of the row say nothing. moved: some did. */
double timeline_joules(const struct interval *row, bool moved);
/* A counter that never moves does not count. */
bool timeline_energy_moved(const struct intervals *iv);

struct timeline {
	const struct intervals *intervals;
	const struct model *m;
	bool moved; /* an energy counter has */
};

void timeline_init(struct timeline *t, const struct intervals *iv, const struct model *m);
/* r: holds the row before it, or zeros. -ENOMEM. */
int timeline_row(struct timeline_row *r, const struct timeline *t, size_t i);

/* ---- what the processes or cgroups with the most of a piece had, and the rest -------------- */

/* The parts sum to wall_ns. NaN: not known. */
struct timeline_by_row {
	double begin_s, end_s;
	double wall_ns, idle_ns;	/* of the CPUs, as far as they were counted */
	double (*track)[PROCESS_TIMES]; /* one of each track, then that of the rest */
	double interrupted_ns;		/* network interrupts, of all */
	double missing_ns;		/* that is in none of them */
	double joules;			/* of packages and memory */
	/* Of them, those of busy time, a ns: processes_energy.h; low NaN: idle power cannot be told. */
	struct energy_range joules_a_ns;
};

struct timeline_by {
	const struct intervals *intervals;
	const struct processes *p;
	struct process_tracks tracks;
	struct processes_energy energy;
	bool has_energy;
	struct timeline_by_row row; /* the last one that was made */
};

/* Of the first n rows of p; all must outlive it. -ENOMEM: then there is nothing to free. */
int timeline_by_make(struct timeline_by *t, const struct intervals *iv, const struct processes *p,
		     const struct process_times *times, size_t n);
/* Makes row i. */
const struct timeline_by_row *timeline_by_row(struct timeline_by *t, size_t i);
/* What that much busy time of a row has of its energy; and what idle power or time has. NaN: not known. */
struct energy_range timeline_by_energy(const struct timeline_by_row *r, double ns);
struct energy_range timeline_by_idle_energy(const struct timeline_by_row *r);
void timeline_by_free(struct timeline_by *t);

#endif
