/* SPDX-License-Identifier: BSD-2-Clause */
/* joined.h: inputs that are files of one recording (--rotate) become one trace. */
#ifndef NETCOST_REPORT_JOINED_H
#define NETCOST_REPORT_JOINED_H

#include "command.h"
#include "copy_files.h"
#include "report/rewrite/join.h"

/*
 * Which inputs go on where the one before ended: options.goes_on, which is true before for those that may. join[i]: what
 * edits the i-th one; NULL: it is alone. A file that is missing between two is reported. -ENOMEM.
 */
int joined_find(struct copy_input *in, struct join **join, size_t n, unsigned long memory);
void joined_free(struct join **join, size_t n);

/*
 * Makes one trace of files of one recording, or one for each run of them where files are missing, and puts it in the place of
 * standard input, under the names of the first and the last. EXIT_USAGE: they are of several recordings; reported.
 */
enum exit_status joined_stdin(const char *const *file, size_t n, unsigned long memory);

#endif
