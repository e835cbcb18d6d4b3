/* SPDX-License-Identifier: BSD-2-Clause */
/* rewrite.h: from one trace to another: what is sound of it, copies, and those that are cut, joined or scrubbed. */
#ifndef NETCOST_REPORT_REWRITE_H
#define NETCOST_REPORT_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/trace.h>

#include "format/mp_pack.h"
#include "report/base/text.h"
#include "report/spec/spec.h"

/* ---- copy.c ------------------------------------------------------------------------------ */

/*
 * The records of a trace that keep to SPEC.md, whatever the trace is like. A record that breaks a rule is left out, a
 * lost definition is replaced by a stand-in, and a tick whose exact times do not sum is marked as torn. An editor may
 * change records before they are checked.
 */

struct sound_result {
	uint64_t records, samples; /* that are sound */
	uint64_t broken;	   /* left out: they broke a rule */
	char first_broken[160];	   /* which one, for people */
	uint64_t lost;		   /* how often lost definitions were named */
	uint64_t torn; /* ticks that were marked: exact times, or RX_FATES, did not sum */
};

/* ---- editors ----------------------------------------------------------------------------- */

enum copy_verdict {
	COPY_IT,     /* go on with it as it is now */
	COPY_MORE,   /* the same, and call again: there is another record to go on with */
	COPY_KEPT,   /* drop it, without a loss */
	COPY_BROKEN, /* it breaks a rule */
};

/* Changes a record before it is checked. enum copy_verdict, or a negative errno. */
typedef int copy_edit_fn(void *ctx, struct trace_record *rec);

/* For editors: the field of that key; made, in the order of keys, if there is none. NULL: no room. */
struct trace_field *copy_field(struct trace_record *rec, unsigned int key);

/* Adds to HEADER's list of what was done to the trace. to: holds the list. -ENOMEM, or -EMSGSIZE: no room. */
int copy_derived(struct trace_record *header, const char *what, struct mp_buf *to);

/* ---- records ----------------------------------------------------------------------------- */

/* A frame has room for such a record, and for 3/4 MiB that are not counted. */
#define SOUND_MAX_RECORD (TRACE_MAX_FRAME - (768u << 10))

/* What takes them. */
struct sound_sink {
	void *ctx;
	/* A sound record, or FRAME or END as they are. INDEX never comes. 0, or a negative errno. */
	int (*take)(void *ctx, struct trace_record *rec);
	/* Whether so many bytes more are too many for a frame: then a FRAME without fields comes first. NULL: never. */
	bool (*is_full)(void *ctx, size_t size);
};

struct sound;

/* edit: NULL: records stay as they are. NULL: no memory. */
struct sound *sound_new(const struct sound_sink *sink, copy_edit_fn *edit, void *edit_ctx);
void sound_free(struct sound *s); /* takes NULL */

/* All records that are left of a part. -EBADMSG: HEADER is not sound; or as trace_reader_next(), or BUDGET_SPENT. */
int sound_read(struct sound *s, struct trace_reader *r, struct budget *budget);
/* A record that was read before them. */
int sound_record(struct sound *s, struct trace_record *rec);

/* Of all records so far. */
const struct sound_result *sound_result(const struct sound *s);
uint32_t sound_highest(const struct sound *s, enum trace_ids ids);

/* Calls fn with each moment in a record, also of samples. */
void sound_moments(const struct trace_record *rec, check_time_fn *fn, void *ctx);

/*
 * From one trace to another. The new one keeps to SPEC.md whatever the old one is like: what breaks a rule, or is of a
 * type that this version does not know, is left out. Fields are copied byte by byte, by kind: a new record type needs no
 * code here.
 */

struct copy_options {
	copy_edit_fn *edit; /* NULL: records stay as they are */
	void *ctx;
	uint64_t memory; /* what --memory says */
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

/* ---- cut_plan.c, cut.c ------------------------------------------------------------------- */

/* A part of the time of a trace, as a trace of its own. */

/* The trace to cut: a part of a regular file. */
struct cut_source {
	int fd;
	unsigned int part; /* from 1 on */
	bool chosen;	   /* the user named it; otherwise it must be the only one */
	bool recover;	   /* it is damaged: read all of it, and go on after damage */
};

/*
 * A reader of what overlaps from_ns .. to_ns, at the beginning of the part. Or an error of
 * trace_reader_next().
 */
int cut_reader(struct trace_reader **r, const struct cut_source *s, uint64_t from_ns,
	       uint64_t to_ns);

/* Samples lost up to the first and the last moment. */
struct cut_lost {
	uint64_t before, until; /* until: UINT64_MAX: not known */
};

struct cut_plan {
	uint64_t origin_ns,
		stop_ns; /* of the recording: its begin, which times are said from, and its end */
	uint64_t begin_ns,
		end_ns; /* samples from .. before; 0: from the beginning; UINT64_MAX: to the end */
	uint64_t last_seq;     /* seq of the last frame of the part, or of a later one */
	bool from_tick;	       /* begin_ns is a tick: counters are counted from it */
	struct cut_lost *lost; /* by CPU number; the last one is for numbers that are too high */
	uint32_t *cpu, ncpus;  /* as HEADER has them */
	char why[400];	       /* what is wrong, for people */
};

/*
 * Finds out what to cut. If the trace has ticks, a part begins and ends with one, since counters are known at ticks
 * only. 0; -ENODATA: nothing is there, plan->why says so; or an error of trace_reader_next(). Sets s->recover if
 * that is needed. The plan must be freed in any case.
 */
int cut_plan_make(struct cut_plan *plan, struct cut_source *s, const struct time_arg *from,
		  const struct time_arg *to);
void cut_plan_free(struct cut_plan *plan);

/* The part, in seconds since the recording began. */
void cut_plan_range(const struct cut_plan *plan, double *begin_s, double *end_s);

struct cut;

struct cut *cut_new(const struct cut_plan *plan); /* NULL: no memory */
void cut_free(struct cut *c);			  /* takes NULL */

/* A copy_edit_fn: ctx is a struct cut. */
int cut_edit(void *ctx, struct trace_record *rec);

/* Of the part, so far. */
uint64_t cut_ticks(const struct cut *c);

/* ---- scrub_text.c, scrub.c --------------------------------------------------------------- */

/*
 * What is private in a trace, and what stands for it. Which key is private the registry says. The same name has the same
 * pseudonym in all of a file, of whatever part.
 */

struct scrub;

/* keep: classes that stay as they are. NULL: no memory. */
struct scrub *scrub_new(unsigned int keep, uint64_t memory);
void scrub_free(struct scrub *s); /* takes NULL */

/* A copy_edit_fn: ctx is a struct scrub. What the record then points to lives until the next call. */
int scrub_edit(void *ctx, struct trace_record *rec);

/* ---- classes: TRACE_PRIVATE of the registry ---------------------------------------------- */

struct scrub_class_desc {
	const char *name;   /* what --keep calls it; NULL: it is not kept */
	const char *prefix; /* of pseudonyms */
};

extern const struct scrub_class_desc scrub_class_desc[TRACE_PRIVACIES];

/* A set of classes from "tasks,time": 1u << class. NULL: *unknown, of *len bytes, is none. */
bool scrub_parse_keep(const char *list, unsigned int *keep, const char **unknown, size_t *len);

/* ---- names and the numbers that stand for them ------------------------------------------- */

/* Zeroed but for the budget: empty. The numbers begin with 1, in order of first appearance. Of all parts of a file: a name is the same in each. */
struct scrub_names {
	struct budget budget;
	void *tree;
	uint32_t count[TRACE_PRIVACIES];
};

/* Names of different classes have nothing to do with each other. -ENOMEM, BUDGET_SPENT. */
int scrub_number(struct scrub_names *s, enum trace_privacy class, const void *name, size_t n,
		 uint32_t *number);
/* 0: it has none yet. */
uint32_t scrub_find(const struct scrub_names *s, enum trace_privacy class, const void *name,
		    size_t n);
void scrub_names_free(struct scrub_names *s);

/* ---- texts ------------------------------------------------------------------------------- */

struct scrub_text {
	unsigned int keep; /* classes that stay as they are: 1u << class */
	struct scrub_names names;
	struct mp_buf own; /* names of the recorder's BPF programs, each with a NUL after it */
	struct mp_buf out;
};

/* memory: what --memory says of the names to be remembered. -ENOMEM. */
int scrub_text_init(struct scrub_text *t, unsigned int keep, uint64_t memory);
void scrub_text_free(struct scrub_text *t);

/* Makes what stands for the string into t->out, cut at the format's length of a string. -ENOMEM, BUDGET_SPENT. */
int scrub_string(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

/* Likewise of a BPF program's name; class PROGRAMS is of functions, which a program's name is a part of. */
int scrub_program(struct scrub_text *t, const char *s, size_t n);

/* A BPF program of the recorder's own, which every recording has: its name stays. */
void scrub_own_program(struct scrub_text *t, const char *name);

/* What stands for the id of a process, thread or user; 0 is 0. -ENOMEM, BUDGET_SPENT. */
int scrub_id(struct scrub_text *t, enum trace_privacy class, uint64_t id, uint64_t *out);

/*
 * What stands for a process: as scrub_id() of its pid, but another number for each later process that had the same pid and
 * began at another time. start_ns: 0 and TRACE_NIL: not known. -ENOMEM, BUDGET_SPENT.
 */
int scrub_process(struct scrub_text *t, uint64_t pid, uint64_t start_ns, uint64_t *out);

/* A name as a whole, whatever is in it: one that every host has stays. -ENOMEM, BUDGET_SPENT. */
int scrub_whole(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

/* ---- join.c ------------------------------------------------------------------------------ */

/*
 * The files of a recording that was written with --rotate become one trace again. A file begins with the tick that the
 * one before ended with, counts from there, and defines its own ids: that tick is left out, counts are added up, and
 * what two files define alike has one id.
 */

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
struct join *join_new(uint64_t memory);
void join_free(struct join *j); /* takes NULL */

/* A copy_edit_fn: ctx is a struct join. A HEADER after the first one begins the next file. */
int join_edit(void *ctx, struct trace_record *rec);

#endif
