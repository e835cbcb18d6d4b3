// SPDX-License-Identifier: BSD-2-Clause
#include "series.h"

#include <errno.h>
#include <fcntl.h> /* AT_FDCWD */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <netcost/array.h>

#include "output.h"

#define SECOND_NS 1000000000ull
#define MOST_S (366ull * 86400)
#define MOST_BYTES (1ull << 40)
#define TRIES 1000

/* ---- when -------------------------------------------------------------------------------- */

static const struct unit {
	char letter;
	bool bytes;
	uint64_t of;
} units[] = {
	{ 's', false, 1 },	{ 'm', false, 60 },	{ 'h', false, 3600 },
	{ 'd', false, 86400 },	{ 'K', true, 1 << 10 }, { 'M', true, 1 << 20 },
	{ 'G', true, 1 << 30 },
};

static const char wrong_every[] =
	"--rotate: give a time, 1s to 366d (s, m, h, d), or a size, 64K to 1024G (K, M, G)";

const char *series_parse(struct series_every *e, const char *text)
{
	unsigned long long n;
	uint64_t value;
	char *end;

	*e = (struct series_every){ 0 };
	if (*text < '0' || *text > '9')
		return wrong_every;
	n = strtoull(text, &end, 10); /* too large a number is ULLONG_MAX */
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const struct unit *u = &units[i];

		if (*end != u->letter || end[1] || __builtin_mul_overflow(n, u->of, &value))
			continue;
		if (u->bytes && value >= SERIES_LEAST_BYTES && value <= MOST_BYTES)
			e->bytes = value;
		else if (!u->bytes && value && value <= MOST_S)
			e->ns = value * SECOND_NS;
	}
	return e->bytes || e->ns ? NULL : wrong_every;
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
		return "--rotate: writes files; give -o FILE, and not - or a descriptor";
	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return "--rotate: writes files; -o is a pipe or a device";
	if (!*base_of(path) || (!stat(path, &st) && S_ISDIR(st.st_mode)))
		return "--rotate: -o is a folder; add how files in it begin, such as netcost.nct";
	return NULL;
}

void series_init(struct series *s, const char *path, unsigned long keep)
{
	*s = (struct series){ .path = path, .keep = keep };
}

void series_free(struct series *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->file[i].path);
	free(s->file);
	s->file = NULL;
	s->n = 0;
}

static int make_names(const struct series *s, struct series_name *name)
{
	const char *base = base_of(s->path), *dot = strrchr(base, '.');
	const char *end = dot && dot > base ? dot : base + strlen(base);
	time_t t = (time_t)s->time_s;
	char when[32];
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &tm);
	if (snprintf(name->name, sizeof(name->name), "%.*s-%s-%06llu%s", (int)(end - s->path),
		     s->path, when, (unsigned long long)s->number, end) >= (int)sizeof(name->name))
		return -ENAMETOOLONG;
	snprintf(name->part, sizeof(name->part), "%s" SERIES_PART, name->name);
	return 0;
}

/* Also where that cannot be known: then opening it says why. */
static bool is_free(const char *path)
{
	struct stat st;

	return lstat(path, &st) && errno != EEXIST;
}

int series_next(struct series *s, uint64_t real_s, struct series_name *name)
{
	if (real_s > s->time_s)
		s->time_s = real_s;
	for (int i = 0; i < TRIES; i++) {
		int err;

		s->number++;
		err = make_names(s, name);
		if (err)
			return err;
		if (is_free(name->name) && is_free(name->part))
			return 0;
	}
	return -EEXIST;
}

/* ---- finished ones ----------------------------------------------------------------------- */

/* Where the file system cannot rename so, a second name does the same. */
static int rename_new(const char *from, const char *to)
{
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (!link(from, to))
		return unlink(from) ? -errno : 0;
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
		return -errno;
	return !is_free(to) ? -EEXIST : rename(from, to) ? -errno : 0;
}

static int remember(struct series *s, const char *name)
{
	struct stat st;
	char *path;

	if (!s->keep)
		return 0;
	if (lstat(name, &st))
		return -errno;
	path = strdup(name);
	if (!path || array_reserve(&s->file, &s->room, s->n + 1, sizeof(*s->file))) {
		free(path);
		return -ENOMEM;
	}
	s->file[s->n++] = (struct series_file){ path, st.st_dev, st.st_ino };
	return 0;
}

int series_finish(struct series *s, const struct series_name *name)
{
	int err = rename_new(name->part, name->name);

	if (err)
		return err;
	s->finished++;
	return remember(s, name->name);
}

static bool is_still_ours(const struct series_file *f)
{
	struct stat st;

	return !lstat(f->path, &st) && st.st_dev == f->dev && st.st_ino == f->ino;
}

void series_trim(struct series *s, void (*gone)(void *ctx, const char *path), void *ctx)
{
	size_t old = s->keep && s->n > s->keep ? s->n - s->keep : 0;

	for (size_t i = 0; i < old; i++) {
		gone(ctx, s->file[i].path);
		if (is_still_ours(&s->file[i]) && !unlink(s->file[i].path))
			s->deleted++;
		free(s->file[i].path);
	}
	if (old)
		memmove(s->file, s->file + old, (s->n - old) * sizeof(*s->file));
	s->n -= old;
}
