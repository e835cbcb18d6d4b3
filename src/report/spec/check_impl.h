/* SPDX-License-Identifier: BSD-2-Clause */
/* check_impl.h: between the files that check a trace. */
#ifndef NETCOST_REPORT_CHECK_IMPL_H
#define NETCOST_REPORT_CHECK_IMPL_H

#include <netcost/events.h>
#include <netcost/parts.h>

#include "check.h"

#define CHECK_MAX_ROWS 128
#define CHECK_KEYS                                                                                 \
	8 /* EXACT's counters have series of their own for each event, EXACT_PART's for each part */
#define CHECK_SERIES (CHECK_MAX_ROWS + (NETCOST_EV_COUNT + NETCOST_PART_COUNT) * CHECK_KEYS)

/* The last values of one counter, by CPU, interface or place in the order of ids. */
struct check_series {
	uint64_t *last;
	size_t n;
};

struct check {
	uint32_t highest[IDS_COUNT];

	uint32_t header_ncpus;
	uint64_t *frame_lost; /* header_ncpus */

	bool ranged; /* FRAME had both times */
	uint64_t first_ns, last_ns;

	bool ticked;			      /* this frame has had a TICK */
	uint32_t order[TRACE_MAX_CPU], ncpus; /* of that TICK */
	uint8_t named[TRACE_MAX_CPU];	      /* scratch: CPUs of a TICK */

	struct check_series series[CHECK_SERIES];
	struct check_series subject; /* scratch: ids of a NETDEV_STATS */
	struct check_series wrap;    /* of each zone */
	uint8_t *depth;		     /* of each stack, by id */
	size_t depth_size;

	uint64_t samples, odd;
	char what[160], oddity[160];
};

/* Sets c->what and returns -EBADMSG. */
__attribute__((format(printf, 2, 3))) int check_broken(struct check *c, const char *fmt, ...);

/* Where a counter's series is among CHECK_SERIES; CHECK_SERIES: it is of an event, or a part, that we do not know. */
size_t check_series_of(const struct trace_record *rec, const struct schema_key *k);
/* Room for n values, new ones being nil. */
int check_series_grow(struct check_series *s, size_t n);

/* check_values.c: the fields by schema.h. Nothing is changed before all of a record is found good. */
int check_fields(struct check *c, const struct trace_record *rec);
void check_keep(struct check *c, const struct trace_record *rec);

#endif
