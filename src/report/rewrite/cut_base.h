/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cut_base.h: what counts since the recording began, counted from the begin of a part. A CPU that the part's
 * first tick does not name may have begun to count later: its counters stay as they are.
 */
#ifndef NETCOST_REPORT_CUT_BASE_H
#define NETCOST_REPORT_CUT_BASE_H

#include "cut.h"

struct cut_base;

struct cut_base *cut_base_new(void);	/* NULL: no memory */
void cut_base_free(struct cut_base *b); /* takes NULL */

/* A TICK, whose counters come next. first: it is the one that is counted from. */
void cut_base_tick(struct cut_base *b, const struct trace_record *tick, bool first);

/*
 * These rewrite a record; what it then points to lives until the next call. -EBADMSG: a counter falls.
 * -ENOMEM.
 */
int cut_base_apply(struct cut_base *b, struct trace_record *counters);
/* FRAME keeps nothing but what was lost in the part. */
int cut_base_frame(struct cut_base *b, const struct cut_plan *plan, struct trace_record *frame);

#endif
