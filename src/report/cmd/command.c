// SPDX-License-Identifier: BSD-2-Clause
#include "command.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/tell.h"

FILE *command_open(const char *name)
{
	FILE *out = name && strcmp(name, "-") ? fopen(name, "we") : stdout;

	if (!out)
		tell(name, "cannot write: %s; check the path", strerror(errno));
	return out;
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

enum exit_status command_end(FILE *out, const char *name, bool ok)
{
	struct stat st;

	if (out == stdout)
		name = NULL;
	ok = !command_close(out, name) && ok;
	if (!ok && name && !lstat(name, &st) && S_ISREG(st.st_mode))
		unlink(name);
	return ok ? EXIT_DONE : EXIT_FAILED;
}
