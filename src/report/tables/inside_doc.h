/* SPDX-License-Identifier: BSD-2-Clause */
/* inside_doc.h: what the leaves are made of. */
#ifndef NETCOST_REPORT_INSIDE_DOC_H
#define NETCOST_REPORT_INSIDE_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

/* Categories, by samples. all: people also see those with little or nothing. */
void inside_categories(struct doc *d, const struct summary *s, bool all);
/* The functions that are in no category. -ENOMEM. */
int inside_other(struct doc *d, const struct summary *s);
/* Parts of the RX softirq, exact. */
void inside_rx(struct doc *d, const struct summary *s);
/* CSV: a row for each category, of all CPUs and of each. */
void inside_leaves(struct doc *d, const struct summary *s);

#endif
