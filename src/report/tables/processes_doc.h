/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NETCOST_REPORT_PROCESSES_DOC_H
#define NETCOST_REPORT_PROCESSES_DOC_H

#include "report/analysis/processes.h"
#include "report/base/doc.h"

extern const char *const processes_by_names[];	 /* in the order of enum processes_by */
extern const char *const processes_sort_names[]; /* … processes_sort */

void processes_doc(struct doc *d, const struct processes *p, enum processes_sort sort);
/* Only the table, and what is to be known of it. */
void processes_table(struct doc *d, const struct processes *p);

#endif
