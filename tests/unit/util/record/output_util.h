/* SPDX-License-Identifier: BSD-2-Clause */
/* output_util.h: a directory for a recording, and a recording into it. */
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
/* Opens path, which must work. */
void open_and_write(struct output_setup *s, const char *text);
void link_and_write(struct output_setup *s, const char *target);
/* Opening it must fail for that reason. */
void check_refused(struct output_setup *s, int err);

#endif
