// SPDX-License-Identifier: BSD-2-Clause
/* Checks all objects of a frame before the first record is returned. */

#include <errno.h>

#include "layout.h"
#include "reader_impl.h"

/*
 * Checks the version in HEADER, which must be the version of the magic. Recovery relies on the version in HEADER, which
 * has a checksum.
 */
static int check_header(struct trace_reader *r, const struct trace_record *rec)
{
	struct trace_column requires = trace_record_column(rec, TRACE_HEADER_REQUIRES);
	uint64_t major = trace_record_uint(rec, TRACE_HEADER_MAJOR, TRACE_NIL);
	const char *s;
	uint32_t n;

	if (major != TRACE_MAJOR && major != TRACE_NIL && r->recover)
		return reader_other_version(r, major);
	if (major != TRACE_MAJOR)
		return reader_damaged(r, "HEADER's major is not that of the magic");
	if (trace_column_str(&requires, &s, &n))
		return reader_problem(r, TRACE_VERSION, -EPROTONOSUPPORT,
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

/* Checks the positions of HEADER, FRAME and END. first: set for the first object of its frame. */
static int check_place(struct trace_reader *r, const struct trace_record *rec, bool first)
{
	bool first_frame = !r->st.frames;

	if (r->end_seen)
		return reader_damaged(r, "data after END");
	if ((rec->type == TRACE_HEADER) != (first && first_frame))
		return reader_damaged(r, first_frame && first ? "no HEADER" : "a second HEADER");
	if (rec->type == TRACE_HEADER)
		return check_header(r, rec);
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

/* Begins a part, whose first frame is HEADER's. */
static int begin(struct trace_reader *r)
{
	bool magic = r->magic_end && r->magic_end == r->frame;

	if (!magic && !r->recover)
		return reader_damaged(r, "a part that does not begin with the magic");
	r->st.begin = r->frame - (magic ? MAGIC_FRAME_SIZE : 0);
	return 1;
}

int reader_verify_frame(struct trace_reader *r, struct trace_record *scratch)
{
	struct mp_cursor c = r->cur;
	uint64_t types = 0, keys = 0;
	int err = r->st.frames ? 1 : begin(r);

	if (err <= 0)
		return err;
	r->marks.n = r->marks.next = 0;
	r->marks.known = false;
	r->head = (struct frame_head){ TRACE_NIL, TRACE_NIL, false };
	for (bool first = true; c.p < c.end; first = false) {
		err = record_parse(&c, scratch, NULL, &r->marks, &types, &keys);
		if (err)
			return reader_damaged(r, "an object that breaks the format");
		r->head.defines |= is_of_all(scratch);
		err = check_place(r, scratch, first);
		if (err <= 0)
			return err;
	}
	r->marks.known = true;
	r->st.frames++;
	reader_watch_frame(r, r->csize, (uint64_t)(r->cur.end - r->cur.p));
	reader_consume(r, r->csize);
	return 1;
}
