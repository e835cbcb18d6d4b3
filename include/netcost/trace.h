/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trace.h: the trace library. Writes and reads .nct files; format/SPEC.md describes the format.
 *
 * Handles are opaque. Functions return 0 or a negative errno unless stated otherwise. The library
 * keeps no global state, prints nothing and never exits. A handle belongs to one thread at a time.
 */
#ifndef NETCOST_TRACE_H
#define NETCOST_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/registry.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRACE_MAJOR 1
#define TRACE_MINOR 0

/* Limits that a reader enforces and a writer observes (SPEC.md, "Limits"). */
#define TRACE_MAX_FRAME (8u << 20) /* bytes of a decompressed frame */
#define TRACE_MAX_STR 4096u	   /* bytes of a string */
#define TRACE_MAX_FIELDS 64u	   /* keys of a record */
#define TRACE_MAX_DEPTH 8u	   /* nesting of values of unknown keys */
#define TRACE_OWN_MODULE "netcost" /* the module of functions of the recorder's own BPF programs */
#define TRACE_MAX_STACK 127u /* frames of a kernel stack: kernel.perf_event_max_stack's default */
#define TRACE_MAX_CPU 8192u  /* CPU numbers are lower */
#define TRACE_MAX_ID (1u << 26) /* interned ids are lower */

#define TRACE_NIL UINT64_MAX /* in a UINTS column: not measured */

/* ---- descriptors ------------------------------------------------------------------------- */

struct trace_key_desc {
	uint8_t type, key, kind; /* enum trace_type, its key, enum trace_kind */
	/* enum trace_ids: the sort that it refers to, defines, or is ordered by */
	uint8_t ids;
	uint32_t flags;	 /* enum trace_key_flag */
	uint8_t privacy; /* enum trace_privacy */
	uint8_t one_of;	 /* enum trace_enum: the enumeration of its numbers */
	uint8_t known;	 /* this version knows the numbers below this; 0: all */
	const char *name, *unit, *doc;
};

struct trace_type_desc {
	uint8_t type, of; /* of: enum trace_of */
	const char *name, *doc;
};

/* NULL if this version does not know it. */
const struct trace_type_desc *trace_type_desc(unsigned type);
const struct trace_key_desc *trace_key_desc(unsigned type, unsigned key);

/* Returns the first of a type's *n keys, which are consecutive. NULL: unknown type. */
const struct trace_key_desc *trace_type_keys(unsigned type, size_t *n);
/* Returns an index that is unique to the key, below TRACE_KEYS_MAX. */
size_t trace_key_row(const struct trace_key_desc *key);
#define TRACE_TYPES_MAX 128 /* type numbers are lower: a row beyond does not compile */
#define TRACE_KEYS_MAX 512
#define TRACE_KNOWN_MAX 16 /* maximum of key->known */

/* Counters MUST have a TICK before them in their frame. */
bool trace_type_is_counter(unsigned type);
bool trace_type_is_since(unsigned type);
/* The key of the first id that a record of this type defines; NULL: none. */
const struct trace_key_desc *trace_type_defines(unsigned type);

/* Returns whether the key's values are ids, of the sort key->ids. */
static inline bool trace_key_is_id(const struct trace_key_desc *key)
{
	return key->ids && !(key->flags & (TRACE_KEY_DEFINES | TRACE_KEY_EACH));
}

/* Returns "stack", "energy zone" … */
const char *trace_ids_name(enum trace_ids ids);
/* Returns the names of an enumeration's numbers, from 0 to below *n, and the enumeration's name. */
const char *const *trace_enum_names(enum trace_enum e, const char **name, size_t *n);
/* The registry's words for a flag. */
const char *trace_flag_words(enum trace_key_flag flag);
/* Returns "UINT" …; "" for TRACE_KIND_NONE. */
const char *trace_kind_name(unsigned int kind);

/* ---- writing ----------------------------------------------------------------------------- */

struct trace_writer;
struct trace_field;

/*
 * Writes to fd, which belongs to the caller and may be a pipe. Nothing is written before the first
 * flush. ncpus is the number of CPUs in HEADER's cpus column, the order of trace_writer_lost(); 0
 * if no samples are taken, so that none can be lost.
 */
int trace_writer_new(struct trace_writer **wp, int fd, unsigned int ncpus);
void trace_writer_free(struct trace_writer *w); /* does not flush; NULL is allowed */

/*
 * A record: begin, then puts with keys of that type in ascending order, then end. The puts cannot
 * fail; an error (out of memory, a value out of range) is kept and returned by end.
 */
void trace_writer_begin(struct trace_writer *w, enum trace_type type);
void trace_writer_uint(struct trace_writer *w, unsigned int key, uint64_t v);
void trace_writer_int(struct trace_writer *w, unsigned int key, int64_t v);
void trace_writer_str(struct trace_writer *w, unsigned int key, const char *s);
void trace_writer_uints(struct trace_writer *w, unsigned int key, const uint64_t *v, size_t n);
void trace_writer_u32s(struct trace_writer *w, unsigned int key, const uint32_t *v, size_t n);
void trace_writer_ints(struct trace_writer *w, unsigned int key, const int64_t *v, size_t n);
void trace_writer_i32s(struct trace_writer *w, unsigned int key, const int32_t *v, size_t n);
void trace_writer_strs(struct trace_writer *w, unsigned int key, const char *const *v, size_t n);
/* Writes a field of any kind, byte by byte as it was read or as trace_record_field() would have returned it. */
void trace_writer_field(struct trace_writer *w, const struct trace_field *f);
int trace_writer_end(struct trace_writer *w);

/* The current frame has data of time t: extends the time range in FRAME. */
void trace_writer_time(struct trace_writer *w, uint64_t t_ns);
/* Samples lost so far on the i-th CPU of HEADER's cpus. */
void trace_writer_lost(struct trace_writer *w, unsigned int i, uint64_t lost);

size_t trace_writer_pending(const struct trace_writer *w); /* bytes that are not in a frame yet */
/* bytes of complete frames, written or kept */
uint64_t trace_writer_bytes(const struct trace_writer *w);

/*
 * Makes a frame of what is pending and writes it completely. After a failed write (-ENOSPC, -EPIPE …) a regular file is
 * truncated to the end of the last flush, and every later call returns the same error.
 */
int trace_writer_flush(struct trace_writer *w);
/* Makes a frame of what is pending, to be written with the next flush: one write(2) for several frames. */
int trace_writer_end_frame(struct trace_writer *w);

/*
 * After this, nothing waits for the reader of fd, for example of a pipe: what the reader does not take at once is kept,
 * up to `limit` bytes, and written by later flushes and pushes. A flush beyond the limit fails with -ENOBUFS: its frame
 * and all later ones are lost, but not those that are kept. Nobody else may write to fd.
 */
void trace_writer_queue(struct trace_writer *w, size_t limit);
size_t trace_writer_waiting(const struct trace_writer *w); /* number of kept bytes */
/* Writes as much of it as possible without waiting. Negative: nothing more can ever be written. */
int trace_writer_push(struct trace_writer *w);

struct trace_totals {
	uint64_t samples, symbols, stacks, tasks, at_ns;
	const char *why;
};

/*
 * Flushes and writes INDEX and END, then begins another trace after this one: a separate part of
 * the file, whose first record is HEADER. ncpus as in trace_writer_new().
 */
int trace_writer_next(struct trace_writer *w, const struct trace_totals *t, unsigned int ncpus);

/* Flushes, then writes INDEX, END and the seek table of all parts. No other calls may follow. */
int trace_writer_finish(struct trace_writer *w, const struct trace_totals *t);

/*
 * For a recording in several files: `next`, which has its HEADER, follows w. From this call on, TICK, counters and
 * definitions written to w are also written to next, until a call with NULL. So the last tick of w is the first one of
 * next, and in next the counters since the start of the recording count from that tick. Both belong to the caller, and
 * are written and finished independently; next outlives w.
 */
void trace_writer_follow(struct trace_writer *w, struct trace_writer *next);

/* ---- reading ----------------------------------------------------------------------------- */

struct trace_reader;

enum trace_problem {
	TRACE_OK = 0,
	TRACE_NOT_A_TRACE, /* another kind of file */
	TRACE_EMPTY,	   /* empty, or only the magic */
	TRACE_CUT,	   /* ends inside a frame, or without END */
	TRACE_DAMAGED,	   /* a frame or record breaks the rules */
	TRACE_VERSION,	   /* another major version, or an unknown requirement */
	TRACE_IO,	   /* read(2) failed */
};

/* The status of a part of the file; complete after trace_reader_next() returned 0 or an error. */
struct trace_status {
	enum trace_problem problem;
	/* one line for the user, without a file name; empty if there is no problem */
	char what[160];
	uint64_t offset; /* offset of the faulty frame in the file */
	uint64_t bytes;	 /* of the part; for the last one, the rest of the file */
	uint64_t frames, records;
	uint64_t unknown_types, unknown_keys; /* skipped, because a newer version wrote them */
	bool ended;			      /* END was seen */
	bool more;	/* another part follows; valid after trace_reader_next() returned 0 */
	uint64_t begin; /* offset of the part in the file; INDEX's offsets are relative to it */
	uint64_t first_ns, last_ns; /* of all frames so far; last_ns 0: no frame had a time */
	/* With trace_reader_set_window(); `bytes` has only what was read. */
	uint64_t frames_skipped; /* data frames skipped so far */
	/* With trace_reader_set_recover(). */
	uint64_t damages; /* places where data is damaged or missing */
	/* missing data frames, by FRAME's seq; not those after the last one read */
	uint64_t frames_missing;
};

struct trace_field {
	uint8_t key, kind;
	uint32_t n;	  /* number of elements, or bytes of a string */
	const uint8_t *p; /* first element (msgpack), or the string's bytes */
	uint64_t v;	  /* UINT, or INT as two's complement */
};

/* Valid until the next trace_reader_next(). */
struct trace_record {
	enum trace_type type;
	unsigned int nfields;
	struct trace_field field[TRACE_MAX_FIELDS];
};

/* Reads from fd (file or pipe), which belongs to the caller. */
int trace_reader_new(struct trace_reader **rp, int fd);
void trace_reader_free(struct trace_reader *r); /* NULL is allowed */

/*
 * For callers that read the input more than once: returns a descriptor, which belongs to the
 * caller, of the file, or of an unnamed file with everything from the pipe. If no frame begins in
 * the pipe's first 128 KiB, it is no trace and may be endless: the rest is not read. Call before
 * trace_reader_next(); the reader cannot be used afterwards. Negative errno.
 */
int trace_reader_keep(struct trace_reader *r);

/*
 * 1: *rec is the next record of a known type, with its known keys checked against the registry. 0: the end, or the
 * point where the file is truncated (see the status). Negative: -EBADMSG damaged, -EPROTONOSUPPORT version,
 * -EMEDIUMTYPE not a trace, or read(2)'s errno. A frame is verified completely before its first record is returned.
 */
int trace_reader_next(struct trace_reader *r, struct trace_record *rec);

/*
 * A file can hold several traces, one after the other. 1: there is another part, to be read with trace_reader_next();
 * the status restarts, but offsets are still offsets in the file. 0: there is none. Or a negative errno: the rest of
 * this part is read first. A caller that never calls this reads the first part.
 */
int trace_reader_part(struct trace_reader *r);

/*
 * Continues after damage, at the next complete valid frame with a larger seq; HEADER's is searched in the first 64 KiB.
 * trace_reader_next() then returns 0 at the end, with the first problem in the status. A gap in FRAME's seq means that
 * frames are missing, and possibly definitions with them. A HEADER begins another part, with END before it or not;
 * after END nothing else is searched. Takes time proportional to the file's length, whatever its content; gives up on
 * hostile content that would take more. Call before the first record is read.
 */
void trace_reader_set_recover(struct trace_reader *r, bool on);

/*
 * Selects a part of the time: returns the complete frames that overlap it by FRAME's times, and those with records that
 * do not describe a moment (definitions, clocks, marks …); skips the frames between. A file with a valid INDEX is read
 * only where needed, so damage elsewhere is not noticed; any other file, a pipe, and any input with
 * trace_reader_set_recover(), is read completely. There is no other difference, unless INDEX has wrong times of frames,
 * which it can hide in that way; but it cannot hide definitions. Call before the first record is read.
 */
void trace_reader_set_window(struct trace_reader *r, uint64_t from_ns, uint64_t to_ns);

/*
 * Continues at the data frame at that offset of the file, whose FRAME has that seq: one that was
 * read before, or the next one of a file that has grown since trace_reader_next() returned 0. After
 * HEADER was read; not with trace_reader_set_recover() or a window. -EINVAL: not possible.
 */
int trace_reader_go(struct trace_reader *r, uint64_t offset, uint64_t seq);

/*
 * For callers that show everything: also returns SCHEMA, and records and keys that this version
 * does not know, if SCHEMA describes them and they match that. Takes effect now. -ENOMEM.
 */
int trace_reader_set_described(struct trace_reader *r);
/* The name of a key that was returned, or, for key 0, of the type. */
const char *trace_reader_name(const struct trace_reader *r, unsigned int type, unsigned int key);
/* The name of that number of the key in NAMES, if the registry lacks the key or the number; otherwise NULL. */
const char *trace_reader_number(const struct trace_reader *r, unsigned int type, unsigned int key,
				uint64_t number);

/*
 * For callers that also need the container. frame: called when a frame was read, but not for a data frame that breaks a
 * rule. magic is its first four bytes; content: its decompressed bytes, 0 if it is skippable. hint: called with the
 * content, in pieces, of the skippable frame of the last frame() call.
 */
struct trace_watch {
	void *ctx;
	void (*frame)(void *ctx, uint32_t magic, uint64_t offset, uint64_t size, uint64_t content);
	void (*hint)(void *ctx, const uint8_t *p, size_t n);
};

/* Call before the first record is read. */
void trace_reader_watch(struct trace_reader *r, const struct trace_watch *watch);

const struct trace_status *trace_reader_status(const struct trace_reader *r);

/* Fields of a record. A missing key returns the default, an empty string, or an empty column. */
const struct trace_field *trace_record_field(const struct trace_record *rec, unsigned int key);
/* bytes at p: of the string, or of all elements */
size_t trace_field_size(const struct trace_field *f);
uint64_t trace_record_uint(const struct trace_record *rec, unsigned int key, uint64_t dflt);
/* Copies at most size - 1 bytes and a NUL; embedded NULs become '?'. Returns dst. */
char *trace_record_str(const struct trace_record *rec, unsigned int key, char *dst, size_t size);

/* A column, read from front to back. */
struct trace_column {
	const uint8_t *p;
	uint32_t n; /* remaining elements */
};

struct trace_column trace_record_column(const struct trace_record *rec, unsigned int key);

/* The number of elements that its columns must have, and of ids that it defines, if any; 1: it has no such columns. */
uint32_t trace_record_rows(const struct trace_record *rec);
/* For a counter with several records per tick: which one this is (EXACT's event …); TRACE_NIL: there is only one. */
uint64_t trace_record_about(const struct trace_record *rec);

/* For the elements that are not inline below. */
bool trace_column_uint_slow(struct trace_column *c, uint64_t *v);
bool trace_column_int_slow(struct trace_column *c, int64_t *v);

/*
 * Returns false at the end. nil is returned as TRACE_NIL. Integers of up to three bytes, the usual
 * ones in columns, are decoded inline: msgpack's fixint (< 0x80), uint 8 (0xcc) and uint 16 (0xcd).
 */
static inline bool trace_column_uint(struct trace_column *c, uint64_t *v)
{
	const uint8_t *p = c->p;

	if (!c->n)
		return false;
	if (*p < 0x80) {
		*v = *p;
		c->p = p + 1;
	} else if (*p == 0xcc) {
		*v = p[1];
		c->p = p + 2;
	} else if (*p == 0xcd) {
		*v = (uint64_t)p[1] << 8 | p[2];
		c->p = p + 3;
	} else {
		return trace_column_uint_slow(c, v);
	}
	c->n--;
	return true;
}

static inline bool trace_column_int(struct trace_column *c, int64_t *v)
{
	const uint8_t *p = c->p;

	if (!c->n)
		return false;
	if (*p >= 0x80 && *p < 0xe0)
		return trace_column_int_slow(c, v);
	*v = (int8_t)*p; /* fixint; negative from 0xe0 */
	c->p = p + 1;
	c->n--;
	return true;
}

bool trace_column_str(struct trace_column *c, const char **s, uint32_t *len); /* not terminated */

/* ---- samples ----------------------------------------------------------------------------- */

/* The times of a SAMPLES record, one by one (SPEC.md, section 7). */
struct trace_times {
	struct trace_column dt;
	uint64_t unit_ns, step_ns;
	uint64_t time_ns; /* the current one, modulo 2^64 */
};

struct trace_times trace_record_times(const struct trace_record *rec);

/* Returns false at the end. Times that break the format result in arbitrary numbers. */
static inline bool trace_times_next(struct trace_times *t, uint64_t *time_ns)
{
	int64_t dt;

	if (!trace_column_int(&t->dt, &dt))
		return false;
	*time_ns = t->time_ns += t->step_ns + (uint64_t)dt * t->unit_ns;
	return true;
}

/* Samples, one by one. */
struct trace_samples {
	struct trace_times times;
	struct trace_column stacks, tasks, cgroups;
	uint64_t time_ns, stack, task, cgroup; /* the current one; cgroup 0 if not measured */
};

struct trace_samples trace_record_samples(const struct trace_record *rec);

/* Returns false at the end of the samples, or of a column. */
static inline bool trace_samples_next(struct trace_samples *s)
{
	if (!trace_times_next(&s->times, &s->time_ns) ||
	    !trace_column_uint(&s->stacks, &s->stack) || !trace_column_uint(&s->tasks, &s->task))
		return false;
	if (!trace_column_uint(&s->cgroups, &s->cgroup))
		s->cgroup = 0;
	return true;
}

#ifdef __cplusplus
}
#endif

#endif
