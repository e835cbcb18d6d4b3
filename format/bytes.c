// SPDX-License-Identifier: BSD-2-Clause
/* The bytes of the file, buffered. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>

#include "reader_impl.h"

/* Makes room for a READ_CHUNK after what is buffered. */
static int make_room(struct trace_reader *r)
{
	if (r->in + r->in_len + READ_CHUNK <= r->in_buf + r->in_size)
		return 0;
	memmove(r->in_buf, r->in, r->in_len);
	r->in = r->in_buf;
	if (array_reserve(&r->in_buf, &r->in_size, r->in_len + READ_CHUNK, 1))
		return reader_no_memory(r);
	r->in = r->in_buf;
	return 0;
}

/* How much of the file to read at once. */
static size_t chunk(const struct trace_reader *r)
{
	uint64_t at = r->offset + r->in_len;

	return r->read_end > at && r->read_end - at < READ_CHUNK ? r->read_end - at : READ_CHUNK;
}

/* Reads on. 1: more is there; 0: end of file. */
static int more(struct trace_reader *r)
{
	ssize_t n;

	if (r->eof)
		return 0;
	if (make_room(r))
		return r->error;
	do
		n = read(r->fd, r->in + r->in_len, chunk(r));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return reader_problem(r, TRACE_IO, -errno, "cannot read: %s", strerror(errno));
	r->eof = n == 0;
	r->in_len += (size_t)n;
	r->st.bytes += (uint64_t)n;
	return n > 0;
}

int reader_want(struct trace_reader *r, size_t n)
{
	int err = 1;

	while (r->in_len < n && err > 0)
		err = more(r);
	return err;
}

void reader_consume(struct trace_reader *r, size_t n)
{
	r->in += n;
	r->in_len -= n;
	r->offset += n;
}

bool reader_go_to(struct trace_reader *r, uint64_t offset)
{
	if (offset >= r->offset && offset - r->offset <= r->in_len) {
		reader_consume(r, offset - r->offset);
		return true;
	}
	if (lseek(r->fd, (off_t)offset, SEEK_SET) < 0)
		return false;
	r->in = r->in_buf;
	r->in_len = 0;
	r->offset = offset;
	r->eof = false;
	return true;
}
