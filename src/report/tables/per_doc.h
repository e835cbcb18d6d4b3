/* SPDX-License-Identifier: BSD-2-Clause */
/* per_doc.h: what each of the things took that the user counted: --per=requests=12345. */
#ifndef NETCOST_REPORT_PER_DOC_H
#define NETCOST_REPORT_PER_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

bool per_is_wanted(const struct summary *s);
/* Also for the schema, where nothing was counted. */
void per_doc(struct doc *d, const struct summary *s);

#endif
