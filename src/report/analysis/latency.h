/* SPDX-License-Identifier: BSD-2-Clause */
/* latency.h: latencies of packets (record --latency): the names of checkpoints, and which were measured. */
#ifndef NETCOST_REPORT_LATENCY_H
#define NETCOST_REPORT_LATENCY_H

#include "report/base/stats.h"
#include "report/model/model.h"

extern const char *const latency_keys[], *const latency_from[], *const latency_to[];
extern const char *const latency_by_keys[], *const latency_which_keys[];
extern const char *const latency_loss_keys[],
	*const latency_loss_titles[]; /* each with NULL after the last one */

#define LATENCY_ALL NETCOST_LATENCY_BY_COUNT /* told apart by nothing but the hook */

#endif
