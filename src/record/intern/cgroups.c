// SPDX-License-Identifier: BSD-2-Clause
#include "cgroups.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/idmap.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "container_names.h"
#include "id_limits.h"
#include "record/base/procfs.h"
#include "record/kernel/cgroup_births.h"
#include "record/kernel/cgroup_paths.h"

#define RECENT 256
#define FIRST_NAMESPACE                                                                            \
	0xeffffffb /* PROC_CGROUP_INIT_INO: the inode of the host's cgroup namespace */

/*
 * One cgroup hierarchy. The kernel's ids are valid only within a hierarchy, because another hierarchy uses the same
 * numbers for other cgroups.
 */
struct hierarchy {
	enum cgroup_hierarchy is;
	struct idmap by_kernel;
	struct cgroup_paths paths;
};

struct cgroups {
	struct hierarchy hierarchy[2];
	/* the hierarchies of samples and of tasks; both point into `hierarchy`, and may be the same */
	struct hierarchy *samples, *tasks;
	struct cgroup_births *births; /* new cgroups of `tasks`; NULL: not watched */
	char tasks_via[PATH_MAX + 64], tasks_why[PATH_MAX + 160];
	uint32_t count;
	bool full; /* set if some cgroup has no id because there are too many cgroups */
	struct pending {
		char *path;
		const char *const *name; /* names of its container */
	} * pending;
	size_t npending, pending_size;
	struct container_names *names; /* NULL: names are not looked up */
	/* Cgroups created during the recording. A cgroup that is never sampled needs no id. */
	struct recent {
		uint64_t kernel;
		char *path;
	} recent[RECENT];

	/* this process sees the host's root cgroup, so the kernel's paths are valid for this process */
	bool whole;
};

/* ---- creation and release ---------------------------------------------------------------- */

/* Opens a hierarchy. whole: see struct cgroups. */
static void open_hierarchy(struct hierarchy *h, enum cgroup_hierarchy is, bool whole)
{
	h->is = is;
	cgroup_paths_open(&h->paths, is);
	if (!whole && !*h->paths.why)
		snprintf(h->paths.why, sizeof(h->paths.why), reason_cgroup_namespace);
}

int cgroups_new(struct cgroups **cp, enum cgroup_hierarchy tasks)
{
	struct cgroups *c = calloc(1, sizeof(*c));

	*cp = c;
	if (!c)
		return -ENOMEM;
	c->hierarchy[0].paths.mount = c->hierarchy[1].paths.mount = -1;
	c->whole = procfs_inode("/proc/self/ns/cgroup") == FIRST_NAMESPACE;
	c->samples = c->tasks = &c->hierarchy[0];
	open_hierarchy(c->samples, cgroup_hierarchy_of_samples(), c->whole);
	if (c->samples->is != tasks)
		open_hierarchy(c->tasks = &c->hierarchy[1], tasks, c->whole);
	return 0;
}

int cgroups_name(struct cgroups *c, const char *root)
{
	return container_names_new(&c->names, root);
}

/* Describes the cgroup hierarchy that the programs use. */
static void describe_tasks(struct cgroups *c, int err)
{
	const struct cgroup_paths *p = &c->tasks->paths;
	char dir[PATH_MAX], escaped[PATH_MAX];

	snprintf(c->tasks_via, sizeof(c->tasks_via), "%s", reason_bpf);
	if (p->mount >= 0 && cgroup_hierarchy_mount(c->tasks->is, dir, sizeof(dir)))
		snprintf(c->tasks_via, sizeof(c->tasks_via), reason_cgroup_handles_bpf,
			 reason_escape(dir, escaped, sizeof(escaped)));
	snprintf(c->tasks_why, sizeof(c->tasks_why), "%s", p->why);
	if (!*p->why && err)
		snprintf(c->tasks_why, sizeof(c->tasks_why), reason_cgroups_gone, -err);
}

static int born(void *ctx, void *path, size_t size)
{
	(void)size;
	container_names_of(((struct cgroups *)ctx)->names, path);
	return 0;
}

int cgroups_watch(struct cgroups *c, struct tracing *tracing)
{
	int err = c->whole ? cgroup_births_new(&c->births, c->tasks->is, tracing, born, c) : 0;

	describe_tasks(c, err);
	return err == -ENOMEM ? err : 0;
}

const struct bpf_program *cgroups_program(const struct cgroups *c)
{
	return c && c->births ? cgroup_births_program(c->births) : NULL;
}

void cgroups_free(struct cgroups *c)
{
	if (!c)
		return;
	for (int i = 0; i < 2; i++) {
		cgroup_paths_close(&c->hierarchy[i].paths);
		idmap_free(&c->hierarchy[i].by_kernel);
	}
	for (size_t i = 0; i < c->npending; i++)
		free(c->pending[i].path);
	for (size_t i = 0; i < RECENT; i++)
		free(c->recent[i].path);
	free(c->pending);
	cgroup_births_free(c->births);
	container_names_free(c->names);
	free(c);
}

const char *cgroups_via(const struct cgroups *c)
{
	return c->samples->paths.via;
}

const char *cgroups_why(const struct cgroups *c)
{
	return c->samples->paths.why;
}

const char *cgroups_tasks_via(const struct cgroups *c)
{
	return c->tasks_via;
}

const char *cgroups_tasks_why(const struct cgroups *c)
{
	return c->tasks_why;
}

/* ---- paths ------------------------------------------------------------------------------- */

void cgroups_made(struct cgroups *c, uint64_t kernel, const char *path)
{
	struct recent *r = &c->recent[kernel % RECENT];

	if (!c->whole)
		return;
	free(r->path);
	r->kernel = kernel;
	r->path = strdup(path);
	/* looked up now, because the container's files may be removed before the cgroup is sampled */
	container_names_of(c->names, path);
}

int cgroups_births_fd(const struct cgroups *c)
{
	return c && c->births ? cgroup_births_fd(c->births) : -1;
}

void cgroups_births(struct cgroups *c)
{
	cgroup_births_take(c->births);
}

static bool add_pending(struct cgroups *c, const char *path)
{
	if (array_reserve(&c->pending, &c->pending_size, c->npending + 1, sizeof(*c->pending)))
		return false;
	c->pending[c->npending].path = strndup(path, TRACE_MAX_STR);
	c->pending[c->npending].name = container_names_of(c->names, path);
	return c->pending[c->npending].path;
}

static void find_path(const struct cgroups *c, const struct hierarchy *h, uint64_t kernel,
		      char *path, size_t size)
{
	const struct recent *r = &c->recent[kernel % RECENT];

	if (h == c->samples && r->path && r->kernel == kernel) {
		snprintf(path, size, "%s", r->path);
		return;
	}
	cgroup_paths_find(&h->paths, kernel, path, size);
	if (!*path && h == c->tasks && c->births)
		cgroup_births_find(c->births, kernel, path, size);
}

static uint32_t add(struct cgroups *c, struct hierarchy *h, uint64_t kernel)
{
	char path[PATH_MAX];

	c->full |= c->count >= ID_LIMIT_CGROUPS;
	if (c->full)
		return 0;
	find_path(c, h, kernel, path, sizeof(path));
	if (!add_pending(c, path))
		return 0;
	if (idmap_set(&h->by_kernel, kernel, c->count + 1)) {
		free(c->pending[c->npending].path);
		return 0;
	}
	c->npending++;
	return ++c->count;
}

static uint32_t id_of(struct cgroups *c, struct hierarchy *h, uint64_t kernel)
{
	uint32_t id = idmap_get(&h->by_kernel, kernel);

	return id ? id : add(c, h, kernel);
}

uint32_t cgroups_id(struct cgroups *c, uint64_t kernel)
{
	return id_of(c, c->samples, kernel);
}

uint32_t cgroups_task_id(struct cgroups *c, uint64_t kernel)
{
	return id_of(c, c->tasks, kernel);
}

/* Writes the paths of the cgroups, and the known names of their containers. */
int cgroups_write(struct cgroups *c, struct trace_writer *w)
{
	size_t n = c->npending;
	const char **column = n ? malloc(n * sizeof(*column)) : NULL;

	if (!column)
		return n ? -ENOMEM : 0;
	trace_writer_begin(w, TRACE_CGROUPS);
	trace_writer_uint(w, TRACE_CGROUPS_FIRST, c->count - n + 1);
	for (unsigned int k = 0; k <= CONTAINER_NAMES; k++) {
		bool known = !k;

		for (size_t i = 0; i < n; i++) {
			column[i] = k ? c->pending[i].name[k - 1] : c->pending[i].path;
			known |= *column[i] != '\0';
		}
		if (known)
			trace_writer_strs(w, TRACE_CGROUPS_PATH + k, column, n);
	}
	free(column);
	while (c->npending)
		free(c->pending[--c->npending].path);
	return trace_writer_end(w);
}

void cgroups_again(struct cgroups *c)
{
	for (int i = 0; i < 2; i++)
		idmap_free(&c->hierarchy[i].by_kernel);
	c->count = 0;
	c->full = false;
}

bool cgroups_full(const struct cgroups *c)
{
	return c->full;
}
