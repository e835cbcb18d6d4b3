/* SPDX-License-Identifier: BSD-2-Clause */
/* memory_limit.h: the memory that this process may use according to its cgroups. Memory of BPF maps counts, too. */
#ifndef NETCOST_MEMORY_LIMIT_H
#define NETCOST_MEMORY_LIMIT_H

#include <stdint.h>

/*
 * Returns the lowest limit, in bytes, of this process's cgroup and of the visible cgroups above it. Returns a number
 * above INT64_MAX / 2 if there is no limit.
 */
uint64_t memory_limit(void);

#endif
