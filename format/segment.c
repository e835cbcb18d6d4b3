// SPDX-License-Identifier: BSD-2-Clause
/* Finds the next frame, which belongs to this trace or is the first frame of the next trace in the file. */
#include "layout.h"
#include "reader_impl.h"

static bool begins_with_header(const struct trace_reader *r)
{
	struct mp_cursor c = r->cur;
	struct mp_value object = mp_read(&c), type = mp_read(&c);

	return object.kind == MP_ARRAY && object.n == 2 && type.kind == MP_UINT &&
	       type.v == TRACE_HEADER;
}

/*
 * Returns whether the frame in r->cur begins another trace after END. Without END, such a frame is damage, and only
 * recovery continues.
 */
static bool segment_begins(const struct trace_reader *r)
{
	return r->st.frames && (r->end_seen || r->recover) && begins_with_header(r);
}

static void keep_for_later(struct trace_reader *r, struct trace_status *st)
{
	r->st.bytes = r->offset + r->in_len - r->st.begin;
	r->next.st = r->st;
	r->next.cur = r->cur;
	r->next.error = r->error;
	st->bytes -= r->st.bytes;
	st->more = true;
	r->st = *st;
	r->cur.p = r->cur.end;
	r->error = 0;
}

static int begin_segment(struct trace_reader *r, struct trace_record *scratch)
{
	struct trace_status st = r->st, offence;
	uint64_t seq = r->seq;
	bool ended = r->end_seen;
	int err;

	r->st = (struct trace_status){ 0 };
	r->seq = 0;
	r->end_seen = false;
	err = reader_verify_frame(r, scratch);
	if (err > 0 || r->st.problem == TRACE_VERSION) {
		keep_for_later(r, &st);
		if (!ended && !r->resyncing)
			reader_gap(r, "another trace begins before END");
		return 0;
	}
	offence = r->st;
	r->st = st;
	reader_set_problem(r, &offence);
	r->seq = seq;
	r->end_seen = ended;
	return err;
}

/*
 * Refuses the magic at r->in, which has another major version. After END, the magic belongs to the next part, and the
 * function returns 0. Otherwise it belongs to the file, and the function returns an error.
 */
static int refuse(struct trace_reader *r)
{
	struct trace_status st = r->st;
	bool next = r->end_seen;
	int err;

	r->refused = false;
	if (next)
		r->st = (struct trace_status){ .begin = r->frame };
	err = reader_other_version(r, r->in[MAGIC_MAJOR]);
	if (!next)
		return err;
	keep_for_later(r, &st);
	return 0;
}

int reader_try_frame(struct trace_reader *r, struct trace_record *scratch)
{
	int err = reader_read_frame(r);

	if (err > 0)
		err = segment_begins(r) ? begin_segment(r, scratch) :
					  reader_verify_frame(r, scratch);
	if (err <= 0)
		r->cur.p = r->cur.end;
	return err;
}

int reader_read_on(struct trace_reader *r, struct trace_record *scratch)
{
	int err = reader_next_frame(r);

	if (err > 0)
		return reader_try_frame(r, scratch);
	return r->refused ? refuse(r) : err;
}
