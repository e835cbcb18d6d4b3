/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * series.h: a recording in several files (--rotate): when the next one begins, how they are called, and which of them stay.
 *
 * A file is STEM-TIME-NUMBER.EXTENSION: names sort as the files follow each other, also where the wall clock steps back, as
 * TIME never does. Until it is finished it has PART after that, in the same folder. Where that name is taken there is
 * "-RANDOM" after NUMBER, which nobody can guess and take as well.
 *
 * The folder may belong to another user, who can put anything there at any moment: it is opened once, names are looked up
 * in it, and only the file that was written gets its name or is deleted.
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

/* What one is called, in the end and until then. */
struct series_name {
	char name[PATH_MAX - sizeof(SERIES_PART)], part[PATH_MAX];
};

/* One that is finished. */
struct series_file {
	char *path; /* without links */
	dev_t dev;
	ino_t ino;
};

struct series {
	const char *path;	  /* as it was given */
	int dir;		  /* its folder; -1: not open */
	unsigned long keep;	  /* so many finished ones stay; 0: all */
	uint64_t number;	  /* of the last one that was begun: they count from 1 */
	uint64_t time_s;	  /* in its name: CLOCK_REALTIME */
	struct series_file *file; /* oldest first; only where some are to be deleted */
	size_t n, room;
	uint64_t finished, unnamed, deleted; /* unnamed: complete, but renaming failed */
};

/* Reads "30s", "5m", "1h", "1d"; "500K", "64M", "2G" into a struct series_every. False: it is not SERIES_EVERY. */
#define SERIES_EVERY                                                                               \
	"a time from 1s to 366d, such as 30s or 1h, or a size from 64K to 1T, such as 64M"
bool series_parse(const char *text, void *value);
/* Can files be called by that? What is wrong; NULL: nothing. */
const char *series_wrong(const char *path);

int series_init(struct series *s, const char *path,
		unsigned long keep); /* opens the folder: -errno */
void series_free(struct series *s);
/* Can no other user rename in the folder, nor in one above it? root, the own user and that of sudo(8) are not others. */
bool series_is_private(const struct series *s);
/* Creates and names the next file. -errno, and why. */
int series_open(struct series *s, uint64_t real_s, struct series_name *name, struct output *o,
		char *why, size_t whysize);
/*
 * It is finished, and fd is it: gives it its name, or another one if that is taken by now. -ENOENT: it was deleted, another
 * -errno: it keeps its name.
 */
int series_finish(struct series *s, struct series_name *name, int fd);
/* The path without links of a finished file; as it was given, if that is not known. */
void series_real_path(const struct series *s, const struct series_name *name, char *path,
		      size_t size);
/*
 * Deletes the oldest ones that are too many, and calls `gone` for each before. One that is not there any more, or that
 * another file has the name of, is left alone.
 */
void series_trim(struct series *s, void (*gone)(void *ctx, const char *path), void *ctx);

#endif
