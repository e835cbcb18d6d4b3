/* SPDX-License-Identifier: BSD-2-Clause */
/* recover_util.h: a trace with some records of every kind, and checks of a damaged copy. */
#ifndef NETCOST_TESTS_RECOVER_UTIL_H
#define NETCOST_TESTS_RECOVER_UTIL_H

#include <errno.h>

#include "model_maker.h"
#include "report/rewrite/rewrite.h"
#include "tests/verified.h"
#include "trace_file.h"

#define FRAMES 6 /* number of data frames: HEADER, four of records, END */

/* ---- a trace with some records of every kind --------------------------------------------- */

struct bytes rich_trace(void);

/* ---- checks of a file -------------------------------------------------------------------- */

struct recovered {
	int err;
	struct trace_status st;
	struct sound_result result;
	int fd;
};

struct recovered recover(int in);
/* Recovers a damaged file and checks that the repaired file is well-formed and that a report can be made from it. */
struct recovered recover_well(int in, const char *how, size_t at);
int model_err(int fd, struct model **m);

#endif
