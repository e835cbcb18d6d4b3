/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup_hierarchy.h: selects one of a task's cgroups. A task has one cgroup in v2, and one in each v1 controller. On
 * hosts that use only v1, the v2 cgroup of a task is always the root. Each hierarchy has its own ids.
 */
#ifndef NETCOST_CGROUP_HIERARCHY_H
#define NETCOST_CGROUP_HIERARCHY_H

#include <stdbool.h>
#include <stddef.h>

struct btf_names;

enum cgroup_hierarchy {
	CGROUPS_V2,
	CGROUPS_NET_CLS,
	CGROUPS_CPU,
	CGROUPS_PERF,
	CGROUP_HIERARCHIES
};

/* Stores the mount point of a hierarchy in dir. Returns false if the hierarchy is not mounted. */
bool cgroup_hierarchy_mount(enum cgroup_hierarchy h, char *dir, size_t size);

/* Returns the kernel's number of a hierarchy, 0 for v2. Returns -1 if it does not exist. */
int cgroup_hierarchy_number(enum cgroup_hierarchy h);

/* Returns the hierarchy of perf's ids. It is the v1 perf_event hierarchy if that is mounted, otherwise v2. */
enum cgroup_hierarchy cgroup_hierarchy_of_samples(void);

/*
 * Returns the hierarchy for processes. It is v2 or, if v2 is not mounted, net_cls or cpu. *place is 1 + the
 * controller's index in css_set.subsys, or 0 for v2.
 */
enum cgroup_hierarchy cgroup_hierarchy_of_tasks(const struct btf_names *kernel,
						unsigned int *place);

#endif
