/* SPDX-License-Identifier: BSD-2-Clause */
/* sums.h: whether counters sum to what they are parts of. */
#ifndef NETCOST_REPORT_SUMS_H
#define NETCOST_REPORT_SUMS_H

#include <netcost/trace.h>
#include <stdbool.h>

/* A value of each counter that a trace can have: the last one, or the first. */
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

/*
 * Whether exact times sum to the time that passed. Between two ticks, on each CPU, those of all events
 * and the offline time are the difference of exact_ns, to the nanosecond (SPEC.md, section 4.4, EXACT): the recorder
 * takes all of them from one state of the CPU. Only readings that EXACT_LOSS counts as torn need not.
 */
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

/*
 * Whether what became of received packets (RX_FATES) is all of the time that receiving took. From a tick to the
 * next one the fates' times on a CPU sum to what EXACT's rx_softirq and rx_thread gained there, to the nanosecond (SPEC.md,
 * section 4.4, RX_FATES). Not where a reading was torn, and not in a trace that was recovered: the times are those since the tick
 * before, which may be missing.
 */
struct fate_sums;

struct fate_sums *fate_sums_new(void);	  /* NULL: no memory */
void fate_sums_free(struct fate_sums *s); /* takes NULL */

/* Each record of a part, in order, after it has passed check.h. */
void fate_sums_record(struct fate_sums *s, const struct trace_record *rec);
/* Ends the tick: before the record that ends it, and at the end. False: it does not sum; fate_sums_what(). */
bool fate_sums_end(struct fate_sums *s);
/* Whether the tick so far sums; it goes on. */
bool fate_sums_fit(struct fate_sums *s);
const char *fate_sums_what(const struct fate_sums *s);

#endif
