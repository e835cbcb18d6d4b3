/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NETCOST_REPORT_PROCESSES_ENERGY_DOC_H
#define NETCOST_REPORT_PROCESSES_ENERGY_DOC_H

#include "report/analysis/processes_energy.h"
#include "report/base/doc.h"

/* What the shares of rows, and all others, sum to; and what is to be known of them. */
void processes_energy_doc(struct doc *d, const struct processes *p,
			  const struct processes_energy *e);

#endif
