/* SPDX-License-Identifier: BSD-2-Clause */
/* energy_doc.h: parts of a summary: power, and what the host's other BPF programs cost. */
#ifndef NETCOST_REPORT_ENERGY_DOC_H
#define NETCOST_REPORT_ENERGY_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

/* The power of packages and memory, and the network's part of it. */
void energy_doc(struct doc *d, const struct summary *s);
/* Other BPF programs: people see those on the packets' way that ran, and the others' sum. -ENOMEM. */
int bill_doc(struct doc *d, const struct summary *s);

#endif
