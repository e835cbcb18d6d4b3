// SPDX-License-Identifier: BSD-2-Clause
#include "scrub_class.h"

#include <string.h>

const struct scrub_class_desc scrub_class_desc[SCRUB_CLASSES] = {
	[SCRUB_TASKS] = { "tasks", "task", "names of tasks, those of known kernel threads apart" },
	[SCRUB_CGROUPS] = { "cgroups", "cgroup", "paths of cgroups" },
	[SCRUB_PIDS] = { "pids", "", "process and thread ids" },
	[SCRUB_NETDEVS] = { "netdevs", "netdev", "names of interfaces" },
	[SCRUB_HOST] = { "host", "host", "the host's name" },
	[SCRUB_COMMAND] = { "command", "arg", "the recorded command" },
	[SCRUB_MARKS] = { "marks", "mark", "texts of marks" },
	[SCRUB_PROGRAMS] = { "programs", "prog", "names of BPF programs" },
	[SCRUB_TEXTS] = { "texts", "name", "what a reason or an interrupt names" },
	[SCRUB_TIME] = { "time", "", "the time of day" },
};

static enum scrub_class find_class(const char *name, size_t len)
{
	for (enum scrub_class c = SCRUB_PUBLIC + 1; c < SCRUB_CLASSES; c++)
		if (strlen(scrub_class_desc[c].name) == len &&
		    !memcmp(scrub_class_desc[c].name, name, len))
			return c;
	return SCRUB_PUBLIC;
}

bool scrub_parse_keep(const char *list, unsigned int *keep, const char **unknown, size_t *len)
{
	*keep = 0;
	for (const char *p = list;; p += *len + 1) {
		enum scrub_class c;

		*len = strcspn(p, ",");
		c = find_class(p, *len);
		*unknown = p;
		if (c == SCRUB_PUBLIC)
			return false;
		*keep |= 1u << c;
		if (!p[*len])
			return true;
	}
}
