/* SPDX-License-Identifier: BSD-2-Clause */
/* probes_doc.h: how each event is counted, and what each source of data gave. */
#ifndef NETCOST_REPORT_PROBES_DOC_H
#define NETCOST_REPORT_PROBES_DOC_H

#include "report/base/doc.h"
#include "report/model/model.h"

void probes_doc(struct doc *d, const struct model *m);
/* For people: why no better rung was taken. */
void probes_refused(struct doc *d, const struct model *m);
void sources_doc(struct doc *d, const struct model *m);

#endif
