/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_largest_doc.h: a comparison in one sentence: the largest change. */
#ifndef NETCOST_REPORT_DIFF_LARGEST_DOC_H
#define NETCOST_REPORT_DIFF_LARGEST_DOC_H

struct diff;
struct doc;

void diff_largest_doc(struct doc *d, const struct diff *diff);

#endif
