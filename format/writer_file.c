// SPDX-License-Identifier: BSD-2-Clause
/* Frames into the file, and what stands around them. */
#include "writer_impl.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>

#include "layout.h"

/* INDEX takes up to 28 bytes a frame. A recording of more than a day's frames goes without the hint. */
#define MAX_INDEX (MAX_BODY / 32)

/* ---- frames ------------------------------------------------------------------------------ */

static int write_all(int fd, const uint8_t *p, size_t n, size_t *done)
{
	for (*done = 0; *done < n;) {
		ssize_t r = write(fd, p + *done, n - *done);

		if (r > 0) {
			*done += (size_t)r;
		} else if (r < 0 && errno == EAGAIN) {
			struct pollfd pfd = { .fd = fd, .events = POLLOUT };

			poll(&pfd, 1, -1);
		} else if (r < 0 && errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

/*
 * Writes whole, or leaves a regular file as it was before: what was written stays readable. Goes by what
 * was written, not by the file's size: the file may have been there before (`>>`).
 */
static int emit(struct trace_writer *w, const uint8_t *p, size_t n)
{
	size_t done = 0;
	int err = w->queue.limit ? writer_queue_put(w, p, n) : write_all(w->fd, p, n, &done);
	off_t start;

	if (!err) {
		w->written += n;
		return 0;
	}
	start = done ? lseek(w->fd, -(off_t)done, SEEK_CUR) : -1;
	if (start >= 0 && ftruncate(w->fd, start))
		lseek(w->fd, (off_t)done, SEEK_CUR); /* the half frame stays: a cut trace */
	writer_fail(w, err);
	return err;
}

static int add_entry(struct trace_writer *w, size_t csize, size_t dsize)
{
	if (array_reserve(&w->entry, &w->entries_size, w->nentries + 1, sizeof(*w->entry)))
		return -ENOMEM;
	w->entry[w->nentries++] = (struct frame_entry){
		.offset = w->written - csize,
		.first_ns = w->first_ns,
		.last_ns = w->last_ns,
		.csize = (uint32_t)csize,
		.dsize = (uint32_t)dsize,
		.defines = w->defines  ? 1 :
			   w->has_base ? 2 :
					 0,
	};
	return 0;
}

static int emit_magic(struct trace_writer *w)
{
	uint8_t b[MAGIC_FRAME_SIZE], *p = b;
	int err;

	p = put_le32(p, MAGIC_FRAME_MAGIC);
	p = put_le32(p, MAGIC_FRAME_SIZE - 8);
	memcpy(p, MAGIC_TEXT, MAGIC_FRAME_SIZE - 8);
	err = emit(w, b, sizeof(b));
	return err ? err : add_entry(w, sizeof(b), 0);
}

static int compress_and_emit(struct trace_writer *w, const void *src, size_t n)
{
	size_t bound = ZSTD_compressBound(n), c;

	if (array_reserve(&w->out, &w->out_size, bound, 1))
		return -ENOMEM;
	c = ZSTD_compress2(w->cctx, w->out, w->out_size, src, n);
	if (ZSTD_isError(c))
		return -EIO;
	if (emit(w, w->out, c))
		return w->error;
	return add_entry(w, c, n);
}

/* Of data, in this part so far: without the magic. */
static size_t frames(const struct trace_writer *w)
{
	return w->nentries - w->part - 1;
}

/* FRAME, the first object, is known last: it is packed now, and the body put behind it. */
static int flush_with_head(struct trace_writer *w)
{
	msgpack_sbuffer records = w->body;
	int err;

	msgpack_sbuffer_init(&w->body);
	writer_begin(w, TRACE_FRAME, 4);
	trace_writer_uint(w, TRACE_FRAME_SEQ, frames(w)); /* HEADER's frame is not counted */
	trace_writer_uint(w, TRACE_FRAME_FIRST_NS, w->last_ns ? w->first_ns : 0);
	trace_writer_uint(w, TRACE_FRAME_LAST_NS, w->last_ns);
	trace_writer_uints(w, TRACE_FRAME_LOST, w->lost, w->ncpus);
	err = trace_writer_end(w);
	if (!err && !writer_body_write(w, records.data, records.size))
		err = compress_and_emit(w, w->body.data, w->body.size);
	msgpack_sbuffer_destroy(&w->body);
	w->body = records;
	return err ? err : w->error;
}

int trace_writer_flush(struct trace_writer *w)
{
	int err = 0;

	if (w->open)
		writer_fail(w, -EINVAL);
	writer_tick_end(w);
	if (w->error || !w->body.size)
		return w->error;
	if (w->nentries == w->part)
		err = emit_magic(w);
	if (!err)
		err = frames(w) ? flush_with_head(w) :
				  compress_and_emit(w, w->body.data, w->body.size);
	if (err)
		writer_fail(w, err);
	writer_frame_reset(w);
	return w->error;
}

/* ---- the end ----------------------------------------------------------------------------- */

static int put_index(struct trace_writer *w)
{
	const struct frame_entry *magic = &w->entry[w->part];
	size_t n = frames(w);
	uint64_t *col;

	if (n > MAX_INDEX)
		return 0;
	col = malloc(4 * n * sizeof(*col));
	if (!col)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct frame_entry *e = &magic[i + 1];

		col[i] = e->offset - magic->offset;
		col[n + i] = !i ? TRACE_NIL : e->last_ns ? e->first_ns : 0;
		col[2 * n + i] = !i ? TRACE_NIL : e->last_ns;
		col[3 * n + i] = e->defines;
	}
	writer_begin(w, TRACE_INDEX, 4);
	trace_writer_uints(w, TRACE_INDEX_OFFSET, col, n);
	trace_writer_uints(w, TRACE_INDEX_FIRST_NS, col + n, n);
	trace_writer_uints(w, TRACE_INDEX_LAST_NS, col + 2 * n, n);
	trace_writer_uints(w, TRACE_INDEX_DEFINES, col + 3 * n, n);
	free(col);
	return trace_writer_end(w);
}

static int put_end(struct trace_writer *w, const struct trace_totals *t)
{
	uint64_t before = w->records + 1; /* the FRAME that flush will put in front */

	writer_begin(w, TRACE_END, 8);
	trace_writer_uint(w, TRACE_END_FRAMES, frames(w));
	trace_writer_uint(w, TRACE_END_RECORDS, before);
	trace_writer_uint(w, TRACE_END_SAMPLES, t->samples);
	trace_writer_uint(w, TRACE_END_SYMBOLS, t->symbols);
	trace_writer_uint(w, TRACE_END_STACKS, t->stacks);
	trace_writer_uint(w, TRACE_END_TASKS, t->tasks);
	trace_writer_uint(w, TRACE_END_AT_NS, t->at_ns);
	trace_writer_str(w, TRACE_END_WHY, t->why);
	return trace_writer_end(w);
}

static int emit_seek_table(struct trace_writer *w)
{
	size_t payload = w->nentries * SEEK_ENTRY_SIZE + SEEK_FOOTER_SIZE;
	uint8_t *b = malloc(8 + payload), *p = b;
	int err;

	if (!b)
		return -ENOMEM;
	p = put_le32(p, SEEK_TABLE_MAGIC);
	p = put_le32(p, (uint32_t)payload);
	for (size_t i = 0; i < w->nentries; i++) {
		p = put_le32(p, w->entry[i].csize);
		p = put_le32(p, w->entry[i].dsize);
	}
	p = put_le32(p, (uint32_t)w->nentries);
	*p++ = 0; /* no checksums of its own: the frames have theirs */
	p = put_le32(p, SEEK_FOOTER_MAGIC);
	err = emit(w, b, (size_t)(p - b));
	free(b);
	return err;
}

static int end_part(struct trace_writer *w, const struct trace_totals *t)
{
	int err = trace_writer_flush(w);

	if (!err && w->nentries < w->part + 2)
		err = -EINVAL; /* without even a HEADER */
	if (!err)
		err = put_index(w);
	if (!err)
		err = put_end(w, t);
	return err ? err : trace_writer_flush(w);
}

int trace_writer_next(struct trace_writer *w, const struct trace_totals *t, unsigned int ncpus)
{
	uint64_t *lost = calloc(ncpus ? ncpus : 1, sizeof(*lost));
	int err = lost ? end_part(w, t) : -ENOMEM;

	if (err) {
		free(lost);
		writer_fail(w, err);
		return err;
	}
	free(w->lost);
	w->lost = lost;
	w->ncpus = ncpus;
	w->records = 0;
	w->part = w->nentries;
	writer_ticks_reset(w);
	return 0;
}

int trace_writer_finish(struct trace_writer *w, const struct trace_totals *t)
{
	int err = end_part(w, t);

	if (!err)
		err = emit_seek_table(w);
	w->done = true;
	return err;
}
