/* SPDX-License-Identifier: BSD-2-Clause */
/* check_impl.h: shared by the files that check a trace. */
#ifndef NETCOST_REPORT_CHECK_IMPL_H
#define NETCOST_REPORT_CHECK_IMPL_H

#include "check.h"
#include "series.h"

struct check {
	const struct trace_status *st; /* of the reader of the record at hand; or NULL */
	uint32_t highest[TRACE_IDS_COUNT];

	uint32_t header_ncpus;
	uint64_t *frame_lost; /* header_ncpus */

	bool ranged; /* FRAME had both times */
	uint64_t first_ns, last_ns;

	bool ticked;			      /* this frame has had a TICK */
	uint32_t order[TRACE_MAX_CPU], ncpus; /* of that TICK */
	uint8_t named[TRACE_MAX_CPU];	      /* scratch: CPUs of a TICK, or of HEADER */
	struct series
		had[TRACE_TYPES_MAX]; /* by type and what it is about: the last tick that had it */
	uint64_t nticks;

	struct series series[SERIES_COUNT];
	struct series subject; /* ids that the columns at hand are about, element by element */
	struct series met;     /* by such an id: the last such record that it stood in */
	uint64_t nmet;	       /* how many there were */
	struct series wrap;    /* of each zone */
	uint8_t *depth;	       /* of each stack, by id */
	size_t depth_size;

	uint64_t samples, odd;
	char what[160], oddity[160];
};

/* Sets c->what and returns -EBADMSG. */
__attribute__((format(printf, 2, 3))) int check_broken(struct check *c, const char *fmt, ...);

/* check_values.c: the fields by the registry. Nothing is changed before all of a record is found good. */
int check_fields(struct check *c, const struct trace_record *rec);
void check_keep(struct check *c, const struct trace_record *rec);

#endif
