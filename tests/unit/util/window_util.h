/* SPDX-License-Identifier: BSD-2-Clause */
/* window_util.h: a trace with occasional definitions, and reading a part of it. */
#ifndef NETCOST_TESTS_WINDOW_UTIL_H
#define NETCOST_TESTS_WINDOW_UTIL_H

#include <fcntl.h>

#include "random.h"
#include "trace_file.h"

#define NFRAMES 40 /* of data, between HEADER's and END's */
#define SECOND 1000000000ull
#define START (100 * SECOND)

/* ---- a trace with occasional definitions ------------------------------------------------- */

/* One frame in `seldom` has a definition: of every kind, or of one. */
struct bytes long_trace(uint64_t seldom);

/* ---- reading a part ---------------------------------------------------------------------- */

struct span {
	uint64_t from_ns, to_ns;
};

struct part_kept {
	char *text;
	size_t len;
	char *of_all; /* those records that concern the whole trace */
	size_t of_all_len;
	uint64_t netdevs, zones, programs; /* definitions: unused ones do no harm */
	bool dangling;
	int err;
	struct trace_status st;
};

struct part_kept read_part(int fd, struct span s, bool recover);
struct part_kept read_file(const struct bytes *b, struct span s);
/* The whole trace is read from a pipe. */
struct part_kept read_pipe(const struct bytes *b, struct span s);
void free_part(struct part_kept *p);
bool same_part(const struct part_kept *a, const struct part_kept *b);
struct span random_span(void);

#endif
