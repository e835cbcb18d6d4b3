/* SPDX-License-Identifier: BSD-2-Clause */
/* recover_util.h: a trace that has something of everything, and what can be said of a damaged one. */
#ifndef NETCOST_TESTS_RECOVER_UTIL_H
#define NETCOST_TESTS_RECOVER_UTIL_H

#include <errno.h>

#include "model_maker.h"
#include "report/rewrite/rewrite.h"
#include "tests/verified.h"
#include "trace_file.h"

#define FRAMES 6 /* of data: HEADER's, four, END's */

/* ---- a trace that has something of everything -------------------------------------------- */

struct bytes rich_trace(void);

/* ---- what can be said of a file ---------------------------------------------------------- */

struct recovered {
	int err;
	struct trace_status st;
	struct sound_result result;
	int fd;
};

struct recovered recover(int in);
/* What is made of a damaged file keeps to the format, and a report can be made of both. */
struct recovered recover_well(int in, const char *how, size_t at);
int model_err(int fd, struct model **m);

#endif
