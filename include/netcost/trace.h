/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trace.h: the trace library. Writes and reads .nct files; format/SPEC.md is the format.
 *
 * Handles are opaque. Functions return 0 or a negative errno unless they say otherwise. The library
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

/* Limits a reader enforces and a writer keeps (SPEC.md, "Limits"). */
#define TRACE_MAX_FRAME (8u << 20) /* bytes of a frame, decompressed */
#define TRACE_MAX_STR 4096u	   /* bytes of a string */
#define TRACE_MAX_FIELDS 64u	   /* keys of a record */
#define TRACE_MAX_DEPTH 8u	   /* nesting of values of unknown keys */
#define TRACE_OWN_MODULE "netcost" /* the module of functions of the recorder's own BPF programs */
#define TRACE_MAX_STACK 127u /* frames of a kernel stack: kernel.perf_event_max_stack's default */
#define TRACE_MAX_CPU 8192u  /* CPU numbers are below */
#define TRACE_MAX_ID (1u << 26) /* interned ids are below */

#define TRACE_NIL UINT64_MAX /* in a UINTS column: not measured */

/* ---- descriptors ------------------------------------------------------------------------- */

struct trace_key_desc {
	uint8_t type, key, kind; /* enum trace_type, its key, enum trace_kind */
	uint8_t ids;		 /* enum trace_ids: which it names, defines or is in the order of */
	uint32_t flags;		 /* enum trace_key_flag */
	uint8_t privacy;	 /* enum trace_privacy */
	uint8_t one_of;		 /* enum trace_enum: of which enumeration it is a number */
	uint8_t known;		 /* of a number: this version knows those below; 0: all */
	const char *name, *unit, *doc;
};

struct trace_type_desc {
	uint8_t type, of; /* of: enum trace_of */
	const char *name, *doc;
};

/* NULL for what this version does not know. */
const struct trace_type_desc *trace_type_desc(unsigned type);
const struct trace_key_desc *trace_key_desc(unsigned type, unsigned key);

/* The first of a type's *n keys, which stand one after the other. NULL: the type is not known. */
const struct trace_key_desc *trace_type_keys(unsigned type, size_t *n);
/* A number of the key's own, below TRACE_KEYS_MAX. */
size_t trace_key_row(const struct trace_key_desc *key);
#define TRACE_TYPES_MAX 128 /* types are below: a row beyond does not compile */
#define TRACE_KEYS_MAX 512
#define TRACE_KNOWN_MAX 16 /* key->known is no more */

/* Counters MUST have a TICK before them in their frame. */
bool trace_type_is_counter(unsigned type);
bool trace_type_is_since(unsigned type);
/* The key of the first id that a record of this type defines; NULL: it defines none. */
const struct trace_key_desc *trace_type_defines(unsigned type);

/* Whether the key's values are ids, of the sort key->ids. */
static inline bool trace_key_is_id(const struct trace_key_desc *key)
{
	return key->ids && !(key->flags & (TRACE_KEY_DEFINES | TRACE_KEY_EACH));
}

/* "stack", "energy zone" … */
const char *trace_ids_name(enum trace_ids ids);
/* An enumeration's name, and those of its numbers, from 0 to below *n. */
const char *const *trace_enum_names(enum trace_enum e, const char **name, size_t *n);
/* The registry's words for a flag. */
const char *trace_flag_words(enum trace_key_flag flag);
/* "UINT" …; TRACE_KIND_NONE: "". */
const char *trace_kind_name(unsigned int kind);

/* ---- writing ----------------------------------------------------------------------------- */

struct trace_writer;
struct trace_field;

/*
 * Writes to fd, which stays the caller's. fd may be a pipe. Nothing is written before the first flush.
 * ncpus is the number of CPUs in HEADER's cpus column, the order of trace_writer_lost(); 0 if no samples
 * are taken, so that none can be lost.
 */
int trace_writer_new(struct trace_writer **wp, int fd, unsigned int ncpus);
void trace_writer_free(struct trace_writer *w); /* takes NULL; does not flush */

/*
 * A record: begin, puts with keys of that type in rising order, end. The puts cannot
 * fail on their own; an error (no memory, a value out of range) is kept and comes back from end.
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
/* Of any kind, byte by byte as it was read; or as trace_record_field() would have given it. */
void trace_writer_field(struct trace_writer *w, const struct trace_field *f);
int trace_writer_end(struct trace_writer *w);

/* The frame being filled holds data of time t: widens the time range that FRAME says. */
void trace_writer_time(struct trace_writer *w, uint64_t t_ns);
/* Samples lost so far on the i-th CPU of HEADER's cpus. */
void trace_writer_lost(struct trace_writer *w, unsigned int i, uint64_t lost);

size_t trace_writer_pending(const struct trace_writer *w); /* bytes not yet in a frame */
uint64_t trace_writer_bytes(const struct trace_writer *w); /* of whole frames, written or kept */

/*
 * Makes a frame of what is pending and writes it whole. After a failed write (-ENOSPC, -EPIPE …) a
 * regular file is cut back to what the flush before left, and every later call returns the same error.
 */
int trace_writer_flush(struct trace_writer *w);
/* Makes a frame of what is pending. It is written with the next flush: one write(2) for several frames. */
int trace_writer_end_frame(struct trace_writer *w);

/*
 * From here on nothing waits for the reader of fd, a pipe, say: what it does not take at once is kept, up to
 * `limit` bytes, and given to it by later flushes and pushes. A flush that would go beyond that fails with
 * -ENOBUFS: its frame is lost, and so are all later ones, not those that are kept. No one else may write to fd.
 */
void trace_writer_queue(struct trace_writer *w, size_t limit);
size_t trace_writer_waiting(const struct trace_writer *w); /* bytes that are kept */
/* Writes of it what can be written without waiting. Negative: no more can ever be. */
int trace_writer_push(struct trace_writer *w);

struct trace_totals {
	uint64_t samples, symbols, stacks, tasks, at_ns;
	const char *why;
};

/*
 * Flushes and writes INDEX and END, then begins another trace after this one: a part of the file of its
 * own, whose first record is HEADER. ncpus as for trace_writer_new().
 */
int trace_writer_next(struct trace_writer *w, const struct trace_totals *t, unsigned int ncpus);

/* Flushes, then writes INDEX, END and the seek table of all parts. The writer is done after it. */
int trace_writer_finish(struct trace_writer *w, const struct trace_totals *t);

/*
 * For a recording in several files: `next`, which has its HEADER, is written after w. From here on TICK, counters and
 * definitions that w gets are in next, too; with NULL no longer. So the last tick of w is the first one of next, and there
 * what counts since the recording began counts from that tick, also later. Both stay the caller's, and are written and
 * finished each on its own; next outlives that.
 */
void trace_writer_follow(struct trace_writer *w, struct trace_writer *next);

/* ---- reading ----------------------------------------------------------------------------- */

struct trace_reader;

enum trace_problem {
	TRACE_OK = 0,
	TRACE_NOT_A_TRACE, /* the file is something else */
	TRACE_EMPTY,	   /* no byte, or nothing but the magic */
	TRACE_CUT,	   /* ends inside a frame, or without END */
	TRACE_DAMAGED,	   /* a frame or record breaks the rules */
	TRACE_VERSION,	   /* another major version, or an unknown requirement */
	TRACE_IO,	   /* read(2) failed */
};

/* What a reader knows about a part of the file; complete after trace_reader_next() returned 0 or an error. */
struct trace_status {
	enum trace_problem problem;
	char what[160];	 /* one line for people, without a file name; empty when all is well */
	uint64_t offset; /* of the offending frame in the file */
	uint64_t bytes;	 /* of the part; of the last one, all that is left of the file */
	uint64_t frames, records;
	uint64_t unknown_types, unknown_keys; /* skipped: written by a newer version */
	bool ended;			      /* END was seen */
	bool more;	/* another part follows: known when trace_reader_next() returned 0 */
	uint64_t begin; /* of the part in the file; INDEX's offsets count from here */
	uint64_t first_ns, last_ns; /* of all frames so far; last_ns 0: none has said when it was */
	/* with trace_reader_set_window(); bytes are then those that were read */
	uint64_t frames_skipped; /* of data: left out so far */
	/* with trace_reader_set_recover() */
	uint64_t damages;	 /* places where something is broken or missing */
	uint64_t frames_missing; /* of data, as FRAME's seq says; not those after the last one read */
};

struct trace_field {
	uint8_t key, kind;
	uint32_t n;	  /* elements, or bytes of a string */
	const uint8_t *p; /* first element (msgpack), or the string's bytes */
	uint64_t v;	  /* UINT, or INT as two's complement */
};

/* Valid until the next trace_reader_next(). */
struct trace_record {
	enum trace_type type;
	unsigned int nfields;
	struct trace_field field[TRACE_MAX_FIELDS];
};

/* Reads from fd (file or pipe), which stays the caller's. */
int trace_reader_new(struct trace_reader **rp, int fd);
void trace_reader_free(struct trace_reader *r); /* takes NULL */

/*
 * For those who read the input more than once: a descriptor, the caller's, of the file, or of an unnamed file with everything
 * that comes from the pipe. Where no frame begins in the pipe's first 128 KiB it is no trace and may have no end: the rest
 * is not read. To be called before trace_reader_next(); the reader is of no use then. Negative errno.
 */
int trace_reader_keep(struct trace_reader *r);

/*
 * 1: *rec is the next record of a known type, its known keys checked against the registry.
 * 0: no more: the end, or the point where the file is cut (see status).
 * Negative: -EBADMSG damaged, -EPROTONOSUPPORT version, -EMEDIUMTYPE no trace, or read(2)'s errno.
 * A frame is verified whole before its first record is handed out.
 */
int trace_reader_next(struct trace_reader *r, struct trace_record *rec);

/*
 * A file can hold several traces, one after the other. 1: there is another part, to be read with
 * trace_reader_next(); the status begins anew, though offsets stay offsets in the file. 0: there is none.
 * Or a negative errno: what is left of this part is read first. Who never calls this reads the first part.
 */
int trace_reader_part(struct trace_reader *r);

/*
 * Goes on after damage, at the next whole sound frame with a larger seq; HEADER's is looked for in the
 * first 64 KiB. trace_reader_next() then returns 0 at the end, with the first offence in the status; a
 * gap in FRAME's seq is where frames are missing, and with them may be definitions. A HEADER begins another
 * part, with END before it or not; after END nothing else is looked for. Takes time in proportion to the
 * file's length, whatever is in it; gives up where hostile content would take more. Before the first
 * record is read.
 */
void trace_reader_set_recover(struct trace_reader *r, bool on);

/*
 * A part of the time: hands out the frames that FRAME's times say overlap it, and those with records that are not
 * of a moment (definitions, clocks, marks …), whole; what lies between is left out. A file whose INDEX is found
 * to be sound is read where it is needed only, and of damage elsewhere nothing is known; any other, a pipe,
 * and with trace_reader_set_recover(), all of it. That makes no other difference, if INDEX does not lie about
 * the times of frames that it so hides; nor can it hide definitions. Before the first record is read.
 */
void trace_reader_set_window(struct trace_reader *r, uint64_t from_ns, uint64_t to_ns);

/*
 * For those that show what is there: hands out SCHEMA, and records and keys that this version does not know, if SCHEMA
 * describes them and they are as it says. From now on. -ENOMEM.
 */
int trace_reader_set_described(struct trace_reader *r);
/* Of a key that was handed out, or with 0 of the type. */
const char *trace_reader_name(const struct trace_reader *r, unsigned int type, unsigned int key);
/* What NAMES calls a number of that key, if the key or the number is not in the registry; otherwise NULL. */
const char *trace_reader_number(const struct trace_reader *r, unsigned int type, unsigned int key,
				uint64_t number);

/*
 * For those that want to see the container, too. frame: a frame was read; a frame of data that breaks a
 * rule is not told of. magic is its first four bytes; content: bytes of it decompressed, 0 if it is
 * skippable. hint: what is in the skippable frame that frame() told of last, in pieces.
 */
struct trace_watch {
	void *ctx;
	void (*frame)(void *ctx, uint32_t magic, uint64_t offset, uint64_t size, uint64_t content);
	void (*hint)(void *ctx, const uint8_t *p, size_t n);
};

/* Before the first record is read. */
void trace_reader_watch(struct trace_reader *r, const struct trace_watch *watch);

const struct trace_status *trace_reader_status(const struct trace_reader *r);

/* Fields of a record. A missing key gives the default, an empty string, an empty column. */
const struct trace_field *trace_record_field(const struct trace_record *rec, unsigned int key);
size_t trace_field_size(const struct trace_field *f); /* bytes at p: the string, or all elements */
uint64_t trace_record_uint(const struct trace_record *rec, unsigned int key, uint64_t dflt);
/* Copies at most size - 1 bytes and a NUL; embedded NULs become '?'. Returns dst. */
char *trace_record_str(const struct trace_record *rec, unsigned int key, char *dst, size_t size);

/* A column, read front to back. */
struct trace_column {
	const uint8_t *p;
	uint32_t n; /* elements left */
};

struct trace_column trace_record_column(const struct trace_record *rec, unsigned int key);

/* How many elements its columns must have, and how many ids it defines, if it does; 1: it has no such columns. */
uint32_t trace_record_rows(const struct trace_record *rec);
/* Of a counter that a tick has several of: which one it is (EXACT's event …); TRACE_NIL: it has only one. */
uint64_t trace_record_about(const struct trace_record *rec);

/* For the elements that are not inline below. */
bool trace_column_uint_slow(struct trace_column *c, uint64_t *v);
bool trace_column_int_slow(struct trace_column *c, int64_t *v);

/*
 * False when no element is left. nil comes as TRACE_NIL. Integers of up to three bytes, of which columns
 * are made, are decoded inline: msgpack's fixint (< 0x80), uint 8 (0xcc) and uint 16 (0xcd).
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
	*v = (int8_t)*p; /* fixint, negative from 0xe0 on */
	c->p = p + 1;
	c->n--;
	return true;
}

bool trace_column_str(struct trace_column *c, const char **s, uint32_t *len); /* not terminated */

/* ---- samples ----------------------------------------------------------------------------- */

/* The moments of a SAMPLES, one by one (SPEC.md, section 7). */
struct trace_times {
	struct trace_column dt;
	uint64_t unit_ns, step_ns;
	uint64_t time_ns; /* the one at hand, modulo 2^64 */
};

struct trace_times trace_record_times(const struct trace_record *rec);

/* False when no sample is left. Times that break the format come as some number or other. */
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
	uint64_t time_ns, stack, task,
		cgroup; /* the one at hand; cgroup 0 where none was measured */
};

struct trace_samples trace_record_samples(const struct trace_record *rec);

/* False when no sample is left, or a column has none. */
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
