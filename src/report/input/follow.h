/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * follow.h: a trace that is still being written: a file that grows, or a pipe. What is new is read
 * once; any part of the time so far can be had as a small trace of its own, at a cost that does not
 * depend on the length of the recording.
 *
 *   1. The records that describe the whole trace (definitions, clocks, marks …) are kept, compressed,
 *      in memory. They grow with the number of distinct stacks, tasks and names.
 *   2. Of the frames only the place and time of runs of frames are kept, in FOLLOW_RUNS rows.
 *   3. An incomplete frame at the end is what the recorder has not written yet, and no damage.
 */
#ifndef NETCOST_REPORT_FOLLOW_H
#define NETCOST_REPORT_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

struct follow;

/* What is known so far. Times are CLOCK_MONOTONIC ns; 0: none yet. */
struct follow_status {
	const char *name;
	uint64_t start_ns, tick_ns; /* from HEADER: start, and time between ticks */
	uint64_t first_ns, last_ns; /* of the first and the last tick */
	bool ended;		    /* nothing more will come */
	char why[200];		    /* why it ended without END; "": it has END */
};

/*
 * file: "-" is stdin. A pipe is copied to an unnamed file in $TMPDIR, or /tmp, which grows as the trace does. Returns
 * NULL if it cannot be opened; reported.
 */
struct follow *follow_new(const char *file);
void follow_free(struct follow *f); /* accepts NULL */

/* Returns the descriptor of a pipe to wait for; -1: a file, or the pipe has ended. */
int follow_pipe(const struct follow *f);

/*
 * Reads what has been written since. After the last file of a recording with --rotate that is
 * complete it goes on with the newest one.
 */
const struct follow_status *follow_read(struct follow *f);

/*
 * Returns the descriptor of an unnamed file: a complete trace with all that a report on from_ns .. to_ns needs, in the
 * order of the trace; -errno.
 */
int follow_window(struct follow *f, uint64_t from_ns, uint64_t to_ns);

#endif
