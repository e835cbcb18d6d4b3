// SPDX-License-Identifier: BSD-2-Clause
/* Reads frames from the file. This file handles only their containers, before any object is parsed. */

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layout.h"
#include "reader_impl.h"

#define MAX_COMPRESSED ZSTD_COMPRESSBOUND(TRACE_MAX_FRAME)
#define MAX_BLOCK (128u << 10) /* maximum size of a zstd block, compressed or not */
#define MAX_WINDOW 0x88	       /* Window_Descriptor of a window of 128 MiB */
#define BLOCK_WORK 16	       /* work per block, expressed as a number of decompressed bytes */

static void worked(struct trace_reader *r, uint64_t work)
{
	r->work += r->resyncing ? work : 0;
}

/*
 * Checks the rules that the header of a frame shows. Each rule is checked as soon as possible, so that all readers
 * agree on whether a file is truncated or damaged. *blocks: set to the length of the header.
 */
static int check_frame_header(struct trace_reader *r, size_t *blocks, size_t *dsize)
{
	static const uint8_t size_bytes[] = { 0, 2, 4, 8 };
	int err = reader_want(r, 5);
	uint8_t flags;
	bool single;

	if (err <= 0)
		return err ? err : reader_cut(r);
	flags = r->in[4];
	single = flags & 0x20;
	if (flags & 0x08)
		return reader_damaged(r, "a frame whose header has its reserved bit set");
	if (!(flags & 0x04))
		return reader_damaged(r, "a frame without a checksum");
	if (flags & 0x03)
		return reader_damaged(r, "a frame that needs a dictionary");
	if (!(flags >> 6) && !single)
		return reader_damaged(r, "a frame without a content size");
	*blocks = 5u + !single + (flags >> 6 ? size_bytes[flags >> 6] : 1);
	err = reader_want(r, *blocks);
	if (err <= 0)
		return err ? err : reader_cut(r);
	if (!single && r->in[5] > MAX_WINDOW)
		return reader_damaged(r, "a frame with a window of more than 128 MiB");
	*dsize = ZSTD_getFrameContentSize(r->in, r->in_len);
	if (!*dsize)
		return reader_damaged(r, "an empty frame");
	if (*dsize > TRACE_MAX_FRAME)
		return reader_damaged(r, "a frame larger than 8 MiB");
	return 1;
}

/*
 * Walks from block to block, and reads until the whole frame is buffered. This function does the work of
 * ZSTD_findFrameCompressedSize(), but does not depend on the version of libzstd, and counts its work.
 */
static int whole_frame(struct trace_reader *r, size_t at, size_t *csize)
{
	int err;

	for (bool last = false; !last;) {
		uint32_t block, kind, size;

		err = reader_want(r, at + 3);
		if (err <= 0)
			return err ? err : reader_cut(r);
		block = r->in[at] | (uint32_t)r->in[at + 1] << 8 | (uint32_t)r->in[at + 2] << 16;
		last = block & 1;
		kind = block >> 1 & 3;
		size = block >> 3;
		if (kind == 3)
			return reader_damaged(r, "a block of an unknown type");
		if (size > MAX_BLOCK)
			return reader_damaged(r, "a block larger than 128 KiB");
		at += 3 + (kind == 1 ? 1 : size); /* kind 1 is one byte that is repeated */
		if (at + 4 > MAX_COMPRESSED)
			return reader_damaged(r, "a frame without a last block");
		worked(r, BLOCK_WORK);
	}
	*csize = at + 4; /* 4 bytes of checksum */
	err = reader_want(r, *csize);
	return err ? err : reader_cut(r);
}

int reader_read_frame(struct trace_reader *r)
{
	size_t blocks = 0, dsize = 0, csize = 0, got;
	int err = check_frame_header(r, &blocks, &dsize);

	if (err > 0)
		err = whole_frame(r, blocks, &csize);
	if (err <= 0)
		return err;
	worked(r, 2 * dsize);
	got = ZSTD_decompressDCtx(r->dctx, r->out, TRACE_MAX_FRAME, r->in, csize);
	if (ZSTD_isError(got) || got != dsize)
		return reader_damaged(r, ZSTD_isError(got) ? ZSTD_getErrorName(got) :
							     "wrong content size");
	r->csize = csize;
	r->cur = (struct mp_cursor){ .p = r->out, .end = r->out + got };
	return 1;
}

/* ---- skippable frames -------------------------------------------------------------------- */

/*
 * Returns whether a frame can begin with these n bytes. If there are fewer than the 4 bytes of a magic, only these
 * bytes are compared.
 */
static bool frame_begins(const uint8_t *p, size_t n)
{
	uint32_t magic = 0, known = 0;

	for (size_t i = 0; i < n && i < 4; i++) {
		magic |= (uint32_t)p[i] << 8 * i;
		known |= UINT32_C(0xff) << 8 * i;
	}
	return !((magic ^ ZSTD_FRAME_MAGIC) & known) ||
	       !((magic ^ SKIPPABLE_MAGIC) & SKIPPABLE_MASK & known);
}

/*
 * Returns 1 if a frame, or the end of the file, follows a skippable frame that is too long to be buffered; otherwise 0
 * or an error. The file's position does not change.
 */
static int far_end(struct trace_reader *r, uint64_t size)
{
	uint64_t end = r->offset + size;
	uint8_t next[4];
	struct stat st;
	int err = reader_spool(r, end + sizeof(next));
	ssize_t n;

	if (err)
		return err;
	n = pread(r->fd, next, sizeof(next), (off_t)end);
	if (n > 0)
		return frame_begins(next, (size_t)n);
	return n == 0 && !fstat(r->fd, &st) && (uint64_t)st.st_size == end;
}

/* Returns 1 if a frame, or the end of the file, follows the skippable frame of this size; otherwise 0 or an error. */
static int hint_ends(struct trace_reader *r, uint64_t size)
{
	int err;

	if (size > MAX_COMPRESSED)
		return far_end(r, size);
	err = reader_want(r, size + 4);
	if (err < 0 || r->in_len < size)
		return err < 0 ? err : 0;
	return frame_begins(r->in + size, r->in_len - size);
}

void reader_watch_frame(const struct trace_reader *r, uint64_t size, uint64_t content)
{
	if (r->watch.frame)
		r->watch.frame(r->watch.ctx, le32(r->in), r->offset, size, content);
}

/* Returns whether the magic of a part, of any major version, begins at r->in. */
static bool is_magic(struct trace_reader *r)
{
	return r->in_len >= 4 && !memcmp(r->in, MAGIC_FRAME, 4) &&
	       reader_want(r, MAGIC_FRAME_SIZE) > 0 && !memcmp(r->in, MAGIC_FRAME, MAGIC_MAJOR);
}

/*
 * Takes the magic at the start of a file or after END. The magic has the version of the part that follows. At any other
 * place the caller decides. Returns 1 to continue, 0 if the version is refused, or an error.
 */
static int take_magic(struct trace_reader *r)
{
	bool magic = is_magic(r);
	size_t n = r->in_len < MAGIC_MAJOR ? r->in_len : MAGIC_MAJOR;

	if (magic && r->in[MAGIC_MAJOR] != TRACE_MAJOR && !r->recover &&
	    (!r->offset || r->end_seen))
		r->refused = true;
	if (r->refused)
		return 0;
	if (magic)
		r->magic_end = r->offset + MAGIC_FRAME_SIZE;
	if (r->offset || magic)
		return 1;
	return memcmp(r->in, MAGIC_FRAME, n) ? reader_damaged(r, "no trace starts here") :
					       reader_cut(r);
}

static int skip_skippable(struct trace_reader *r)
{
	uint64_t left;
	int err = reader_want(r, 8);

	if (err <= 0)
		return err ? err : reader_cut(r);
	left = le32(r->in + 4);
	if (r->recover) {
		err = hint_ends(r, 8 + left);
		if (err <= 0 && !(r->eof && r->in_len < 8 + left))
			return err ? err : reader_damaged(r, "a hint with a wrong length");
		if (err <= 0)
			return err ? err : reader_cut(r);
	}
	reader_watch_frame(r, 8 + left, 0);
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

int reader_next_frame(struct trace_reader *r)
{
	for (;;) {
		int err;

		r->frame = r->offset;
		err = reader_want(r, 4);
		if (err >= 0)
			err = take_magic(r);
		if (err <= 0)
			return err;
		if (!r->in_len && r->st.ended)
			return 0;
		if (!frame_begins(r->in, r->in_len))
			return reader_damaged(r, "no frame begins here");
		if (r->in_len < 4)
			return reader_cut(r);
		if (le32(r->in) == ZSTD_FRAME_MAGIC) /* complete or truncated */
			return 1;
		err = skip_skippable(r);
		if (err <= 0)
			return err;
	}
}
