// SPDX-License-Identifier: BSD-2-Clause
#include "cgroup_programs.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "record/kernel/cgroup_hierarchy.h"

#define CGROUPS_MOST 1000 /* maximum number of cgroups to query; a query takes about 10 us */
#define DEPTH_MOST 20	  /* maximum depth of the hierarchy; each level takes a descriptor */

/* The attach types of each program type. */
static const struct {
	uint8_t type, hook;
} hooks[] = {
	{ 8, 0 },   { 8, 1 },				/* cgroup_skb */
	{ 9, 2 },   { 9, 12 },	{ 9, 13 },  { 9, 34 },	/* cgroup_sock */
	{ 13, 3 },					/* sock_ops */
	{ 15, 6 },					/* cgroup_device */
	{ 18, 8 },  { 18, 9 },	{ 18, 10 }, { 18, 11 }, /* cgroup_sock_addr */
	{ 18, 14 }, { 18, 15 }, { 18, 19 }, { 18, 20 }, /* … */
	{ 18, 29 }, { 18, 30 }, { 18, 31 }, { 18, 32 }, /* … */
	{ 23, 18 },					/* cgroup_sysctl */
	{ 25, 21 }, { 25, 22 },				/* cgroup_sockopt */
};

struct walk {
	uint64_t types;
	cgroup_program_fn *fn;
	void *ctx;
	unsigned int asked;
};

static void ask(struct walk *w, int cgroup)
{
	struct stat st;

	if (fstat(cgroup, &st))
		return;
	for (size_t i = 0; i < sizeof(hooks) / sizeof(*hooks); i++) {
		uint32_t id[64], n = sizeof(id) / sizeof(*id), flags;

		if (!(w->types >> hooks[i].type & 1) ||
		    bpf_prog_query(cgroup, (enum bpf_attach_type)hooks[i].hook, 0, &flags, id, &n))
			continue;
		for (uint32_t k = 0; k < n && k < sizeof(id) / sizeof(*id); k++)
			w->fn(w->ctx, id[k], st.st_ino, hooks[i].hook);
	}
}

static void walk(struct walk *w, int parent, const char *name, unsigned int depth)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return;
	}
	ask(w, fd);
	w->asked++;
	while (depth < DEPTH_MOST && w->asked < CGROUPS_MOST && (e = readdir(d)))
		if (e->d_type == DT_DIR && e->d_name[0] != '.')
			walk(w, fd, e->d_name, depth + 1);
	closedir(d);
}

static bool any_hook(uint64_t types)
{
	for (size_t i = 0; i < sizeof(hooks) / sizeof(*hooks); i++)
		if (types >> hooks[i].type & 1)
			return true;
	return false;
}

void cgroup_programs(uint64_t types, cgroup_program_fn *fn, void *ctx)
{
	struct walk w = { types, fn, ctx, 0 };
	char dir[PATH_MAX];

	if (any_hook(types) && cgroup_hierarchy_mount(CGROUPS_V2, dir, sizeof(dir)))
		walk(&w, AT_FDCWD, dir, 0);
}
