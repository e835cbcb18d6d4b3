/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filter.h: the part of a trace that a report covers (--from, --to, --cpu, --task, --cgroup), and
 * the values that the user supplies.
 */
#ifndef NETCOST_REPORT_FILTER_H
#define NETCOST_REPORT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/cpuset.h>

#include "report/base/text.h"

struct filter {
	bool window; /* from or to was given */
	struct time_arg from, to;
	struct cpuset cpus; /* n 0: all CPUs */
	const char *tasks;  /* names and thread ids, separated by commas; NULL: all tasks */
	const char *cgroup; /* a path: selects it and all paths below it; NULL: all cgroups */
	bool with_own_cost; /* include the recorder's own cost in all times */
	double idle_watts;  /* idle power of packages and memory together; 0: not given */
	const char *per;    /* the NAME of NAME=COUNT, for unit costs; NULL: none */
	double per_count;   /* the COUNT of NAME=COUNT */
};

void filter_free(struct filter *f);

/* f is NULL: selects all. */
bool filter_takes_cpu(const struct filter *f, uint64_t cpu);
/* comm and path have n bytes. */
bool filter_takes_task(const struct filter *f, uint64_t tid, const char *comm, size_t n);
bool filter_takes_cgroup(const struct filter *f, const char *path, size_t n);

/*
 * True for filters by task or cgroup. They exclude samples, but not exact times, which are per
 * CPU. Exact times then cover more than the samples do.
 */
bool filter_has_tasks(const struct filter *f);
bool filter_has_cpus(const struct filter *f);

#endif
