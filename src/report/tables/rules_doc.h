/* SPDX-License-Identifier: BSD-2-Clause */
/* rules_doc.h: which functions of the rules a trace has. For people it is a rules file itself. */
#ifndef NETCOST_REPORT_RULES_DOC_H
#define NETCOST_REPORT_RULES_DOC_H

#include "report/base/doc.h"
#include "report/model/model.h"

/* -ENOMEM. */
int rules_doc(struct doc *d, const struct model *m);

#endif
