/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_by_doc.h: packets' ways through the host, by interface, network namespace or flow. */
#ifndef NETCOST_REPORT_STAGES_BY_DOC_H
#define NETCOST_REPORT_STAGES_BY_DOC_H

#include "report/model/stages.h"

struct doc;
struct model;

/* The whole report. The model needs MODEL_STAGES, and MODEL_STAGES_BY << by. -ENOMEM. */
int stages_by_doc(struct doc *d, const struct model *m, enum stages_by by);

#endif
