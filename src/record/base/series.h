/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * series.h: a recording in several files (--rotate): when the next one begins, how they are called, and which of them stay.
 *
 * A file is STEM-TIME-NUMBER.EXTENSION: names sort as the files follow each other, also where the wall clock steps back, as
 * TIME never does. Until it is finished it has PART after that, in the same folder.
 */
#ifndef NETCOST_SERIES_H
#define NETCOST_SERIES_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
	char *path;
	dev_t dev;
	ino_t ino;
};

struct series {
	const char *path;	  /* as it was given */
	unsigned long keep;	  /* so many finished ones stay; 0: all */
	uint64_t number;	  /* of the last one that was named: they count from 1 */
	uint64_t time_s;	  /* in its name: CLOCK_REALTIME */
	struct series_file *file; /* oldest first; only where some are to be deleted */
	size_t n, room;
	uint64_t finished, deleted;
};

/* "30s", "5m", "1h", "1d"; "500K", "64M", "2G". What is wrong, as a whole sentence; NULL: nothing. */
const char *series_parse(struct series_every *e, const char *text);
/* Can files be called by that? What is wrong; NULL: nothing. */
const char *series_wrong(const char *path);

void series_init(struct series *s, const char *path, unsigned long keep);
void series_free(struct series *s);
/* Names the next file: neither name is there. -ENAMETOOLONG, or -EEXIST after many tries. */
int series_next(struct series *s, uint64_t real_s, struct series_name *name);
/* It is finished: gives it its name, which nothing has. -errno. */
int series_finish(struct series *s, const struct series_name *name);
/*
 * Deletes the oldest ones that are too many, and calls `gone` for each before. One that is not there any more, or that
 * another file has the name of, is left alone.
 */
void series_trim(struct series *s, void (*gone)(void *ctx, const char *path), void *ctx);

#endif
