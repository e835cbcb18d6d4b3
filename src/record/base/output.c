// SPDX-License-Identifier: BSD-2-Clause
/*
 * Usually we are root, and the path may lie in a directory of another user, who can put anything there at any
 * moment. So a file is written only if we have just created it, no link is followed, and what is not a file is
 * checked once it is open.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"

/* Only decimal digits. */
static bool number(const char *text, unsigned long max, unsigned long *value)
{
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	*value = strtoul(text, &end, 10); /* ULONG_MAX: too large, as max is less */
	return !*end && *value <= max;
}

/* ---- what the caller has opened ---------------------------------------------------------- */

/* The descriptor that a path like /dev/stdout means; -1: it is another kind of path. */
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

/* Not opened again: that might use rights that the caller does not have, and it would not append. */
static int open_given(struct output *o, int fd, const char **why)
{
	int flags = fcntl(fd, F_GETFL), own = fcntl(fd, F_GETFD);

	/* What is closed on exec is ours, not the caller's. */
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

static bool old_name(char *dst, size_t size, const char *path)
{
	return snprintf(dst, size, "%s.old", path) < (int)size;
}

/* A new name in the same directory: that of an empty file now. */
static int make_spare(struct output *o)
{
	const char *slash = strrchr(o->path, '/');
	int dir = slash ? (int)(slash - o->path) + 1 : 0;
	int fd;

	if (snprintf(o->spare, sizeof(o->spare), "%.*s.netcost-XXXXXX", dir, o->path) >=
	    (int)sizeof(o->spare)) {
		o->spare[0] = '\0';
		return -ENAMETOOLONG;
	}
	fd = mkostemp(o->spare, O_CLOEXEC);
	if (fd < 0) {
		o->spare[0] = '\0';
		return -errno;
	}
	close(fd);
	return 0;
}

/* The former path.old is kept until the recording has begun: it may still fail. */
static int keep_old(struct output *o, const char *old)
{
	struct stat st;
	int err;

	if (lstat(old, &st))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	err = make_spare(o);
	if (!err && rename(old, o->spare)) {
		err = -errno;
		unlink(o->spare);
		o->spare[0] = '\0';
	}
	return err;
}

static int move_away(struct output *o)
{
	char old[PATH_MAX];
	int err;

	if (!old_name(old, sizeof(old), o->path))
		return -ENAMETOOLONG;
	err = keep_old(o, old);
	if (!err && rename(o->path, old))
		err = -errno;
	o->replaced = !err;
	return err;
}

/* The user who called sudo(8); false: nobody did. */
static bool sudo_user(uid_t *uid, gid_t *gid)
{
	unsigned long u, g;

	if (geteuid() || !number(getenv("SUDO_UID"), (uid_t)-2, &u) ||
	    !number(getenv("SUDO_GID"), (gid_t)-2, &g))
		return false;
	*uid = (uid_t)u;
	*gid = (gid_t)g;
	return true;
}

static int create(struct output *o)
{
	uid_t uid;
	gid_t gid;

	o->fd = open(o->path, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0600);
	if (o->fd < 0)
		return -errno;
	o->created = true;
	if (sudo_user(&uid, &gid) && fchown(o->fd, uid, gid))
		return 0; /* it stays root's: not all file systems can give it away */
	return 0;
}

/* ---- what is no file --------------------------------------------------------------------- */

static bool is_ours(uid_t owner)
{
	uid_t uid;
	gid_t gid;

	return owner == geteuid() || !owner || (sudo_user(&uid, &gid) && owner == uid);
}

/* It may have become something else since it was looked at. */
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
	o->fd = open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	if (o->fd >= 0)
		return judge_special(o, why);
	if (errno == ENXIO && fifo)
		*why = "the pipe has no reader; start one first";
	return -errno;
}

/* A file is moved away, and so is a link to one: what it leads to may belong to another user. */
static int open_path(struct output *o, const char **why)
{
	struct stat st, target;

	if (lstat(o->path, &st))
		return errno == ENOENT ? create(o) : -errno;
	if (S_ISLNK(st.st_mode) && !stat(o->path, &target) && !S_ISREG(target.st_mode)) {
		if (!S_ISDIR(target.st_mode))
			*why = "a link to something that is not a file; name what it points to";
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

/* ---- all of them ------------------------------------------------------------------------- */

static bool may_wait(int fd)
{
	struct stat st;

	return fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISBLK(st.st_mode));
}

int output_open(struct output *o, const char *path, char *why, size_t whysize)
{
	int given = given_fd(path), err;
	const char *text = NULL;

	*o = (struct output){ .path = path, .fd = -1 };
	err = given >= 0 ? open_given(o, given, &text) : open_path(o, &text);
	if (err) {
		snprintf(why, whysize, "cannot write %s: %s", path, text ? text : strerror(-err));
		output_abandon(o);
		return err;
	}
	o->waits = may_wait(o->fd);
	return 0;
}

void output_close(struct output *o)
{
	if (o->fd >= 0 && o->fd != STDOUT_FILENO)
		close(o->fd);
	o->fd = -1;
}

void output_settle(struct output *o)
{
	if (o->spare[0])
		unlink(o->spare);
	o->spare[0] = '\0';
	o->created = o->replaced = false;
}

void output_abandon(struct output *o)
{
	char old[PATH_MAX];

	if (o->created)
		unlink(o->path);
	o->created = false;
	output_close(o);
	if (old_name(old, sizeof(old), o->path)) {
		if (o->replaced)
			rename(old, o->path);
		if (o->spare[0])
			rename(o->spare, old);
	}
	o->replaced = false;
	o->spare[0] = '\0';
}
