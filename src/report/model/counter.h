/* SPDX-License-Identifier: BSD-2-Clause */
/* counter.h: how far a counter moved, and a name: what the parts of a model are made of. */
#ifndef NETCOST_REPORT_COUNTER_H
#define NETCOST_REPORT_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t model_str; /* see model_string() */

struct model_strs { /* n strings in a row */
	model_str first;
	uint32_t n;
};

/*
 * A cumulative counter over the ticks. If it went backwards, that is reported, not repaired: the step back
 * adds nothing. A counter that wraps does so at most once between two readings.
 */
struct counter {
	uint64_t first, last;
	uint64_t sum; /* of the steps forward */
	uint32_t readings, backwards, wraps;
	bool unknown; /* of EXACT: at some tick it was not known any more; nor then is how much it moved */
};

/* Ignores TRACE_NIL. wrap: largest value, after which comes 0; 0: the counter does not wrap. */
void counter_add(struct counter *c, uint64_t v, uint64_t wrap);
double counter_moved(const struct counter *c); /* NaN with fewer than two readings */
double counter_last(const struct counter *c);  /* NaN without a reading */

#endif
