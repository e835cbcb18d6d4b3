/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cut_base.h: counters that count since the recording began, counted from a tick on: for a part of a trace
 * that begins with that tick. A CPU that the tick does not know may have begun to count behind it: its
 * counters stay as they are.
 */
#ifndef NETCOST_REPORT_CUT_BASE_H
#define NETCOST_REPORT_CUT_BASE_H

#include <netcost/trace.h>

struct cut_base;

struct cut_base *cut_base_new(void);	/* NULL: no memory */
void cut_base_free(struct cut_base *b); /* takes NULL */

/* A TICK, whose counters come next. first: it is the one that is counted from. */
void cut_base_tick(struct cut_base *b, const struct trace_record *tick, bool first);

/*
 * Rewrites a record of counters; what it then points to lives until the next call. -EBADMSG: one falls.
 * -ENOMEM.
 */
int cut_base_apply(struct cut_base *b, struct trace_record *rec);

#endif
