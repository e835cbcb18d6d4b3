/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_tail_doc.h: what the slowest packets waited for (record --tail). */
#ifndef NETCOST_REPORT_LATENCY_TAIL_DOC_H
#define NETCOST_REPORT_LATENCY_TAIL_DOC_H

struct doc;
struct model;

/* The model needs MODEL_LATENCY. */
void latency_tail_doc(struct doc *d, const struct model *m);
/* Only what it was, and what is missing. */
void latency_tail_table(struct doc *d, const struct model *m);

#endif
