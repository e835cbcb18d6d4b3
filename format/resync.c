// SPDX-License-Identifier: BSD-2-Clause
/* Finds the next valid frame after damage. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"
#include "reader_impl.h"

#define HEADER_WITHIN (64u << 10) /* HEADER's frame is searched for within this many bytes */

/*
 * Limits the work, counted in decompressed bytes. Each candidate costs up to 8 MiB, so without a limit a file full of
 * frame headers would cost 8 MiB for every few bytes. Real frames stay far below the limit.
 */
static bool may_work(const struct trace_reader *r)
{
	return r->work < (256u << 20) + 64 * r->offset;
}

/* ---- candidates -------------------------------------------------------------------------- */

/* Returns 1 if a valid frame begins at r->in, which is then the next frame or the first frame of the next part. */
static int try_candidate(struct trace_reader *r, struct trace_record *scratch)
{
	struct trace_status st = r->st;
	uint64_t seq = r->seq;
	bool ended = r->end_seen;
	int err;

	if (le32(r->in) != ZSTD_FRAME_MAGIC)
		return 0;
	err = reader_try_frame(r, scratch);
	if (err > 0 || r->st.more)
		return 1;
	if (r->st.problem == TRACE_VERSION || r->st.problem == TRACE_IO)
		return err;
	st.bytes = r->st.bytes;
	r->st = st;
	r->seq = seq;
	r->error = 0;
	r->end_seen = ended;
	return 0;
}

/* ---- search ------------------------------------------------------------------------------ */

/*
 * Returns whether the search is beyond the beginning of the file. HEADER's frame is searched only near the beginning,
 * because the file may be no trace and endless.
 */
static bool is_too_far(const struct trace_reader *r)
{
	return !r->st.frames && r->offset > HEADER_WITHIN;
}

/* Advances to the next byte at which a frame can begin. Returns 1, or 0 at the end, or an error. */
static int next_candidate(struct trace_reader *r)
{
	for (;;) {
		int err = is_too_far(r) ? 0 : reader_want(r, 4);
		const uint8_t *p;

		if (err <= 0)
			return err;
		p = memchr(r->in, ZSTD_FRAME_MAGIC & 0xff, r->in_len - 3);
		if (p) {
			reader_consume(r, (size_t)(p - r->in));
			return 1;
		}
		reader_consume(r, r->in_len - 3);
	}
}

/*
 * Returns whether the frame at r->in has been tried. A file that has lost its magic may begin with HEADER's frame,
 * which has not been tried.
 */
static bool is_tried(const struct trace_reader *r)
{
	return r->offset || r->in_len < 4 || le32(r->in) != ZSTD_FRAME_MAGIC;
}

static int search(struct trace_reader *r, struct trace_record *scratch)
{
	for (bool tried = is_tried(r);; tried = true) {
		int err;

		if (tried && r->in_len)
			reader_consume(r, 1);
		err = next_candidate(r);
		if (err <= 0)
			return err;
		if (is_too_far(r) || !may_work(r))
			return 0;
		r->frame = r->offset;
		err = try_candidate(r, scratch);
		if (err)
			return err;
	}
}

static bool is_beyond_help(const struct trace_reader *r, int err)
{
	return r->st.problem == TRACE_VERSION || r->st.problem == TRACE_IO ||
	       (!err && r->st.problem != TRACE_CUT);
}

/* Sets the first problem in the status. */
static void name_first(struct trace_reader *r, const struct trace_status *before,
		       const struct trace_status *offence)
{
	reader_set_problem(r, before->problem ? before : offence);
}

/* Searches for the next valid frame. The problem is at r->frame, and nothing after r->frame has been consumed. */
static int go_on(struct trace_reader *r, struct trace_record *scratch,
		 const struct trace_status *before, int err)
{
	struct trace_status offence = r->st;
	int found;

	r->error = 0;
	r->st.problem = TRACE_OK;
	r->resyncing = true;
	found = search(r, scratch);
	r->resyncing = false;
	if (found < 0)
		return found;
	if (found && offence.problem != TRACE_DAMAGED) {
		offence.problem = TRACE_DAMAGED;
		snprintf(offence.what, sizeof(offence.what),
			 "damaged at byte %llu: a frame without a last block",
			 (unsigned long long)offence.offset);
	}
	name_first(r, before, &offence);
	r->st.damages += offence.problem == TRACE_DAMAGED;
	r->over = !found;
	if (!found)
		r->error = r->st.frames ? 0 : err;
	return found ? 1 : r->error;
}

int reader_recover(struct trace_reader *r, struct trace_record *scratch)
{
	struct trace_status before = r->st;
	uint64_t seq = r->seq;
	bool end_seen = r->end_seen;
	int err;

	if (r->over)
		return 0;
	r->st.problem = TRACE_OK;
	err = reader_read_on(r, scratch);
	if (err > 0 || is_beyond_help(r, err)) {
		if (before.problem && err >= 0)
			reader_set_problem(r, &before);
		return err;
	}
	r->seq = seq;
	r->end_seen = end_seen;
	r->st.damages = before.damages;
	r->st.frames_missing = before.frames_missing;
	return go_on(r, scratch, &before, err);
}
