/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup_hierarchy.h: selects one of a task's cgroups. A task has one in each hierarchy: one in v2, which is always the
 * root on hosts that use only v1, and one per v1 controller. Each hierarchy has its own ids.
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

/* The mount point. False: not mounted. */
bool cgroup_hierarchy_mount(enum cgroup_hierarchy h, char *dir, size_t size);

/* The kernel's number; 0: v2. -1: it does not exist. */
int cgroup_hierarchy_number(enum cgroup_hierarchy h);

/* The hierarchy of perf's ids: the v1 perf_event hierarchy, if it is mounted; otherwise v2. */
enum cgroup_hierarchy cgroup_hierarchy_of_samples(void);

/*
 * The hierarchy for processes: v2, or, if that is not mounted, net_cls or cpu. *place is 1 + the
 * controller's index in css_set.subsys; 0: v2.
 */
enum cgroup_hierarchy cgroup_hierarchy_of_tasks(const struct btf_names *kernel,
						unsigned int *place);

#endif
