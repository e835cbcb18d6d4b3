/* SPDX-License-Identifier: BSD-2-Clause */
/* output_util.h: a temporary directory, and a recording's output file in it. */
#ifndef NETCOST_TESTS_OUTPUT_UTIL_H
#define NETCOST_TESTS_OUTPUT_UTIL_H

#include "record/base/output.h"
#include "record_util.h"

struct output_setup {
	struct tmp tmp;
	struct output out;
	const char *path, *old;
	char why[256];
};

void output_setup(struct output_setup *s);
void output_teardown(struct output_setup *s);
/* Opens s->path, which must succeed, and writes the text. */
void open_and_write(struct output_setup *s, const char *text);
void link_and_write(struct output_setup *s, const char *target);
/* Checks that opening s->path fails with this error. */
void check_refused(struct output_setup *s, int err);

#endif
