/* SPDX-License-Identifier: BSD-2-Clause */
/* window_util.h: a trace with occasional definitions, and functions that read a part of it. */
#ifndef NETCOST_TESTS_WINDOW_UTIL_H
#define NETCOST_TESTS_WINDOW_UTIL_H

#include <fcntl.h>

#include "random.h"
#include "trace_file.h"

#define NFRAMES 40 /* number of data frames between the HEADER frame and the END frame */
#define SECOND 1000000000ull
#define START (100 * SECOND)

/* ---- a trace with occasional definitions ------------------------------------------------- */

/* Returns a trace in which one frame in `seldom` has definitions, either of every kind or of one kind. */
struct bytes long_trace(uint64_t seldom);

/* ---- reading a part ---------------------------------------------------------------------- */

struct span {
	uint64_t from_ns, to_ns;
};

struct part_kept {
	char *text;
	size_t len;
	char *of_all; /* text of the records that concern the whole trace */
	size_t of_all_len;
	uint64_t netdevs, zones, programs; /* numbers of definitions, including unused ones */
	bool dangling;
	int err;
	struct trace_status st;
};

struct part_kept read_part(int fd, struct span s, bool recover);
struct part_kept read_file(const struct bytes *b, struct span s);
/* Reads a part of the trace from a pipe, which requires reading all of it. */
struct part_kept read_pipe(const struct bytes *b, struct span s);
void free_part(struct part_kept *p);
bool same_part(const struct part_kept *a, const struct part_kept *b);
struct span random_span(void);

#endif
