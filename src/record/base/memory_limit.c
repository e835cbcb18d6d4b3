// SPDX-License-Identifier: BSD-2-Clause
#include "memory_limit.h"

#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "procfs.h"

/*
 * Hierarchies that may have the memory controller. controller is NULL for v2, where one line of /proc/self/cgroup
 * covers all controllers.
 */
static const struct {
	const char *type, *controller, *file;
} kinds[] = { { "cgroup2", NULL, "memory.max" }, { "cgroup", "memory", "memory.limit_in_bytes" } };

/* Stores the path of this process's cgroup in the hierarchy. Returns false if this process has no cgroup there. */
static bool memory_path(const char *controller, char *path)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[PATH_MAX + 256], *list, *end;
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		list = strchr(line, ':');
		end = list ? strchr(list + 1, ':') : NULL;
		if (!end)
			continue;
		*end = '\0';
		found = controller ? !strcmp(list + 1, controller) : !list[1];
		end[1 + strcspn(end + 1, "\n")] = '\0';
		if (found)
			snprintf(path, PATH_MAX, "%s", end + 1);
	}
	if (f)
		fclose(f);
	return found;
}

/* A cgroup's limit also applies to the cgroups below it. In v2, the root cgroup has no limit file. */
static uint64_t memory_lowest(const char *mount, const char *file, char *path)
{
	uint64_t lowest = UINT64_MAX, limit;
	char name[3 * PATH_MAX], *end;

	do {
		snprintf(name, sizeof(name), "%s%s/%s", mount, path, file);
		limit = procfs_uint(name, UINT64_MAX);
		if (limit < lowest)
			lowest = limit;
		end = strrchr(path, '/');
		if (end)
			*end = '\0';
	} while (end);
	return lowest;
}

uint64_t memory_limit(void)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	uint64_t lowest = UINT64_MAX, limit;
	const struct mntent *m;
	char path[PATH_MAX];

	while (f && (m = getmntent(f)))
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			if (strcmp(m->mnt_type, kinds[i].type) ||
			    (kinds[i].controller && !hasmntopt(m, kinds[i].controller)) ||
			    !memory_path(kinds[i].controller, path))
				continue;
			limit = memory_lowest(m->mnt_dir, kinds[i].file, path);
			if (limit < lowest)
				lowest = limit;
		}
	if (f)
		endmntent(f);
	return lowest;
}
