// SPDX-License-Identifier: BSD-2-Clause
/* Reads settings of CPUs and of the kernel. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context_rows.h"
#include "record/base/procfs.h"
#include "record/kernel/admin.h"
#include "record/kernel/preemption.h"

#define CPU "/sys/devices/system/cpu/"
#define NODE "/sys/devices/system/node/"
#define PATH 320

static const struct {
	const char *subject, *name, *path;
} files[] = {
	{ "cpu", "smt", CPU "smt/control" },
	{ "cpu", "idle driver", CPU "cpuidle/current_driver" },
	{ "cpu", "idle governor", CPU "cpuidle/current_governor_ro" },
	{ "cpu", "boost", CPU "cpufreq/boost" },
	{ "cpu", "no_turbo", CPU "intel_pstate/no_turbo" },
	{ "cpu", "isolated", CPU "isolated" },
	{ "cpu", "nohz_full", CPU "nohz_full" },
	{ "cpu", "nodes", NODE "online" },
	{ "kernel", "clocksource",
	  "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
};

/* ---- folders ----------------------------------------------------------------------------- */

typedef void each_fn(void *ctx, const char *name);

static int by_version(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

/* Calls fn, in order, for the files of a folder whose names have the prefix. */
static void each_file(const char *folder, const char *prefix, each_fn *fn, void *ctx)
{
	struct dirent **list = NULL;
	int n = scandir(folder, &list, NULL, by_version);

	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		if (name[0] != '.' && !strncmp(name, prefix, strlen(prefix)))
			fn(ctx, name);
		free(list[i]);
	}
	free(list);
}

static void mitigation(void *ctx, const char *name)
{
	char path[PATH];

	snprintf(path, sizeof(path), CPU "vulnerabilities/%s", name);
	context_file(ctx, "cpu vulnerability", name, AT_FDCWD, path);
}

static void node(void *ctx, const char *name)
{
	char path[PATH];

	snprintf(path, sizeof(path), NODE "%s/cpulist", name);
	if (strspn(name + strlen("node"), "0123456789") == strlen(name + strlen("node")))
		context_file(ctx, "cpu", name, AT_FDCWD, path);
}

/* ---- frequencies ------------------------------------------------------------------------- */

/* The distinct values of a file over all CPU frequency policies. */
struct policies {
	const char *file;
	char values[256];
	int err;
};

static void policy(void *ctx, const char *name)
{
	struct policies *p = ctx;
	char path[PATH], value[64];
	size_t n = strlen(p->values);

	snprintf(path, sizeof(path), CPU "cpufreq/%s/%s", name, p->file);
	p->err = procfs_text(path, value, sizeof(value));
	if (!p->err && !strstr(p->values, value))
		snprintf(p->values + n, sizeof(p->values) - n, "%s%s", n ? ", " : "", value);
}

static void frequencies(struct context_rows *r, const char *name, const char *file)
{
	struct policies p = { .file = file };

	each_file(CPU "cpufreq", "policy", policy, &p);
	if (p.values[0])
		context_value(r, "cpu", name, p.values);
	else if (p.err)
		context_refused(r, "cpu", name, p.err);
}

/* ---- hypervisor -------------------------------------------------------------------------- */

/* Stores the hypervisor's name: the name in its own interface, or the machine's vendor. */
static void hypervisor_name(char *name, size_t size)
{
	if (!procfs_text("/sys/hypervisor/type", name, size) && *name)
		return;
	if (procfs_text("/sys/class/dmi/id/sys_vendor", name, size) || !*name)
		snprintf(name, size, "yes");
}

/* Adds the hypervisor, which is detected by the CPUID flag (x86). Adds no row if the CPU reports no flags. */
static void hypervisor(struct context_rows *r)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char *line = NULL, name[64];
	bool flags = false, is = false;
	size_t size = 0;

	while (f && !flags && getline(&line, &size, f) > 0) {
		flags = !strncmp(line, "flags", strlen("flags"));
		is = flags && strstr(line, " hypervisor");
	}
	free(line);
	if (f)
		fclose(f);
	if (is)
		hypervisor_name(name, sizeof(name));
	if (flags)
		context_value(r, "cpu", "hypervisor", is ? name : "none");
}

/* ---- all settings ------------------------------------------------------------------------ */

static void preemption(struct context_rows *r)
{
	char built[64], chosen[32];
	int err;

	preemption_built(built, sizeof(built));
	context_value(r, "kernel", "preemption", *built ? built : "none");
	if (strcmp(built, "PREEMPT_DYNAMIC"))
		return;
	err = preemption_chosen(admin_preemption(r->admin), chosen, sizeof(chosen));
	if (err == -ENOENT) /* the kernel may lack other files, but it always has this one */
		context_unread(r, "kernel", "preemption chosen", -err);
	else if (err)
		context_refused(r, "kernel", "preemption chosen", err);
	else
		context_value(r, "kernel", "preemption chosen", chosen);
}

void context_host(struct context_rows *r)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		context_file(r, files[i].subject, files[i].name, AT_FDCWD, files[i].path);
	hypervisor(r);
	frequencies(r, "governor", "scaling_governor");
	frequencies(r, "frequency driver", "scaling_driver");
	each_file(NODE, "node", node, r);
	preemption(r);
	each_file(CPU "vulnerabilities", "", mitigation, r);
}
