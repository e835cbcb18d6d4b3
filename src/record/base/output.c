// SPDX-License-Identifier: BSD-2-Clause
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_stdout(struct output *o, char *why, size_t whysize)
{
	if (isatty(STDOUT_FILENO)) {
		snprintf(why, whysize,
			 "will not write a trace to a terminal; redirect it, or give -o FILE");
		return -EINVAL;
	}
	o->fd = STDOUT_FILENO;
	return 0;
}

static bool old_name(char *dst, size_t size, const char *path)
{
	return snprintf(dst, size, "%s.old", path) < (int)size;
}

/* Links like /dev/stdout, to whatever a process has open: not ours to move. */
static bool is_systems(const char *path)
{
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/*
 * A device or a pipe, or a link to one, is written to as it is. A file makes room, and so does a link
 * to one: what it leads to may be someone else's.
 */
static int move_away(struct output *o)
{
	struct stat st, target;
	char old[PATH_MAX];

	if (lstat(o->path, &st))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISLNK(st.st_mode) && is_systems(o->path))
		return 0;
	if (S_ISLNK(st.st_mode) && !stat(o->path, &target))
		st = target;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return 0;
	if (!old_name(old, sizeof(old), o->path))
		return -ENAMETOOLONG;
	if (rename(o->path, old))
		return -errno;
	o->replaced = true;
	return 0;
}

static int open_path(struct output *o)
{
	const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;

	o->fd = open(o->path, flags | O_CREAT | O_EXCL, 0600);
	o->created = o->fd >= 0;
	if (o->fd < 0 && errno == EEXIST)
		o->fd = open(o->path, flags | O_TRUNC);
	return o->fd < 0 ? -errno : 0;
}

int output_open(struct output *o, const char *path, char *why, size_t whysize)
{
	int err;

	*o = (struct output){ .path = path, .fd = -1 };
	if (!strcmp(path, "-"))
		return open_stdout(o, why, whysize);
	err = move_away(o);
	if (!err)
		err = open_path(o);
	if (!err)
		return 0;
	snprintf(why, whysize, "cannot write %s: %s", path, strerror(-err));
	output_abandon(o);
	return err;
}

void output_close(struct output *o)
{
	if (o->fd >= 0 && o->fd != STDOUT_FILENO)
		close(o->fd);
	o->fd = -1;
}

void output_abandon(struct output *o)
{
	char old[PATH_MAX];

	if (o->created)
		unlink(o->path);
	o->created = false;
	output_close(o);
	if (o->replaced && old_name(old, sizeof(old), o->path))
		rename(old, o->path);
	o->replaced = false;
}
