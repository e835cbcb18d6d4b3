/* SPDX-License-Identifier: BSD-2-Clause */
/* output.h: the trace file: where it goes, and what was there before. */
#ifndef NETCOST_OUTPUT_H
#define NETCOST_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct output {
	const char *path; /* for messages; "-" is stdout */
	int fd;
	bool created;  /* by us: what was there already is not ours to remove */
	bool replaced; /* a file was moved to path.old */
};

/*
 * Creates path with mode 0600; an existing file is kept as path.old, as perf does. why: on failure, one
 * line. Nothing is changed on failure.
 */
int output_open(struct output *o, const char *path, char *why, size_t whysize);
void output_close(struct output *o);
/* Takes everything back: for a recording that never began. */
void output_abandon(struct output *o);

#endif
