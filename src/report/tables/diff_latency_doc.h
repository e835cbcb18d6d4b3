/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_latency_doc.h: by how much quantiles of latencies moved between two recordings. */
#ifndef NETCOST_REPORT_DIFF_LATENCY_DOC_H
#define NETCOST_REPORT_DIFF_LATENCY_DOC_H

struct diff_latency;
struct doc;

void diff_latency_doc(struct doc *d, const struct diff_latency *latency);

#endif
