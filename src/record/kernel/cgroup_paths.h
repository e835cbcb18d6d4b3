/* SPDX-License-Identifier: BSD-2-Clause */
/* cgroup_paths.h: finds the paths of cgroups in one hierarchy by the kernel's ids. */
#ifndef NETCOST_CGROUP_PATHS_H
#define NETCOST_CGROUP_PATHS_H

#include <limits.h>
#include <stdint.h>

#include "cgroup_hierarchy.h"

struct cgroup_paths {
	int mount; /* descriptor of the mount point, or -1 */
	int handle_type;
	size_t prefix; /* length of the mount's path */
	/* via: how paths are found. why: reason why paths of new cgroups may not be found; empty if they are found */
	char via[PATH_MAX + 32], why[PATH_MAX + 96];
};

void cgroup_paths_open(struct cgroup_paths *p, enum cgroup_hierarchy is);
void cgroup_paths_close(struct cgroup_paths *p);
/*
 * Stores the path of a cgroup in dst. Stores "" (unknown) if the cgroup no longer exists, or is not visible to this
 * process.
 */
void cgroup_paths_find(const struct cgroup_paths *p, uint64_t kernel, char *dst, size_t size);

#endif
