/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* clock.h: the two clocks of a CPU, which stop during interrupts. See struct netcost_cpu in wire.h. */
#ifndef NETCOST_CLOCK_H
#define NETCOST_CLOCK_H

#include "config.h"
#include "cpu.h"

/*
 * Returns the time in ns for which this CPU's clock has been stopped so far. Neither summand ever decreases, so an
 * unchanged sum means that neither summand has changed.
 */
static __always_inline __u64 stood_still(const volatile struct netcost_cpu *c, bool for_softirqs)
{
	return (hardirqs ? c->hardirq_ns : 0) + (for_softirqs ? c->softirq_ns : 0);
}

/*
 * A hard interrupt or softirq may run between the reading of the clock and the reading of the stopped time. In that
 * case the stopped time has changed, and both values are read again. CLOCK_TRIES interrupts in a row, each within
 * nanoseconds, do not occur in practice. If they did, the time of the last interrupt would be charged both to the
 * interrupt and to the code that it interrupted. A separate function reads again, because this is rare, and skipped
 * instructions would still occupy the instruction cache.
 */
#define CLOCK_TRIES 2
static __noinline __u64 clock_again(const struct netcost_cpu *c, bool softirqs)
{
	__u64 stopped = 0, now = 0;

	for (int i = 0; i < CLOCK_TRIES; i++) {
		stopped = stood_still(c, softirqs);
		now = bpf_ktime_get_ns();
		if (stopped == stood_still(c, softirqs))
			break;
	}
	return now - stopped;
}

static __always_inline __u64 clock_without(const struct netcost_cpu *c, bool softirqs)
{
	__u64 stopped = stood_still(c, softirqs);
	__u64 now = bpf_ktime_get_ns();

	if (SELDOM(stopped != stood_still(c, softirqs)))
		return clock_again(c, softirqs);
	return now - stopped;
}

static __always_inline __u64 cpu_clock(const struct netcost_cpu *c)
{
	return clock_without(c, false);
}

static __always_inline __u64 task_clock(const struct netcost_cpu *c)
{
	return clock_without(c, true);
}

#endif
