/* SPDX-License-Identifier: BSD-2-Clause */
/* reader_impl.h: internal to the trace library: a reader, shared by the files that implement it. */
#ifndef NETCOST_READER_IMPL_H
#define NETCOST_READER_IMPL_H

#include <netcost/trace.h>

#include <stdio.h>
#include <zstd.h> /* ZSTD_decompressDCtx, ZSTD_getFrameContentSize */

#include "mp.h"
#include "record.h"

/* The times of a frame, from FRAME or INDEX. */
struct frame_head {
	uint64_t first_ns, last_ns; /* TRACE_NIL: absent */
	bool defines;		    /* it has records of TRACE_WHOLE */
};

struct window_frame {
	uint64_t offset;
	struct frame_head head;
	uint32_t size;
	bool wanted;
};

struct trace_window {
	bool set, begun;
	uint64_t from_ns, to_ns;
	/* INDEX is valid: the frames of data, END's last. */
	bool seeking;
	struct window_frame *frame;
	size_t n, next;
};

struct trace_reader {
	int fd;	     /* of the file, or of `spool` */
	FILE *spool; /* the next data of a pipe, at the same offsets; NULL: none */
	int pipe;    /* the pipe's descriptor, while there is a spool */
	int error;   /* the last negative result of next() */
	bool eof;

	uint8_t *in_buf, *in; /* in: the file from `offset` on, within in_buf */
	size_t in_len, in_size;
	uint64_t offset;
	uint64_t read_end; /* end of what is needed of the file now; 0: unknown */
	uint64_t frame;	   /* offset of the frame that is being read, for errors */
	size_t csize;	   /* its length in the file */

	/* the frame: TRACE_MAX_FRAME bytes, of which the kernel backs the touched ones */
	uint8_t *out;
	struct mp_cursor cur;
	struct record_marks marks;
	ZSTD_DCtx *dctx;

	uint64_t seq; /* FRAME's seq */
	struct frame_head head;
	bool end_seen;
	bool refused; /* the magic at r->in begins a part with another major version */
	bool recover, resyncing, over; /* over: recovery has ended */
	uint64_t work;		       /* spent on the search for frames */
	struct trace_watch watch;
	struct schema *schema; /* NULL: SCHEMA is not needed */
	struct trace_window window;
	struct trace_status st;

	uint64_t magic_end; /* end of the last magic, where HEADER's frame begins */
	/* If st.more: the next part. Its first frame is in `out`. */
	struct {
		struct trace_status st;
		struct mp_cursor cur;
		int error;
	} next;
};

/* ---- problem.c: what is wrong with a trace, in its status -------------------------------- */

/* The status keeps the first problem of a part. Returns err. */
__attribute__((format(printf, 4, 5))) int
reader_problem(struct trace_reader *r, enum trace_problem p, int err, const char *fmt, ...);
int reader_cut(struct trace_reader *r);
int reader_damaged(struct trace_reader *r, const char *what);
int reader_other_version(struct trace_reader *r, uint64_t major);
int reader_no_memory(struct trace_reader *r);
void reader_set_problem(struct trace_reader *r, const struct trace_status *offence);
/* Reports missing frames between two valid ones. */
void reader_gap(struct trace_reader *r, const char *what);

/* ---- bytes.c: the bytes of the file ------------------------------------------------------ */

#define READ_CHUNK (64u << 10)

/* Buffers at least n bytes. 1, or 0 at the end of the file. */
int reader_want(struct trace_reader *r, size_t n);
void reader_consume(struct trace_reader *r, size_t n);
/*
 * Makes bytes of a pipe up to offset `end` seekable, in an unnamed temporary file, so that a search can go back to
 * them. The file is closed once it has been read. Does nothing for a file. 0, or the error.
 */
int reader_spool(struct trace_reader *r, uint64_t end);
void reader_end_spool(struct trace_reader *r);
/* Continues at that offset of the file. False: not possible. */
bool reader_go_to(struct trace_reader *r, uint64_t offset);

/* ---- frame.c: the containers of frames --------------------------------------------------- */

/* 1: a data frame begins at r->in. 0: the end, or r->refused. */
int reader_next_frame(struct trace_reader *r);
/* 1: the whole frame at r->in has been read, and its content is in r->cur. */
int reader_read_frame(struct trace_reader *r);
/* Reports the frame at r->in to the watcher. */
void reader_watch_frame(const struct trace_reader *r, uint64_t size, uint64_t content);

/* ---- verify.c: what is in a frame -------------------------------------------------------- */

/* Checks the whole frame in r->cur before its first record is returned. */
int reader_verify_frame(struct trace_reader *r, struct trace_record *scratch);

/* ---- segment.c: the next frame, which may begin another trace of the file ---------------- */

/*
 * 1: the frame at r->frame is valid, and the next to be returned. 0 without a problem: it is the
 * first of the next part.
 */
int reader_try_frame(struct trace_reader *r, struct trace_record *scratch);
/* The same for the next data frame. */
int reader_read_on(struct trace_reader *r, struct trace_record *scratch);

/* ---- resync.c: the next frame, after damage ---------------------------------------------- */

/* Like reader_read_on(), and if that fails, finds the next valid frame. */
int reader_recover(struct trace_reader *r, struct trace_record *scratch);

#endif
