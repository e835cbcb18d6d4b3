/* SPDX-License-Identifier: BSD-2-Clause */
/* reader_impl.h: internal to the trace library: the reader, and functions that the files which implement it share. */
#ifndef NETCOST_READER_IMPL_H
#define NETCOST_READER_IMPL_H

#include <netcost/trace.h>

#include <stdio.h>
#include <zstd.h> /* for ZSTD_decompressDCtx and ZSTD_getFrameContentSize */

#include "mp.h"
#include "record.h"

/* The time range of a frame, from FRAME or INDEX. */
struct frame_head {
	uint64_t first_ns, last_ns; /* TRACE_NIL if the frame has no times */
	bool defines;		    /* the frame has records of TRACE_WHOLE */
};

struct window_frame {
	uint64_t offset;
	struct frame_head head;
	uint32_t size;
	bool checked; /* the frame is as INDEX says */
};

struct trace_index {
	/* `frame` has the data frames that INDEX lists, and END's frame as the last one */
	bool read;
	bool wrong; /* there is no INDEX, or a frame is not as it says */
	struct window_frame *frame;
	size_t n;
	uint64_t highest[TRACE_IDS_COUNT]; /* ids that the checked frames define */
};

struct trace_window {
	bool set, begun, bare;
	uint64_t from_ns, to_ns;
	bool seeking; /* set if INDEX is valid */
	struct trace_index own, *index;
	size_t next;
};

struct trace_reader {
	int fd; /* descriptor of the file, or of `spool` */
	/* temporary file with the next data of a pipe, at the same offsets; NULL: none */
	FILE *spool;
	int pipe;  /* descriptor of the pipe while there is a spool */
	int error; /* last negative result of trace_reader_next() */
	bool eof;
	bool by_offset; /* the file is read with pread(2) */

	/* in: the buffered bytes of the file from `offset` on, within in_buf */
	uint8_t *in_buf, *in;
	size_t in_len, in_size;
	uint64_t offset;
	uint64_t read_end; /* offset up to which the file is needed now; 0: unknown */
	uint64_t frame;	   /* offset of the frame that is being read, for errors */
	size_t csize;	   /* length of that frame in the file */

	/*
	 * Decompressed content of the frame. TRACE_MAX_FRAME bytes are reserved, and the kernel provides memory only
	 * for bytes that were touched.
	 */
	uint8_t *out;
	struct mp_cursor cur;
	struct record_marks marks;
	ZSTD_DCtx *dctx;

	uint64_t seq; /* seq of the last FRAME */
	struct frame_head head;
	bool end_seen;
	bool refused; /* a part with another major version begins with the magic at r->in */
	bool recover, resyncing, over; /* over: set when recovery has ended */
	uint64_t work;		       /* work spent on the search for frames */
	struct trace_watch watch;
	struct schema *schema; /* NULL if SCHEMA is not needed */
	struct trace_window window;
	struct trace_status st;

	uint64_t magic_end; /* end of the last magic, which is where HEADER's frame begins */
	/* The next part, if st.more is set. Its first frame is in `out`. */
	struct {
		struct trace_status st;
		struct mp_cursor cur;
		int error;
	} next;
};

/* ---- problem.c: problems of a trace, in its status --------------------------------------- */

/* Stores a problem in the status, which keeps the first problem of a part. Returns err. */
__attribute__((format(printf, 4, 5))) int
reader_problem(struct trace_reader *r, enum trace_problem p, int err, const char *fmt, ...);
int reader_cut(struct trace_reader *r);
int reader_damaged(struct trace_reader *r, const char *what);
int reader_other_version(struct trace_reader *r, uint64_t major);
int reader_no_memory(struct trace_reader *r);
void reader_set_problem(struct trace_reader *r, const struct trace_status *offence);
/* Reports that frames are missing between two valid frames. */
void reader_gap(struct trace_reader *r, const char *what);

/* ---- bytes.c: the bytes of the file ------------------------------------------------------ */

#define READ_CHUNK (64u << 10)

/* Buffers at least n bytes. Returns 1, or 0 at the end of the file, or an error. */
int reader_want(struct trace_reader *r, size_t n);
void reader_consume(struct trace_reader *r, size_t n);
/*
 * Makes bytes of a pipe up to offset `end` seekable, in an unnamed temporary file, so that a search can go back to
 * them. The file is closed once it has been read. Does nothing for a file. Returns 0 or an error.
 */
int reader_spool(struct trace_reader *r, uint64_t end);
void reader_end_spool(struct trace_reader *r);
/* Continues at the offset of the file. Returns false if that is not possible. */
bool reader_go_to(struct trace_reader *r, uint64_t offset);

/* ---- frame.c: the containers of frames --------------------------------------------------- */

/* Finds the next data frame. Returns 1 if it begins at r->in, 0 at the end or if r->refused is set, or an error. */
int reader_next_frame(struct trace_reader *r);
/* Reads the whole frame at r->in. Returns 1 if its content is in r->cur. */
int reader_read_frame(struct trace_reader *r);
/* Reports the frame at r->in to the watcher. */
void reader_watch_frame(const struct trace_reader *r, uint64_t size, uint64_t content);

/* ---- verify.c: the content of a frame ---------------------------------------------------- */

/* Checks the whole frame in r->cur before its first record is returned. */
int reader_verify_frame(struct trace_reader *r, struct trace_record *scratch);

/* ---- segment.c: the next frame, which may begin another part of the file ----------------- */

/*
 * Tries the frame at r->frame. Returns 1 if the frame is valid and is the next one to be returned. Returns 0 without a
 * problem in the status if the frame is the first frame of the next part.
 */
int reader_try_frame(struct trace_reader *r, struct trace_record *scratch);
/* Finds the next data frame, and returns the same as reader_try_frame(). */
int reader_read_on(struct trace_reader *r, struct trace_record *scratch);

/* ---- resync.c: the next frame after damage ----------------------------------------------- */

/* Does the same as reader_read_on(). If that fails, finds the next valid frame. */
int reader_recover(struct trace_reader *r, struct trace_record *scratch);

#endif
