/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* cgroup.h: a function that returns the kernel's id of a task's cgroup. See src/record/kernel/cgroup_hierarchy.h. */
#ifndef NETCOST_CGROUP_H
#define NETCOST_CGROUP_H

#include "config.h"
#include "kernel_types.h"

static __always_inline __u64 cgroup_of(struct task_struct *task, bool casts)
{
	struct css_set *set = UNTRUSTED(task_struct, task, casts)->cgroups;

	if (!cgroup_place)
		return set->dfl_cgrp->kn->id;
	return set->subsys[(cgroup_place - 1) & (CGROUP_CONTROLLERS - 1)]->cgroup->kn->id;
}

#endif
