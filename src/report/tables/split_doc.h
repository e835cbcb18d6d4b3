/* SPDX-License-Identifier: BSD-2-Clause */
/* split_doc.h: where the CPU time went: all of it, and of each CPU. */
#ifndef NETCOST_REPORT_SPLIT_DOC_H
#define NETCOST_REPORT_SPLIT_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

/* The tree of leaves, and notes on it. */
void split_tree(struct doc *d, const struct summary *s);
/* all: people see all CPUs, however many there are. -ENOMEM. */
int split_cpus(struct doc *d, const struct summary *s, bool all);
/* CSV: a row for each leaf, of all CPUs and of each. */
void split_leaves(struct doc *d, const struct summary *s);

#endif
