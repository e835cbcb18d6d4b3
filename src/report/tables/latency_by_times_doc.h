/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_by_times_doc.h: for how long packets waited, in each piece of time, by interface, cgroup or process. */
#ifndef NETCOST_REPORT_LATENCY_BY_TIMES_DOC_H
#define NETCOST_REPORT_LATENCY_BY_TIMES_DOC_H

struct doc;
struct intervals;
struct latency_by_times;
struct model;

/* The whole report. The model needs MODEL_LATENCY and MODEL_LATENCY_BY. */
void latency_by_times_doc(struct doc *d, const struct model *m, const struct intervals *iv,
			  const struct latency_by_times *t);

#endif
