/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * by.h: the split of CPU time by CPU, task, process, cgroup, or piece of time. The rows sum to the
 * whole: those that are not shown are one row, "others".
 *
 * Tasks, processes and cgroups are known by samples only; a sample of a CPU stands for the time that
 * it does in the summary. Idle time that is known exactly is nobody's.
 */
#ifndef NETCOST_REPORT_BY_H
#define NETCOST_REPORT_BY_H

#include "intervals.h"
#include "summary.h"

enum by_kind {
	BY_CPU,
	BY_TASK,
	BY_PROCESS,
	BY_CGROUP,
	BY_INTERVAL,
	BY_KINDS,
};

/* Tasks, processes and cgroups: by samples alone. */
bool by_is_sampled(enum by_kind kind);

extern const char *const by_names[BY_KINDS + 1]; /* NULL-terminated */

struct by_row {
	uint64_t id;		/* CPU, thread or process; TRACE_NIL: not known */
	const char *name;	/* of a task or process */
	double begin_s, end_s;	/* of a piece of time */
	uint64_t samples;	/* that its split rests on */
	struct split_cpu split; /* wall_ns: all the time it had */
};

struct by {
	enum by_kind kind;
	const struct summary *s;
	struct by_row *row; /* most network time first; pieces of time in their order */
	size_t n, nothers;
	struct by_row others, all; /* others: if nothers */
	uint64_t samples_outside; /* of pieces of time: before the first tick and behind the last */
};

/* n: at most so many rows, 0: as many as is usual. iv: for BY_INTERVAL. -ENOMEM. */
int by_make(struct by *by, const struct summary *s, enum by_kind kind, size_t n,
	    const struct intervals *iv);
void by_free(struct by *by);

#endif
