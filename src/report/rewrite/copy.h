/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.h: from one trace to another. The new one keeps to SPEC.md whatever the old one is like: what breaks a rule, or
 * is of a type that this version does not know, is left out. Fields are copied byte by byte, by kind: a new
 * record type needs no code here.
 */
#ifndef NETCOST_REPORT_COPY_H
#define NETCOST_REPORT_COPY_H

#include "sound.h"

struct copy_options {
	copy_edit_fn *edit; /* NULL: records stay as they are */
	void *ctx;
	unsigned long memory; /* what --memory says */
	bool goes_on; /* it is no part of its own: the one before goes on, and `edit` has seen to it that it fits */
	const char *derived; /* added to HEADER's list of what was done to the trace; NULL: nothing */
	/* What to say when it is done; NULL: what was saved. */
	const char *(*done)(void *ctx, const struct sound_result *result);
};

/* A file that is being written, one part after another. */
struct copy;

struct copy *copy_new(int fd);	/* NULL: no memory */
void copy_free(struct copy *c); /* takes NULL */

/*
 * Reads a part from its beginning; r has been set to recover. -EBADMSG: nothing could be written; or an error of
 * trace_reader_next() or of the writer; or BUDGET_SPENT.
 */
int copy_part(struct copy *c, struct trace_reader *r, const struct copy_options *o,
	      struct sound_result *result);
/* The end of the last part, and of the file. */
int copy_finish(struct copy *c);

/* From one file of one part to another. */
int copy_trace(struct trace_reader *r, int fd, const struct copy_options *o,
	       struct sound_result *result);

#endif
