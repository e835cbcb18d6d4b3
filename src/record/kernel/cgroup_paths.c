// SPDX-License-Identifier: BSD-2-Clause
#include "cgroup_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <netcost/reasons.h>

#define HANDLE_BYTES 8 /* the file handle of a cgroup directory is its id */

/* Opens the directory of the cgroup with the given id. Returns a descriptor or -errno. */
static int open_id(const struct cgroup_paths *p, uint64_t kernel)
{
	union {
		struct file_handle h;
		char room[sizeof(struct file_handle) + HANDLE_BYTES];
	} u = { .h = { .handle_bytes = HANDLE_BYTES, .handle_type = p->handle_type } };
	int fd;

	memcpy(u.h.f_handle, &kernel, HANDLE_BYTES);
	fd = open_by_handle_at(p->mount, &u.h, O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Uses the mount's own file handle to find the format of handles and whether this process may use them. */
static int try_handles(struct cgroup_paths *p, const char *dir)
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
	p->handle_type = u.h.handle_type;
	memcpy(&kernel, u.h.f_handle, sizeof(kernel));
	fd = open_id(p, kernel);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

void cgroup_paths_open(struct cgroup_paths *p, enum cgroup_hierarchy is)
{
	char dir[PATH_MAX], escaped[PATH_MAX], error[32];
	int err;

	*p = (struct cgroup_paths){ .mount = -1 };
	snprintf(p->via, sizeof(p->via), reason_perf);
	if (!cgroup_hierarchy_mount(is, dir, sizeof(dir))) {
		snprintf(p->why, sizeof(p->why), reason_cgroups_unmounted);
		return;
	}
	p->mount = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = p->mount < 0 ? -errno : try_handles(p, dir);
	if (!err) {
		p->prefix = strlen(dir);
		snprintf(p->via, sizeof(p->via), reason_cgroup_handles,
			 reason_escape(dir, escaped, sizeof(escaped)));
		return;
	}
	if (err == -EPERM)
		snprintf(error, sizeof(error), reason_needs_search);
	else
		snprintf(error, sizeof(error), reason_error, -err);
	snprintf(p->why, sizeof(p->why), reason_cgroups_new,
		 reason_escape(dir, escaped, sizeof(escaped)), error);
	cgroup_paths_close(p);
}

void cgroup_paths_close(struct cgroup_paths *p)
{
	if (p->mount >= 0)
		close(p->mount);
	p->mount = -1;
}

void cgroup_paths_find(const struct cgroup_paths *p, uint64_t kernel, char *dst, size_t size)
{
	char link[32];
	ssize_t n;
	int fd = p->mount < 0 ? -EBADF : open_id(p, kernel);

	*dst = '\0';
	if (fd < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, dst, size - 1);
	close(fd);
	dst[n > 0 ? n : 0] = '\0';
	if ((size_t)(n > 0 ? n : 0) < p->prefix)
		*dst = '\0';
	else if ((size_t)n == p->prefix)
		strcpy(dst, "/");
	else
		memmove(dst, dst + p->prefix, (size_t)n - p->prefix + 1);
}
