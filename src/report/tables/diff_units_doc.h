/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_units_doc.h: unit costs of two recordings. */
#ifndef NETCOST_REPORT_DIFF_UNITS_DOC_H
#define NETCOST_REPORT_DIFF_UNITS_DOC_H

#include "report/analysis/diff/diff_units.h"
#include "report/base/doc.h"

void diff_units_doc(struct doc *d, const struct diff_units *u);

#endif
