/* SPDX-License-Identifier: BSD-2-Clause */
/* cpuset.h: a list of CPUs in the format of the kernel and perf: "0-3,8,10-11". */
#ifndef NETCOST_CPUSET_H
#define NETCOST_CPUSET_H

#include <stdbool.h>
#include <stdint.h>

struct cpuset {
	uint32_t *cpu; /* sorted, without duplicates */
	unsigned int n;
	const char *text; /* the option's text; NULL: not from an option */
};

/* -EINVAL: not a list; -ERANGE: a CPU at or above TRACE_MAX_CPU; -ENOMEM. An empty text is -EINVAL. */
int cpuset_parse(struct cpuset *set, const char *text);
void cpuset_free(struct cpuset *set);
bool cpuset_has(const struct cpuset *set, uint32_t cpu);

#endif
