// SPDX-License-Identifier: BSD-2-Clause
/* Frames out of the file, records out of frames. Every byte is taken for hostile. */
#include <netcost/trace.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd_errors.h> /* ZSTD_getErrorCode */

#include "layout.h"
#include "reader_impl.h"

int trace_reader_new(struct trace_reader **rp, int fd)
{
	struct trace_reader *r = calloc(1, sizeof(*r));

	*rp = r;
	if (!r)
		return -ENOMEM;
	r->fd = fd;
	r->in_size = 2 * READ_CHUNK;
	r->in_buf = r->in = malloc(r->in_size);
	r->out = malloc(TRACE_MAX_FRAME + RECORD_SLACK);
	r->dctx = ZSTD_createDCtx();
	if (!r->in_buf || !r->out || !r->dctx) {
		trace_reader_free(r);
		*rp = NULL;
		return -ENOMEM;
	}
	return 0;
}

void trace_reader_free(struct trace_reader *r)
{
	if (!r)
		return;
	ZSTD_freeDCtx(r->dctx);
	record_marks_free(&r->marks);
	free(r->in_buf);
	free(r->out);
	free(r);
}

void trace_reader_set_recover(struct trace_reader *r, bool on)
{
	r->recover = on;
}

void trace_reader_watch(struct trace_reader *r, const struct trace_watch *watch)
{
	r->watch = *watch;
}

const struct trace_status *trace_reader_status(const struct trace_reader *r)
{
	return &r->st;
}

__attribute__((format(printf, 4, 5))) static int
problem(struct trace_reader *r, enum trace_problem p, int err, const char *fmt, ...)
{
	va_list ap;

	if (!r->st.problem) {
		va_start(ap, fmt);
		vsnprintf(r->st.what, sizeof(r->st.what), fmt, ap);
		va_end(ap);
		r->st.problem = p;
		r->st.offset = r->frame;
	}
	r->error = err;
	return err;
}

static int cut(struct trace_reader *r)
{
	if (!r->st.bytes)
		return problem(r, TRACE_EMPTY, -EMEDIUMTYPE, "the file is empty");
	if (!r->st.frames)
		return problem(r, TRACE_EMPTY, -EMEDIUMTYPE,
			       "the file ends within its first frame: nothing was recorded");
	return problem(r, TRACE_CUT, 0, "the recording was cut off: data ends at byte %llu",
		       (unsigned long long)r->frame);
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* Makes room for a READ_CHUNK behind what is buffered. */
static int make_room(struct trace_reader *r)
{
	uint8_t *buf;

	if (r->in + r->in_len + READ_CHUNK <= r->in_buf + r->in_size)
		return 0;
	memmove(r->in_buf, r->in, r->in_len);
	r->in = r->in_buf;
	if (r->in_len + READ_CHUNK <= r->in_size)
		return 0;
	buf = realloc(r->in_buf, 2 * r->in_size);
	if (!buf)
		return problem(r, TRACE_IO, -ENOMEM, "out of memory");
	r->in_buf = r->in = buf;
	r->in_size *= 2;
	return 0;
}

/* Reads on. 1: more is there; 0: end of file. */
static int more(struct trace_reader *r)
{
	ssize_t n;

	if (r->eof)
		return 0;
	if (make_room(r))
		return r->error;
	do
		n = read(r->fd, r->in + r->in_len, READ_CHUNK);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return problem(r, TRACE_IO, -errno, "cannot read: %s", strerror(errno));
	r->eof = n == 0;
	r->in_len += (size_t)n;
	r->st.bytes += (uint64_t)n;
	return n > 0;
}

/* At least n bytes buffered? 1, 0 at the end of the file. */
int reader_want(struct trace_reader *r, size_t n)
{
	int err = 1;

	while (r->in_len < n && err > 0)
		err = more(r);
	return err;
}

void reader_consume(struct trace_reader *r, size_t n)
{
	r->in += n;
	r->in_len -= n;
	r->offset += n;
}

/* ---- frames ------------------------------------------------------------------------------ */

static void watch_frame(const struct trace_reader *r, uint64_t size, uint64_t content)
{
	if (r->watch.frame)
		r->watch.frame(r->watch.ctx, le32(r->in), r->offset, size, content);
}

static int skip_skippable(struct trace_reader *r)
{
	uint64_t left;
	int err = reader_want(r, 8);

	if (err <= 0)
		return err ? err : cut(r);
	left = le32(r->in + 4);
	if (r->recover && !r->end_seen) {
		err = reader_hint_ends(r, 8 + left);
		if (err <= 0 && !(r->eof && r->in_len < 8 + left))
			return err ? err : reader_damaged(r, "a hint of a wrong length");
		if (err <= 0)
			return err ? err : cut(r);
	}
	watch_frame(r, 8 + left, 0);
	reader_consume(r, 8);
	while (left) {
		size_t n = left < r->in_len ? left : r->in_len;

		if (r->watch.hint && n)
			r->watch.hint(r->watch.ctx, r->in, n);
		reader_consume(r, n);
		left -= n;
		if (left && (err = reader_want(r, 1)) <= 0)
			return err ? err : cut(r);
	}
	return 1;
}

int reader_damaged(struct trace_reader *r, const char *what)
{
	/* A trace begins with its magic: what is wrong at the first byte is something else. */
	if (!r->frame)
		return problem(r, TRACE_NOT_A_TRACE, -EMEDIUMTYPE, "not a netcost trace");
	return problem(r, TRACE_DAMAGED, -EBADMSG, "damaged at byte %llu: %s",
		       (unsigned long long)r->frame, what);
}

/* The frame's rules that can be seen before all of it is there. */
static int check_frame_header(struct trace_reader *r, size_t *dsize)
{
	unsigned long long n = ZSTD_getFrameContentSize(r->in, r->in_len);

	if (!(r->in[4] & 0x04))
		return reader_damaged(r, "a frame without a checksum");
	if (r->in[4] & 0x03)
		return reader_damaged(r, "a frame that needs a dictionary");
	if (n == ZSTD_CONTENTSIZE_ERROR && r->in_len < HEADER_BYTES)
		return cut(r);
	if (n == ZSTD_CONTENTSIZE_ERROR || n == ZSTD_CONTENTSIZE_UNKNOWN)
		return reader_damaged(r, "a frame without a content size");
	if (n > TRACE_MAX_FRAME)
		return reader_damaged(r, "a frame larger than 8 MiB");
	*dsize = (size_t)n;
	return 1;
}

/* Size of the frame at the start of the buffer, reading on until all of it is there. */
static int whole_frame(struct trace_reader *r, size_t *csize)
{
	for (;;) {
		int err;

		*csize = ZSTD_findFrameCompressedSize(r->in, r->in_len);
		if (!ZSTD_isError(*csize) && *csize <= MAX_COMPRESSED)
			return 1;
		if (r->in_len > MAX_COMPRESSED)
			return reader_damaged(r, "a frame that does not end");
		if (ZSTD_getErrorCode(*csize) != ZSTD_error_srcSize_wrong)
			return reader_damaged(r, ZSTD_getErrorName(*csize));
		err = more(r);
		if (err <= 0)
			return err ? err : cut(r);
	}
}

static int read_frame(struct trace_reader *r)
{
	size_t dsize = 0, csize = 0, got;
	int err;

	/* A frame shorter than the longest header is legal at the end of a file. */
	err = reader_want(r, HEADER_BYTES);
	if (err < 0)
		return err;
	if (r->in_len < 9)
		return cut(r);
	err = check_frame_header(r, &dsize);
	if (err > 0)
		err = whole_frame(r, &csize);
	if (err <= 0)
		return err;
	got = ZSTD_decompressDCtx(r->dctx, r->out, TRACE_MAX_FRAME, r->in, csize);
	if (ZSTD_isError(got) || got != dsize)
		return reader_damaged(r, ZSTD_isError(got) ? ZSTD_getErrorName(got) :
							     "wrong content size");
	r->csize = csize;
	r->cur = (struct mp_cursor){ .p = r->out, .end = r->out + got };
	return 1;
}

/* Whether a frame can begin with these n bytes: fewer than the 4 of a magic decide what they can. */
bool reader_frame_begins(const uint8_t *p, size_t n)
{
	uint32_t magic = 0, known = 0;

	for (size_t i = 0; i < n && i < 4; i++) {
		magic |= (uint32_t)p[i] << 8 * i;
		known |= UINT32_C(0xff) << 8 * i;
	}
	return !((magic ^ ZSTD_FRAME_MAGIC) & known) ||
	       !((magic ^ SKIPPABLE_MAGIC) & SKIPPABLE_MASK & known);
}

/* 1: a frame of data begins at r->in. */
static int next_frame(struct trace_reader *r)
{
	for (;;) {
		int err;

		r->frame = r->offset;
		err = reader_want(r, 4);
		if (err < 0)
			return err;
		if (!r->in_len && r->st.ended)
			return 0;
		if (!reader_frame_begins(r->in, r->in_len))
			return reader_damaged(r, "no frame begins here");
		if (r->in_len < 4)
			return cut(r);
		if (le32(r->in) == ZSTD_FRAME_MAGIC) /* whole or not */
			return r->end_seen ? reader_damaged(r, "data behind END") : 1;
		err = skip_skippable(r);
		if (err <= 0)
			return err;
	}
}

/* ---- records ----------------------------------------------------------------------------- */

static int check_header(struct trace_reader *r, const struct trace_record *rec)
{
	uint64_t major = trace_record_uint(rec, TRACE_HEADER_MAJOR, 0);
	struct trace_column requires = trace_record_column(rec, TRACE_HEADER_REQUIRES);
	const char *s;
	uint32_t n;

	if (major != TRACE_MAJOR)
		return problem(r, TRACE_VERSION, -EPROTONOSUPPORT,
			       "format version %llu; this program reads version %d",
			       (unsigned long long)major, TRACE_MAJOR);
	if (trace_column_str(&requires, &s, &n))
		return problem(r, TRACE_VERSION, -EPROTONOSUPPORT,
			       "the trace requires '%.*s', which this program does not know",
			       (int)(n > 60 ? 60 : n), s);
	return 1;
}

static int check_seq(struct trace_reader *r, uint64_t seq)
{
	uint64_t missing = seq - r->seq - 1;

	if (seq <= r->seq || (missing && !r->recover))
		return reader_damaged(r, "a frame is missing before this one");
	r->seq = seq;
	if (missing && !r->resyncing)
		reader_gap(r, "a frame is missing before this one");
	r->st.frames_missing += missing;
	return 1;
}

/*
 * Another major version may give HEADER's other keys other kinds, so that it does not parse; its major key
 * comes first and stays what it is.
 */
static bool other_major(const struct trace_reader *r, const struct trace_record *rec)
{
	return !r->st.frames && rec->type == TRACE_HEADER && rec->nfields > 1 &&
	       rec->field[0].key == TRACE_HEADER_MAJOR && rec->field[0].v != TRACE_MAJOR;
}

/* Where HEADER, FRAME and END may stand. first: the first object of its frame. */
static int check_place(struct trace_reader *r, const struct trace_record *rec, bool first)
{
	bool first_frame = !r->st.frames;

	if (r->end_seen)
		return reader_damaged(r, "data behind END");
	if ((rec->type == TRACE_HEADER) != (first && first_frame))
		return reader_damaged(r, first_frame && first ? "no HEADER" : "a second HEADER");
	if (rec->type == TRACE_HEADER)
		return check_header(r, rec);
	if ((rec->type == TRACE_FRAME) != (first && !first_frame))
		return reader_damaged(r, first ? "a frame without FRAME" : "FRAME within a frame");
	if (rec->type == TRACE_FRAME)
		return check_seq(r, trace_record_uint(rec, TRACE_FRAME_SEQ, 0));
	r->end_seen = rec->type == TRACE_END;
	return 1;
}

/* All of a frame is checked before its first record is handed out. */
static int verify_frame(struct trace_reader *r, struct trace_record *scratch)
{
	struct mp_cursor c = r->cur;
	uint64_t types = 0, keys = 0;

	r->marks.n = r->marks.next = 0;
	r->marks.known = false;
	if (c.p == c.end)
		return reader_damaged(r, "an empty frame");
	for (bool first = true; c.p < c.end; first = false) {
		int err;

		if (record_parse(&c, scratch, &r->marks, &types, &keys))
			return other_major(r, scratch) ?
				       check_header(r, scratch) :
				       reader_damaged(r, "an object that breaks the format");
		err = check_place(r, scratch, first);
		if (err <= 0)
			return err;
	}
	r->marks.known = true;
	r->st.frames++;
	watch_frame(r, r->csize, (uint64_t)(r->cur.end - r->cur.p));
	reader_consume(r, r->csize);
	return 1;
}

/* 1: the frame at r->frame is sound, and the next to be handed out. */
int reader_try_frame(struct trace_reader *r, struct trace_record *scratch)
{
	int err = read_frame(r);

	if (err > 0)
		err = verify_frame(r, scratch);
	if (err <= 0)
		r->cur.p = r->cur.end;
	return err;
}

static int read_on(struct trace_reader *r, struct trace_record *scratch)
{
	int err = next_frame(r);

	if (err > 0)
		err = reader_try_frame(r, scratch);
	return err;
}

int trace_reader_next(struct trace_reader *r, struct trace_record *rec)
{
	while (!r->error) {
		while (r->cur.p == r->cur.end) {
			int err = r->recover ? reader_recover(r, rec, read_on) : read_on(r, rec);

			if (err <= 0)
				return err;
		}
		record_parse(&r->cur, rec, &r->marks, &r->st.unknown_types, &r->st.unknown_keys);
		r->st.records++;
		if (rec->type == TRACE_END)
			r->st.ended = true;
		if (rec->type)
			return 1;
	}
	return r->error;
}
