/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_sums.h: whether exact times sum to the time that passed. Between two ticks, on each CPU, those of all events
 * and the offline time are the difference of exact_ns, to the nanosecond (SPEC.md, section 4.4, EXACT): the recorder
 * takes all of them from one state of the CPU. Only readings that EXACT_LOSS counts as torn need not.
 */
#ifndef NETCOST_REPORT_EXACT_SUMS_H
#define NETCOST_REPORT_EXACT_SUMS_H

#include <stdbool.h>

#include <netcost/trace.h>

struct exact_sums;

struct exact_sums *exact_sums_new(void);    /* NULL: no memory */
void exact_sums_free(struct exact_sums *s); /* takes NULL */

/* Each record of a part, in order; of a tick whose counters have passed check.h or a model. */
void exact_sums_record(struct exact_sums *s, const struct trace_record *rec);
/* Ends the tick: before the record that ends it, and at the end. False: it does not sum; exact_sums_what(). */
bool exact_sums_end(struct exact_sums *s);
/* Likewise, but the tick goes on. */
bool exact_sums_fit(struct exact_sums *s);
const char *exact_sums_what(const struct exact_sums *s);

/* The last `torn`; 0: none. */
uint64_t exact_sums_torn(const struct exact_sums *s);

/* Of a CPU: pairs of ticks; those that do not sum, torn ones among them; and by how much the first of those moved. */
struct exact_sums_cpu {
	uint64_t pairs, wrong;
	uint64_t wrong_ns, of_ns;
};
struct exact_sums_cpu exact_sums_cpu(const struct exact_sums *s, unsigned int cpu);

#endif
