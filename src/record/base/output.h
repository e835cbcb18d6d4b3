/* SPDX-License-Identifier: BSD-2-Clause */
/* output.h: the trace file: where it is written, and what is kept of a previous file. */
#ifndef NETCOST_OUTPUT_H
#define NETCOST_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct output {
	const char *path; /* for messages; "-" is stdout */
	const char *base; /* its name in dir */
	int fd;
	int dir;	/* opened once; names are looked up in it; -1: none */
	bool waits;	/* has a reader, which may be slow: not a file. Its fd may block */
	bool created;	/* created by us: an existing file must not be removed */
	bool replaced;	/* a file was moved to path.old … */
	char spare[32]; /* … and the previous path.old to this name; empty: no such file */
};

/* A closed output. */
#define OUTPUT_NONE                                                                                \
	{                                                                                          \
		.fd = -1, .dir = -1                                                                \
	}

/* Returns whether the path means our standard output, under any of its names. */
bool output_is_stdout(const char *path);
/* Returns whether the path means a descriptor that the caller has opened. */
bool output_is_given(const char *path);
/*
 * Creates path with mode 0600, owned by the user who called sudo(8); an existing file is kept as
 * path.old, as perf does. Never blocks. why: one line on failure; then nothing is changed.
 */
int output_open(struct output *o, const char *path, char *why, size_t whysize);
/*
 * Creates path, which must not exist, in the open directory dir; path's own directory is used only
 * in messages. -EEXIST leaves why empty.
 */
int output_open_new(struct output *o, int dir, const char *path, char *why, size_t whysize);
/* Opens the directory of path, for *at(2) calls; -errno. */
int output_open_dir(const char *path);
/* Returns whether the entry `name` of dir is the file open as fd. Does not follow links. */
bool output_is_entry(int dir, const char *name, int fd);
/* Renames in dir without replacing an existing `to`. -EEXIST: it exists. */
int output_rename_new(int dir, const char *from, const char *to);
/* Returns the user who called sudo(8); false: none. */
bool output_sudo_user(uid_t *uid, gid_t *gid);
/* The recording has begun: removes the previous path.old. */
void output_settle(struct output *o);
void output_close(struct output *o);
/* Restores the previous files, for a recording that never began. Not after output_settle(). */
void output_abandon(struct output *o);

#endif
