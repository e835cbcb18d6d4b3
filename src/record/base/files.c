// SPDX-License-Identifier: BSD-2-Clause
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/fd_pass.h>

#include "helper.h"
#include "privileges.h"

enum files_what { FILES_CREATE, FILES_RENAME_NEW, FILES_LINK, FILES_REMOVE };

struct files_request {
	enum files_what what;
	char name[NAME_MAX + 1], to[NAME_MAX + 1];
};

struct files {
	int socket;
};

/* ---- the work ---------------------------------------------------------------------------- */

/* Parses the number of a user or group from the environment. */
static bool id_of(const char *variable, unsigned int *id)
{
	const char *text = getenv(variable);
	unsigned long value;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	/* on overflow, strtoul() returns ULONG_MAX */
	value = strtoul(text, &end, 10);
	*id = (unsigned int)value;
	return !*end && value < UINT_MAX;
}

bool files_sudo_user(uid_t *uid, gid_t *gid)
{
	return !geteuid() && id_of("SUDO_UID", uid) && id_of("SUDO_GID", gid);
}

static int create(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0600);
	uid_t uid;
	gid_t gid;

	if (fd >= 0 && files_sudo_user(&uid, &gid))
		/* the file remains owned by root if the file system cannot change the owner */
		(void)!fchown(fd, uid, gid);
	return fd < 0 ? -errno : fd;
}

/* If the file system does not support RENAME_NOREPLACE, a hard link has the same effect. */
static int rename_new(int dir, const char *from, const char *to)
{
	struct stat st;

	if (!renameat2(dir, from, dir, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (!linkat(dir, from, dir, to, 0))
		return unlinkat(dir, from, 0) ? -errno : 0;
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
		return -errno;
	if (!fstatat(dir, to, &st, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	return renameat(dir, from, dir, to) ? -errno : 0;
}

static int link_open(int dir, int fd, const char *to)
{
	char self[32];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, dir, to, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

static int files_do(int dir, const struct files_request *r, int fd)
{
	switch (r->what) {
	case FILES_CREATE:
		return create(dir, r->name);
	case FILES_RENAME_NEW:
		return rename_new(dir, r->name, r->to);
	case FILES_LINK:
		return link_open(dir, fd, r->to);
	case FILES_REMOVE:
		return unlinkat(dir, r->name, 0) ? -errno : 0;
	}
	return -EINVAL;
}

/* ---- the helper -------------------------------------------------------------------------- */

static void files_serve(int socket, const void *arg)
{
	const int *dir = arg;
	struct files_request r;
	int fd, result;

	privileges_keep(PRIVILEGES_FILES, *dir);
	while (fd_receive(socket, &r, sizeof(r), &fd) == sizeof(r)) {
		/* a recorder that an attacker has taken over may send anything */
		r.name[NAME_MAX] = r.to[NAME_MAX] = '\0';
		result = strchr(r.name, '/') || strchr(r.to, '/') ? -EINVAL :
								    files_do(*dir, &r, fd);
		if (fd >= 0)
			close(fd);
		fd = r.what == FILES_CREATE ? result : -1;
		fd_send(socket, &result, sizeof(result), fd);
		if (fd >= 0)
			close(fd);
	}
}

int files_delegate(struct files **fp, int dir)
{
	struct files *f = malloc(sizeof(*f));
	int err = f ? 0 : -ENOMEM;

	if (f)
		err = f->socket = helper_start(files_serve, &dir);
	if (err < 0)
		free(f);
	*fp = err < 0 ? NULL : f;
	return err < 0 ? err : 0;
}

void files_end(struct files *f)
{
	if (f)
		close(f->socket);
	free(f);
}

/* ---- calls ------------------------------------------------------------------------------- */

static int ask(const struct files *f, int dir, enum files_what what, const char *name,
	       const char *to, int fd)
{
	struct files_request r = { .what = what };
	int result, created;

	if (strlen(name) > NAME_MAX || strlen(to) > NAME_MAX)
		return -ENAMETOOLONG;
	strcpy(r.name, name);
	strcpy(r.to, to);
	if (!f)
		return files_do(dir, &r, fd);
	if (fd_send(f->socket, &r, sizeof(r), fd) != sizeof(r) ||
	    fd_receive(f->socket, &result, sizeof(result), &created) != sizeof(result))
		return -EPIPE;
	return what == FILES_CREATE && result >= 0 ? created : result;
}

int files_create(const struct files *f, int dir, const char *name)
{
	return ask(f, dir, FILES_CREATE, name, "", -1);
}

int files_rename_new(const struct files *f, int dir, const char *from, const char *to)
{
	return ask(f, dir, FILES_RENAME_NEW, from, to, -1);
}

int files_link(const struct files *f, int dir, int fd, const char *to)
{
	return ask(f, dir, FILES_LINK, "", to, fd);
}

int files_remove(const struct files *f, int dir, const char *name)
{
	return ask(f, dir, FILES_REMOVE, name, "", -1);
}
