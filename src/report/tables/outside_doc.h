/* SPDX-License-Identifier: BSD-2-Clause */
/* outside_doc.h: who sent or received the messages that passed outside all probes. */
#ifndef NETCOST_REPORT_OUTSIDE_DOC_H
#define NETCOST_REPORT_OUTSIDE_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

/* For people: lines below those of the coverage, the most messages first. */
void outside_lines(struct doc *d, const struct summary *s);
/* For programs: in the same order; null if they are not known. */
void outside_table(struct doc *d, const struct summary *s);

#endif
