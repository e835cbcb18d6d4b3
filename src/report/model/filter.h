/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filter.h: the part of a trace that a report covers (--from, --to, --cpu, --task, --cgroup), and values that the user
 * supplies.
 */
#ifndef NETCOST_REPORT_FILTER_H
#define NETCOST_REPORT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/cpuset.h>

#include "report/base/text.h"

struct filter {
	bool window; /* the user gave --from or --to */
	struct time_arg from, to;
	struct cpuset cpus; /* if n is 0: all CPUs */
	const char *tasks;  /* names and thread ids, separated by commas; NULL: all tasks */
	/* a path, which selects the cgroup and all cgroups below it; NULL: all cgroups */
	const char *cgroup;
	bool with_own_cost; /* include the recorder's own cost in all times */
	double idle_watts;  /* idle power of packages and memory together, W; 0: not given */
	const char *per;    /* the NAME of NAME=COUNT, for unit costs; NULL: none */
	double per_count;   /* the COUNT of NAME=COUNT */
};

void filter_free(struct filter *f);

/* Returns true if the filter selects a CPU. If f is NULL, all CPUs are selected. */
bool filter_takes_cpu(const struct filter *f, uint64_t cpu);
/* Return whether the filter selects a task or a cgroup. comm and path have n bytes. */
bool filter_takes_task(const struct filter *f, uint64_t tid, const char *comm, size_t n);
bool filter_takes_cgroup(const struct filter *f, const char *path, size_t n);

/*
 * Returns true for filters by task or cgroup. Such filters exclude samples. They do not exclude exact times, which are
 * counted per CPU, so exact times then cover more than the samples.
 */
bool filter_has_tasks(const struct filter *f);
bool filter_has_cpus(const struct filter *f);

#endif
