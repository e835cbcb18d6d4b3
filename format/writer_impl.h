/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_impl.h: internal to the trace library: the writer, and functions that the files which implement it share. */
#ifndef NETCOST_WRITER_IMPL_H
#define NETCOST_WRITER_IMPL_H

#include <netcost/trace.h>

#include <zstd.h> /* for ZSTD_CCtx */

#include "mp_pack.h"

/* maximum body of a frame; the rest of TRACE_MAX_FRAME is reserved for FRAME */
#define MAX_BODY (TRACE_MAX_FRAME - (256u << 10))

struct frame_entry {
	uint64_t offset, first_ns, last_ns;
	uint32_t csize, dsize;
	uint8_t defines; /* `defines` of the frame in INDEX */
};

/*
 * The values of a column at the start of the file. Counters since the start of the recording are relative to these
 * values.
 */
struct writer_base {
	enum trace_type type;
	unsigned int key;
	uint64_t about; /* result of trace_record_about() */
	uint64_t *v;
	size_t n, size;
};

/* Data that the reader of a pipe has not taken yet. */
struct queue {
	uint8_t *p;
	size_t from, n, size; /* n bytes, starting at offset `from` */
	size_t limit;	      /* maximum bytes to keep; 0: writes may block */
	int error;	      /* errno of the first failed write(2) */
};

struct trace_writer {
	int fd;
	struct queue queue;
	int error; /* the first failure; never reset */
	bool done;

	struct mp_buf body; /* content of the frame that is being filled */
	/* content of a frame of TRACE_WHOLE records, which is written before that frame; unless `apart`, it is empty */
	struct mp_buf whole;
	bool apart, timed; /* timed: `whole` has times, so its frame needs the time range */
	bool open;	   /* set between the begin and the end of a record */
	enum trace_type type;
	unsigned int nfields, last_key;
	size_t record_at, map_at; /* offsets of the record and of its map's header in the body */
	/* result of trace_record_about() for a tick's record; TRACE_NIL: none */
	uint64_t about;
	/* the other file to which the record is written as well; NULL: none */
	struct trace_writer *also;

	struct trace_writer *next; /* the file that follows; NULL: none */
	/* set while the file follows another file and both are being written */
	bool basing;
	struct writer_base *base;
	size_t nbases, bases_size, guess;
	uint64_t *counted;
	size_t counted_size;

	uint64_t first_ns, last_ns;
	bool defines;		      /* the frame has records of TRACE_WHOLE */
	uint64_t *lost, *lost_before; /* lost samples since the file began, and before that */
	unsigned int ncpus;

	ZSTD_CCtx *cctx;
	uint8_t *out; /* complete frames for the next flush: n bytes */
	size_t out_n, out_size;

	uint64_t written, records; /* number of bytes and of records; the bytes exclude `out` */
	/* entries of the seek table, including the magic frames, as the seekable format requires */
	struct frame_entry *entry;
	size_t nentries, entries_size;
	size_t part; /* index of the entry of the current part's magic */
};

/* Stores a failure if it is the first one. */
static inline void writer_fail(struct trace_writer *w, int err)
{
	if (!w->error)
		w->error = err;
}

/* ---- writer_queue.c: keeps data that the reader of a pipe does not take at once ---------- */

int writer_queue_put(struct trace_writer *w, const uint8_t *p, size_t n);

/* ---- writer_record.c: records of any type ------------------------------------------------ */

/* Begins a record of any type, including FRAME and END. */
void writer_begin(struct trace_writer *w, enum trace_type type);

/* ---- writer_follow.c: the file that follows this file ------------------------------------ */

/* Returns the other file to which records of the type are also written. Returns NULL if only one file is written. */
struct trace_writer *writer_also(const struct trace_writer *w, enum trace_type type);
/* Returns the column as it is written to the file: either v or a buffer of w. */
const uint64_t *writer_counted(struct trace_writer *w, const struct trace_key_desc *key,
			       const uint64_t *v, size_t n);
void writer_bases_free(struct trace_writer *w);

/* ---- writer_frame.c: writing of frames --------------------------------------------------- */

/* Begins a frame. */
void writer_frame_reset(struct trace_writer *w);
/* Returns the number of data frames in this part so far, without the magic. */
size_t writer_frames(const struct trace_writer *w);
/* Keeps bytes outside of data frames for the next flush. Returns 0 or -ENOMEM. */
int writer_keep(struct trace_writer *w, const uint8_t *p, size_t n);

#endif
