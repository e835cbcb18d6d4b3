// SPDX-License-Identifier: BSD-2-Clause
/* Several traces in a file: where one ends and the next begins. */
#include "part.h"

#include "problem.h"
#include "verify.h"

static bool begins_with_header(const struct trace_reader *r)
{
	struct mp_cursor c = r->cur;
	struct mp_value object = mp_read(&c), type = mp_read(&c);

	return object.kind == MP_ARRAY && object.n == 2 && type.kind == MP_UINT &&
	       type.v == TRACE_HEADER;
}

/* Without END before it HEADER is damage, behind which only recovery goes on. */
bool reader_part_begins(const struct trace_reader *r)
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

int reader_begin_part(struct trace_reader *r, struct trace_record *scratch)
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
