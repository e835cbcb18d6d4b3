/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_owners_doc.h: who pays for received packets, and what became of all of them, in two recordings. */
#ifndef NETCOST_REPORT_DIFF_OWNERS_DOC_H
#define NETCOST_REPORT_DIFF_OWNERS_DOC_H

#include "report/analysis/diff/diff.h"
#include "report/base/doc.h"

/* Only if both have recorded it. */
void diff_owners_doc(struct doc *d, const struct diff *diff);

#endif
