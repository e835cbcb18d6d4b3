/* SPDX-License-Identifier: BSD-2-Clause */
/* energy_doc.h: the power of packages and memory, and the network's part of it. */
#ifndef NETCOST_REPORT_ENERGY_DOC_H
#define NETCOST_REPORT_ENERGY_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

void energy_doc(struct doc *d, const struct summary *s);

#endif
