/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_times_doc.h: for how long packets waited, in each piece of time. */
#ifndef NETCOST_REPORT_LATENCY_TIMES_DOC_H
#define NETCOST_REPORT_LATENCY_TIMES_DOC_H

struct doc;
struct intervals;
struct latency_times;
struct model;

/* The whole report. */
void latency_times_doc(struct doc *d, const struct model *m, const struct intervals *iv,
		       const struct latency_times *t);

#endif
