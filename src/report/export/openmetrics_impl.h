/* SPDX-License-Identifier: BSD-2-Clause */
/* openmetrics_impl.h: where the series of openmetrics.c come from. */
#ifndef NETCOST_REPORT_OPENMETRICS_IMPL_H
#define NETCOST_REPORT_OPENMETRICS_IMPL_H

#include "export.h"
#include "metrics.h"
#include "report/analysis/process_times.h"

/* What counters have at an edge, all of whose records the model has read. */
void openmetrics_edge(struct metrics *s, const struct model *m, size_t edge);
/* What is known only once the trace has been read: leaves and unit costs, piece by piece. -ENOMEM. */
int openmetrics_pieces(struct metrics *s, const struct export_source *from, bool per_cpu);
/* Processes: the `top` ones with most CPU time, and all others together. -ENOMEM. */
int openmetrics_processes(struct metrics *s, const struct export_source *from,
			  const struct process_times *times, size_t top);

#endif
