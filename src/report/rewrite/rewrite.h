/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rewrite.h: from one trace to another: finds the valid records of a trace, and copies, cuts, joins or scrubs traces.
 */
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
 * Passes on the records of a trace that follow SPEC.md, whatever the trace contains. A record that
 * breaks a rule is dropped, a lost definition is replaced by a stand-in, and a tick whose exact
 * times do not sum is marked as torn. An editor may change records before they are checked.
 */

struct sound_result {
	uint64_t records, samples; /* valid ones */
	uint64_t broken;	   /* dropped, as they broke a rule */
	char first_broken[160];	   /* a message about the first one */
	uint64_t lost;		   /* number of references to lost definitions */
	uint64_t torn; /* ticks that were marked, as exact times or RX_FATES did not sum */
};

/* ---- editors ----------------------------------------------------------------------------- */

enum copy_verdict {
	COPY_IT,     /* pass on the record as it is now */
	COPY_MORE,   /* the same, and call again for another record */
	COPY_KEPT,   /* drop it; this is not a loss */
	COPY_BROKEN, /* it breaks a rule */
};

/* Changes a record before it is checked. Returns an enum copy_verdict or a negative errno. */
typedef int copy_edit_fn(void *ctx, struct trace_record *rec);

/* For editors: returns the field of that key; inserts a missing field in the order of keys. NULL: no room. */
struct trace_field *copy_field(struct trace_record *rec, unsigned int key);

/* Adds to HEADER's list of edits of the trace. to: holds the list. -ENOMEM, or -EMSGSIZE: no room. */
int copy_derived(struct trace_record *header, const char *what, struct mp_buf *to);

/* ---- records ----------------------------------------------------------------------------- */

/* The largest record that a frame has room for, with 3/4 MiB spare for what is not counted. */
#define SOUND_MAX_RECORD (TRACE_MAX_FRAME - (768u << 10))

/* The receiver of valid records. */
struct sound_sink {
	void *ctx;
	/* Takes a valid record; FRAME and END come unchanged; INDEX never comes. Returns 0 or a negative errno. */
	int (*take)(void *ctx, struct trace_record *rec);
	/*
	 * True if `size` more bytes do not fit into the frame: then a FRAME without fields comes
	 * first. NULL: never full.
	 */
	bool (*is_full)(void *ctx, size_t size);
};

struct sound;

/* edit is NULL if records stay unchanged. Returns NULL if out of memory. */
struct sound *sound_new(const struct sound_sink *sink, copy_edit_fn *edit, void *edit_ctx);
void sound_free(struct sound *s); /* accepts NULL */

/*
 * Passes on all remaining records of a part. -EBADMSG: HEADER is invalid; BUDGET_SPENT; or an
 * error of trace_reader_next().
 */
int sound_read(struct sound *s, struct trace_reader *r, struct budget *budget);
/* Passes on a record that was read before sound_read(). */
int sound_record(struct sound *s, struct trace_record *rec);

/* Returns the result for all records so far. */
const struct sound_result *sound_result(const struct sound *s);
uint32_t sound_highest(const struct sound *s, enum trace_ids ids);

/* Calls fn with each time in a record, including those of samples. */
void sound_moments(const struct trace_record *rec, check_time_fn *fn, void *ctx);

/*
 * Copies a trace. The copy follows SPEC.md whatever the input contains: records that break a rule, or are of an unknown
 * type, are dropped. Fields are copied byte by byte according to their kind, so a new record type needs no code here.
 */

struct copy_options {
	copy_edit_fn *edit; /* NULL: records stay unchanged */
	void *ctx;
	uint64_t memory; /* value of --memory */
	/* continues the previous part instead of starting one; `edit` makes the records fit */
	bool goes_on;
	const char *derived; /* added to HEADER's list of edits; NULL: nothing */
	/* Returns the final message; NULL: report what was saved. */
	const char *(*done)(void *ctx, const struct sound_result *result);
};

/* A file that is being written, one part after another. */
struct copy;

struct copy *copy_new(int fd);	/* NULL: out of memory */
void copy_free(struct copy *c); /* accepts NULL */

/*
 * Copies a part from its beginning; r must be set to recover. -EBADMSG: nothing could be written;
 * BUDGET_SPENT; or an error of trace_reader_next() or of the writer.
 */
int copy_part(struct copy *c, struct trace_reader *r, const struct copy_options *o,
	      struct sound_result *result);
/* Ends the last part, and the file. */
int copy_finish(struct copy *c);

/* Copies a file with one part to another file. */
int copy_trace(struct trace_reader *r, int fd, const struct copy_options *o,
	       struct sound_result *result);

/* ---- cut_plan.c, cut.c ------------------------------------------------------------------- */

/* Cuts a part of the time of a trace into a trace of its own. */

/* The trace to cut: a part of a regular file. */
struct cut_source {
	int fd;
	unsigned int part; /* from 1 on */
	bool chosen;	   /* the user named the part; otherwise the file must have only one */
	bool recover;	   /* the trace is damaged: read all of it, and continue after damage */
};

/*
 * Creates a reader for the frames that overlap from_ns .. to_ns, at the beginning of the part.
 * Returns 0 or an error of trace_reader_next().
 */
int cut_reader(struct trace_reader **r, const struct cut_source *s, uint64_t from_ns,
	       uint64_t to_ns);

/* Number of samples lost before the first time and until the last time of the part. */
struct cut_lost {
	uint64_t before, until; /* until: UINT64_MAX: unknown */
};

struct cut_plan {
	uint64_t origin_ns,
		stop_ns; /* start and end of the recording; times are shown relative to its start */
	uint64_t begin_ns,
		/* samples in [begin, end) are in the part; 0: from the start; UINT64_MAX: to the end */
		end_ns;
	uint64_t last_seq; /* seq of the last frame of the part, or of a later one */
	bool from_tick;	   /* begin_ns is a tick: counters are rebased to it */
	/* by CPU number; the last element is for numbers that are too high */
	struct cut_lost *lost;
	uint32_t *cpu, ncpus; /* as in HEADER */
	char why[400];	      /* a message about what is wrong */
};

/*
 * Determines what to cut. If the trace has ticks, a part begins and ends with one, since counters
 * are known at ticks only. Returns 0; -ENODATA: nothing is in that time, see plan->why; or an
 * error of trace_reader_next(). Sets s->recover if needed. The plan must be freed in any case.
 */
int cut_plan_make(struct cut_plan *plan, struct cut_source *s, const struct time_arg *from,
		  const struct time_arg *to);
void cut_plan_free(struct cut_plan *plan);

/* Returns the part's range, in seconds since the start of the recording. */
void cut_plan_range(const struct cut_plan *plan, double *begin_s, double *end_s);

struct cut;

struct cut *cut_new(const struct cut_plan *plan); /* NULL: out of memory */
void cut_free(struct cut *c);			  /* accepts NULL */

/* A copy_edit_fn: ctx is a struct cut. */
int cut_edit(void *ctx, struct trace_record *rec);

/* Return numbers of the part so far. */
uint64_t cut_ticks(const struct cut *c);

/* ---- scrub_text.c, scrub.c --------------------------------------------------------------- */

/*
 * Replaces the private contents of a trace by pseudonyms. The registry marks private keys. A name
 * has the same pseudonym in all parts of a file.
 */

struct scrub;

/* keep: a set of classes that stay unchanged. Returns NULL if out of memory. */
struct scrub *scrub_new(unsigned int keep, uint64_t memory);
void scrub_free(struct scrub *s); /* accepts NULL */

/* A copy_edit_fn: ctx is a struct scrub. The data of the record is valid until the next call. */
int scrub_edit(void *ctx, struct trace_record *rec);

/* ---- classes: TRACE_PRIVATE of the registry ---------------------------------------------- */

struct scrub_class_desc {
	const char *name;   /* its name in --keep; NULL: it cannot be kept */
	const char *prefix; /* of pseudonyms */
};

extern const struct scrub_class_desc scrub_class_desc[TRACE_PRIVACIES];

/*
 * Parses a list such as "tasks,time" into a set of classes: 1u << class. Returns false if a name
 * is unknown: *unknown, of *len bytes.
 */
bool scrub_parse_keep(const char *list, unsigned int *keep, const char **unknown, size_t *len);

/* ---- names and their numbers -------------------------------------------------------- */

/*
 * Numbers of names, from 1 on, in order of first appearance. Shared by all parts of a file, so
 * that a name has one number. Empty if zeroed except for the budget.
 */
struct scrub_names {
	struct budget budget;
	void *tree;
	uint32_t count[TRACE_PRIVACIES];
};

/* Returns the number of a name, a new one if needed. Each class has separate names. -ENOMEM, BUDGET_SPENT. */
int scrub_number(struct scrub_names *s, enum trace_privacy class, const void *name, size_t n,
		 uint32_t *number);
/* Returns 0 if the name has no number yet. */
uint32_t scrub_find(const struct scrub_names *s, enum trace_privacy class, const void *name,
		    size_t n);
void scrub_names_free(struct scrub_names *s);

/* ---- texts ------------------------------------------------------------------------------- */

struct scrub_text {
	unsigned int keep; /* classes that stay unchanged: 1u << class */
	struct scrub_names names;
	struct mp_buf own; /* names of the recorder's BPF programs, each NUL-terminated */
	struct mp_buf out;
};

/* memory: the value of --memory, for the names to remember. -ENOMEM. */
int scrub_text_init(struct scrub_text *t, unsigned int keep, uint64_t memory);
void scrub_text_free(struct scrub_text *t);

/* Writes the replacement of a string to t->out, truncated to the format's longest string. -ENOMEM, BUDGET_SPENT. */
int scrub_string(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

/*
 * Writes the replacement of a BPF program's name to t->out, as scrub_string() does. Class PROGRAMS
 * is for functions, whose names contain a program's name.
 */
int scrub_program(struct scrub_text *t, const char *s, size_t n);

/* Notes one of the recorder's own BPF programs: its name stays, as every recording has it. */
void scrub_own_program(struct scrub_text *t, const char *name);

/* Sets *out to the replacement of the id of a process, thread or user; 0 stays 0. -ENOMEM, BUDGET_SPENT. */
int scrub_id(struct scrub_text *t, enum trace_privacy class, uint64_t id, uint64_t *out);

/*
 * Sets *out to the replacement of a process: that of scrub_id() for its pid, but a new number for each later process
 * that had the same pid and another start time. start_ns: 0 or TRACE_NIL: unknown. -ENOMEM, BUDGET_SPENT.
 */
int scrub_process(struct scrub_text *t, uint64_t pid, uint64_t start_ns, uint64_t *out);

/* Replaces a name as a whole, whatever it contains; a name that exists on every host stays. -ENOMEM, BUDGET_SPENT. */
int scrub_whole(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

/* ---- join.c ------------------------------------------------------------------------------ */

/*
 * Joins the files of a recording with --rotate into one trace. A file begins with the last tick of
 * the previous file, counts from there, and defines its own ids. The repeated tick is dropped,
 * counts are added up, and equal definitions of two files get one id.
 */

/* The first and last tick of a file. */
struct join_ends {
	/* it is a complete trace, alone in its file, with at least one tick */
	bool known;
	bool goes_on;		    /* its recording continues in another file */
	uint64_t first_ns, last_ns; /* times of its first and last tick */
	/* hash of what all files of a recording have in common in HEADER */
	uint64_t host;
};

/* Reads the whole file. Prints nothing; sets known to false if the file cannot be read. */
void join_look(const char *file, struct join_ends *ends);
/* True if b is the next file of a's recording. */
bool join_follows(const struct join_ends *a, const struct join_ends *b);
/* True if b is a later file of a's recording and files between them are missing, as far as that is known. */
bool join_misses(const struct join_ends *a, const struct join_ends *b);

struct join;

/* memory: the value of --memory. Returns NULL if out of memory. */
struct join *join_new(uint64_t memory);
void join_free(struct join *j); /* accepts NULL */

/* A copy_edit_fn: ctx is a struct join. Each HEADER after the first one begins the next file. */
int join_edit(void *ctx, struct trace_record *rec);

#endif
