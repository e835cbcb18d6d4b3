/* SPDX-License-Identifier: BSD-2-Clause */
/* real_time.h: what time it was, as a calendar has it. */
#ifndef NETCOST_REPORT_REAL_TIME_H
#define NETCOST_REPORT_REAL_TIME_H

#include "report/model/model.h"

/* CLOCK_REALTIME at a time of the trace, by its first CLOCK: it goes on rising where the clock was set. False: not known. */
bool real_time_ns(const struct model *m, uint64_t at_ns, uint64_t *real_ns);

#endif
