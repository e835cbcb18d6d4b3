/* SPDX-License-Identifier: BSD-2-Clause */
/* drops_doc.h: what was dropped, sent again, or came to nothing, and how often softirqs ran. */
#ifndef NETCOST_REPORT_DROPS_DOC_H
#define NETCOST_REPORT_DROPS_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

/* -ENOMEM. People see nothing where there was nothing. */
int drops_doc(struct doc *d, const struct summary *s);
void softirqs_doc(struct doc *d, const struct summary *s);
/* Hard interrupts of interfaces. */
void interrupts_doc(struct doc *d, const struct summary *s);

#endif
