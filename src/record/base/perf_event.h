/* SPDX-License-Identifier: BSD-2-Clause */
/* perf_event.h: the system call that has no function in libc. */
#ifndef NETCOST_PERF_EVENT_H
#define NETCOST_PERF_EVENT_H

#include <linux/perf_event.h>

/* For all tasks on that CPU. -errno */
int perf_event_open(struct perf_event_attr *attr, int cpu);

#endif
