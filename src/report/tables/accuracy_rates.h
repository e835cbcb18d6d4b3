/* SPDX-License-Identifier: BSD-2-Clause */
/* accuracy_rates.h: how accurate the sampler and slower ones are for an event: a row for each rate. */
#ifndef NETCOST_REPORT_ACCURACY_RATES_H
#define NETCOST_REPORT_ACCURACY_RATES_H

#include "report/analysis/accuracy/accuracy.h"
#include "report/base/doc.h"

/* By whether there is an exact value; NULL-terminated. */
extern const char *const accuracy_compared_with[];

/* Of one item. title: for people. */
void accuracy_rates(struct doc *d, const struct accuracy *a, unsigned int i, const char *title);
/* CSV: of all items. */
void accuracy_all_rates(struct doc *d, const struct accuracy *a);

#endif
