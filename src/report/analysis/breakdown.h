/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * breakdown.h: the split of CPU time by CPU, task, process, cgroup, or piece of time. The rows sum to the
 * whole: those that are not shown are one row, "others".
 *
 * Tasks, processes and cgroups are known by samples only: the time of each leaf on a CPU, as the summary has it, is
 * distributed over the samples there. Time of a leaf without samples is in the row of those who are not known. Idle time
 * that is known exactly, and the recorder's own, is in no row.
 */
#ifndef NETCOST_REPORT_BREAKDOWN_H
#define NETCOST_REPORT_BREAKDOWN_H

#include "intervals.h"
#include "summary.h"

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

#endif
