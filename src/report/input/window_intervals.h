/* SPDX-License-Identifier: BSD-2-Clause */
/* window_intervals.h: the first pass of intervals.h over a window: it must see the ticks that the model will. */
#ifndef NETCOST_REPORT_WINDOW_INTERVALS_H
#define NETCOST_REPORT_WINDOW_INTERVALS_H

#include "report/analysis/intervals.h"
#include "report/rewrite/cut.h"

/* memory: what --memory says. What is wrong with the trace is left to the second pass. False: no memory. */
bool window_intervals(struct intervals *iv, struct trace_reader *r, const struct cut_plan *window,
		      unsigned long memory);

#endif
