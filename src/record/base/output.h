/* SPDX-License-Identifier: BSD-2-Clause */
/* output.h: opens the trace file, and keeps a previous file of the same name. */
#ifndef NETCOST_OUTPUT_H
#define NETCOST_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct files;

struct output {
	const char *path; /* path for messages; "-" is stdout */
	const char *base; /* name of the file in `dir` */
	int fd;
	/* directory, which is opened once and in which names are looked up; -1: none */
	int dir;
	/* helper process that changes `dir`; NULL: the recorder changes `dir` itself */
	const struct files *files;
	/* writes may wait for a slow reader, because the output is not a file; fd may block */
	bool waits;
	/* set if the recorder created the file; an existing file must not be removed */
	bool created;
	bool replaced; /* set if a file was moved to path.old */
	/* name to which the previous path.old was moved; empty if there was no path.old */
	char spare[32];
};

/* Initial value of an output that is not open. */
#define OUTPUT_NONE                                                                                \
	{                                                                                          \
		.fd = -1, .dir = -1                                                                \
	}

/* Returns true if the path means the recorder's standard output, under any of its names. */
bool output_is_stdout(const char *path);
/* Returns true if the path means a descriptor that the caller of the program has opened. */
bool output_is_given(const char *path);
/*
 * Creates path with mode 0600. The owner is the user who called sudo(8). An existing file is kept as path.old, as perf
 * does. Never blocks. why: one line on failure; in that case nothing is changed.
 */
int output_open(struct output *o, const char *path, char *why, size_t whysize);
/*
 * Creates path, which must not exist, in the open directory `dir`. The directory in `path` is used only in messages.
 * Leaves `why` empty if the result is -EEXIST.
 */
int output_open_new(struct output *o, const struct files *files, int dir, const char *path,
		    char *why, size_t whysize);
/* Opens the directory of path, for *at(2) calls. Returns the descriptor or -errno. */
int output_open_dir(const char *path);
/* Returns true if the entry `name` of `dir` is the file that is open as fd. Does not follow links. */
bool output_is_entry(int dir, const char *name, int fd);
/* Removes the previous path.old. Called when the recording has begun. */
void output_settle(struct output *o);
void output_close(struct output *o);
/* Restores the previous files if a recording never began. Must not be called after output_settle(). */
void output_abandon(struct output *o);

#endif
