/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_impl.h: inside the trace library: a writer, which the files that make one share. */
#ifndef NETCOST_WRITER_IMPL_H
#define NETCOST_WRITER_IMPL_H

#include <netcost/trace.h>

#include <zstd.h> /* ZSTD_CCtx */

#include "mp_pack.h"

#define MAX_BODY (TRACE_MAX_FRAME - (256u << 10)) /* of a frame: the rest is FRAME's */

struct frame_entry {
	uint64_t offset, first_ns, last_ns;
	uint32_t csize, dsize;
	uint8_t defines; /* as in INDEX */
};

/* What a column counted when the file began, in which what counts since the recording began counts from there. */
struct writer_base {
	enum trace_type type;
	unsigned int key;
	uint64_t about; /* as trace_record_about() */
	uint64_t *v;
	size_t n, size;
};

/* What a reader has not taken yet. */
struct queue {
	uint8_t *p;
	size_t from, n, size; /* n bytes from there on */
	size_t limit;	      /* 0: writing may wait */
	int error;	      /* of write(2); sticky */
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
	size_t map_at;		   /* where the head of its map is in the body */
	uint64_t about;		   /* which one it is, of several in a tick; TRACE_NIL */
	struct trace_writer *also; /* it goes there, too; NULL */

	struct trace_writer *next; /* follows this one; NULL */
	bool basing;		   /* it follows another one, which still writes both */
	struct writer_base *base;
	size_t nbases, bases_size, guess;
	uint64_t *counted;
	size_t counted_size;

	uint64_t first_ns, last_ns;
	bool defines;		      /* it has records of TRACE_WHOLE */
	uint64_t *lost, *lost_before; /* in the file; before it began */
	unsigned int ncpus;

	ZSTD_CCtx *cctx;
	uint8_t *out; /* whole frames, for the next flush: n bytes */
	size_t out_n, out_size;

	uint64_t written, records; /* bytes: without those of `out` */
	struct frame_entry *entry; /* the magic frame included, as the seekable format wants */
	size_t nentries, entries_size;
	size_t part; /* entry of the magic that the part being written begins with */
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

/* Begins one of any type, FRAME and END too. */
void writer_begin(struct trace_writer *w, enum trace_type type);

/* ---- writer_follow.c: the file after this one -------------------------------------------- */

/* Where a record of that type goes, too; NULL: nowhere. */
struct trace_writer *writer_also(const struct trace_writer *w, enum trace_type type);
/* A column, as the file has it: v, or room of w's. */
const uint64_t *writer_counted(struct trace_writer *w, const struct trace_key_desc *key,
			       const uint64_t *v, size_t n);
void writer_bases_free(struct trace_writer *w);

/* ---- writer_frame.c: frames into the file ------------------------------------------------ */

/* Begins a frame. */
void writer_frame_reset(struct trace_writer *w);
/* Of data, in this part so far: without the magic. */
size_t writer_frames(const struct trace_writer *w);
/* Keeps bytes that are no frame of data for the next flush. 0 or -ENOMEM. */
int writer_keep(struct trace_writer *w, const uint8_t *p, size_t n);

#endif
