/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_impl.h: internal to the trace library: a writer, shared by the files that implement it. */
#ifndef NETCOST_WRITER_IMPL_H
#define NETCOST_WRITER_IMPL_H

#include <netcost/trace.h>

#include <zstd.h> /* ZSTD_CCtx */

#include "mp_pack.h"

/* maximum of a frame: the rest is reserved for FRAME */
#define MAX_BODY (TRACE_MAX_FRAME - (256u << 10))

struct frame_entry {
	uint64_t offset, first_ns, last_ns;
	uint32_t csize, dsize;
	uint8_t defines; /* as in INDEX */
};

/* A column's values at the start of the file, to which its counters since the start of the recording are relative. */
struct writer_base {
	enum trace_type type;
	unsigned int key;
	uint64_t about; /* result of trace_record_about() */
	uint64_t *v;
	size_t n, size;
};

/* Data that the reader has not taken yet. */
struct queue {
	uint8_t *p;
	size_t from, n, size; /* n bytes, starting there */
	size_t limit;	      /* 0: writes may block */
	int error;	      /* write(2)'s errno; sticky */
};

struct trace_writer {
	int fd;
	struct queue queue;
	int error; /* the first failure; sticky */
	bool done;

	struct mp_buf body; /* of the frame being filled */
	bool open;	    /* between begin and end of a record */
	enum trace_type type;
	unsigned int nfields, last_key;
	size_t map_at;		   /* offset of the map's header in the body */
	uint64_t about;		   /* which of several records of a tick it is; TRACE_NIL */
	struct trace_writer *also; /* the other file that it is written to as well; NULL */

	struct trace_writer *next; /* the following file; NULL */
	bool basing;		   /* follows another file, and both are still written */
	struct writer_base *base;
	size_t nbases, bases_size, guess;
	uint64_t *counted;
	size_t counted_size;

	uint64_t first_ns, last_ns;
	bool defines;		      /* it has records of TRACE_WHOLE */
	uint64_t *lost, *lost_before; /* since the file began; before that */
	unsigned int ncpus;

	ZSTD_CCtx *cctx;
	uint8_t *out; /* complete frames for the next flush: n bytes */
	size_t out_n, out_size;

	uint64_t written, records; /* bytes excluding `out` */
	struct frame_entry *entry; /* includes the magic frame, as the seekable format requires */
	size_t nentries, entries_size;
	size_t part; /* index of the magic's entry of the current part */
};

/* Keeps the first failure. */
static inline void writer_fail(struct trace_writer *w, int err)
{
	if (!w->error)
		w->error = err;
}

/* ---- writer_queue.c: keeps what the reader of a pipe does not take at once --------------- */

int writer_queue_put(struct trace_writer *w, const uint8_t *p, size_t n);

/* ---- writer_record.c: records of any type ------------------------------------------------ */

/* Begins a record of any type, including FRAME and END. */
void writer_begin(struct trace_writer *w, enum trace_type type);

/* ---- writer_follow.c: the file after this one -------------------------------------------- */

/* The other file for records of that type; NULL: none. */
struct trace_writer *writer_also(const struct trace_writer *w, enum trace_type type);
/* Returns the column as written to the file: v, or a buffer of w. */
const uint64_t *writer_counted(struct trace_writer *w, const struct trace_key_desc *key,
			       const uint64_t *v, size_t n);
void writer_bases_free(struct trace_writer *w);

/* ---- writer_frame.c: frames into the file ------------------------------------------------ */

/* Begins a frame. */
void writer_frame_reset(struct trace_writer *w);
/* Number of data frames in this part so far, without the magic. */
size_t writer_frames(const struct trace_writer *w);
/* Keeps bytes outside of data frames for the next flush. 0 or -ENOMEM. */
int writer_keep(struct trace_writer *w, const uint8_t *p, size_t n);

#endif
