/* SPDX-License-Identifier: BSD-2-Clause */
/* perf_event.h: a system call that libc has no function for. */
#ifndef NETCOST_PERF_EVENT_H
#define NETCOST_PERF_EVENT_H

#include <linux/perf_event.h>

/* Opens the event for all tasks on that CPU. -errno */
int perf_event_open(struct perf_event_attr *attr, int cpu);

#endif
