// SPDX-License-Identifier: BSD-2-Clause
#include "seekable.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/tell.h"

static int copy_bytes(int from, int to)
{
	char buf[65536];
	ssize_t n, done = 0;

	while ((n = read(from, buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR))
		for (done = 0; done < n;) {
			ssize_t w = write(to, buf + done, (size_t)(n - done));

			if (w < 0 && errno != EINTR)
				return -errno;
			done += w > 0 ? w : 0;
		}
	return n < 0 ? -errno : 0;
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
