/* SPDX-License-Identifier: BSD-2-Clause */
/* perf_event.h: perf_event_open(2), for which libc has no function. */
#ifndef NETCOST_PERF_EVENT_H
#define NETCOST_PERF_EVENT_H

#include <linux/perf_event.h>

/* Opens the event for all tasks on the CPU. Returns a descriptor or -errno. */
int perf_event_open(struct perf_event_attr *attr, int cpu);

#endif
