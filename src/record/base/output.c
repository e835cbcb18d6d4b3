// SPDX-License-Identifier: BSD-2-Clause
/*
 * Opens the trace file. Usually the recorder runs as root, and the path may be in a directory of another user, who can
 * replace any entry there at any moment. So the directory is opened once, and names are looked up in it. A file is
 * written only if the recorder has just created it, and no link is followed. If the path is a pipe or a device, it is
 * checked after it has been opened.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "msg.h"

/* Parses a number that consists of decimal digits only. */
static bool number(const char *text, unsigned long max, unsigned long *value)
{
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	/* on overflow, strtoul() returns ULONG_MAX, which is greater than max */
	*value = strtoul(text, &end, 10);
	return !*end && *value <= max;
}

/* ---- descriptors that the caller has opened ---------------------------------------------- */

/* Returns the descriptor to which a path like /dev/stdout refers, or -1 for any other path. */
static int given_fd(const char *path)
{
	static const char *const dir[] = { "/dev/fd/", "/proc/self/fd/" };
	unsigned long fd;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(dir) / sizeof(dir[0]); i++)
		if (!strncmp(path, dir[i], strlen(dir[i])) &&
		    number(path + strlen(dir[i]), INT_MAX, &fd))
			return (int)fd;
	return -1;
}

bool output_is_stdout(const char *path)
{
	return given_fd(path) == STDOUT_FILENO;
}

bool output_is_given(const char *path)
{
	return given_fd(path) >= 0;
}

/*
 * Uses a descriptor that the caller has opened. It is not reopened, because reopening could use rights that the caller
 * lacks, and would not append.
 */
static int open_given(struct output *o, int fd, const char **why)
{
	int flags = fcntl(fd, F_GETFL), own = fcntl(fd, F_GETFD);

	/* a descriptor with close-on-exec was opened by the recorder and not by the caller */
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || own & FD_CLOEXEC)
		return -EBADF;
	if (isatty(fd)) {
		*why = "it is a terminal; redirect it, or give -o FILE";
		return ERR_USAGE;
	}
	if (!strcmp(o->path, "-"))
		o->fd = fd;
	else
		o->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return o->fd < 0 ? -errno : 0;
}

/* ---- files ------------------------------------------------------------------------------- */

#define TRIES 100 /* number of tries to find an unused name */

static bool old_name(const struct output *o, char *dst, size_t size)
{
	return snprintf(dst, size, "%s.old", o->base) < (int)size;
}

bool output_is_entry(int dir, const char *name, int fd)
{
	struct stat file, entry;

	return !fstat(fd, &file) && !fstatat(dir, name, &entry, AT_SYMLINK_NOFOLLOW) &&
	       file.st_dev == entry.st_dev && file.st_ino == entry.st_ino;
}

/* Renames the previous path.old to a spare name until the recording has begun, because the start may still fail. */
static int keep_old(struct output *o, const char *old)
{
	struct stat st;
	int err = -EEXIST;

	if (fstatat(o->dir, old, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	for (unsigned int i = 0; i < TRIES && err == -EEXIST; i++) {
		snprintf(o->spare, sizeof(o->spare), ".netcost-%d-%u", (int)getpid(), i);
		err = files_rename_new(o->files, o->dir, old, o->spare);
	}
	if (err)
		o->spare[0] = '\0';
	return err;
}

static int move_away(struct output *o)
{
	char old[NAME_MAX + 1];
	int err;

	if (!old_name(o, old, sizeof(old)))
		return -ENAMETOOLONG;
	err = keep_old(o, old);
	if (!err && renameat(o->dir, o->base, o->dir, old))
		err = -errno;
	o->replaced = !err;
	return err;
}

static int create(struct output *o)
{
	o->fd = files_create(o->files, o->dir, o->base);
	o->created = o->fd >= 0;
	return o->created ? 0 : o->fd;
}

/* ---- pipes and devices ------------------------------------------------------------------- */

static bool is_ours(uid_t owner)
{
	uid_t uid;
	gid_t gid;

	return owner == geteuid() || !owner || (files_sudo_user(&uid, &gid) && owner == uid);
}

/* Checks an opened pipe or device, because the entry may have been replaced since the path was checked. */
static int judge_special(const struct output *o, const char **why)
{
	struct stat st;

	if (fstat(o->fd, &st))
		return -errno;
	if (S_ISREG(st.st_mode))
		return -EEXIST;
	if (S_ISFIFO(st.st_mode) && !is_ours(st.st_uid)) {
		*why = "the pipe belongs to another user";
		return -EPERM;
	}
	return 0;
}

static int open_special(struct output *o, bool fifo, const char **why)
{
	o->fd = openat(o->dir, o->base, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	if (o->fd >= 0)
		return judge_special(o, why);
	if (errno == ENXIO && fifo)
		*why = "the pipe has no reader; start one first";
	return -errno;
}

/*
 * Opens the path. A file is moved away first. A link to a file is moved away, too, because its target may belong to
 * another user.
 */
static int open_path(struct output *o, const char **why)
{
	struct stat st, target;

	if (fstatat(o->dir, o->base, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? create(o) : -errno;
	if (S_ISLNK(st.st_mode) && !fstatat(o->dir, o->base, &target, 0) &&
	    !S_ISREG(target.st_mode)) {
		if (!S_ISDIR(target.st_mode))
			*why = "it is a symbolic link whose target is not a regular file; give the name of its target";
		return S_ISDIR(target.st_mode) ? -EISDIR : -ELOOP;
	}
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) {
		int err = move_away(o);

		return err ? err : create(o);
	}
	return open_special(o, S_ISFIFO(st.st_mode), why);
}

/* ---- all kinds of outputs ---------------------------------------------------------------- */

static bool may_wait(int fd)
{
	struct stat st;

	return fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISBLK(st.st_mode));
}

static int failed(struct output *o, int err, const char *text, char *why, size_t whysize)
{
	snprintf(why, whysize, "cannot write %s: %s", o->path, text ? text : strerror(-err));
	output_abandon(o);
	return err;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int output_open_dir(const char *path)
{
	size_t n = (size_t)(base_of(path) - path);
	char dir[PATH_MAX];
	int fd;

	if (n >= sizeof(dir))
		return -ENAMETOOLONG;
	snprintf(dir, sizeof(dir), "%.*s", n ? (int)n : 1, n ? path : ".");
	fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_named(struct output *o, const char **text)
{
	int dir = output_open_dir(o->path);

	if (dir < 0)
		return dir;
	o->dir = dir;
	o->base = base_of(o->path);
	if (!*o->base)
		return *o->path ? -EISDIR : -ENOENT;
	return open_path(o, text);
}

int output_open(struct output *o, const char *path, char *why, size_t whysize)
{
	int given = given_fd(path), err;
	const char *text = NULL;

	*o = (struct output){ .path = path, .fd = -1, .dir = -1 };
	err = given >= 0 ? open_given(o, given, &text) : open_named(o, &text);
	if (err)
		return failed(o, err, text, why, whysize);
	o->waits = may_wait(o->fd);
	return 0;
}

int output_open_new(struct output *o, const struct files *files, int dir, const char *path,
		    char *why, size_t whysize)
{
	int err;

	*o = (struct output){ .path = path, .base = base_of(path), .fd = -1, .files = files };
	o->dir = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	err = o->dir < 0 ? -errno : create(o);
	return err ? failed(o, err, NULL, why, whysize) : 0;
}

static void close_dir(struct output *o)
{
	if (o->dir >= 0)
		close(o->dir);
	o->dir = -1;
}

void output_close(struct output *o)
{
	if (o->fd >= 0 && o->fd != STDOUT_FILENO)
		close(o->fd);
	o->fd = -1;
	close_dir(o);
}

void output_settle(struct output *o)
{
	if (o->spare[0])
		files_remove(o->files, o->dir, o->spare);
	o->spare[0] = '\0';
	o->created = o->replaced = false;
}

void output_abandon(struct output *o)
{
	char old[NAME_MAX + 1];

	if (o->created && output_is_entry(o->dir, o->base, o->fd))
		files_remove(o->files, o->dir, o->base);
	if (o->base && old_name(o, old, sizeof(old))) {
		if (o->replaced)
			files_rename_new(o->files, o->dir, old, o->base);
		if (o->spare[0])
			files_rename_new(o->files, o->dir, o->spare, old);
	}
	o->created = o->replaced = false;
	o->spare[0] = '\0';
	output_close(o);
}
