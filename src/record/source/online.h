/* SPDX-License-Identifier: BSD-2-Clause */
/* online.h: which of the recorded CPUs are offline, from tick to tick. */
#ifndef NETCOST_ONLINE_H
#define NETCOST_ONLINE_H

#include <stdbool.h>

struct cpuset;
struct online;

#define ONLINE_CPUS "/sys/devices/system/cpu/online"

/* Another file: for tests. -errno */
int online_new(struct online **op, const char *path, const struct cpuset *cpus);
void online_free(struct online *o); /* takes NULL */

/* [i] of the recorded CPUs. Where the file cannot be read: as it was the last time. */
const bool *online_offline(struct online *o);

/*
 * CPUs that were found online since, and are not recorded, as a list; empty: none. Where there are too many, it ends
 * in "...".
 */
const char *online_late(const struct online *o);
/* Any more of them since the last call? */
bool online_found_late(struct online *o);

#endif
