/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * budget.h: how much memory the names and ids of a trace may take. A frame of 8 MiB defines millions of them, and compresses
 * to a few hundred bytes: what a file makes a report keep is in no proportion to its size. What a command does not keep is not
 * charged: whether a trace is too large depends on the command.
 */
#ifndef NETCOST_REPORT_BUDGET_H
#define NETCOST_REPORT_BUDGET_H

#include <netcost/trace.h>

#define BUDGET_MIB 512 /* unless --memory says otherwise */

/* The error for too much; nothing else here returns it. */
#define BUDGET_SPENT (-E2BIG)

/* Bits of what is kept: sorts of ids, and texts of records without ids. */
#define BUDGET_IDS(SORT) (1u << TRACE_IDS_##SORT)
#define BUDGET_TEXTS (1u << TRACE_IDS_COUNT)

struct budget {
	uint64_t limit, used; /* bytes */
	unsigned int kept;    /* 0: nothing but what check.h keeps */
};

/* mib: what --memory says; 0: the usual. */
void budget_init(struct budget *b, unsigned long mib, unsigned int kept);

/* BUDGET_SPENT when that is more than there is. */
int budget_take(struct budget *b, uint64_t bytes);

/* What the record makes us keep. Of most types nothing. */
int budget_take_record(struct budget *b, const struct trace_record *rec);

/* What to do where that many were too few, for people. Returns dst. */
char *budget_text(unsigned long mib, char *dst, size_t size);

#endif
