// SPDX-License-Identifier: BSD-2-Clause
/* Writes frames to the file. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>

#include "layout.h"
#include "writer_impl.h"

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
 * Writes all complete frames. On failure, truncates a regular file to its previous end, so that earlier frames stay
 * readable. The end is computed from the amount written and not from the file's size, because the file may have had
 * content before (`>>`).
 */
static void emit(struct trace_writer *w)
{
	size_t done = 0;
	int err = w->queue.limit ? writer_queue_put(w, w->out, w->out_n) :
				   write_all(w->fd, w->out, w->out_n, &done);
	off_t start;

	if (!err)
		w->written += w->out_n;
	w->out_n = 0;
	if (!err)
		return;
	start = done ? lseek(w->fd, -(off_t)done, SEEK_CUR) : -1;
	if (start >= 0 && ftruncate(w->fd, start))
		/* the partial frame stays in the file, which is then a truncated trace */
		lseek(w->fd, (off_t)done, SEEK_CUR);
	writer_fail(w, err);
}

int writer_keep(struct trace_writer *w, const uint8_t *p, size_t n)
{
	if (array_reserve(&w->out, &w->out_size, w->out_n + n, 1))
		return -ENOMEM;
	memcpy(w->out + w->out_n, p, n);
	w->out_n += n;
	return 0;
}

static int add_entry(struct trace_writer *w, size_t csize, size_t dsize)
{
	if (array_reserve(&w->entry, &w->entries_size, w->nentries + 1, sizeof(*w->entry)))
		return -ENOMEM;
	w->entry[w->nentries++] = (struct frame_entry){
		.offset = w->written + w->out_n - csize,
		.first_ns = w->first_ns,
		.last_ns = w->last_ns,
		.csize = (uint32_t)csize,
		.dsize = (uint32_t)dsize,
		.defines = w->defines,
	};
	return 0;
}

static int put_magic(struct trace_writer *w)
{
	int err = writer_keep(w, (const uint8_t *)MAGIC_FRAME, MAGIC_FRAME_SIZE);

	return err ? err : add_entry(w, MAGIC_FRAME_SIZE, 0);
}

static int compress(struct trace_writer *w, const void *src, size_t n)
{
	size_t bound = ZSTD_compressBound(n), c;

	if (array_reserve(&w->out, &w->out_size, w->out_n + bound, 1))
		return -ENOMEM;
	c = ZSTD_compress2(w->cctx, w->out + w->out_n, w->out_size - w->out_n, src, n);
	if (ZSTD_isError(c))
		return -EIO;
	w->out_n += c;
	return add_entry(w, c, n);
}

size_t writer_frames(const struct trace_writer *w)
{
	return w->nentries - w->part - 1;
}

/*
 * Compresses a frame. FRAME is the first object, but its content is known last, so it is packed now and the body
 * follows.
 */
static int compress_with_head(struct trace_writer *w)
{
	struct mp_buf records = w->body;
	int err;

	w->body = (struct mp_buf){ 0 };
	writer_begin(w, TRACE_FRAME);
	trace_writer_uint(w, TRACE_FRAME_SEQ, writer_frames(w)); /* HEADER's frame does not count */
	trace_writer_uint(w, TRACE_FRAME_FIRST_NS, w->last_ns ? w->first_ns : 0);
	trace_writer_uint(w, TRACE_FRAME_LAST_NS, w->last_ns);
	trace_writer_uints(w, TRACE_FRAME_LOST, w->lost, w->ncpus);
	err = trace_writer_end(w);
	mp_buf_bytes(&w->body, records.p, records.n);
	if (!err)
		err = w->body.failed ? -ENOMEM : compress(w, w->body.p, w->body.n);
	mp_buf_free(&w->body);
	w->body = records;
	return err ? err : w->error;
}

/* Makes a frame of the TRACE_WHOLE records. It has a time range only if it needs one, as INDEX is shorter without. */
static int compress_whole(struct trace_writer *w)
{
	struct trace_writer rest = *w;
	int err;

	w->body = w->whole;
	w->defines = true;
	w->last_ns = w->timed ? rest.last_ns : 0;
	err = compress_with_head(w);
	w->whole = w->body;
	w->whole.n = 0;
	w->body = rest.body;
	w->defines = rest.defines;
	w->last_ns = rest.last_ns;
	w->timed = false;
	return err;
}

void writer_frame_reset(struct trace_writer *w)
{
	w->body.n = 0;
	w->first_ns = UINT64_MAX;
	w->last_ns = 0;
	w->defines = false;
}

int trace_writer_end_frame(struct trace_writer *w)
{
	int err = 0;

	if (w->open)
		writer_fail(w, -EINVAL);
	if (w->error || !trace_writer_pending(w))
		return w->error;
	if (w->nentries == w->part)
		err = put_magic(w);
	if (!err && w->whole.n)
		err = compress_whole(w);
	if (!err && w->body.n)
		err = writer_frames(w) ? compress_with_head(w) : compress(w, w->body.p, w->body.n);
	if (err)
		writer_fail(w, err);
	writer_frame_reset(w);
	return w->error;
}

/* Writes the pending data. A flush is also possible after a failure, because the earlier frames are complete. */
int trace_writer_flush(struct trace_writer *w)
{
	trace_writer_end_frame(w);
	if (w->out_n)
		emit(w);
	return w->error;
}
