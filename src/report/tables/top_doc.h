/* SPDX-License-Identifier: BSD-2-Clause */
/* top_doc.h: the functions that take the time. */
#ifndef NETCOST_REPORT_TOP_DOC_H
#define NETCOST_REPORT_TOP_DOC_H

#include "report/analysis/top.h"
#include "report/base/doc.h"

/* The rows. */
void top_table(struct doc *d, const struct top *t);
/* The whole report. all: about all samples, not only the network's. */
void top_doc(struct doc *d, const struct top *t, bool all);

#endif
