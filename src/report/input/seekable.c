// SPDX-License-Identifier: BSD-2-Clause
#include "seekable.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/part.h"

#define BEGINNING (128u << 10) /* a reader looks for a trace's first frame in less */

/* Until all are there, or the end: how many, negative errno. */
static ssize_t read_full(int fd, char *buf, size_t size)
{
	size_t have = 0;

	while (have < size) {
		ssize_t n = read(fd, buf + have, size - have);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (!n)
			break;
		have += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)have;
}

static int write_full(int fd, const char *buf, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t w = write(fd, buf + done, size - done);

		if (w < 0 && errno != EINTR)
			return -errno;
		done += w > 0 ? (size_t)w : 0;
	}
	return 0;
}

/* Where no frame begins at the start, it is no trace: it may have no end, and the rest is not copied. */
static int copy_bytes(int from, int to)
{
	static const char magic[] = "\x28\xb5\x2f\xfd";
	char *buf = malloc(BEGINNING);
	ssize_t n = buf ? read_full(from, buf, BEGINNING) : -ENOMEM;
	bool begins = n > 0 && memmem(buf, (size_t)n, magic, sizeof(magic) - 1);
	int err = n < 0 ? (int)n : write_full(to, buf, (size_t)n);

	while (!err && begins && n > 0) {
		n = read_full(from, buf, BEGINNING);
		err = n < 0 ? (int)n : write_full(to, buf, (size_t)n);
	}
	free(buf);
	return err;
}

/* An unnamed file. Negative errno. */
static int make_file(void)
{
	FILE *f = tmpfile();
	int fd = f ? dup(fileno(f)) : -1;
	int err = fd < 0 ? -errno : fd;

	if (f)
		fclose(f);
	return err;
}

bool input_make_seekable(struct input *in)
{
	struct stat st;
	int fd, err;

	if (!fstat(in->fd, &st) && S_ISREG(st.st_mode))
		return true;
	fd = make_file();
	err = fd < 0 ? fd : copy_bytes(in->fd, fd);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = fd;
	if (err < 0)
		tell(in->name,
		     "cannot be kept in a file of /tmp: %s; give a file instead of a pipe",
		     strerror(-err));
	return err >= 0;
}
