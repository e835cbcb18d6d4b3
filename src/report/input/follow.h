/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * follow.h: a trace that is still being written: a file that grows, or a pipe. What is new is read
 * once. Any part of the time so far can be had as a small trace of its own.
 *
 *   1. Of the frames, only the place and time of each second are kept; a part is read by them.
 *   2. The records that describe the whole trace (definitions, clocks, marks) are kept, compressed,
 *      in memory, and are in every part. So the cost of a part depends on the number of distinct
 *      stacks, tasks and names, but not on the length of the recording.
 *   3. An incomplete frame at the end is what the recorder has not written yet, and no damage.
 */
#ifndef NETCOST_REPORT_FOLLOW_H
#define NETCOST_REPORT_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/trace.h>

struct follow;

/* Times are CLOCK_MONOTONIC ns; 0: none yet. */
struct follow_status {
	const char *name;
	uint64_t start_ns, tick_ns; /* from HEADER: start, and time between ticks */
	uint64_t first_ns, last_ns; /* of the first and the last tick */
	bool ended;		    /* nothing more will come */
	char why[200];		    /* why it ended without END; "": it has END */
};

/*
 * file: "-" is stdin. A pipe is copied to an unnamed file in $TMPDIR, or /tmp, which grows as the
 * trace does. Returns NULL if it cannot be opened; reported.
 */
struct follow *follow_new(const char *file);
void follow_free(struct follow *f); /* accepts NULL */

/*
 * Calls take() with each record that follow_read() reads; with HEADER a file begins. Nothing is kept for
 * follow_window() then. A negative errno of take() ends following.
 */
typedef int follow_fn(void *ctx, const struct trace_record *rec);
void follow_records(struct follow *f, follow_fn *take, void *ctx);

/*
 * Reads what has been written since. When a file ends whose recording goes on (--rotate) it goes on
 * with the newest file.
 */
const struct follow_status *follow_read(struct follow *f);

/*
 * Returns the descriptor of an unnamed file: a complete trace with what a report on from_ns ..
 * to_ns needs, in the order of the trace; -errno.
 */
int follow_window(struct follow *f, uint64_t from_ns, uint64_t to_ns);

#endif
