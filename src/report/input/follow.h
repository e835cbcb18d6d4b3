/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * follow.h: a trace that is still being written, either as a growing file or through a pipe. New data is read once. Any
 * part of the time so far can be extracted as a small separate trace.
 *
 * 1. Frames are not kept. Only the offset and time of the frames of each second are kept, and a part is read by these
 * offsets.
 * 2. The records that describe the whole trace (definitions, clocks, marks) are kept in memory, compressed, and are in
 * every part. So the cost of a part depends on the number of distinct stacks, tasks and names, but not on the length of
 * the recording.
 * 3. An incomplete frame at the end is no damage, because the recorder has not finished it.
 */
#ifndef NETCOST_REPORT_FOLLOW_H
#define NETCOST_REPORT_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/trace.h>

struct follow;

/* Status of a trace. Times are CLOCK_MONOTONIC ns; 0 means that the time is not known yet. */
struct follow_status {
	const char *name;
	uint64_t start_ns, tick_ns; /* start of the recording and time between ticks, from HEADER */
	uint64_t first_ns, last_ns; /* times of the first and the last tick */
	bool ended;		    /* no more data will come */
	char why[200];		    /* why the trace ended without END; "": the trace has END */
};

/*
 * Opens a trace. `file` is a name, or "-" for stdin. A pipe is copied to an unnamed file in $TMPDIR or /tmp. The file
 * grows as the trace grows. Returns NULL and reports an error if the trace cannot be opened.
 */
struct follow *follow_new(const char *file);
void follow_free(struct follow *f); /* f may be NULL */

/*
 * Calls take() with each record that follow_read() reads; each file begins with HEADER. While take() is set, no records
 * are kept for follow_window(). If take() returns a negative errno, following ends.
 */
typedef int follow_fn(void *ctx, const struct trace_record *rec);
void follow_records(struct follow *f, follow_fn *take, void *ctx);

/*
 * Reads the data that was written since the last call. If a file ends, but its recording continues in other files
 * (--rotate), the function continues with the newest file.
 */
const struct follow_status *follow_read(struct follow *f);

/*
 * Makes a complete trace in an unnamed file. It contains the data that a report on from_ns .. to_ns needs, in the order
 * of the original trace. Returns the file's descriptor, or -errno.
 */
int follow_window(struct follow *f, uint64_t from_ns, uint64_t to_ns);

#endif
