/* SPDX-License-Identifier: BSD-2-Clause */
/* series.h: a value of each counter that a trace can have: the last one, or the first. */
#ifndef NETCOST_REPORT_SERIES_H
#define NETCOST_REPORT_SERIES_H

#include <netcost/events.h>
#include <netcost/parts.h>

#include "schema.h"

#define SERIES_MAX_ROWS 128 /* of schema.h */
/* EXACT's counters have series of their own for each event, EXACT_PART's for each part */
#define SERIES_KEYS 8
#define SERIES_COUNT (SERIES_MAX_ROWS + (NETCOST_EV_COUNT + NETCOST_PART_COUNT) * SERIES_KEYS)

/* Values of one counter, by CPU, interface or place in the order of ids. */
struct series {
	uint64_t *last;
	size_t n;
};

/* Where a counter's series is among SERIES_COUNT; that: it is of an event, or a part, that we do not know. */
size_t series_of(const struct trace_record *rec, const struct schema_key *k);
/* Room for n values, new ones being nil. -ENOMEM */
int series_grow(struct series *s, size_t n);

#endif
