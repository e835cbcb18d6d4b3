/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * budget.h: how much memory the names and ids of a trace may take. A frame of 8 MiB defines millions of them,
 * and compresses to a few hundred bytes: what a file makes a report keep is in no proportion to its size.
 * Each is charged at what the costliest report makes of it: so all commands take a file, or none does.
 */
#ifndef NETCOST_REPORT_BUDGET_H
#define NETCOST_REPORT_BUDGET_H

#include <netcost/trace.h>

#define BUDGET_MIB 256 /* unless --memory says otherwise */

/* The error for too much; nothing else here returns it. */
#define BUDGET_SPENT (-E2BIG)

struct budget {
	uint64_t limit, used; /* bytes */
};

/* mib: what --memory says; 0: the usual. */
void budget_init(struct budget *b, unsigned long mib);

/* BUDGET_SPENT when that is more than there is. */
int budget_take(struct budget *b, uint64_t bytes);

/* What the record makes us keep. Of most types nothing. */
int budget_take_record(struct budget *b, const struct trace_record *rec);

/* What is wrong and what to do where that many were too few, for people. Returns dst. */
char *budget_text(unsigned long mib, char *dst, size_t size);

#endif
