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

/* One part, that the input's reader is at the beginning of, into OUT. As copy_files(). */
bool copy_opened(struct input *in, const char *out, const struct copy_options *options, bool quiet);
bool copy_is_same_file(const char *in, const char *out);

/*
 * All parts of a command's inputs into OUT, one behind the other: opens the files, copies, tells what goes
 * wrong and, unless quiet, what was done. What can be saved is. False: something failed. OUT may be "-",
 * but none of the inputs.
 */
bool copy_files(const struct copy_input *in, size_t n, const char *out, bool quiet);

#endif
