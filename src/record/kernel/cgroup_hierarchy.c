// SPDX-License-Identifier: BSD-2-Clause
#include "cgroup_hierarchy.h"

#include <limits.h>
#include <linux/btf.h>
#include <mntent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "btf_names.h"

static const struct {
	/* id: name of the controller in enum cgroup_subsys_id */
	const char *type, *controller, *id;
} hierarchies[CGROUP_HIERARCHIES] = {
	[CGROUPS_V2] = { "cgroup2", NULL, NULL },
	[CGROUPS_NET_CLS] = { "cgroup", "net_cls", "net_cls_cgrp_id" },
	[CGROUPS_CPU] = { "cgroup", "cpu", "cpu_cgrp_id" },
	[CGROUPS_PERF] = { "cgroup", "perf_event", "perf_event_cgrp_id" },
};

static bool is(const struct mntent *m, enum cgroup_hierarchy h)
{
	return !strcmp(m->mnt_type, hierarchies[h].type) &&
	       (!hierarchies[h].controller || hasmntopt(m, hierarchies[h].controller));
}

bool cgroup_hierarchy_mount(enum cgroup_hierarchy h, char *dir, size_t size)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	bool found = false;
	struct mntent *m;

	while (f && !found && (m = getmntent(f)))
		if (is(m, h))
			found = snprintf(dir, size, "%s", m->mnt_dir) < (int)size;
	if (f)
		endmntent(f);
	return found;
}

int cgroup_hierarchy_number(enum cgroup_hierarchy h)
{
	FILE *f = hierarchies[h].controller ? fopen("/proc/cgroups", "re") : NULL;
	int number = hierarchies[h].controller ? -1 : 0, found;
	char line[256], name[64];

	while (f && number < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %d", name, &found) == 2 &&
		    !strcmp(name, hierarchies[h].controller))
			number = found;
	if (f)
		fclose(f);
	return number;
}

static bool is_mounted(enum cgroup_hierarchy h)
{
	char dir[PATH_MAX];

	return cgroup_hierarchy_mount(h, dir, sizeof(dir));
}

enum cgroup_hierarchy cgroup_hierarchy_of_samples(void)
{
	return is_mounted(CGROUPS_PERF) ? CGROUPS_PERF : CGROUPS_V2;
}

/*
 * Returns 1 + the index of the hierarchy's controller in css_set.subsys. Returns 0 if this kernel has no such
 * controller.
 */
static unsigned int place_of(enum cgroup_hierarchy h, const struct btf_names *kernel)
{
	const struct btf_type *t =
		btf_names_type(kernel, btf_names_enum(kernel, "cgroup_subsys_id"));
	const struct btf_enum *e = (const struct btf_enum *)(t + 1);

	for (uint32_t i = 0; t && i < BTF_INFO_VLEN(t->info); i++)
		if (!strcmp(btf_names_text(kernel, e[i].name_off), hierarchies[h].id))
			return (unsigned int)e[i].val + 1;
	return 0;
}

enum cgroup_hierarchy cgroup_hierarchy_of_tasks(const struct btf_names *kernel, unsigned int *place)
{
	static const enum cgroup_hierarchy others[] = { CGROUPS_NET_CLS, CGROUPS_CPU };

	*place = 0;
	if (is_mounted(CGROUPS_V2))
		return CGROUPS_V2;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		*place = is_mounted(others[i]) ? place_of(others[i], kernel) : 0;
		if (*place)
			return others[i];
	}
	return CGROUPS_V2;
}
