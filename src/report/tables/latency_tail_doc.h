/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_tail_doc.h: what the slowest packets waited for (record --tail). */
#ifndef NETCOST_REPORT_LATENCY_TAIL_DOC_H
#define NETCOST_REPORT_LATENCY_TAIL_DOC_H

struct doc;
struct model;
struct tail_seen;

/* The model needs MODEL_LATENCY. seen: NULL: nothing else is known. -ENOMEM. */
int latency_tail_doc(struct doc *d, const struct model *m, const struct tail_seen *seen);
/* Only what it was, and what is missing. -ENOMEM. */
int latency_tail_table(struct doc *d, const struct model *m);

#endif
