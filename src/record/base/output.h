/* SPDX-License-Identifier: BSD-2-Clause */
/* output.h: the trace file: where it goes, and what was there before. */
#ifndef NETCOST_OUTPUT_H
#define NETCOST_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct output {
	const char *path; /* for messages; "-" is stdout */
	int fd;
	bool waits;	      /* for a reader: no file. Its fd may block */
	bool created;	      /* by us: what was there already is not ours to remove */
	bool replaced;	      /* a file was moved to path.old … */
	char spare[PATH_MAX]; /* … and the path.old before it here; empty: there was none */
};

/* Is that our standard output, whichever of its names it has? */
bool output_is_stdout(const char *path);
/* Is that a descriptor that the caller has opened? */
bool output_is_given(const char *path);
/*
 * Creates path with mode 0600, for the user who called sudo(8); an existing file is kept as path.old, as
 * perf does. Never waits. why: on failure, one line. Nothing is changed on failure.
 */
int output_open(struct output *o, const char *path, char *why, size_t whysize);
/* The recording has begun: removes the former path.old. */
void output_settle(struct output *o);
void output_close(struct output *o);
/* Restores what was there before: for a recording that never began. Not after output_settle(). */
void output_abandon(struct output *o);

#endif
