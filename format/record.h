/* SPDX-License-Identifier: BSD-2-Clause */
/* record.h: internal to the trace library: an object of a frame as a record. */
#ifndef NETCOST_RECORD_H
#define NETCOST_RECORD_H

#include <netcost/trace.h>

#include "mp.h"
#include "schema.h"

/* Checked columns are read without a bound: this many bytes after a frame must be readable. */
#define RECORD_SLACK (9 + TRACE_MAX_STR)

/* The ends of a frame's long columns, in order. Zeroed (not `known`): the first walk fills it. */
struct record_marks {
	const uint8_t **end;
	size_t n, size, next;
	bool known;
};

void record_marks_free(struct record_marks *m);

/*
 * Reads one object and checks it completely; with known marks it skips the long columns. rec->type is 0 for a type that
 * neither this version nor the schema (may be NULL) knows. -EBADMSG: not an object of a trace.
 */
int record_parse(struct mp_cursor *c, struct trace_record *rec, const struct schema *schema,
		 struct record_marks *marks, uint64_t *unknown_types, uint64_t *unknown_keys);

#endif
