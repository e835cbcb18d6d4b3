// SPDX-License-Identifier: BSD-2-Clause
/* Writes without blocking: data that the reader of a pipe does not take at once is kept for later. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>

#include "writer_impl.h"

void trace_writer_queue(struct trace_writer *w, size_t limit)
{
	w->queue.limit = limit;
}

size_t trace_writer_waiting(const struct trace_writer *w)
{
	return w->queue.n;
}

/*
 * Writes as many bytes as possible without blocking. The descriptor may belong to the caller, and other processes may
 * share it, so it is not made O_NONBLOCK. A pipe that poll(2) reports as writable takes PIPE_BUF bytes without blocking
 * (Linux 5.5, pipe_poll(): a buffer of a page is free). Returns 0 if nothing can be written now.
 */
static ssize_t write_now(int fd, const uint8_t *p, size_t n)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };
	ssize_t r;

	if (poll(&ready, 1, 0) <= 0)
		return 0;
	r = write(fd, p, n < PIPE_BUF ? n : PIPE_BUF);
	if (r < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	return r;
}

int trace_writer_push(struct trace_writer *w)
{
	struct queue *q = &w->queue;
	ssize_t r = 1;

	while (q->n && !q->error && r) {
		r = write_now(w->fd, q->p + q->from, q->n);
		if (r < 0) {
			q->error = (int)r;
			writer_fail(w, q->error);
		} else {
			q->from += (size_t)r;
			q->n -= (size_t)r;
		}
	}
	return q->error;
}

/* Moves the present bytes to the front, and makes room for n bytes after them. */
static int make_room(struct queue *q, size_t n)
{
	if (q->from && q->n)
		memmove(q->p, q->p + q->from, q->n);
	q->from = 0;
	return array_reserve(&q->p, &q->size, q->n + n, 1);
}

int writer_queue_put(struct trace_writer *w, const uint8_t *p, size_t n)
{
	struct queue *q = &w->queue;
	int err = trace_writer_push(w);

	if (!err && q->n + n > q->limit)
		err = -ENOBUFS;
	if (!err)
		err = make_room(q, n);
	if (err)
		return err;
	memcpy(q->p + q->from + q->n, p, n);
	q->n += n;
	return trace_writer_push(w);
}
