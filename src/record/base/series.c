// SPDX-License-Identifier: BSD-2-Clause
#include "series.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/units.h>

#include "clock.h"
#include "files.h"
#include "output.h"

#define MOST_NS (366 * 86400 * UNITS_SECOND)
#define MOST_BYTES (1ull << 40)
#define TRIES 100

/* ---- limits of time and size ------------------------------------------------------------- */

bool series_parse(const char *text, void *value)
{
	struct series_every *e = value;

	*e = (struct series_every){ 0 };
	if (units_parse(UNITS_TIME, text, 0, &e->ns) && e->ns >= UNITS_SECOND && e->ns <= MOST_NS)
		return true;
	e->ns = 0;
	if (units_parse(UNITS_SIZE, text, 0, &e->bytes) && e->bytes >= SERIES_LEAST_BYTES &&
	    e->bytes <= MOST_BYTES)
		return true;
	e->bytes = 0;
	return false;
}

/* ---- names ------------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *series_wrong(const char *path)
{
	struct stat st;

	if (output_is_given(path))
		return "--rotate and --ring write several files; use -o FILE, not - or a descriptor";
	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return "--rotate and --ring write several files, but -o is a pipe or a device";
	if (!*base_of(path) || (!stat(path, &st) && S_ISDIR(st.st_mode)))
		return "--rotate or --ring: -o is a folder; append a file name such as netcost.nct";
	return NULL;
}

int series_init(struct series *s, const char *path, unsigned long keep)
{
	*s = (struct series){ .path = path, .keep = keep };
	s->dir = output_open_dir(path);
	return s->dir < 0 ? s->dir : 0;
}

void series_free(struct series *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->file[i].path);
	free(s->file);
	s->file = NULL;
	s->n = 0;
	if (s->dir >= 0)
		close(s->dir);
	s->dir = -1;
}

static const char *extension_of(const char *base)
{
	const char *dot = strrchr(base, '.');

	return dot && dot > base ? dot : base + strlen(base);
}

/* Makes the final and the temporary name of a file. random: a part that makes the name unguessable, or empty. */
static int make_names(const struct series *s, const char *random, struct series_name *name)
{
	const char *end = extension_of(base_of(s->path));
	time_t t = (time_t)s->time_s;
	char when[32];
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &tm);
	if (snprintf(name->name, sizeof(name->name), "%.*s-%s-%06llu%s%s", (int)(end - s->path),
		     s->path, when, (unsigned long long)s->number, random,
		     end) >= (int)sizeof(name->name))
		return -ENAMETOOLONG;
	snprintf(name->part, sizeof(name->part), "%s" SERIES_PART, name->name);
	return 0;
}

static void make_random(char *text, size_t size)
{
	uint64_t value = 0;

	if (getrandom(&value, sizeof(value), 0) != sizeof(value))
		value = now_ns();
	snprintf(text, size, "-%016llx", (unsigned long long)value);
}

static bool is_taken(const struct series *s, const char *path)
{
	struct stat st;

	return !fstatat(s->dir, base_of(path), &st, AT_SYMLINK_NOFOLLOW);
}

int series_open(struct series *s, uint64_t real_s, struct series_name *name, struct output *o,
		char *why, size_t whysize)
{
	char random[32] = "";
	int err = 0;

	if (real_s > s->time_s)
		s->time_s = real_s;
	s->number++;
	for (int i = 0; i < TRIES; i++) {
		err = make_names(s, random, name);
		if (!err && is_taken(s, name->name))
			err = -EEXIST;
		if (!err)
			err = output_open_new(o, s->files, s->dir, name->part, why, whysize);
		else
			snprintf(why, whysize, "cannot name a file like %s: %s", s->path,
				 strerror(-err));
		if (err != -EEXIST)
			break;
		make_random(random, sizeof(random));
	}
	return err;
}

void series_real_path(const struct series *s, const struct series_name *name, char *path,
		      size_t size)
{
	char link[32], dir[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", s->dir);
	n = readlink(link, dir, sizeof(dir) - 1);
	if (n > 0 && n < (ssize_t)sizeof(dir) - 1)
		snprintf(path, size, "%.*s/%s", (int)n, dir, base_of(name->name));
	else
		snprintf(path, size, "%s", name->name);
}

/* ---- owners of the folder ---------------------------------------------------------------- */

/*
 * Returns true if no other user can rename entries of a directory. The owner of the directory can rename entries. All
 * users who may write to the directory can also rename entries, unless the directory is sticky.
 */
static bool is_private(const struct stat *st)
{
	bool sudo, sticky = st->st_mode & S_ISVTX;
	uid_t uid = 0;
	gid_t gid = 0;

	sudo = files_sudo_user(&uid, &gid);
	if (st->st_uid && st->st_uid != geteuid() && !(sudo && st->st_uid == uid))
		return false;
	if (st->st_mode & S_IWOTH && !sticky)
		return false;
	return !(st->st_mode & S_IWGRP) || sticky || !st->st_gid || st->st_gid == getegid() ||
	       (sudo && st->st_gid == gid);
}

bool series_is_private(const struct series *s)
{
	struct stat st, below = { 0 };
	int fd = fcntl(s->dir, F_DUPFD_CLOEXEC, 0);
	bool private = false;

	while (fd >= 0 && !fstat(fd, &st)) {
		int above;

		if (st.st_dev == below.st_dev && st.st_ino == below.st_ino) {
			private = true; /* the root directory is its own parent */
			break;
		}
		if (!is_private(&st))
			break;
		below = st;
		above = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = above;
	}
	if (fd >= 0)
		close(fd);
	return private;
}

/* ---- finished files ---------------------------------------------------------------------- */

static int take_name(const struct series *s, const char *part, const char *name, int fd)
{
	int err;

	/* use a hard link: the file was renamed, or another file has taken its temporary name */
	if (!output_is_entry(s->dir, part, fd))
		return files_link(s->files, s->dir, fd, name);
	err = files_rename_new(s->files, s->dir, part, name);
	if (err && err != -ENOENT)
		return err;
	if (!err && output_is_entry(s->dir, name, fd))
		return 0;
	if (!err)
		/* another file had been put at `part` before the rename: move it back */
		files_rename_new(s->files, s->dir, name, part);
	return files_link(s->files, s->dir, fd, name);
}

static int remember(struct series *s, const struct series_name *name, int fd)
{
	char real[2 * PATH_MAX], *path;
	struct stat st;

	if (!s->keep && !s->most_bytes)
		return 0;
	if (fstat(fd, &st))
		return -errno;
	series_real_path(s, name, real, sizeof(real));
	path = strdup(real);
	if (!path || array_reserve(&s->file, &s->room, s->n + 1, sizeof(*s->file))) {
		free(path);
		return -ENOMEM;
	}
	s->file[s->n++] = (struct series_file){ path, st.st_dev, st.st_ino, (uint64_t)st.st_size };
	return 0;
}

int series_finish(struct series *s, struct series_name *name, int fd)
{
	const char *end = extension_of(base_of(s->path));
	int stem = (int)(strlen(name->name) - strlen(end));
	struct series_name other = *name;
	char random[32];
	int err = -EEXIST;

	for (int i = 0; i < TRIES && err == -EEXIST; i++) {
		err = take_name(s, base_of(name->part), base_of(other.name), fd);
		if (err != -EEXIST)
			break;
		make_random(random, sizeof(random));
		if (snprintf(other.name, sizeof(other.name), "%.*s%s%s", stem, name->name, random,
			     end) >= (int)sizeof(other.name))
			err = -ENAMETOOLONG;
	}
	if (err) {
		s->unnamed++;
		return err;
	}
	*name = other;
	s->finished++;
	return remember(s, name, fd);
}

static bool is_still_ours(const struct series *s, const struct series_file *f)
{
	struct stat st;

	return !fstatat(s->dir, base_of(f->path), &st, AT_SYMLINK_NOFOLLOW) &&
	       st.st_dev == f->dev && st.st_ino == f->ino;
}

/* Returns how many of the oldest files exceed the limits. */
static size_t series_excess(const struct series *s)
{
	uint64_t bytes = 0;
	size_t kept = 0;

	while (kept < s->n && (!s->keep || kept < s->keep)) {
		bytes += s->file[s->n - kept - 1].bytes;
		if (s->most_bytes && bytes > s->most_bytes)
			break;
		kept++;
	}
	return s->n - kept;
}

void series_trim(struct series *s, void (*gone)(void *ctx, const char *path), void *ctx)
{
	size_t old = series_excess(s);

	for (size_t i = 0; i < old; i++) {
		gone(ctx, s->file[i].path);
		if (is_still_ours(s, &s->file[i]) &&
		    !files_remove(s->files, s->dir, base_of(s->file[i].path)))
			s->deleted++;
		free(s->file[i].path);
	}
	if (old)
		memmove(s->file, s->file + old, (s->n - old) * sizeof(*s->file));
	s->n -= old;
}
