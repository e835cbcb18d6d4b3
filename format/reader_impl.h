/* SPDX-License-Identifier: BSD-2-Clause */
/* reader_impl.h: inside the trace library: a reader, which the files that make one share. */
#ifndef NETCOST_READER_IMPL_H
#define NETCOST_READER_IMPL_H

#include <netcost/trace.h>

#include <stdio.h>
#include <zstd.h> /* ZSTD_decompressDCtx, ZSTD_getFrameContentSize */

#include "mp.h"
#include "record.h"

/* What a frame says of itself, or INDEX of it. */
struct frame_head {
	uint64_t first_ns, last_ns; /* TRACE_NIL: not said */
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
	/* INDEX is sound: these frames of data there are, END's last. */
	bool seeking;
	struct window_frame *frame;
	size_t n, next;
};

struct trace_reader {
	int fd;	     /* of the file, or of `spool` */
	FILE *spool; /* what a pipe had next, at the same offsets; NULL: none */
	int pipe;    /* its descriptor, while there is a spool */
	int error;   /* what next() returned last, when negative */
	bool eof;

	uint8_t *in_buf, *in; /* in: the file from `offset` on, inside in_buf */
	size_t in_len, in_size;
	uint64_t offset;
	uint64_t read_end; /* in the file: nothing after it is wanted now; 0: not known */
	uint64_t frame;	   /* where the frame begins that is being read: what an error names */
	size_t csize;	   /* its length in the file */

	uint8_t *out; /* the frame: TRACE_MAX_FRAME, of which the kernel backs what is touched */
	struct mp_cursor cur;
	struct record_marks marks;
	ZSTD_DCtx *dctx;

	uint64_t seq; /* of FRAME */
	struct frame_head head;
	bool end_seen;
	bool refused; /* the magic at r->in is where a part begins, and of another major version */
	bool recover, resyncing, over; /* over: what recovery can do is done */
	uint64_t work;		       /* done in search of frames */
	struct trace_watch watch;
	struct schema *schema; /* NULL: nobody asks what SCHEMA describes */
	struct trace_window window;
	struct trace_status st;

	uint64_t magic_end; /* where the last magic ended: there HEADER's frame begins */
	/* st.more: the part that is to be read next. Its first frame is in `out`. */
	struct {
		struct trace_status st;
		struct mp_cursor cur;
		int error;
	} next;
};

/* ---- problem.c: what is wrong with a trace, in its status -------------------------------- */

/* The status names the first one of a part. Returns err. */
__attribute__((format(printf, 4, 5))) int
reader_problem(struct trace_reader *r, enum trace_problem p, int err, const char *fmt, ...);
int reader_cut(struct trace_reader *r);
int reader_damaged(struct trace_reader *r, const char *what);
int reader_other_version(struct trace_reader *r, uint64_t major);
int reader_no_memory(struct trace_reader *r);
void reader_set_problem(struct trace_reader *r, const struct trace_status *offence);
/* Frames are missing between two that are sound. */
void reader_gap(struct trace_reader *r, const char *what);

/* ---- bytes.c: the bytes of the file ------------------------------------------------------ */

#define READ_CHUNK (64u << 10)

/* At least n bytes buffered? 1, 0 at the end of the file. */
int reader_want(struct trace_reader *r, size_t n);
void reader_consume(struct trace_reader *r, size_t n);
/*
 * Makes bytes of a pipe up to offset `end` seekable, so that a search can go back to them: in an unnamed temporary file,
 * which is left once it has been read. Nothing to do for a file. 0, or the error.
 */
int reader_spool(struct trace_reader *r, uint64_t end);
void reader_end_spool(struct trace_reader *r);
/* Continues at that offset of the file. False: it cannot be reached. */
bool reader_go_to(struct trace_reader *r, uint64_t offset);

/* ---- frame.c: the containers of frames --------------------------------------------------- */

/* 1: a frame of data begins at r->in. 0: the end, or r->refused. */
int reader_next_frame(struct trace_reader *r);
/* 1: all of the frame at r->in has been read, and its content is in r->cur. */
int reader_read_frame(struct trace_reader *r);
/* Reports the frame at r->in to the watcher. */
void reader_watch_frame(const struct trace_reader *r, uint64_t size, uint64_t content);

/* ---- verify.c: what is in a frame -------------------------------------------------------- */

/* All of the frame in r->cur is checked before its first record is handed out. */
int reader_verify_frame(struct trace_reader *r, struct trace_record *scratch);

/* ---- segment.c: the next frame, which may begin another trace of the file ---------------- */

/*
 * 1: the frame at r->frame is sound, and the next to be handed out. 0 without a problem: so it is, but
 * of the next part.
 */
int reader_try_frame(struct trace_reader *r, struct trace_record *scratch);
/* The same of the next frame of data. */
int reader_read_on(struct trace_reader *r, struct trace_record *scratch);

/* ---- resync.c: the next frame, after damage ---------------------------------------------- */

/* As reader_read_on(), and if that fails, the next sound frame. */
int reader_recover(struct trace_reader *r, struct trace_record *scratch);

#endif
