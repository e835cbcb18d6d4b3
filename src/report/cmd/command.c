// SPDX-License-Identifier: BSD-2-Clause
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "report/base/part.h"

FILE *command_open(struct outfile *o, const char *name)
{
	int err = outfile_open(o, name, 0666), fd;
	FILE *out = NULL;

	if (!err && o->given)
		return stdout;
	if (!err) {
		fd = fcntl(o->fd, F_DUPFD_CLOEXEC, 0);
		out = fd < 0 ? NULL : fdopen(fd, "w");
		err = out ? 0 : -errno;
		if (err && fd >= 0)
			close(fd);
	}
	if (!err)
		return out;
	outfile_close(o, false);
	tell(name, "cannot write: %s; %s", strerror(-err),
	     err == -ENXIO ? "the pipe has no reader: start one first" : "check the path");
	return NULL;
}

enum exit_status command_close(FILE *out, const char *name)
{
	bool failed = ferror(out);

	errno = 0;
	if (!fclose(out) && !failed)
		return EXIT_DONE;
	tell(name ? name : "stdout", "cannot write: %s; make room, or write elsewhere",
	     errno ? strerror(errno) : "an earlier write failed");
	return EXIT_FAILED;
}

enum exit_status command_end(struct outfile *o, FILE *out, const char *name, bool ok)
{
	enum exit_status status = command_close(out, out == stdout ? NULL : name);
	int err = outfile_close(o, ok && !status);

	if (err)
		tell(name, "cannot write: %s; check the path", strerror(-err));
	return ok && !status && !err ? EXIT_DONE : EXIT_FAILED;
}
