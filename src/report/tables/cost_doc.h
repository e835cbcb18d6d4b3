/* SPDX-License-Identifier: BSD-2-Clause */
/* cost_doc.h: what the recording itself cost. */
#ifndef NETCOST_REPORT_COST_DOC_H
#define NETCOST_REPORT_COST_DOC_H

#include "report/analysis/cost.h"
#include "report/base/doc.h"

/* Lines of "The recording itself", for people. */
void cost_line(struct doc *d, const struct model *m);
/* The object "cost" for programs; it includes the table of BPF programs, which people also see. */
void cost_doc(struct doc *d, const struct model *m);

#endif
