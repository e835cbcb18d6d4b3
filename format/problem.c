// SPDX-License-Identifier: BSD-2-Clause
/* Stores problems of a trace in the status of its reader. The status keeps the first problem of a part. */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reader_impl.h"

int reader_problem(struct trace_reader *r, enum trace_problem p, int err, const char *fmt, ...)
{
	va_list ap;

	if (!r->st.problem) {
		va_start(ap, fmt);
		vsnprintf(r->st.what, sizeof(r->st.what), fmt, ap);
		va_end(ap);
		r->st.problem = p;
		r->st.offset = r->frame;
	}
	r->error = err;
	return err;
}

int reader_cut(struct trace_reader *r)
{
	if (!r->st.bytes)
		return reader_problem(r, TRACE_EMPTY, -EMEDIUMTYPE, "the file is empty");
	if (!r->st.frames)
		return reader_problem(r, TRACE_EMPTY, -EMEDIUMTYPE,
				      "the file ends within its first frame: nothing was recorded");
	if (r->end_seen)
		return reader_problem(
			r, TRACE_CUT, 0,
			"the file was cut off after the end of the recording, at byte %llu",
			(unsigned long long)r->frame);
	return reader_problem(r, TRACE_CUT, 0, "the recording was cut off: data ends at byte %llu",
			      (unsigned long long)r->frame);
}

int reader_other_version(struct trace_reader *r, uint64_t major)
{
	return reader_problem(r, TRACE_VERSION, -EPROTONOSUPPORT,
			      "format version %llu; this program reads version %d",
			      (unsigned long long)major, TRACE_MAJOR);
}

int reader_no_memory(struct trace_reader *r)
{
	return reader_problem(r, TRACE_IO, -ENOMEM, "out of memory");
}

int reader_damaged(struct trace_reader *r, const char *what)
{
	/* A trace begins with its magic, so a problem at the first byte means that the file is no trace. */
	if (!r->frame)
		return reader_problem(r, TRACE_NOT_A_TRACE, -EMEDIUMTYPE, "not a netcost trace");
	return reader_problem(r, TRACE_DAMAGED, -EBADMSG, "damaged at byte %llu: %s",
			      (unsigned long long)r->frame, what);
}

void reader_set_problem(struct trace_reader *r, const struct trace_status *offence)
{
	r->st.problem = offence->problem;
	r->st.offset = offence->offset;
	memcpy(r->st.what, offence->what, sizeof(r->st.what));
}

void reader_gap(struct trace_reader *r, const char *what)
{
	struct trace_status gap = { .problem = TRACE_DAMAGED, .offset = r->frame };

	snprintf(gap.what, sizeof(gap.what), "damaged at byte %llu: %s",
		 (unsigned long long)r->frame, what);
	r->st.damages++;
	reader_set_problem(r, &gap);
}
