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
#define TRACE_MAX_FRAME (8u << 20) /* maximum bytes of a decompressed frame */
#define TRACE_MAX_STR 4096u	   /* maximum bytes of a string */
#define TRACE_MAX_FIELDS 64u	   /* maximum number of keys of a record */
#define TRACE_MAX_DEPTH 8u	   /* maximum nesting of values of unknown keys */
/* module name for functions of the recorder's own BPF programs */
#define TRACE_OWN_MODULE "netcost"
#define TRACE_MAX_STACK 127u /* maximum frames of a kernel stack, as kernel.perf_event_max_stack */
#define TRACE_MAX_CPU 8192u  /* CPU numbers are below this number */
#define TRACE_MAX_ID (1u << 26) /* interned ids are below this number */

#define TRACE_NIL UINT64_MAX /* element of a UINTS column that was not measured */

/* ---- descriptors ------------------------------------------------------------------------- */

struct trace_key_desc {
	uint8_t type, key, kind; /* enum trace_type, number of the key, enum trace_kind */
	/* enum trace_ids: the sort of ids that the key refers to, defines, or is ordered by */
	uint8_t ids;
	uint32_t flags;	 /* bits of enum trace_key_flag */
	uint8_t privacy; /* enum trace_privacy of the key */
	uint8_t one_of;	 /* enum trace_enum: the enumeration to which the key's numbers belong */
	uint8_t known;	 /* number of the enumeration's values that this version knows; 0: all */
	const char *name, *unit, *doc;
};

struct trace_type_desc {
	uint8_t type, of; /* `of` is an enum trace_of */
	const char *name, *doc;
};

/* Returns the description of a type, or NULL if this version does not know the type. */
const struct trace_type_desc *trace_type_desc(unsigned type);
const struct trace_key_desc *trace_key_desc(unsigned type, unsigned key);

/* Returns the first of the *n keys of a type, which are consecutive, or NULL if the type is unknown. */
const struct trace_key_desc *trace_type_keys(unsigned type, size_t *n);
/* Returns an index below TRACE_KEYS_MAX that is unique to the key. */
size_t trace_key_row(const struct trace_key_desc *key);
/* type numbers are below this number; a row with a higher number does not compile */
#define TRACE_TYPES_MAX 128
#define TRACE_KEYS_MAX 512
#define TRACE_KNOWN_MAX 16 /* upper limit of key->known */

/* Returns true if a type is a counter. A counter MUST have a TICK before it in its frame. */
bool trace_type_is_counter(unsigned type);
bool trace_type_is_since(unsigned type);
/* Returns the key with the first id that a record of this type defines, or NULL if the type defines no ids. */
const struct trace_key_desc *trace_type_defines(unsigned type);

/* Returns true if the key's values are ids. If they are, key->ids is the kind of id. */
static inline bool trace_key_is_id(const struct trace_key_desc *key)
{
	return key->ids && !(key->flags & (TRACE_KEY_DEFINES | TRACE_KEY_EACH));
}

/* Returns the name of a sort of ids, such as "stack" or "energy zone". */
const char *trace_ids_name(enum trace_ids ids);
/* Returns the names of the numbers of an enumeration, from 0 to *n - 1. Also sets the name of the enumeration. */
const char *const *trace_enum_names(enum trace_enum e, const char **name, size_t *n);
/* Returns the registry's words for a flag. */
const char *trace_flag_words(enum trace_key_flag flag);
/* Returns the name of a kind, such as "UINT", or "" for TRACE_KIND_NONE. */
const char *trace_kind_name(unsigned int kind);

/* ---- writing ----------------------------------------------------------------------------- */

struct trace_writer;
struct trace_field;

/*
 * Creates a writer for fd, which belongs to the caller and may be a pipe. Nothing is written before the first flush.
 * ncpus is the number of CPUs in HEADER's column cpus; trace_writer_lost() uses the same order. If no samples are
 * taken, no sample can be lost, and ncpus is 0.
 */
int trace_writer_new(struct trace_writer **wp, int fd, unsigned int ncpus);
void trace_writer_free(struct trace_writer *w); /* Does not flush. w may be NULL. */

/*
 * Begins a record. The caller then puts fields, in ascending order of their keys, and ends the record with
 * trace_writer_end(). The functions that put fields cannot fail: an error (out of memory, or a value out of range) is
 * kept and returned by trace_writer_end().
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
/* Copies an encoded field of any kind. f was read from a record, or has the form that trace_record_field() returns. */
void trace_writer_field(struct trace_writer *w, const struct trace_field *f);
int trace_writer_end(struct trace_writer *w);

/*
 * From this call on, the records that every time range needs (TRACE_WHOLE) are written to separate frames. Each of
 * these frames comes before the frame with the other pending records. A reader of a time range can then skip the frames
 * outside the range.
 */
void trace_writer_set_apart(struct trace_writer *w);
/* Notes that the current frame has data of time t. This extends the time range in FRAME. */
void trace_writer_time(struct trace_writer *w, uint64_t t_ns);
/* Sets the number of samples lost so far on the i-th CPU in HEADER's column cpus. */
void trace_writer_lost(struct trace_writer *w, unsigned int i, uint64_t lost);

/* returns the number of bytes that are not in a frame yet */
size_t trace_writer_pending(const struct trace_writer *w);
/* returns the number of bytes of complete frames, written or kept */
uint64_t trace_writer_bytes(const struct trace_writer *w);

/*
 * Makes a frame of the pending data and writes it completely. After a failed write (-ENOSPC, -EPIPE …), a regular file
 * is truncated to the end of the last flush, and every later call returns the same error.
 */
int trace_writer_flush(struct trace_writer *w);
/* Makes a frame of the pending data. The next flush writes the frame, so that several frames need only one write(2). */
int trace_writer_end_frame(struct trace_writer *w);

/*
 * Makes the writer never wait for the reader of fd, for example of a pipe. Data that the reader does not take at once
 * is kept, up to `limit` bytes, and later flushes and pushes write it. A flush beyond the limit fails with -ENOBUFS. In
 * that case, the frame of this flush and all later frames are lost. The kept data is not lost. Nobody else may write to
 * fd.
 */
void trace_writer_queue(struct trace_writer *w, size_t limit);
size_t trace_writer_waiting(const struct trace_writer *w); /* returns the number of kept bytes */
/*
 * Writes as many of the kept bytes as possible without waiting. Returns a negative errno if nothing can ever be written
 * again.
 */
int trace_writer_push(struct trace_writer *w);

struct trace_totals {
	uint64_t samples, symbols, stacks, tasks, at_ns;
	const char *why;
};

/*
 * Flushes and writes INDEX and END, then begins another trace after this one. The new trace is a separate part of the
 * file, and its first record must be HEADER. ncpus has the same meaning as for trace_writer_new().
 */
int trace_writer_next(struct trace_writer *w, const struct trace_totals *t, unsigned int ncpus);

/*
 * Flushes, then writes INDEX, END and the seek table of all parts. No other call may follow, except
 * trace_writer_free().
 */
int trace_writer_finish(struct trace_writer *w, const struct trace_totals *t);

/*
 * Continues a recording in another file. `next` is the writer of that file and has a HEADER already. From this call
 * until a call with NULL, TICK, counters and definitions that are written to w are also written to next. So the last
 * tick of w is the first tick of next. In next, counters since the start of the recording count from that tick. Both
 * writers belong to the caller, and are written and finished independently. `next` must outlive w.
 */
void trace_writer_follow(struct trace_writer *w, struct trace_writer *next);

/* ---- reading ----------------------------------------------------------------------------- */

struct trace_reader;

enum trace_problem {
	TRACE_OK = 0,
	TRACE_NOT_A_TRACE, /* the file is of another kind */
	TRACE_EMPTY,	   /* the file is empty, or has only the magic */
	TRACE_CUT,	   /* the file ends inside a frame, or without END */
	TRACE_DAMAGED,	   /* a frame or record breaks the rules */
	TRACE_VERSION,	   /* the trace has another major version, or an unknown requirement */
	TRACE_IO,	   /* read(2) failed */
};

/* The status of a part of the file. It is complete after trace_reader_next() has returned 0 or an error. */
struct trace_status {
	enum trace_problem problem;
	/* one line for the user, without a file name; empty if there is no problem */
	char what[160];
	uint64_t offset; /* offset of the faulty frame in the file */
	uint64_t bytes;	 /* bytes of the part; for the last part, the rest of the file */
	uint64_t frames, records;
	/* number of types and keys that were skipped because a newer version wrote them */
	uint64_t unknown_types, unknown_keys;
	bool ended; /* set if END was seen */
	/* set if another part follows; valid after trace_reader_next() has returned 0 */
	bool more;
	/* offset of the part in the file; the offsets in INDEX are relative to this offset */
	uint64_t begin;
	/* time range of all frames so far; last_ns is 0 if no frame had a time */
	uint64_t first_ns, last_ns;
	/* Used with trace_reader_set_window(). In this case `bytes` counts only bytes that were read. */
	uint64_t frames_skipped; /* number of data frames skipped so far */
	/* Used with trace_reader_set_recover(). */
	uint64_t damages; /* number of places where data is damaged or missing */
	/*
	 * number of data frames that are missing according to FRAME's seq; frames after the last one read do not count
	 */
	uint64_t frames_missing;
};

struct trace_field {
	uint8_t key, kind;
	uint32_t n;	  /* number of elements, or bytes of a string */
	const uint8_t *p; /* first element (msgpack), or first byte of the string */
	uint64_t v;	  /* value of a UINT, or of an INT as two's complement */
};

/* A record. It is valid until the next call of trace_reader_next(). */
struct trace_record {
	enum trace_type type;
	unsigned int nfields;
	struct trace_field field[TRACE_MAX_FIELDS];
};

/* Creates a reader of fd (file or pipe), which belongs to the caller. */
int trace_reader_new(struct trace_reader **rp, int fd);
void trace_reader_free(struct trace_reader *r); /* r may be NULL */

/*
 * Makes an input readable more than once. Returns a descriptor of the file, or of an unnamed file with everything from
 * the pipe. The descriptor belongs to the caller. If no frame begins in the first 128 KiB of a pipe, the input is not a
 * trace and may be endless, so the rest is not read. Must be called before trace_reader_next(); the reader cannot be
 * used afterwards. Returns a negative errno on failure.
 */
int trace_reader_keep(struct trace_reader *r);

/*
 * Reads the next record. Returns 1 if *rec is the next record of a known type. The known keys of *rec have been checked
 * against the registry. Returns 0 at the end, or at the point where the file is truncated (see the status). Returns
 * -EBADMSG if the trace is damaged, -EPROTONOSUPPORT for another version, -EMEDIUMTYPE if the file is not a trace, or
 * the errno of read(2). A frame is verified completely before its first record is returned.
 */
int trace_reader_next(struct trace_reader *r, struct trace_record *rec);

/*
 * Begins the next part of the file; a file can hold several traces, one after the other. Reads the rest of the current
 * part first. Returns 1 if there is another part, which trace_reader_next() then reads. The status restarts, but
 * offsets are still offsets in the file. Returns 0 if there is no other part, or a negative errno. A caller that never
 * calls this function reads only the first part.
 */
int trace_reader_part(struct trace_reader *r);

/*
 * Makes the reader continue after damage, at the next complete valid frame with a larger seq. HEADER's frame is
 * searched for in the first 64 KiB. trace_reader_next() then returns 0 at the end, with the first problem in the
 * status. A gap in FRAME's seq means that frames are missing, and possibly definitions with them. A HEADER begins
 * another part, with or without an END before it. After END, only a HEADER is searched for. The reader takes time
 * proportional to the length of the file, and gives up on hostile content that would take more time. Must be called
 * before the first record is read.
 */
void trace_reader_set_recover(struct trace_reader *r, bool on);

/*
 * Selects a time window. The reader returns whole frames of two kinds, and skips all other frames. Frames of the first
 * kind overlap the window according to FRAME's times. Frames of the second kind have records that do not describe a
 * moment (definitions, clocks, marks …). If a file has a valid INDEX, only the needed frames are read, so damage
 * elsewhere is not noticed. Any other file, a pipe, and any input with trace_reader_set_recover(), is read completely.
 * The records are the same in both cases, unless INDEX has wrong times of frames. Wrong times can hide frames, but
 * cannot hide definitions. Must be called before the first record is read.
 */
void trace_reader_set_window(struct trace_reader *r, uint64_t from_ns, uint64_t to_ns);

/*
 * Also skips frames with definitions if they do not overlap the window, except the frames of HEADER and END. For
 * callers that use no ids. Must be called before the first record is read.
 */
void trace_reader_set_bare(struct trace_reader *r);

/*
 * What readers know about the INDEX of a file. Several readers of the same file, one after the other, can share a
 * trace_index, so that each frame is compared with INDEX only once. The trace_index must outlive the readers.
 * trace_index_new() returns 0 or -ENOMEM.
 */
struct trace_index;
int trace_index_new(struct trace_index **x);
void trace_index_free(struct trace_index *x); /* x may be NULL */
void trace_reader_set_index(struct trace_reader *r, struct trace_index *x);

/*
 * Continues at the data frame at `offset` in the file. Its FRAME must have this seq. The frame must have been read
 * before, or be the next frame of a file that has grown since trace_reader_next() returned 0. HEADER must have been
 * read. Cannot be used with trace_reader_set_recover() or a window. Returns -EINVAL if this is not possible.
 */
int trace_reader_go(struct trace_reader *r, uint64_t offset, uint64_t seq);

/*
 * Makes the reader also return SCHEMA, and unknown records and keys that match their description in SCHEMA. This is
 * meant for callers that show everything. The setting takes effect at once. Returns 0 or -ENOMEM.
 */
int trace_reader_set_described(struct trace_reader *r);
/* Returns the name of a key of a record that was read. If key is 0, returns the name of the type. */
const char *trace_reader_name(const struct trace_reader *r, unsigned int type, unsigned int key);
/* Returns the name of a value of a key according to NAMES, if the registry does not name the value; otherwise NULL. */
const char *trace_reader_number(const struct trace_reader *r, unsigned int type, unsigned int key,
				uint64_t number);

/*
 * Callbacks for callers that also need the frames. frame: called when a frame was read, except for a data frame that
 * breaks a rule. `magic` is the first four bytes of the frame, and `content` is the number of bytes of the decompressed
 * frame, or 0 for a skippable frame. hint: called for the skippable frame of the last frame() call, with the content in
 * pieces.
 */
struct trace_watch {
	void *ctx;
	void (*frame)(void *ctx, uint32_t magic, uint64_t offset, uint64_t size, uint64_t content);
	void (*hint)(void *ctx, const uint8_t *p, size_t n);
};

/* Sets the callbacks. Must be called before the first record is read. */
void trace_reader_watch(struct trace_reader *r, const struct trace_watch *watch);

const struct trace_status *trace_reader_status(const struct trace_reader *r);

/*
 * These functions return a field of a record. If the key is missing, they return dflt, an empty string, or an empty
 * column.
 */
const struct trace_field *trace_record_field(const struct trace_record *rec, unsigned int key);
/* returns the number of bytes at p: of the string, or of all elements */
size_t trace_field_size(const struct trace_field *f);
uint64_t trace_record_uint(const struct trace_record *rec, unsigned int key, uint64_t dflt);
/* Copies at most size - 1 bytes of a string, and a NUL. NULs within the string become '?'. Returns dst. */
char *trace_record_str(const struct trace_record *rec, unsigned int key, char *dst, size_t size);

/* A column, which is read from front to back. */
struct trace_column {
	const uint8_t *p;
	uint32_t n; /* number of remaining elements */
};

struct trace_column trace_record_column(const struct trace_record *rec, unsigned int key);

/*
 * Returns the number of elements that the record's columns must have, or 1 if the record has no such columns. If the
 * record defines ids, this is also the number of these ids.
 */
uint32_t trace_record_rows(const struct trace_record *rec);
/*
 * A tick may have several records of a counter's type. Returns the value that distinguishes this record from the others
 * (EXACT's event …). Returns TRACE_NIL if each tick has only one such record.
 */
uint64_t trace_record_about(const struct trace_record *rec);

/* Reads an element that trace_column_uint() does not decode inline. */
bool trace_column_uint_slow(struct trace_column *c, uint64_t *v);
bool trace_column_int_slow(struct trace_column *c, int64_t *v);

/*
 * Reads the next element of a column. Returns false at the end. nil is returned as TRACE_NIL. Most integers in columns
 * have up to three bytes and are decoded inline: msgpack's fixint (< 0x80), uint 8 (0xcc) and uint 16 (0xcd).
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
	*v = (int8_t)*p; /* a fixint, which is negative from 0xe0 on */
	c->p = p + 1;
	c->n--;
	return true;
}

/* the string *s is not NUL-terminated */
bool trace_column_str(struct trace_column *c, const char **s, uint32_t *len);

/* ---- samples ----------------------------------------------------------------------------- */

/* The times of a SAMPLES record, read one by one (SPEC.md, section 9.3). */
struct trace_times {
	struct trace_column dt;
	uint64_t unit_ns, step_ns;
	uint64_t time_ns; /* the current time, modulo 2^64 */
};

struct trace_times trace_record_times(const struct trace_record *rec);

/* Reads the next time. Returns false at the end. Times that break the format yield arbitrary numbers. */
static inline bool trace_times_next(struct trace_times *t, uint64_t *time_ns)
{
	int64_t dt;

	if (!trace_column_int(&t->dt, &dt))
		return false;
	*time_ns = t->time_ns += t->step_ns + (uint64_t)dt * t->unit_ns;
	return true;
}

/* The samples of a SAMPLES record, read one by one. */
struct trace_samples {
	struct trace_times times;
	struct trace_column stacks, tasks, cgroups;
	/* the current sample; cgroup is 0 if it was not measured */
	uint64_t time_ns, stack, task, cgroup;
};

struct trace_samples trace_record_samples(const struct trace_record *rec);

/* Reads the next sample. Returns false at the end of the samples or of a column. */
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
