/* SPDX-License-Identifier: BSD-2-Clause */
/* model_text.h: parts of a model that more than one command prints as text. */
#ifndef NETCOST_REPORT_MODEL_TEXT_H
#define NETCOST_REPORT_MODEL_TEXT_H

#include <stdio.h>

#include "report/model/model.h"

void text_host(FILE *out, const struct model *m);
void text_settings(FILE *out, const struct model *m);
void text_probes(FILE *out, const struct model *m);
/* Why no better rung was taken: what the probes were refused. */
void text_refused(FILE *out, const struct model *m);
/* Records and fields of newer versions; counters that went backwards. */
void text_oddities(FILE *out, const struct model *m);

/* What the report is about, if not all CPUs and tasks. */
void text_filter(FILE *out, const struct model *m);

#endif
