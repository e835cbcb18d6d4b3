// SPDX-License-Identifier: BSD-2-Clause
#include "procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/cpuset.h>

#define INITIAL_PIDS 0xeffffffcu /* the kernel's PROC_PID_INIT_INO */

uint64_t procfs_inode(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_ino;
}

bool procfs_initial_pids(void)
{
	uint64_t pids = procfs_inode("/proc/self/ns/pid");

	return !pids || pids == INITIAL_PIDS;
}

int procfs_folder(const char *path)
{
	int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return dir < 0 ? -errno : dir;
}

int procfs_text(const char *path, char *dst, size_t size)
{
	return procfs_text_at(AT_FDCWD, path, dst, size);
}

int procfs_text_at(int dir, const char *path, char *dst, size_t size)
{
	int fd, err = 0;
	ssize_t n;

	dst[0] = '\0';
	if (dir < 0 && dir != AT_FDCWD)
		return dir;
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
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

int procfs_cpus(const char *path, struct cpuset *set)
{
	char text[CPULIST_TEXT];
	int err = procfs_text(path, text, sizeof(text));

	return err ? err : cpuset_parse(set, text);
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

/*
 * A read that returns at most this number of bytes is certainly the last one. If the kernel produces a file of /proc
 * line by line, it returns the file in nearly full pages. It returns any other file in one piece.
 */
#define LAST_BYTES 2048
#define FIRST_BYTES 16384

ssize_t procfs_reread(int fd, char **buf, size_t *size)
{
	size_t n = 0;

	for (;;) {
		size_t room;
		ssize_t r;

		if (*size - n < 4096 && array_reserve(buf, size, n + FIRST_BYTES, 1))
			return -ENOMEM;
		room = *size - n - 1;
		r = pread(fd, *buf + n, room, (off_t)n);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		n += (size_t)r;
		if ((size_t)r < room && r <= LAST_BYTES)
			break;
	}
	(*buf)[n] = '\0';
	return (ssize_t)n;
}

static unsigned int digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : UINT32_MAX;
}

bool procfs_number(const char **p, unsigned int base, uint64_t *v)
{
	const char *s = *p;
	unsigned int d;
	uint64_t n = 0;

	while (*s == ' ')
		s++;
	if (digit(*s) >= base)
		return false;
	for (; (d = digit(*s)) < base; s++)
		n = n * base + d;
	*v = n;
	*p = s;
	return true;
}
