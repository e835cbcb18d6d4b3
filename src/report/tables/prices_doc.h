/* SPDX-License-Identifier: BSD-2-Clause */
/* prices_doc.h: what one more packet, byte, call or wake-up costs. */
#ifndef NETCOST_REPORT_PRICES_DOC_H
#define NETCOST_REPORT_PRICES_DOC_H

#include "report/analysis/prices.h"
#include "report/base/doc.h"

void prices_doc(struct doc *d, const struct prices *p, const struct model *m);
/* Only the table, and what there is to say of it. */
void prices_section(struct doc *d, const struct prices *p, const struct model *m);

#endif
