/* SPDX-License-Identifier: BSD-2-Clause */
/* cpuset.h: lists of CPUs in the format of the kernel and perf: "0-3,8,10-11". */
#ifndef NETCOST_CPUSET_H
#define NETCOST_CPUSET_H

#include <stdbool.h>
#include <stdint.h>

struct cpuset {
	uint32_t *cpu; /* CPU numbers in ascending order, without duplicates */
	unsigned int n;
	/* text of the option from which the list was parsed; NULL: the list is not from an option */
	const char *text;
};

/*
 * Parses a list of CPUs. Returns 0, -EINVAL if the text is empty or not a list, -ERANGE if a CPU is TRACE_MAX_CPU or
 * above, or -ENOMEM.
 */
int cpuset_parse(struct cpuset *set, const char *text);
void cpuset_free(struct cpuset *set);
bool cpuset_has(const struct cpuset *set, uint32_t cpu);

#endif
