/* SPDX-License-Identifier: BSD-2-Clause */
/* breakdown_doc.h: the split by CPU, task, process, cgroup or interval; and the functions that take the time. */
#ifndef NETCOST_REPORT_BREAKDOWN_DOC_H
#define NETCOST_REPORT_BREAKDOWN_DOC_H

#include "report/analysis/breakdown.h"
#include "report/analysis/functions.h"
#include "report/base/doc.h"

/* The rows, and notes on them. */
void breakdown_table(struct doc *d, const struct breakdown *b);
/* The whole report. */
void breakdown_doc(struct doc *d, const struct breakdown *b);

/* Functions: the rows. */
void top_table(struct doc *d, const struct top *t);
/* The whole report. all: about all samples, not only the network's. */
void top_doc(struct doc *d, const struct top *t, bool all);

#endif
