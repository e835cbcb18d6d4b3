/* SPDX-License-Identifier: BSD-2-Clause */
/* by_doc.h: the split by CPU, task, process, cgroup or piece of time. */
#ifndef NETCOST_REPORT_BY_DOC_H
#define NETCOST_REPORT_BY_DOC_H

#include "report/analysis/by.h"
#include "report/base/doc.h"

/* The rows, and what to know of them. */
void by_table(struct doc *d, const struct by *by);
/* The whole report. */
void by_doc(struct doc *d, const struct by *by);

#endif
