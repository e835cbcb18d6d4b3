// SPDX-License-Identifier: BSD-2-Clause
#include "cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/idmap.h>
#include <netcost/messages.h>
#include <netcost/trace.h>

#include "record/base/procfs.h"

#define RECENT 256
#define HANDLE_BYTES 8 /* the handle of a directory of cgroups is its id */
#define FIRST_NAMESPACE                                                                            \
	0xeffffffb /* PROC_CGROUP_INIT_INO: the inode of the host's cgroup namespace */

/* Ids of the kernel's are of one hierarchy: another one has others, by the same numbers. */
struct hierarchy {
	enum cgroup_hierarchy is;
	struct idmap by_kernel;
	int mount; /* where it is mounted; -1 */
	int handle_type;
	size_t prefix; /* length of the mount's path */
	char via[PATH_MAX + 32], why[PATH_MAX + 96];
};

struct cgroups {
	struct hierarchy hierarchy[2];
	struct hierarchy *samples, *tasks; /* one of them, or both */
	uint32_t count;
	char **pending; /* paths */
	size_t npending, pending_size;
	/* Made while we listened: one that is never sampled costs no id. */
	struct recent {
		uint64_t kernel;
		char *path;
	} recent[RECENT];

	bool whole; /* we see the host's root: what the kernel says of paths holds for us, too */
};

/* ---- the mount --------------------------------------------------------------------------- */

/* Opens the directory that the kernel knows by that id; -errno. */
static int open_id(const struct hierarchy *h, uint64_t kernel)
{
	union {
		struct file_handle h;
		char room[sizeof(struct file_handle) + HANDLE_BYTES];
	} u = { .h = { .handle_bytes = HANDLE_BYTES, .handle_type = h->handle_type } };
	int fd;

	memcpy(u.h.f_handle, &kernel, HANDLE_BYTES);
	fd = open_by_handle_at(h->mount, &u.h, O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* The mount's own handle shows what handles look like, and whether we may use them. */
static int try_handles(struct hierarchy *h, const char *dir)
{
	union {
		struct file_handle h;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} u = { .h = { .handle_bytes = MAX_HANDLE_SZ } };
	uint64_t kernel;
	int mount_id, fd;

	if (name_to_handle_at(AT_FDCWD, dir, &u.h, &mount_id, 0))
		return -errno;
	if (u.h.handle_bytes != HANDLE_BYTES)
		return -EOPNOTSUPP;
	h->handle_type = u.h.handle_type;
	memcpy(&kernel, u.h.f_handle, sizeof(kernel));
	fd = open_id(h, kernel);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

static void open_mount(struct hierarchy *h, enum cgroup_hierarchy is)
{
	char dir[PATH_MAX];
	int err;

	h->is = is;
	snprintf(h->via, sizeof(h->via), said_perf);
	if (!cgroup_hierarchy_mount(is, dir, sizeof(dir))) {
		snprintf(h->why, sizeof(h->why), said_cgroups_unmounted);
		return;
	}
	h->mount = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = h->mount < 0 ? -errno : try_handles(h, dir);
	if (!err) {
		h->prefix = strlen(dir);
		snprintf(h->via, sizeof(h->via), said_cgroup_handles, dir);
		return;
	}
	snprintf(h->why, sizeof(h->why), said_cgroups_new, dir,
		 err == -EPERM ? said_needs_search : strerror(-err));
	if (h->mount >= 0)
		close(h->mount);
	h->mount = -1;
}

int cgroups_new(struct cgroups **cp, enum cgroup_hierarchy tasks)
{
	struct cgroups *c = calloc(1, sizeof(*c));

	*cp = c;
	if (!c)
		return -ENOMEM;
	c->hierarchy[0].mount = c->hierarchy[1].mount = -1;
	c->whole = procfs_inode("/proc/self/ns/cgroup") == FIRST_NAMESPACE;
	c->samples = c->tasks = &c->hierarchy[0];
	open_mount(c->samples, cgroup_hierarchy_of_samples());
	if (c->samples->is != tasks)
		open_mount(c->tasks = &c->hierarchy[1], tasks);
	return 0;
}

void cgroups_free(struct cgroups *c)
{
	if (!c)
		return;
	for (int i = 0; i < 2; i++) {
		if (c->hierarchy[i].mount >= 0)
			close(c->hierarchy[i].mount);
		idmap_free(&c->hierarchy[i].by_kernel);
	}
	for (size_t i = 0; i < c->npending; i++)
		free(c->pending[i]);
	for (size_t i = 0; i < RECENT; i++)
		free(c->recent[i].path);
	free(c->pending);
	free(c);
}

const char *cgroups_via(const struct cgroups *c)
{
	return c->samples->via;
}

const char *cgroups_why(const struct cgroups *c)
{
	return c->samples->why;
}

/* ---- paths ------------------------------------------------------------------------------- */

/* Empty where it is gone, or not visible to us: not known. */
static void find_path(const struct hierarchy *h, uint64_t kernel, char *dst, size_t size)
{
	char link[32];
	ssize_t n;
	int fd = h->mount < 0 ? -EBADF : open_id(h, kernel);

	*dst = '\0';
	if (fd < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, dst, size - 1);
	close(fd);
	dst[n > 0 ? n : 0] = '\0';
	if ((size_t)(n > 0 ? n : 0) < h->prefix)
		*dst = '\0';
	else if ((size_t)n == h->prefix)
		strcpy(dst, "/");
	else
		memmove(dst, dst + h->prefix, (size_t)n - h->prefix + 1);
}

void cgroups_made(struct cgroups *c, uint64_t kernel, const char *path)
{
	struct recent *r = &c->recent[kernel % RECENT];

	if (!c->whole)
		return;
	free(r->path);
	r->kernel = kernel;
	r->path = strdup(path);
}

static bool add_pending(struct cgroups *c, const char *path)
{
	if (array_reserve(&c->pending, &c->pending_size, c->npending + 1, sizeof(*c->pending)))
		return false;
	c->pending[c->npending] = strndup(path, TRACE_MAX_STR);
	return c->pending[c->npending];
}

static uint32_t add(struct cgroups *c, struct hierarchy *h, uint64_t kernel)
{
	const struct recent *r = &c->recent[kernel % RECENT];
	char path[PATH_MAX];

	if (h == c->samples && r->path && r->kernel == kernel)
		snprintf(path, sizeof(path), "%s", r->path);
	else
		find_path(h, kernel, path, sizeof(path));
	if (c->count + 1 >= TRACE_MAX_ID || !add_pending(c, path))
		return 0;
	if (idmap_set(&h->by_kernel, kernel, c->count + 1)) {
		free(c->pending[c->npending]);
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

int cgroups_write(struct cgroups *c, struct trace_writer *w)
{
	size_t n = c->npending;

	if (!n)
		return 0;
	trace_writer_begin(w, TRACE_CGROUPS, 2);
	trace_writer_uint(w, TRACE_CGROUPS_FIRST, c->count - n + 1);
	trace_writer_strs(w, TRACE_CGROUPS_PATH, (const char *const *)c->pending, n);
	while (c->npending)
		free(c->pending[--c->npending]);
	return trace_writer_end(w);
}
