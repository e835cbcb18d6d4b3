/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rewrite.h: makes one trace from another: finds the valid records of a trace, and copies, cuts,
 * joins or scrubs traces.
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
 * Passes on the records of a trace. The records that are passed on follow SPEC.md even if the trace does not. A record
 * that breaks a rule is dropped. A stand-in replaces a lost definition. If the exact times of a tick do not add up, the
 * tick is marked as torn. An editor may change records before they are checked.
 */

struct sound_result {
	uint64_t records, samples; /* number of valid records, and of the samples in them */
	/* number of records that were dropped because they broke a rule */
	uint64_t broken;
	char first_broken[160]; /* message about the first record that broke a rule */
	uint64_t lost;		/* number of references to lost definitions */
	/* number of ticks that were marked because exact times or RX_FATES did not add up */
	uint64_t torn;
};

/* ---- editors ----------------------------------------------------------------------------- */

enum copy_verdict {
	COPY_IT,     /* pass on the record as the editor left it */
	COPY_MORE,   /* pass on the record, and call the editor again for another record */
	COPY_KEPT,   /* drop the record, and do not count it as a loss */
	COPY_BROKEN, /* the record breaks a rule */
};

/* Changes a record before it is checked. Returns an enum copy_verdict or a negative errno. */
typedef int copy_edit_fn(void *ctx, struct trace_record *rec);

/*
 * Returns the field of a key for an editor. A missing field is inserted in the order of keys.
 * Returns NULL if there is no room.
 */
struct trace_field *copy_field(struct trace_record *rec, unsigned int key);

/*
 * Adds an edit to the list of edits in HEADER. to: a buffer for the new list. Returns 0, -ENOMEM, or -EMSGSIZE if there
 * is no room.
 */
int copy_derived(struct trace_record *header, const char *what, struct mp_buf *to);

/* ---- records ----------------------------------------------------------------------------- */

/* Maximum size of a record, so that it fits into a frame. 3/4 MiB are reserved for bytes that are not counted. */
#define SOUND_MAX_RECORD (TRACE_MAX_FRAME - (768u << 10))

/* The receiver of valid records. */
struct sound_sink {
	void *ctx;
	/*
	 * Receives a valid record. FRAME and END are passed on unchanged, INDEX is never passed on.
	 * Returns 0 or a negative errno.
	 */
	int (*take)(void *ctx, struct trace_record *rec);
	/*
	 * Returns true if `size` more bytes do not fit into the frame; a FRAME without fields is
	 * then passed on first. The member is NULL if a frame is never full.
	 */
	bool (*is_full)(void *ctx, size_t size);
};

struct sound;

/* edit: NULL if records stay unchanged. Returns NULL if out of memory. */
struct sound *sound_new(const struct sound_sink *sink, copy_edit_fn *edit, void *edit_ctx);
void sound_free(struct sound *s); /* s may be NULL */

/*
 * Passes on all remaining records of a part. Returns 0, -EBADMSG if HEADER is invalid,
 * BUDGET_SPENT, or an error of trace_reader_next().
 */
int sound_read(struct sound *s, struct trace_reader *r, struct budget *budget);
/* Passes on a record that was read before sound_read(). */
int sound_record(struct sound *s, struct trace_record *rec);

/* Returns the result for all earlier records. */
const struct sound_result *sound_result(const struct sound *s);

/* Calls fn with each time in a record, including the times of samples. */
void sound_moments(const struct trace_record *rec, check_time_fn *fn, void *ctx);

/*
 * Copies a trace. The copy follows SPEC.md even if the input does not. Records that break a rule, or have an unknown
 * type, are dropped. Fields are copied byte by byte according to their kind, so a new record type needs no code here.
 */

struct copy_options {
	copy_edit_fn *edit; /* editor of the records; NULL if they stay unchanged */
	void *ctx;
	uint64_t memory; /* value of --memory */
	/* the input continues the previous part, so `edit` adapts the records; otherwise the input starts a part */
	bool goes_on;
	const char *derived; /* edit to add to HEADER's list of edits; NULL: none */
	/* returns the final message; NULL: the default message, which states how much was saved */
	const char *(*done)(void *ctx, const struct sound_result *result);
};

/* An output file, to which the parts are written one after another. */
struct copy;

struct copy *copy_new(int fd);	/* Returns NULL if out of memory. */
void copy_free(struct copy *c); /* c may be NULL */

/*
 * Copies a part from its beginning. r must be set to recover. Returns 0, -EBADMSG if nothing could
 * be written, BUDGET_SPENT, or an error of trace_reader_next() or of the writer.
 */
int copy_part(struct copy *c, struct trace_reader *r, const struct copy_options *o,
	      struct sound_result *result);
/* Ends the last part and the file. */
int copy_finish(struct copy *c);

/* Copies a file that has one part to another file. */
int copy_trace(struct trace_reader *r, int fd, const struct copy_options *o,
	       struct sound_result *result);

/* ---- cut_plan.c, cut.c ------------------------------------------------------------------- */

/* Cuts a range of time out of a trace and makes it a separate trace. */

/* The trace to cut, which is a part of a regular file. */
struct cut_source {
	int fd;
	unsigned int part; /* number of the part, counted from 1 */
	/* the user selected the part; otherwise the file must have a single part */
	bool chosen;
	/* the trace is damaged, so all of it is read, and reading continues after the damage */
	bool recover;
	struct trace_index *index; /* shared by all readers of the file; NULL: each has its own */
};

/*
 * Creates a reader, at the beginning of the part, for the frames that overlap from_ns .. to_ns. bare: the caller uses
 * no ids, so if a frame outside of this range has only definitions, it is omitted. Returns 0 or an error of
 * trace_reader_next().
 */
int cut_reader(struct trace_reader **r, const struct cut_source *s, uint64_t from_ns,
	       uint64_t to_ns, bool bare);
/* Returns true if this TICK has exact times of at least one CPU. */
bool cut_tick_is_exact(const struct trace_record *tick);

/* Numbers of samples that were lost before the start of the part, and until its end. */
struct cut_lost {
	uint64_t before, until; /* until: UINT64_MAX if it is unknown */
};

struct cut_plan {
	uint64_t origin_ns,
		stop_ns; /* start and end of the recording; times are shown relative to the start */
	uint64_t begin_ns,
		/*
		 * the part has the samples in [begin, end); 0 for the start of the trace,
		 * UINT64_MAX for its end
		 */
		end_ns;
	uint64_t last_seq; /* sequence number of the last frame of the part, or of a later frame */
	bool from_tick;	   /* begin_ns is a tick, to which counters are rebased */
	/* losses by CPU number; the last element is for CPU numbers that are too high */
	struct cut_lost *lost;
	uint32_t *cpu, ncpus; /* the CPUs of HEADER */
	char why[400];	      /* message that says why the cut is impossible */
};

/*
 * Plans a cut. If the trace has ticks, a part begins and ends with a tick, because counters are known only at ticks.
 * Sets s->recover if needed. Returns 0, -ENODATA if the trace has nothing in the range (plan->why has a message), or an
 * error of trace_reader_next(). The caller must free the plan in any case.
 */
int cut_plan_make(struct cut_plan *plan, struct cut_source *s, const struct time_arg *from,
		  const struct time_arg *to);
void cut_plan_free(struct cut_plan *plan);

/* Sets the range of the part, in seconds since the start of the recording. */
void cut_plan_range(const struct cut_plan *plan, double *begin_s, double *end_s);

struct cut;

struct cut *cut_new(const struct cut_plan *plan); /* Returns NULL if out of memory. */
void cut_free(struct cut *c);			  /* c may be NULL */

/* Edits a record. It is a copy_edit_fn, and ctx is a struct cut. */
int cut_edit(void *ctx, struct trace_record *rec);

/* These functions return the numbers of ticks and samples that were copied so far. */
uint64_t cut_ticks(const struct cut *c);

/* ---- scrub_text.c, scrub.c --------------------------------------------------------------- */

/*
 * Replaces the private contents of a trace by pseudonyms. The registry marks the keys that are
 * private. A name has the same pseudonym in all parts of a file.
 */

struct scrub;

/* keep: the set of classes that stay unchanged. Returns NULL if out of memory. */
struct scrub *scrub_new(unsigned int keep, uint64_t memory);
void scrub_free(struct scrub *s); /* s may be NULL */

/*
 * Edits a record. It is a copy_edit_fn, and ctx is a struct scrub. The data of the record is valid
 * until the next call.
 */
int scrub_edit(void *ctx, struct trace_record *rec);

/* ---- classes: TRACE_PRIVATE of the registry ---------------------------------------------- */

struct scrub_class_desc {
	const char *name;   /* name in --keep; NULL if the class cannot be kept */
	const char *prefix; /* prefix of pseudonyms */
};

extern const struct scrub_class_desc scrub_class_desc[TRACE_PRIVACIES];

/*
 * Parses a list such as "tasks,time" into a set of classes: 1u << class. Returns false for an
 * unknown name, and sets *unknown and *len to that name.
 */
bool scrub_parse_keep(const char *list, unsigned int *keep, const char **unknown, size_t *len);

/* ---- names and their numbers -------------------------------------------------------- */

/*
 * Numbers of names, in the order in which the names first appear. The first number is 1. All parts of a file share the
 * numbers, so that each name has a single number. If the struct is zeroed except for its budget, it has no names.
 */
struct scrub_names {
	struct budget budget;
	void *tree;
	uint32_t count[TRACE_PRIVACIES];
};

/*
 * Sets the number of a name, which is a new number for a new name. Each class has separate names.
 * Returns 0, -ENOMEM or BUDGET_SPENT.
 */
int scrub_number(struct scrub_names *s, enum trace_privacy class, const void *name, size_t n,
		 uint32_t *number);
void scrub_names_free(struct scrub_names *s);

/* ---- texts ------------------------------------------------------------------------------- */

struct scrub_text {
	unsigned int keep; /* set of classes that stay unchanged: 1u << class */
	struct scrub_names names;
	struct mp_buf own; /* names of the recorder's BPF programs, each NUL-terminated */
	struct mp_buf out;
};

/* memory: the value of --memory, which limits the names that are remembered. Returns 0 or -ENOMEM. */
int scrub_text_init(struct scrub_text *t, unsigned int keep, uint64_t memory);
void scrub_text_free(struct scrub_text *t);

/*
 * Writes the replacement of a string to t->out, truncated to the format's longest string. Returns
 * 0, -ENOMEM or BUDGET_SPENT.
 */
int scrub_string(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

/*
 * Writes the replacement of the name of a BPF program to t->out, as scrub_string() does.
 * scrub_string() with class PROGRAMS is for functions, whose names contain the name of a program.
 */
int scrub_program(struct scrub_text *t, const char *s, size_t n);

/*
 * Notes the name of one of the recorder's own BPF programs. The name stays unchanged, as every
 * recording contains it.
 */
void scrub_own_program(struct scrub_text *t, const char *name);

/*
 * Sets *out to the replacement of the id of a process, thread or user. 0 stays 0. Returns 0,
 * -ENOMEM or BUDGET_SPENT.
 */
int scrub_id(struct scrub_text *t, enum trace_privacy class, uint64_t id, uint64_t *out);

/*
 * Sets *out to the replacement of a process, which is the replacement of its pid by scrub_id(). Only
 * a later process with the same pid and another start time gets a new number. start_ns: 0 or
 * TRACE_NIL if it is unknown. Returns 0, -ENOMEM or BUDGET_SPENT.
 */
int scrub_process(struct scrub_text *t, uint64_t pid, uint64_t start_ns, uint64_t *out);

/*
 * Replaces the whole name, even if it contains known words. A name that exists on every host stays
 * unchanged. Returns 0, -ENOMEM or BUDGET_SPENT.
 */
int scrub_whole(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

/* ---- join.c ------------------------------------------------------------------------------ */

/*
 * Joins the files of a recording with --rotate into one trace. A file begins with the last tick of
 * the previous file, its counters begin at that tick, and it defines its own ids. The repeated tick
 * is dropped, counters are added up, and equal definitions of two files get one id.
 */

/* The ends of a file, and what identifies its recording. */
struct join_ends {
	/* the file has a single trace, which is complete and has at least one tick */
	bool known;
	bool goes_on;		    /* the recording continues in another file */
	uint64_t first_ns, last_ns; /* times of the first and last tick */
	/* hash of the fields of HEADER that are the same in all files of a recording */
	uint64_t host;
};

/* Reads the whole file. Prints nothing, and sets known to false if the file cannot be read. */
void join_look(const char *file, struct join_ends *ends);
/* Returns true if b is the next file of a's recording. */
bool join_follows(const struct join_ends *a, const struct join_ends *b);
/* Returns true if b seems to be a later file of a's recording, and files between them are missing. */
bool join_misses(const struct join_ends *a, const struct join_ends *b);

struct join;

/* memory: the value of --memory. Returns NULL if out of memory. */
struct join *join_new(uint64_t memory);
void join_free(struct join *j); /* j may be NULL */

/*
 * Edits a record. It is a copy_edit_fn, and ctx is a struct join. Each HEADER after the first
 * begins the next file.
 */
int join_edit(void *ctx, struct trace_record *rec);

#endif
