// SPDX-License-Identifier: BSD-2-Clause
/* One frame of data out of the file: its container, before any object of it is looked at. */
#include <netcost/trace.h>

#include "reader_impl.h"

#define MAX_BLOCK (128u << 10) /* of zstd, compressed or not */
#define MAX_WINDOW 0x88	       /* Window_Descriptor of 128 MiB */
#define BLOCK_WORK 16	       /* of a step from block to block, in bytes of decompression */

static void worked(struct trace_reader *r, uint64_t work)
{
	r->work += r->resyncing ? work : 0;
}

/*
 * The frame's rules that its header shows, each judged as soon as it can be: so that all readers call a
 * file cut, or damaged. *blocks: how long the header is.
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
 * From block to block, reading on until all of the frame is there. As ZSTD_findFrameCompressedSize(), but
 * the same whichever libzstd there is, and with its work counted.
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
			return reader_damaged(r, "a block of no known kind");
		if (size > MAX_BLOCK)
			return reader_damaged(r, "a block larger than 128 KiB");
		at += 3 + (kind == 1 ? 1 : size); /* 1: one byte, many times */
		if (at + 4 > MAX_COMPRESSED)
			return reader_damaged(r, "a frame that does not end");
		worked(r, BLOCK_WORK);
	}
	*csize = at + 4; /* the checksum */
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
