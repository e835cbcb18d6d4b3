/* SPDX-License-Identifier: BSD-2-Clause */
/* timeline.h: CPU time, traffic and power as they change; or CPU time and energy by process or cgroup. */
#ifndef NETCOST_REPORT_TIMELINE_TABLES_H
#define NETCOST_REPORT_TIMELINE_TABLES_H

#include "report/analysis/latency.h"
#include "report/analysis/timeline.h"
#include "report/base/doc.h"

/* The rows, and notes on them. -ENOMEM. */
int timeline_table(struct doc *d, const struct intervals *iv, const struct model *m);
/* The whole report. latency: merged; NULL: nothing of that. -ENOMEM. */
int timeline_doc(struct doc *d, const struct intervals *iv, const struct model *m,
		 const struct latency_times *latency);

#define TIMELINE_BY_MOST 20 /* columns of processes */

/* The whole report. */
void timeline_by_doc(struct doc *d, struct timeline_by *t);

#endif
