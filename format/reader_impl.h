/* SPDX-License-Identifier: BSD-2-Clause */
/* reader_impl.h: inside the trace library: between the files that make a reader. */
#ifndef NETCOST_READER_IMPL_H
#define NETCOST_READER_IMPL_H

#include <netcost/trace.h>

#include <zstd.h> /* ZSTD_decompressDCtx, ZSTD_findFrameCompressedSize */

#include "mp.h"
#include "record.h"

#define READ_CHUNK (256u << 10)
#define HEADER_BYTES 18 /* the longest header of a zstd frame */
#define MAX_COMPRESSED ZSTD_COMPRESSBOUND(TRACE_MAX_FRAME)

struct trace_reader {
	int fd;
	int error; /* what next() returned last, when negative */
	bool eof;

	uint8_t *in_buf, *in; /* in: the file from `offset` on, inside in_buf */
	size_t in_len, in_size;
	uint64_t offset;
	uint64_t frame; /* where the frame begins that is being read: what an error names */
	size_t csize;	/* its length in the file */

	uint8_t *out; /* the frame: TRACE_MAX_FRAME, of which the kernel backs what is touched */
	struct mp_cursor cur;
	struct record_marks marks;
	ZSTD_DCtx *dctx;

	uint64_t seq; /* of FRAME */
	bool end_seen;
	bool recover, resyncing, over; /* over: what recovery can do is done */
	uint64_t work;		       /* done in search of frames */
	struct trace_watch watch;
	struct trace_status st;
};

/* At least n bytes buffered? 1, 0 at the end of the file. */
int reader_want(struct trace_reader *r, size_t n);
void reader_consume(struct trace_reader *r, size_t n);
bool reader_frame_begins(const uint8_t *p, size_t n);
int reader_damaged(struct trace_reader *r, const char *what);
/* 1: the frame at r->frame is sound, and the next to be handed out. */
int reader_try_frame(struct trace_reader *r, struct trace_record *scratch);

/* resync.c: behind damage. */

typedef int reader_step(struct trace_reader *r, struct trace_record *scratch);

/* step(), and if that fails, the next sound frame. */
int reader_recover(struct trace_reader *r, struct trace_record *scratch, reader_step *step);
/* Frames are missing between two that are sound. */
void reader_gap(struct trace_reader *r, const char *what);
/* Whether a frame, or the end of the file, follows the skippable frame of this size. 1, 0, error. */
int reader_hint_ends(struct trace_reader *r, uint64_t size);

#endif
