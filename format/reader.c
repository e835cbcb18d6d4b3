// SPDX-License-Identifier: BSD-2-Clause
/* Frames out of the file, records out of frames. Every byte is taken for hostile. */
#include <netcost/trace.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>

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
	reader_ticks_free(&r->tick);
	free(r->window.frame);
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

int reader_cut(struct trace_reader *r)
{
	if (!r->st.bytes)
		return problem(r, TRACE_EMPTY, -EMEDIUMTYPE, "the file is empty");
	if (!r->st.frames)
		return problem(r, TRACE_EMPTY, -EMEDIUMTYPE,
			       "the file ends within its first frame: nothing was recorded");
	if (r->end_seen)
		return problem(r, TRACE_CUT, 0,
			       "the file was cut off behind the end of the recording, at byte %llu",
			       (unsigned long long)r->frame);
	return problem(r, TRACE_CUT, 0, "the recording was cut off: data ends at byte %llu",
		       (unsigned long long)r->frame);
}

int reader_no_memory(struct trace_reader *r)
{
	return problem(r, TRACE_IO, -ENOMEM, "out of memory");
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* Makes room for a READ_CHUNK behind what is buffered. */
static int make_room(struct trace_reader *r)
{
	if (r->in + r->in_len + READ_CHUNK <= r->in_buf + r->in_size)
		return 0;
	memmove(r->in_buf, r->in, r->in_len);
	r->in = r->in_buf;
	if (array_reserve(&r->in_buf, &r->in_size, r->in_len + READ_CHUNK, 1))
		return reader_no_memory(r);
	r->in = r->in_buf;
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
		n = read(r->fd, r->in + r->in_len, window_chunk(r));
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

static bool is_magic(struct trace_reader *r, uint64_t size)
{
	return le32(r->in) == MAGIC_FRAME_MAGIC && size == MAGIC_FRAME_SIZE - 8 &&
	       reader_want(r, MAGIC_FRAME_SIZE) > 0 && !memcmp(r->in + 8, MAGIC_TEXT, size);
}

static int skip_skippable(struct trace_reader *r)
{
	uint64_t left;
	int err = reader_want(r, 8);

	if (err <= 0)
		return err ? err : reader_cut(r);
	left = le32(r->in + 4);
	if (is_magic(r, left))
		r->magic_end = r->offset + MAGIC_FRAME_SIZE;
	if (r->recover) {
		err = reader_hint_ends(r, 8 + left);
		if (err <= 0 && !(r->eof && r->in_len < 8 + left))
			return err ? err : reader_damaged(r, "a hint of a wrong length");
		if (err <= 0)
			return err ? err : reader_cut(r);
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
			return err ? err : reader_cut(r);
	}
	return 1;
}

int reader_damaged(struct trace_reader *r, const char *what)
{
	/* A trace begins with its magic: what is wrong at the first byte is something else. */
	if (!r->frame)
		return problem(r, TRACE_NOT_A_TRACE, -EMEDIUMTYPE, "not a netcost trace");
	return reader_broken(r, what);
}

int reader_broken(struct trace_reader *r, const char *what)
{
	return problem(r, TRACE_DAMAGED, -EBADMSG, "damaged at byte %llu: %s",
		       (unsigned long long)r->frame, what);
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
			return reader_cut(r);
		if (le32(r->in) == ZSTD_FRAME_MAGIC) /* whole or not */
			return 1;
		err = skip_skippable(r);
		if (err <= 0)
			return err;
	}
}

/* ---- records ----------------------------------------------------------------------------- */

/*
 * HEADER's first keys are the same in all versions; other keys may have other kinds in another one. What is behind
 * another `major` may be wrong, or missing, in ours.
 */
static int check_version(struct trace_reader *r, struct trace_record *rec)
{
	bool parsed = !record_parse_upto(r->cur, rec, TRACE_HEADER_REQUIRES);
	struct trace_column requires = trace_record_column(rec, TRACE_HEADER_REQUIRES);
	uint64_t major = record_major(r->cur);
	const char *s;
	uint32_t n;

	if (major != TRACE_NIL && major != TRACE_MAJOR)
		return problem(r, TRACE_VERSION, -EPROTONOSUPPORT,
			       "format version %llu; this program reads version %d",
			       (unsigned long long)major, TRACE_MAJOR);
	if (!parsed || rec->type != TRACE_HEADER)
		return 1; /* no HEADER: told when all of the frame is checked */
	if (major == TRACE_NIL)
		return problem(r, TRACE_VERSION, -EPROTONOSUPPORT,
			       "HEADER names no format version; this program reads version %d",
			       TRACE_MAJOR);
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

/* Where HEADER, FRAME and END may stand. first: the first object of its frame. */
static int check_place(struct trace_reader *r, const struct trace_record *rec, bool first)
{
	bool first_frame = !r->st.frames;

	if (r->end_seen)
		return reader_damaged(r, "data behind END");
	if ((rec->type == TRACE_HEADER) != (first && first_frame))
		return reader_damaged(r, first_frame && first ? "no HEADER" : "a second HEADER");
	if (rec->type == TRACE_HEADER)
		return 1;
	if ((rec->type == TRACE_FRAME) != (first && !first_frame))
		return reader_damaged(r, first ? "a frame without FRAME" : "FRAME within a frame");
	if (rec->type == TRACE_FRAME) {
		r->head.first_ns = trace_record_uint(rec, TRACE_FRAME_FIRST_NS, TRACE_NIL);
		r->head.last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, TRACE_NIL);
		return check_seq(r, trace_record_uint(rec, TRACE_FRAME_SEQ, 0));
	}
	r->end_seen = rec->type == TRACE_END;
	return 1;
}

static bool is_of_all(const struct trace_record *rec)
{
	return rec->type && trace_type_desc(rec->type)->of == TRACE_WHOLE;
}

/* Of a part: where it begins, and whether we read its version. */
static int begin(struct trace_reader *r, struct trace_record *scratch)
{
	bool magic = r->magic_end && r->magic_end == r->frame;

	r->st.begin = r->frame - (magic ? MAGIC_FRAME_SIZE : 0);
	return check_version(r, scratch);
}

int reader_verify_frame(struct trace_reader *r, struct trace_record *scratch)
{
	struct mp_cursor c = r->cur;
	uint64_t types = 0, keys = 0;
	int err = r->st.frames ? 1 : begin(r, scratch);

	if (err <= 0)
		return err;
	r->marks.n = r->marks.next = 0;
	r->marks.known = false;
	r->head = (struct frame_head){ TRACE_NIL, TRACE_NIL, false, false };
	for (bool first = true; c.p < c.end; first = false) {
		if (record_parse(&c, scratch, &r->marks, &types, &keys))
			return reader_damaged(r, "an object that breaks the format");
		r->head.defines |= is_of_all(scratch);
		r->head.base |= scratch->type == TRACE_TICK &&
				trace_record_field(scratch, TRACE_TICK_BASE);
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

int reader_try_frame(struct trace_reader *r, struct trace_record *scratch)
{
	int err = reader_read_frame(r);

	if (err > 0)
		err = reader_part_begins(r) ? reader_begin_part(r, scratch) :
					      reader_verify_frame(r, scratch);
	if (err <= 0)
		r->cur.p = r->cur.end;
	return err;
}

int reader_read_on(struct trace_reader *r, struct trace_record *scratch)
{
	int err = next_frame(r);

	if (err > 0)
		err = reader_try_frame(r, scratch);
	return err;
}

/* The next frame that is to be handed out. */
static int advance(struct trace_reader *r, struct trace_record *scratch)
{
	int err;

	do
		err = r->window.seeking ? window_next(r, scratch) :
		      r->recover	? reader_recover(r, scratch, reader_read_on) :
					  reader_read_on(r, scratch);
	while (err > 0 && !r->st.more && window_leaves_out(r, scratch));
	reader_ticks_frame(&r->tick);
	return r->error ? r->error : err;
}

/* 1: rec is the next record of the frame, 0: there is none that is handed out. */
static int take_object(struct trace_reader *r, struct trace_record *rec)
{
	const uint8_t *object = r->cur.p;

	record_parse(&r->cur, rec, &r->marks, &r->st.unknown_types, &r->st.unknown_keys);
	record_see_codes(rec, &r->codes);
	r->st.records++;
	if (rec->type == TRACE_END)
		r->st.ended = true;
	return rec->type ? reader_tick_take(r, rec, object) : 0;
}

int trace_reader_next(struct trace_reader *r, struct trace_record *rec)
{
	int err = 0;

	if (r->window.set && !r->window.begun)
		window_begin(r, rec);
	while (!err && !r->error && !r->st.more) {
		err = reader_tick_due(r, rec);
		if (!err && r->cur.p < r->cur.end) {
			err = take_object(r, rec);
		} else if (!err) {
			if (advance(r, rec) <= 0)
				break;
		}
	}
	return r->error ? r->error : err;
}
