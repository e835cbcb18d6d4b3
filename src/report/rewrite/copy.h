/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.h: a trace into another one. What comes out keeps to SPEC.md whatever went in: what breaks a rule, or is
 * of a type that this version does not know, is left out. Fields are copied byte by byte, by kind: a new
 * record type needs no code here.
 */
#ifndef NETCOST_REPORT_COPY_H
#define NETCOST_REPORT_COPY_H

#include <netcost/trace.h>

struct copy_result {
	uint64_t records, samples; /* written */
	uint64_t broken;	   /* left out: they broke a rule */
	char first_broken[160];	   /* which one, for people */
	uint64_t lost;		   /* how often lost definitions were named */
};

enum copy_verdict {
	COPY_NOT,  /* leave the record out; ids that it defines are lost */
	COPY_IT,   /* go on with it as it is now */
	COPY_MORE, /* the same, then ask again: another one is to be written for it */
	COPY_KEPT, /* it is the editor's now, or of no use: nothing is written, and nothing lost */
	COPY_BROKEN, /* it breaks a rule */
};

/* Changes a record before it is judged and written. enum copy_verdict, or a negative errno. */
typedef int copy_edit_fn(void *ctx, struct trace_record *rec);

/* For editors: a record's field of that key, made if there is none, where keys go on rising. NULL: no room. */
struct trace_field *copy_field(struct trace_record *rec, unsigned int key);

struct copy_options {
	copy_edit_fn *edit; /* NULL: records stay as they are */
	void *ctx;
	const char *derived; /* added to HEADER's list of what was done to the trace; NULL: nothing */
	const char *(*done)(void *ctx); /* what to say when it is done; NULL: what was saved */
};

/* A file that is being written, part behind part. */
struct copy;

struct copy *copy_new(int fd);	/* NULL: no memory */
void copy_free(struct copy *c); /* takes NULL */

/*
 * Reads the part that r is at the beginning of; r has been set to recover. -EBADMSG: nothing could be
 * written, or trace_reader_next()'s or the writer's error.
 */
int copy_part(struct copy *c, struct trace_reader *r, const struct copy_options *o,
	      struct copy_result *result);
/* The end of the last part, and of the file. */
int copy_finish(struct copy *c);

/* One file of one part into another. */
int copy_trace(struct trace_reader *r, int fd, const struct copy_options *o,
	       struct copy_result *result);

#endif
