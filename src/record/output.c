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

/* A device or a pipe is written to as it is; a file makes room. */
static int move_away(struct output *o)
{
	char old[PATH_MAX];
	struct stat st;

	if (lstat(o->path, &st))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return 0;
	if (!old_name(old, sizeof(old), o->path))
		return -ENAMETOOLONG;
	if (rename(o->path, old))
		return -errno;
	o->replaced = true;
	return 0;
}

int output_open(struct output *o, const char *path, char *why, size_t whysize)
{
	int err;

	*o = (struct output){ .path = path, .fd = -1 };
	if (!strcmp(path, "-"))
		return open_stdout(o, why, whysize);
	err = move_away(o);
	if (!err) {
		o->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
		err = o->fd < 0 ? -errno : 0;
	}
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
	struct stat st;

	if (o->fd >= 0 && o->fd != STDOUT_FILENO && !fstat(o->fd, &st) && S_ISREG(st.st_mode))
		unlink(o->path);
	output_close(o);
	if (o->replaced && old_name(old, sizeof(old), o->path))
		rename(old, o->path);
	o->replaced = false;
}
