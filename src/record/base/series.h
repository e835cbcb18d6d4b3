/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * series.h: a recording in several files (--rotate): when the next one begins, their names, and how many are kept.
 *
 * A file is named STEM-TIME-NUMBER.EXTENSION. Names sort in the order of the files even if the wall clock steps back,
 * because TIME never decreases. Until the file is finished, its name has the suffix PART, in the same folder. If a name
 * is taken, "-RANDOM" is added after NUMBER, which nobody can guess.
 *
 * The folder may belong to another user, who can put anything there at any moment: it is opened once, names are looked
 * up in it, and only the file that was written is renamed or deleted.
 */
#ifndef NETCOST_SERIES_H
#define NETCOST_SERIES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "output.h"

#define SERIES_PART ".part"
#define SERIES_LEAST_BYTES (64u << 10)

/* One of them is 0. */
struct series_every {
	uint64_t bytes, ns;
};

/* A file's final and temporary name. */
struct series_name {
	char name[PATH_MAX - sizeof(SERIES_PART)], part[PATH_MAX];
};

/* A finished file. */
struct series_file {
	char *path; /* with links resolved */
	dev_t dev;
	ino_t ino;
};

struct series {
	const char *path;	  /* as given */
	int dir;		  /* its folder; -1: not open */
	unsigned long keep;	  /* number of finished files to keep; 0: all */
	uint64_t number;	  /* number of the last file begun, from 1 */
	uint64_t time_s;	  /* time in its name: CLOCK_REALTIME */
	struct series_file *file; /* oldest first; used only if files are deleted */
	size_t n, room;
	uint64_t finished, unnamed, deleted; /* unnamed: complete, but renaming failed */
};

/* Parses "30s", "5m", "1h", "1d"; "500K", "64M", "2G" into a struct series_every. False: not SERIES_EVERY. */
#define SERIES_EVERY                                                                               \
	"a time from 1s to 366d, such as 30s or 1h, or a size from 64K to 1T, such as 64M"
bool series_parse(const char *text, void *value);
/* Returns why files cannot have that name; NULL: they can. */
const char *series_wrong(const char *path);

int series_init(struct series *s, const char *path,
		unsigned long keep); /* opens the folder: -errno */
void series_free(struct series *s);
/*
 * Returns whether no other user can rename entries of the folder, or of one above it. root, our own
 * user and that of sudo(8) are not others.
 */
bool series_is_private(const struct series *s);
/* Creates and names the next file. -errno, and why. */
int series_open(struct series *s, uint64_t real_s, struct series_name *name, struct output *o,
		char *why, size_t whysize);
/*
 * Gives the finished file, open as fd, its final name, or another one if that is taken by now.
 * -ENOENT: it was deleted; another -errno: it keeps its temporary name.
 */
int series_finish(struct series *s, struct series_name *name, int fd);
/* Returns the path of a finished file with links resolved, or as given if that is unknown. */
void series_real_path(const struct series *s, const struct series_name *name, char *path,
		      size_t size);
/*
 * Deletes the oldest excess files, and calls `gone` before each. A file that no longer exists, or
 * whose name now belongs to another file, is left alone.
 */
void series_trim(struct series *s, void (*gone)(void *ctx, const char *path), void *ctx);

#endif
