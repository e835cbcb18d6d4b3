/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * repair.h: records of a trace of which frames are missing, as if they had never been there: ids are dense
 * again, and what names a lost definition names a stand-in. Ids may skip only after a gap in FRAME's seq;
 * elsewhere records pass as they are, at no cost. Takes memory for what is there, not for what ids say.
 */
#ifndef NETCOST_REPORT_REPAIR_H
#define NETCOST_REPORT_REPAIR_H

#include "budget.h"

struct repair;

/*
 * lost: what lost functions and modules are called. What the records define is taken from the budget. All must
 * outlive it. NULL: no memory.
 */
struct repair *repair_new(struct trace_reader *r, const char *lost, struct budget *budget);
void repair_free(struct repair *rp); /* takes NULL */

/* As trace_reader_next(), or BUDGET_SPENT. */
int repair_next(struct repair *rp, struct trace_record *rec);

/* The last record was not good: the ids it defines are lost. */
void repair_reject(struct repair *rp);

/* How often ids of lost definitions were met. */
uint64_t repair_lost(const struct repair *rp, enum trace_ids ids);

#endif
