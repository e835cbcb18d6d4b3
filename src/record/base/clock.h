/* SPDX-License-Identifier: BSD-2-Clause */
/* clock.h: reads clocks in nanoseconds. The trace uses CLOCK_MONOTONIC, as BPF and perf do: see timens.h. */
#ifndef NETCOST_CLOCK_H
#define NETCOST_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif
