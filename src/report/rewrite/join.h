/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * join.h: the files of a recording that was written with --rotate become one trace again. A file begins with the tick that
 * the one before ended with, counts from there, and defines its own ids: that tick is left out, counts are added up, and
 * what two files define alike has one id.
 */
#ifndef NETCOST_REPORT_JOIN_H
#define NETCOST_REPORT_JOIN_H

#include "sound.h"

/* Where a file begins and ends. */
struct join_ends {
	bool known;		    /* it is a trace, whole, alone in its file, and has a tick */
	bool goes_on;		    /* its recording goes on in another file */
	uint64_t first_ns, last_ns; /* its ticks */
	uint64_t host;		    /* a hash of what all files of a recording have in HEADER */
};

/* Reads all of the file. Says nothing: what cannot be read is not known. */
void join_look(const char *file, struct join_ends *ends);
/* Is the second one the next file of the first one's recording? */
bool join_follows(const struct join_ends *a, const struct join_ends *b);
/* Is it a later file of that recording, and is what was between them not there? As far as that can be known. */
bool join_misses(const struct join_ends *a, const struct join_ends *b);

struct join;

/* memory: what --memory says. NULL: no memory. */
struct join *join_new(unsigned long memory);
void join_free(struct join *j); /* takes NULL */

/* A copy_edit_fn: ctx is a struct join. A HEADER after the first one begins the next file. */
int join_edit(void *ctx, struct trace_record *rec);

#endif
