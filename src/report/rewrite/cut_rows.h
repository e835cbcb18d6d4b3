/* SPDX-License-Identifier: BSD-2-Clause */
/* cut_rows.h: columns of a record in the making, an element of each at a time. */
#ifndef NETCOST_REPORT_CUT_ROWS_H
#define NETCOST_REPORT_CUT_ROWS_H

#include <msgpack.h> /* msgpack_packer, msgpack_sbuffer */

#include <netcost/trace.h>

#define ROWS_COLUMNS 16 /* more than any type of record has counters */

/* Zeroed: empty. */
struct rows {
	msgpack_sbuffer column[ROWS_COLUMNS];
	uint32_t n[ROWS_COLUMNS];
	bool failed; /* no memory: what was put is not all there */
};

void rows_clear(struct rows *r);
void rows_free(struct rows *r);
size_t rows_bytes(const struct rows *r);

void rows_uint(struct rows *r, unsigned int column, uint64_t v); /* TRACE_NIL: nil */
void rows_int(struct rows *r, unsigned int column, int64_t v);
void rows_str(struct rows *r, unsigned int column, const void *s, size_t n);

/* The column as a field; it lives until the next row, or rows_clear(). */
struct trace_field rows_field(const struct rows *r, unsigned int column, unsigned int key,
			      enum trace_kind kind);

#endif
