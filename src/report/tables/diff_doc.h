/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_doc.h: a comparison of two recordings. */
#ifndef NETCOST_REPORT_DIFF_DOC_H
#define NETCOST_REPORT_DIFF_DOC_H

#include "report/analysis/diff/diff.h"
#include "report/base/doc.h"

/* The report without a trace: see doc_begin_schema(). -ENOMEM. */
int diff_describe(struct doc *d, const struct model *empty);
void diff_doc(struct doc *d, const struct diff *diff, const struct diff_watch *watch);

#endif
