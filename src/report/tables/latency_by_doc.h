/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_by_doc.h: for how long packets waited, by interface, cgroup or process (record --latency-by). */
#ifndef NETCOST_REPORT_LATENCY_BY_DOC_H
#define NETCOST_REPORT_LATENCY_BY_DOC_H

#include <netcost/latency.h>

struct doc;
struct model;

extern const char *const latency_by_names[], *const latency_which_names[]; /* and NULL */

/* The whole report. The model needs MODEL_LATENCY and MODEL_LATENCY_BY. -ENOMEM. */
int latency_by_doc(struct doc *d, const struct model *m, enum netcost_latency_by by);

#endif
