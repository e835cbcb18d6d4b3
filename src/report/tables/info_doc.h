/* SPDX-License-Identifier: BSD-2-Clause */
/* info_doc.h: what is in a trace, and how it came about. */
#ifndef NETCOST_REPORT_INFO_DOC_H
#define NETCOST_REPORT_INFO_DOC_H

#include "report/base/doc.h"
#include "report/model/model.h"

void info_doc(struct doc *d, const struct model *m);

#endif
