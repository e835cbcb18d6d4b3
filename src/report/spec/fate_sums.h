/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fate_sums.h: whether what became of received packets (RX_FATES) is all of the time that receiving took. From a tick to the
 * next one the fates' times on a CPU sum to what EXACT's rx_softirq and rx_thread gained there, to the nanosecond (SPEC.md,
 * section 4.4, RX_FATES). Not where a reading was torn, and not in a trace that was recovered: the times are those since the tick
 * before, which may be missing.
 */
#ifndef NETCOST_REPORT_FATE_SUMS_H
#define NETCOST_REPORT_FATE_SUMS_H

#include <stdbool.h>

#include <netcost/trace.h>

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
