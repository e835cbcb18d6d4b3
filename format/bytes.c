// SPDX-License-Identifier: BSD-2-Clause
/* Reads the bytes of a trace file through a buffer. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/array.h>

#include "reader_impl.h"

#define BEGINNING (128u << 10) /* the first frame of a trace begins within fewer bytes */

/* Makes room for READ_CHUNK bytes after the buffered bytes. */
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

/* Returns how many bytes of the file to read at once. */
static size_t chunk(const struct trace_reader *r)
{
	uint64_t at = r->offset + r->in_len;

	return r->read_end > at && r->read_end - at < READ_CHUNK ? r->read_end - at : READ_CHUNK;
}

void reader_end_spool(struct trace_reader *r)
{
	if (!r->spool)
		return;
	fclose(r->spool);
	r->spool = NULL;
	r->fd = r->pipe;
}

/* Reads more bytes into the buffer. Returns 1 if there was more data, 0 at the end of the file, or an error. */
static int more(struct trace_reader *r)
{
	ssize_t n;

	if (r->eof)
		return 0;
	if (make_room(r))
		return r->error;
	do
		n = r->by_offset ? pread(r->fd, r->in + r->in_len, chunk(r),
					 (off_t)(r->offset + r->in_len)) :
				   read(r->fd, r->in + r->in_len, chunk(r));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return reader_problem(r, TRACE_IO, -errno, "cannot read: %s", strerror(errno));
	if (!n && r->spool) {
		reader_end_spool(r);
		return more(r);
	}
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

/* Copies the rest of a pipe, up to `end`, to the same offsets of `file`. Returns 0 or -errno. */
static int copy_rest(struct trace_reader *r, int file, uint64_t end)
{
	uint8_t *chunk = malloc(READ_CHUNK);
	uint64_t at = r->offset + r->in_len;
	int err = chunk ? 0 : -ENOMEM;
	ssize_t n = 1;

	while (!err && n && at < end) {
		do
			n = read(r->fd, chunk, READ_CHUNK);
		while (n < 0 && errno == EINTR);
		if (n < 0 || (n > 0 && pwrite(file, chunk, (size_t)n, (off_t)at) != n))
			err = errno ? -errno : -ENOSPC;
		at += n > 0 ? (uint64_t)n : 0;
	}
	free(chunk);
	return err;
}

int reader_spool(struct trace_reader *r, uint64_t end)
{
	off_t at = (off_t)(r->offset + r->in_len);
	FILE *file;
	int err = 0;

	if (r->eof || lseek(r->fd, 0, SEEK_CUR) >= 0)
		return 0;
	file = tmpfile();
	errno = file ? 0 : errno;
	if (file)
		err = copy_rest(r, fileno(file), end);
	if (!file || (!err && lseek(fileno(file), at, SEEK_SET) < 0))
		err = -errno;
	if (err) {
		if (file)
			fclose(file);
		return reader_problem(r, TRACE_IO, err, "cannot store the data of the pipe: %s",
				      strerror(-err));
	}
	r->spool = file;
	r->pipe = r->fd;
	r->fd = fileno(file);
	return 0;
}

/* Copies the whole pipe to `file`. Returns 0 or -errno. */
static int keep_pipe(struct trace_reader *r, int file)
{
	static const char magic[] = "\x28\xb5\x2f\xfd";
	int err = reader_want(r, BEGINNING);
	bool begins = err >= 0 && memmem(r->in, r->in_len, magic, sizeof(magic) - 1);

	if (err >= 0 && pwrite(file, r->in, r->in_len, 0) != (ssize_t)r->in_len)
		err = errno ? -errno : -ENOSPC;
	return err < 0 ? err : begins ? copy_rest(r, file, UINT64_MAX) : 0;
}

int trace_reader_keep(struct trace_reader *r)
{
	struct stat st;
	FILE *file;
	int fd, err;

	if (!fstat(r->fd, &st) && S_ISREG(st.st_mode))
		return (fd = fcntl(r->fd, F_DUPFD_CLOEXEC, 0)) < 0 ? -errno : fd;
	errno = 0;
	file = tmpfile();
	err = file ? keep_pipe(r, fileno(file)) : -errno;
	fd = err ? -1 : fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
	err = !err && fd < 0 ? -errno : err;
	if (file)
		fclose(file);
	return err ? err : fd;
}

bool reader_go_to(struct trace_reader *r, uint64_t offset)
{
	if (offset >= r->offset && offset - r->offset <= r->in_len) {
		reader_consume(r, offset - r->offset);
		return true;
	}
	if (!r->by_offset && lseek(r->fd, (off_t)offset, SEEK_SET) < 0)
		return false;
	r->in = r->in_buf;
	r->in_len = 0;
	r->offset = offset;
	r->eof = false;
	return true;
}
