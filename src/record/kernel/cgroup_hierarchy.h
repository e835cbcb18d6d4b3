/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup_hierarchy.h: which of a task's cgroups is meant. It has one in each hierarchy: one of version 2, where hosts with
 * version 1 alone have nothing but the root, and one a controller of version 1. Their ids are apart.
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

/* Where it is mounted. False: nowhere. */
bool cgroup_hierarchy_mount(enum cgroup_hierarchy h, char *dir, size_t size);

/* As the kernel numbers it; 0: version 2. -1: it is not there. */
int cgroup_hierarchy_number(enum cgroup_hierarchy h);

/* That of perf's ids: its own one of version 1, if that is mounted; otherwise version 2. */
enum cgroup_hierarchy cgroup_hierarchy_of_samples(void);

/*
 * That of processes: version 2, or where it is not mounted net_cls, or cpu. *place is where it stands among a task's
 * (css_set.subsys), and 1; 0: version 2.
 */
enum cgroup_hierarchy cgroup_hierarchy_of_tasks(const struct btf_names *kernel,
						unsigned int *place);

#endif
