/* SPDX-License-Identifier: BSD-2-Clause */
/* record.h: internal to the trace library: parses an object of a frame as a record. */
#ifndef NETCOST_RECORD_H
#define NETCOST_RECORD_H

#include <netcost/trace.h>

#include "mp.h"
#include "schema.h"

/* Number of bytes after a frame that must be readable, because checked columns are read without a bound. */
#define RECORD_SLACK (9 + TRACE_MAX_STR)

/*
 * The ends of a frame's long columns, in order. In zeroed marks, `known` is false, and the first walk fills the marks.
 */
struct record_marks {
	const uint8_t **end;
	size_t n, size, next;
	bool known;
};

void record_marks_free(struct record_marks *m);

/*
 * Reads one object and checks it completely. If the marks are known, skips the long columns. The schema may be NULL.
 * rec->type is 0 if neither this version nor the schema knows the type. Returns -EBADMSG if the object is not an object
 * of a trace.
 */
int record_parse(struct mp_cursor *c, struct trace_record *rec, const struct schema *schema,
		 struct record_marks *marks, uint64_t *unknown_types, uint64_t *unknown_keys);

#endif
