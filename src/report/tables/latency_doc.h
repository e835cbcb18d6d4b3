/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_doc.h: for how long packets waited (record --latency). */
#ifndef NETCOST_REPORT_LATENCY_DOC_H
#define NETCOST_REPORT_LATENCY_DOC_H

#include <netcost/latency.h>

struct doc;
struct model;

/* shown: also the histogram of that hook; NETCOST_LATENCY_COUNT: of none. The model needs MODEL_LATENCY. */
void latency_doc(struct doc *d, const struct model *m, enum netcost_latency shown);
/* Only the quantiles, and what is missing; or that nothing was measured. */
void latency_table(struct doc *d, const struct model *m);
/* As programs have it: of which packets alone it was measured. */
void latency_only_field(struct doc *d, const struct model *m);
/* The same for people, what is missing, and why; or that nothing was measured. */
void latency_notes(struct doc *d, const struct model *m);

#endif
