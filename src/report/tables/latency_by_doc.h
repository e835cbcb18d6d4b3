/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_by_doc.h: for how long packets waited, by interface, cgroup or process (record --latency-by). */
#ifndef NETCOST_REPORT_LATENCY_BY_DOC_H
#define NETCOST_REPORT_LATENCY_BY_DOC_H

#include <stddef.h>

#include <netcost/latency.h>

struct doc;
struct model;

/* Only its rows, of which there are so many. The model needs MODEL_LATENCY_BY. -ENOMEM. */
int latency_by_table(struct doc *d, const struct model *m, enum netcost_latency_by by);
size_t latency_by_rows(const struct model *m, enum netcost_latency_by by);

/* The whole report. The model needs MODEL_LATENCY and MODEL_LATENCY_BY. -ENOMEM. */
int latency_by_doc(struct doc *d, const struct model *m, enum netcost_latency_by by);

#endif
