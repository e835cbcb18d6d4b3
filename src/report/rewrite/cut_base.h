/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cut_base.h: counters that count since the recording began are made to count since a part began. Those of a CPU that
 * the part's first tick does not name stay as they are: it may have begun to count later.
 */
#ifndef NETCOST_REPORT_CUT_BASE_H
#define NETCOST_REPORT_CUT_BASE_H

#include "cut.h"

struct cut_base;

struct cut_base *cut_base_new(void);	/* NULL: no memory */
void cut_base_free(struct cut_base *b); /* takes NULL */

/* A TICK, whose counters come next. first: the part begins with it. */
void cut_base_tick(struct cut_base *b, const struct trace_record *tick, bool first);

/*
 * These rewrite a record; what it then points to is valid until the next call. -EBADMSG: a counter falls.
 * -ENOMEM.
 */
int cut_base_apply(struct cut_base *b, struct trace_record *counters);
/* Only what was lost in the part stays in FRAME. */
int cut_base_frame(struct cut_base *b, const struct cut_plan *plan, struct trace_record *frame);

#endif
