// SPDX-License-Identifier: BSD-2-Clause
/* Behind damage: the search for the next frame that is sound. */
#include <netcost/trace.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"
#include "reader_impl.h"

#define HEADER_WITHIN (64u << 10) /* bytes in which HEADER's frame is looked for */
#define MAX_BLOCK (128u << 10)	  /* of zstd, compressed or not */
#define BLOCK_WORK 16 /* what a step from block to block costs, in bytes of decompression */

/*
 * Work that may be done by now, in bytes decompressed. Each candidate costs up to 8 MiB: without a bound, a
 * file made of beginnings of frames would cost that for every few bytes. Real frames are far below this.
 */
static bool may_work(const struct trace_reader *r)
{
	return r->work < (256u << 20) + 64 * r->offset;
}

/* ---- candidates -------------------------------------------------------------------------- */

/* Whether the file goes on behind a block of this header, and by how much. */
static bool block_size(uint32_t header, uint64_t *size)
{
	uint32_t type = header >> 1 & 3, n = header >> 3;

	*size = 3 + (type == 1 ? 1 : n); /* 1: one byte, many times */
	return type != 3 && n <= MAX_BLOCK;
}

/*
 * 1: blocks lead from the frame header at r->in to a last one, and all of them are there. It is what
 * ZSTD_findFrameCompressedSize() finds, but counts its work and gives up sooner.
 */
static int blocks_end(struct trace_reader *r, size_t at)
{
	for (bool last = false; !last;) {
		int err = reader_want(r, at + 3);
		uint64_t size;

		if (err <= 0)
			return err;
		r->work += BLOCK_WORK;
		last = r->in[at] & 1;
		if (!block_size(r->in[at] | (uint32_t)r->in[at + 1] << 8 |
					(uint32_t)r->in[at + 2] << 16,
				&size) ||
		    at + size > MAX_COMPRESSED || !may_work(r))
			return 0;
		at += size;
	}
	return reader_want(r, at + 4); /* the checksum */
}

/* The length of the header of a frame that a trace can have; 0: it is none. */
static size_t header_length(const struct trace_reader *r)
{
	static const uint8_t size_bytes[] = { 0, 2, 4, 8 };
	uint8_t flags = r->in[4];
	bool single = flags & 0x20;
	unsigned long long n = ZSTD_getFrameContentSize(r->in, r->in_len);

	/* a checksum, no dictionary, nothing reserved */
	if ((flags & 0x0f) != 0x04 || !n || n > TRACE_MAX_FRAME)
		return 0;
	return 4u + 1 + !single + (flags >> 6 ? size_bytes[flags >> 6] : single);
}

/* 1: r->in is a sound frame, that is now the next one. */
static int try_candidate(struct trace_reader *r, struct trace_record *scratch)
{
	struct trace_status st = r->st;
	uint64_t seq = r->seq;
	size_t header;
	int err;

	if (le32(r->in) != ZSTD_FRAME_MAGIC)
		return 0;
	err = reader_want(r, HEADER_BYTES);
	if (err < 0 || r->in_len < 9)
		return err < 0 ? err : 0;
	header = header_length(r);
	err = header ? blocks_end(r, header) : 0;
	if (err <= 0)
		return err;
	r->work += 2 * ZSTD_getFrameContentSize(r->in, r->in_len);
	err = reader_try_frame(r, scratch);
	if (err > 0 || r->st.problem == TRACE_VERSION)
		return err;
	st.bytes = r->st.bytes;
	r->st = st;
	r->seq = seq;
	r->error = 0;
	r->end_seen = false;
	return 0;
}

/* ---- search ------------------------------------------------------------------------------ */

/* Steps on to the next byte that a frame can begin with. 1, 0 at the end. */
static int next_candidate(struct trace_reader *r)
{
	for (;;) {
		int err = reader_want(r, 4);
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

static int search(struct trace_reader *r, struct trace_record *scratch)
{
	for (;;) {
		int err;

		if (r->in_len)
			reader_consume(r, 1);
		err = next_candidate(r);
		if (err <= 0)
			return err;
		if ((!r->st.frames && r->offset > HEADER_WITHIN) || !may_work(r))
			return 0;
		r->frame = r->offset;
		err = try_candidate(r, scratch);
		if (err)
			return err;
	}
}

static void set_problem(struct trace_reader *r, const struct trace_status *offence)
{
	r->st.problem = offence->problem;
	r->st.offset = offence->offset;
	memcpy(r->st.what, offence->what, sizeof(r->st.what));
}

void reader_gap(struct trace_reader *r, const char *what)
{
	struct trace_status gap = { .problem = TRACE_DAMAGED, .offset = r->frame };

	snprintf(gap.what, sizeof(gap.what), "damaged at byte %llu: %s",
		 (unsigned long long)r->frame, what);
	r->st.damages++;
	set_problem(r, &gap);
}

static bool is_beyond_help(const struct trace_reader *r, int err)
{
	return r->st.problem == TRACE_VERSION || r->st.problem == TRACE_IO ||
	       (!err && r->st.problem != TRACE_CUT);
}

/* The first offence is the one that the status names. */
static void name_first(struct trace_reader *r, const struct trace_status *before,
		       const struct trace_status *offence)
{
	set_problem(r, before->problem ? before : offence);
}

/* The offence has been met at r->frame, and nothing behind it has been consumed. */
static int go_on(struct trace_reader *r, struct trace_record *scratch,
		 const struct trace_status *before, int err)
{
	struct trace_status offence = r->st;
	int found = 0;

	r->error = 0;
	r->st.problem = TRACE_OK;
	r->resyncing = true;
	if (!r->end_seen)
		found = search(r, scratch);
	r->resyncing = false;
	if (found < 0)
		return found;
	if (found && offence.problem != TRACE_DAMAGED) {
		offence.problem = TRACE_DAMAGED;
		snprintf(offence.what, sizeof(offence.what),
			 "damaged at byte %llu: a frame that does not end",
			 (unsigned long long)offence.offset);
	}
	name_first(r, before, &offence);
	r->st.damages += offence.problem == TRACE_DAMAGED;
	r->over = !found;
	if (!found)
		r->error = r->st.frames ? 0 : err;
	return found ? 1 : r->error;
}

int reader_recover(struct trace_reader *r, struct trace_record *scratch, reader_step *step)
{
	struct trace_status before = r->st;
	uint64_t seq = r->seq;
	bool end_seen = r->end_seen;
	int err;

	if (r->over)
		return 0;
	r->st.problem = TRACE_OK;
	err = step(r, scratch);
	if (err > 0 || is_beyond_help(r, err)) {
		if (before.problem && err >= 0)
			set_problem(r, &before);
		return err;
	}
	r->seq = seq;
	r->end_seen = end_seen;
	r->st.damages = before.damages;
	r->st.frames_missing = before.frames_missing;
	return go_on(r, scratch, &before, err);
}

/* ---- skippable frames -------------------------------------------------------------------- */

/* Behind a frame that is too long to be held; of a pipe nothing is known. */
static int far_end(struct trace_reader *r, uint64_t size)
{
	uint8_t next[4];
	off_t here = lseek(r->fd, 0, SEEK_CUR);
	ssize_t n;

	if (here < 0)
		return 1;
	n = pread(r->fd, next, sizeof(next), here - (off_t)r->in_len + (off_t)size);
	return n < 0 ||
	       (n == 0 ? lseek(r->fd, 0, SEEK_END) - here + (off_t)r->in_len >= (off_t)size :
			 reader_frame_begins(next, (size_t)n));
}

int reader_hint_ends(struct trace_reader *r, uint64_t size)
{
	int err;

	if (size > MAX_COMPRESSED)
		return far_end(r, size);
	err = reader_want(r, size + 4);
	if (err < 0 || r->in_len < size)
		return err < 0 ? err : 0;
	return reader_frame_begins(r->in + size, r->in_len - size);
}
