/* SPDX-License-Identifier: BSD-2-Clause */
/* cut_util.h: what a report shows of a recording (recording.h), and functions that cut parts out of a recording. */
#ifndef NETCOST_TESTS_CUT_UTIL_H
#define NETCOST_TESTS_CUT_UTIL_H

#include "recording.h"
#include "report/rules/rules.h"
#include "report/rewrite/rewrite.h"
#include "report/spec/spec.h"
#include "report/analysis/summary.h"
#include "tests/verified.h"

/* ---- the content of a report ------------------------------------------------------------- */

struct model *model_of(int fd);

/* Returns the samples from from_ns until before to_ns as sorted lines. */
char *sample_lines(int fd, uint64_t from_ns, uint64_t to_ns);

/* All sums of a report in one array. */
struct sums {
	uint64_t v[4096];
	size_t n;
};

struct sums sums_of(int fd);
/* Returns the summary without the file's name and history. */
char *summary_of(int fd);

/* ---- cutting ----------------------------------------------------------------------------- */

struct part_cut {
	int err, fd; /* result of the cut; file of the part */
	struct cut_plan plan;
	struct sound_result result;
	uint64_t ticks;
};

struct part_cut cut_part(int fd, const char *from, const char *to, bool recover);
void part_free(struct part_cut *p);

#endif
