/* SPDX-License-Identifier: BSD-2-Clause */
/* model_doc.h: what several reports say of the trace itself. */
#ifndef NETCOST_REPORT_MODEL_DOC_H
#define NETCOST_REPORT_MODEL_DOC_H

#include "report/base/doc.h"
#include "report/model/model.h"

void doc_model_string(struct doc *d, const char *key, const struct model *m, model_str s);
void doc_model_strings(struct doc *d, const char *key, const struct model *m,
		       struct model_strs list);

/* Which trace of which file; whether it is whole; what the report is about, if not all of it. For programs. */
void doc_trace(struct doc *d, const struct model *m);

/* "  only      CPUs 0-3": the same for people, as lines. */
void doc_filter(struct doc *d, const struct model *m);

#endif
