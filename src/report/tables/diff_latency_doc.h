/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_latency_doc.h: by how much quantiles of latencies moved between two recordings. */
#ifndef NETCOST_REPORT_DIFF_LATENCY_DOC_H
#define NETCOST_REPORT_DIFF_LATENCY_DOC_H

#include <stdbool.h>

struct diff_latency;
struct doc;

/* all: also what is not told apart from noise */
void diff_latency_doc(struct doc *d, const struct diff_latency *latency, bool all);

#endif
