/* SPDX-License-Identifier: BSD-2-Clause */
/* copy_files.h: IN and OUT of the commands that write traces. */
#ifndef NETCOST_REPORT_COPY_FILES_H
#define NETCOST_REPORT_COPY_FILES_H

#include <stdbool.h>

#include "report/input/input.h"
#include "report/rewrite/copy.h"

struct copy_input {
	const char *file;
	struct copy_options options;
};

/* Copies one part, at whose beginning the input's reader is, into OUT, as copy_files() does. */
bool copy_opened(struct input *in, const char *out, const struct copy_options *options, bool quiet);

/*
 * All parts of a command's inputs into OUT, one after the other: opens the files, copies, reports what goes
 * wrong and, unless quiet, what was done. What can be saved is. False: something failed. OUT may be "-",
 * but none of the inputs.
 */
bool copy_files(const struct copy_input *in, size_t n, const char *out, bool quiet);
/* Inputs into an open file, called name in messages, without a report of what was done. */
bool copy_to_fd(const struct copy_input *in, size_t n, int fd, const char *name);

#endif
