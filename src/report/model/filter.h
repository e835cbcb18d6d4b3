/* SPDX-License-Identifier: BSD-2-Clause */
/* filter.h: which part of a trace a report is about: --from, --to, --cpu, --task and --cgroup; and what it takes as known. */
#ifndef NETCOST_REPORT_FILTER_H
#define NETCOST_REPORT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/cpuset.h>

#include "report/base/text.h"

struct filter {
	bool window; /* from or to is given */
	struct time_arg from, to;
	struct cpuset cpus; /* n 0: all */
	const char *tasks;  /* names and thread ids with commas between them; NULL: all */
	const char *cgroup; /* a path; that and all below; NULL: all */
	bool with_own_cost; /* times as they were measured, with what the recorder itself cost */
	double idle_watts;  /* of packages and memory together; 0: not given */
	const char *per;    /* NAME=COUNT: of what costs are shown for each; NULL: of nothing … */
	double per_count;   /* … that was done so often */
};

void filter_free(struct filter *f);

/* NULL takes all. */
bool filter_takes_cpu(const struct filter *f, uint64_t cpu);
/* comm, path: n bytes. */
bool filter_takes_task(const struct filter *f, uint64_t tid, const char *comm, size_t n);
bool filter_takes_cgroup(const struct filter *f, const char *path, size_t n);

/*
 * By task or cgroup: of the CPUs that it takes it leaves out samples. Exact times, which are per CPU, then count
 * more than the samples do.
 */
bool filter_has_tasks(const struct filter *f);
bool filter_has_cpus(const struct filter *f);

#endif
