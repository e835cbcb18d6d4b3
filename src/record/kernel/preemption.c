// SPDX-License-Identifier: BSD-2-Clause
#include "preemption.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "record/base/kernfs.h"

const char *preemption_built(char *dst, size_t size)
{
	struct utsname u;
	const char *word;

	uname(&u);
	word = strstr(u.version, "PREEMPT");
	snprintf(dst, size, "%.*s", word ? (int)strcspn(word, " ") : 0, word ? word : "");
	return dst;
}

int preemption_open(void)
{
	int dir = kernfs_mount("debugfs"), fd;

	if (dir < 0)
		return dir;
	fd = openat(dir, "sched/preempt", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	close(dir);
	return fd;
}

/* The file looks like "none (voluntary) full", with the chosen mode in brackets. */
int preemption_chosen(int fd, char *dst, size_t size)
{
	char text[128] = "", *open_bracket;
	ssize_t n;

	dst[0] = '\0';
	if (fd < 0)
		return fd;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	open_bracket = n > 0 ? strchr(text, '(') : NULL;
	if (!open_bracket)
		return -ENODATA;
	open_bracket[strcspn(open_bracket, ")")] = '\0';
	snprintf(dst, size, "%s", open_bracket + 1);
	return 0;
}
