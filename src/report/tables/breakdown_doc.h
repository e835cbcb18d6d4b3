/* SPDX-License-Identifier: BSD-2-Clause */
/* breakdown_doc.h: the split by CPU, task, process, cgroup or piece of time. */
#ifndef NETCOST_REPORT_BREAKDOWN_DOC_H
#define NETCOST_REPORT_BREAKDOWN_DOC_H

#include "report/analysis/breakdown.h"
#include "report/base/doc.h"

/* The rows, and notes on them. */
void breakdown_table(struct doc *d, const struct breakdown *b);
/* The whole report. */
void breakdown_doc(struct doc *d, const struct breakdown *b);

#endif
