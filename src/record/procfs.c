// SPDX-License-Identifier: BSD-2-Clause
#include "procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int procfs_text(const char *path, char *dst, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	ssize_t n;

	dst[0] = '\0';
	if (fd < 0)
		return -errno;
	n = read(fd, dst, size - 1);
	if (n < 0)
		err = -errno;
	close(fd);
	dst[n > 0 ? n : 0] = '\0';
	dst[strcspn(dst, "\n")] = '\0';
	return err;
}

uint64_t procfs_uint(const char *path, uint64_t dflt)
{
	char text[32], *end;
	uint64_t v;

	if (procfs_text(path, text, sizeof(text)) || text[0] == '-')
		return dflt;
	errno = 0;
	v = strtoull(text, &end, 10);
	return errno || end == text ? dflt : v;
}

int64_t procfs_int(const char *path, int64_t dflt)
{
	char text[32], *end;
	int64_t v;

	if (procfs_text(path, text, sizeof(text)))
		return dflt;
	errno = 0;
	v = strtoll(text, &end, 10);
	return errno || end == text ? dflt : v;
}

ssize_t procfs_reread(int fd, char **buf, size_t *size)
{
	size_t n = 0;

	for (;;) {
		ssize_t r;

		if (*size - n < 4096) {
			size_t bigger = *size ? 2 * *size : 16384;
			char *b = realloc(*buf, bigger);

			if (!b)
				return -ENOMEM;
			*buf = b;
			*size = bigger;
		}
		r = pread(fd, *buf + n, *size - n - 1, (off_t)n);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		if (!r)
			break;
		n += (size_t)r;
	}
	(*buf)[n] = '\0';
	return (ssize_t)n;
}
