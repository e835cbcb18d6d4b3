/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mend.h: records of a trace of which frames are missing, as if they had never been there: ids are dense
 * again, and what names a lost definition names a stand-in. Ids may skip only behind a gap in FRAME's seq;
 * elsewhere records pass as they are, at no cost. Takes memory for what is there, not for what ids say.
 */
#ifndef NETCOST_REPORT_MEND_H
#define NETCOST_REPORT_MEND_H

#include "budget.h"
#include "schema.h"

struct mend;

/*
 * lost: what lost functions and modules are called. What the records define is taken from the budget. All must
 * outlive it. NULL: no memory.
 */
struct mend *mend_new(struct trace_reader *r, const char *lost, struct budget *budget);
void mend_free(struct mend *m); /* takes NULL */

/* As trace_reader_next(), or BUDGET_SPENT. */
int mend_next(struct mend *m, struct trace_record *rec);

/* The last record was not good: the ids it defines are lost. */
void mend_reject(struct mend *m);

/* How often ids of lost definitions were met. */
uint64_t mend_lost(const struct mend *m, enum schema_ids ids);

#endif
