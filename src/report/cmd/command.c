// SPDX-License-Identifier: BSD-2-Clause
#include "command.h"

#include <errno.h>
#include <string.h>

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
