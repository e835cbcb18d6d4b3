/* SPDX-License-Identifier: BSD-2-Clause */
/* timeline_by_doc.h: CPU time by process or cgroup as it changes. */
#ifndef NETCOST_REPORT_TIMELINE_BY_DOC_H
#define NETCOST_REPORT_TIMELINE_BY_DOC_H

#include "report/analysis/timeline_by.h"
#include "report/base/doc.h"

#define TIMELINE_BY_MOST 20 /* columns of processes */

/* The whole report. */
void timeline_by_doc(struct doc *d, struct timeline_by *t);

#endif
