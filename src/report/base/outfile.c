// SPDX-License-Identifier: BSD-2-Clause
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 100 /* to find a name that nobody has */

static bool is_stdout(const char *name)
{
	return !name || !strcmp(name, "-") || !strcmp(name, "/dev/stdout");
}

/* Opens the directory and sets o->base. */
static int open_dir(struct outfile *o, const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	char dir[PATH_MAX];

	if (!*base)
		return -EISDIR;
	if (strlen(base) > NAME_MAX || (size_t)(base - name) >= sizeof(dir))
		return -ENAMETOOLONG;
	strcpy(o->base, base);
	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(base - name) : 1, slash ? name : ".");
	o->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return o->dir < 0 ? -errno : 0;
}

/* A device or pipe. Never waits for a pipe's reader. */
static int open_special(struct outfile *o)
{
	int flags;

	o->fd = openat(o->dir, o->base, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	if (o->fd < 0)
		return -errno;
	flags = fcntl(o->fd, F_GETFL);
	if (flags < 0 || fcntl(o->fd, F_SETFL, flags & ~O_NONBLOCK))
		return -errno;
	close(o->dir);
	o->dir = -1;
	return 0;
}

/* Gives a new file a name that nobody has. fd: of a file without a name; -1: makes one, which is o->fd. */
static int name_temporary(struct outfile *o, int fd, mode_t mode)
{
	char self[32];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	for (unsigned int i = 0; i < TRIES; i++) {
		snprintf(o->temp, sizeof(o->temp), ".netcost-%d-%u", (int)getpid(), i);
		if (fd >= 0) {
			if (!linkat(AT_FDCWD, self, o->dir, o->temp, AT_SYMLINK_FOLLOW))
				return 0;
		} else {
			o->fd = openat(o->dir, o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				       mode);
			if (o->fd >= 0)
				return 0;
		}
		if (errno != EEXIST)
			break;
	}
	o->temp[0] = '\0';
	return -errno;
}

static int open_new(struct outfile *o, mode_t mode)
{
	char self[32];

	o->fd = openat(o->dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	if (o->fd >= 0 && !access(self, F_OK))
		return 0;
	/* A file system without O_TMPFILE, or no /proc. */
	if (o->fd >= 0)
		close(o->fd);
	return name_temporary(o, -1, mode);
}

int outfile_open(struct outfile *o, const char *name, mode_t mode)
{
	struct stat st;
	int err;

	*o = (struct outfile){ .fd = STDOUT_FILENO, .dir = -1, .given = is_stdout(name) };
	if (o->given)
		return 0;
	o->fd = -1;
	err = open_dir(o, name);
	if (err)
		return err;
	if (!fstatat(o->dir, o->base, &st, AT_SYMLINK_NOFOLLOW) && !S_ISREG(st.st_mode) &&
	    !S_ISLNK(st.st_mode))
		err = S_ISDIR(st.st_mode) ? -EISDIR : open_special(o);
	else
		err = open_new(o, mode);
	if (err)
		outfile_close(o, false);
	return err;
}

/* From its temporary name, which it gets if it has none, to its own. */
static int take_name(struct outfile *o)
{
	int err = *o->temp ? 0 : name_temporary(o, o->fd, 0);

	if (err)
		return err;
	if (o->fresh) /* the temporary name goes in outfile_close() */
		return linkat(o->dir, o->temp, o->dir, o->base, 0) ? -errno : 0;
	if (renameat(o->dir, o->temp, o->dir, o->base))
		return -errno;
	o->temp[0] = '\0';
	return 0;
}

int outfile_close(struct outfile *o, bool keep)
{
	int err = keep && o->dir >= 0 ? take_name(o) : 0;

	if (*o->temp)
		unlinkat(o->dir, o->temp, 0);
	if (o->fd >= 0 && !o->given && close(o->fd) && !err)
		err = -errno;
	if (o->dir >= 0)
		close(o->dir);
	o->fd = o->dir = -1;
	return err;
}
