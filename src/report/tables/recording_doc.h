/* SPDX-License-Identifier: BSD-2-Clause */
/* recording_doc.h: what was recorded, how, and how reliable it is. */
#ifndef NETCOST_REPORT_RECORDING_DOC_H
#define NETCOST_REPORT_RECORDING_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

/* How a report of a whole recording begins; for programs, the object "trace". */
void recording_heading(struct doc *d, const struct summary *s);
/* Losses, coverage, cost, marks: lines for people, "quality" for programs. */
void recording_quality(struct doc *d, const struct summary *s);
void recording_procstat(struct doc *d, const struct summary *s);
/* What was not measured, or less well than possible. */
void recording_caveats(struct doc *d, const struct summary *s);

#endif
