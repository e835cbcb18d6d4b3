/* SPDX-License-Identifier: BSD-2-Clause */
/* timeline_doc.h: CPU time, traffic and power as they change. */
#ifndef NETCOST_REPORT_TIMELINE_DOC_H
#define NETCOST_REPORT_TIMELINE_DOC_H

#include "report/analysis/intervals.h"
#include "report/base/doc.h"

struct latency_times;

/* The rows, and notes on them. -ENOMEM. */
int timeline_table(struct doc *d, const struct intervals *iv, const struct model *m);
/* The whole report. latency: NULL: nothing of that. -ENOMEM. */
int timeline_doc(struct doc *d, const struct intervals *iv, const struct model *m,
		 const struct latency_times *latency);

#endif
