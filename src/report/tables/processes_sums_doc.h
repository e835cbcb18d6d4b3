/* SPDX-License-Identifier: BSD-2-Clause */
/* processes_sums_doc.h: what the rows by process are held against, and what was not measured of them. */
#ifndef NETCOST_REPORT_PROCESSES_SUMS_DOC_H
#define NETCOST_REPORT_PROCESSES_SUMS_DOC_H

#include "report/analysis/processes.h"
#include "report/base/doc.h"

void processes_sums_doc(struct doc *d, const struct processes *p);

#endif
