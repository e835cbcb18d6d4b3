/* SPDX-License-Identifier: BSD-2-Clause */
/* traffic.h: what the network did for its time. */
#ifndef NETCOST_REPORT_TRAFFIC_H
#define NETCOST_REPORT_TRAFFIC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

void traffic_costs(struct doc *d, const struct summary *s);
void traffic_calls(struct doc *d, const struct summary *s);
void traffic_interfaces(struct doc *d, const struct summary *s);

#endif
