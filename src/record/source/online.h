/* SPDX-License-Identifier: BSD-2-Clause */
/* online.h: tracks which recorded CPUs are offline, from tick to tick. */
#ifndef NETCOST_ONLINE_H
#define NETCOST_ONLINE_H

#include <stdbool.h>

struct cpuset;
struct online;

#define ONLINE_CPUS "/sys/devices/system/cpu/online"

/* path is another file in tests. Returns 0 or -errno. */
int online_new(struct online **op, const char *path, const struct cpuset *cpus);
void online_free(struct online *o); /* NULL is allowed */

/*
 * Returns an array: element i is true if the i-th recorded CPU is offline. If the file cannot be read, the last state
 * remains.
 */
const bool *online_offline(struct online *o);

/*
 * Returns a list of the CPUs that came online since the start. These CPUs are not recorded. The list is "" if no CPU
 * came online. A list that is too long ends in "...".
 */
const char *online_late(const struct online *o);
/* Returns true if more CPUs came online late since the last call. */
bool online_found_late(struct online *o);

#endif
