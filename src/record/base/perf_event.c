// SPDX-License-Identifier: BSD-2-Clause
#include "perf_event.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int perf_event_open(struct perf_event_attr *attr, int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}
