/* SPDX-License-Identifier: BSD-2-Clause */
/* series.h: a value of each counter that a trace can have: the last one, or the first. */
#ifndef NETCOST_REPORT_SERIES_H
#define NETCOST_REPORT_SERIES_H

#include <netcost/trace.h>

/* Counters of which a tick has several have a series for each: an event, a part. */
#define SERIES_COUNT (TRACE_KEYS_MAX * TRACE_KNOWN_MAX)

/* Values of one counter, by CPU, by id, or one alone. */
struct series {
	uint64_t *last;
	size_t n;
};

/* Where a counter's series is among SERIES_COUNT; that: it is of an event, or a part, that we do not know, or of an
 * interface of several. */
size_t series_of(const struct trace_record *rec, const struct trace_key_desc *k);
/* Room for n values, new ones being nil. -ENOMEM */
int series_grow(struct series *s, size_t n);

#endif
