/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * series.h: a recording in several files (--rotate). This code decides when the next file begins, how the files are
 * named, and how many files are kept.
 *
 * A file is named STEM-TIME-NUMBER.EXTENSION. Names sort in the order of the files even if the wall clock steps back,
 * because TIME never decreases. Until the file is finished, its name has the suffix PART, in the same folder. If a name
 * is taken, "-RANDOM" is added after NUMBER; nobody can guess RANDOM.
 *
 * The folder may belong to another user, who can replace any entry of it at any moment. So the folder is opened once,
 * names are looked up in it, and only the file that the recorder wrote is renamed or deleted.
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

/* The limit of size or time at which the next file begins. One of the fields is 0. */
struct series_every {
	uint64_t bytes, ns;
};

/* The final and the temporary name of a file. */
struct series_name {
	char name[PATH_MAX - sizeof(SERIES_PART)], part[PATH_MAX];
};

/* A finished file of the recording. */
struct series_file {
	char *path; /* path with links resolved */
	dev_t dev;
	ino_t ino;
	uint64_t bytes;
};

struct series {
	const char *path;    /* path as given on the command line */
	int dir;	     /* descriptor of the folder; -1: not open */
	struct files *files; /* process that changes the folder, set by the caller; or NULL */
	unsigned long keep;  /* number of finished files to keep; 0: all */
	uint64_t most_bytes; /* bytes of finished files to keep; 0: all */
	uint64_t number;     /* number of the file that was begun last, from 1 */
	uint64_t time_s; /* time in the name of the file that was begun last: CLOCK_REALTIME, s */
	struct series_file *file; /* finished files, oldest first; used only if files are deleted */
	size_t n, room;
	/* unnamed: number of files that are complete but could not be renamed */
	uint64_t finished, unnamed, deleted;
};

/*
 * Parses a time ("30s", "5m", "1h", "1d") or a size ("500K", "64M", "2G") into a struct series_every. Returns false if
 * the text is not what SERIES_EVERY describes.
 */
#define SERIES_EVERY                                                                               \
	"a time from 1s to 366d, such as 30s or 1h, or a size from 64K to 1T, such as 64M"
bool series_parse(const char *text, void *value);
/* Returns the reason why the files of a series cannot be named after `path`, or NULL if they can. */
const char *series_wrong(const char *path);

int series_init(struct series *s, const char *path,
		unsigned long keep); /* opens the folder; returns 0 or -errno */
void series_free(struct series *s);
/*
 * Returns true if no other user can rename entries of the folder or of a folder above it. root, the recorder's own
 * user, and the user who called sudo(8) do not count as other users.
 */
bool series_is_private(const struct series *s);
/* Creates and names the next file. Returns 0, or -errno and why. */
int series_open(struct series *s, uint64_t real_s, struct series_name *name, struct output *o,
		char *why, size_t whysize);
/*
 * Renames the finished file (open as fd) to its final name, or to another name if the final name is taken. Returns
 * -ENOENT if the file was deleted. On any other -errno, the file keeps its temporary name.
 */
int series_finish(struct series *s, struct series_name *name, int fd);
/*
 * Sets `path` to the path of a finished file with links resolved, or to the path as given if the resolved path is
 * unknown.
 */
void series_real_path(const struct series *s, const struct series_name *name, char *path,
		      size_t size);
/*
 * Deletes the oldest excess files, and calls `gone` before each deletion. Skips a file that no longer exists, or whose
 * name now belongs to another file.
 */
void series_trim(struct series *s, void (*gone)(void *ctx, const char *path), void *ctx);

#endif
