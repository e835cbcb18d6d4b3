/* SPDX-License-Identifier: BSD-2-Clause */
/* model_doc.h: what several reports say about the trace itself. */
#ifndef NETCOST_REPORT_MODEL_DOC_H
#define NETCOST_REPORT_MODEL_DOC_H

#include "report/base/doc.h"
#include "report/model/model.h"

void doc_model_string(struct doc *d, const char *key, const struct model *m, model_str s);

/*
 * For programs: which trace of which file; whether it is whole. For people, too: what the report is about, if not the
 * whole trace ("  only      CPUs 0-3"). doc_trace(): all three.
 */
void doc_part(struct doc *d, const struct part *part);
void doc_ended(struct doc *d, const struct model *m);
void doc_filter(struct doc *d, const struct model *m);
void doc_trace(struct doc *d, const struct model *m);

/* For people: whether it is damaged, cut off or wrong. */
void doc_problems(struct doc *d, const struct model *m);

/* For programs: host and settings, as HEADER has them. */
void doc_header(struct doc *d, const struct model *m);
/* For people: the same, as lines. */
void doc_host(struct doc *d, const struct model *m);
/* Records and fields from newer versions, and counters that went backwards. */
void doc_skipped(struct doc *d, const struct model *m);

/* The first n of the marks. For programs. */
void doc_marks(struct doc *d, const struct model *m, size_t n);

#endif
