/* SPDX-License-Identifier: BSD-2-Clause */
/* accuracy_doc.h: exact times against samples, and what slower samplers would have given. */
#ifndef NETCOST_REPORT_ACCURACY_DOC_H
#define NETCOST_REPORT_ACCURACY_DOC_H

#include "report/analysis/accuracy/accuracy.h"
#include "report/base/doc.h"

/* all: people see slower samplers for all items, not only for the main events. */
void accuracy_doc(struct doc *d, const struct accuracy *a, bool all);
/* The report without a trace: see doc_begin_schema(). -ENOMEM. */
int accuracy_describe(struct doc *d, const struct model *empty);
/* For people: everything except the beginning of the report. */
void accuracy_tables(struct doc *d, const struct accuracy *a, bool all);

#endif
