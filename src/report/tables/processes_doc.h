/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NETCOST_REPORT_PROCESSES_DOC_H
#define NETCOST_REPORT_PROCESSES_DOC_H

#include "report/analysis/processes.h"
#include "report/base/doc.h"

extern const char *const processes_by_names[];	 /* in the order of enum processes_by */
extern const char *const processes_sort_names[]; /* … processes_sort */
/* NULL: not given. */
enum processes_by processes_by_of(const char *name);

/* -ENOMEM. */
int processes_doc(struct doc *d, const struct processes *p, enum processes_sort sort);
/* Only the table; explained: with what it is held against, what was not measured, and where energy went. */
void processes_table(struct doc *d, const struct processes *p, bool explained);
/*
 * Who pays for received packets (owners_doc.h), if that was recorded: the n for which most was received. fates: and what
 * became of all of them. -ENOMEM.
 */
int processes_owners(struct doc *d, const struct model *m, enum processes_by by, size_t n,
		     bool fates);

#endif
