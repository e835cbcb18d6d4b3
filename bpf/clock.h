/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* clock.h: a CPU's clocks, which stand still while it does something else: see struct netcost_cpu in wire.h. */
#ifndef NETCOST_CLOCK_H
#define NETCOST_CLOCK_H

#include "config.h"
#include "cpu.h"

/* For how long a clock of this CPU stood still so far. Neither part ever falls: if the sum is the same, both are. */
static __always_inline __u64 stood_still(const volatile struct netcost_cpu *c, bool for_softirqs)
{
	return (hardirqs ? c->hardirq_ns : 0) + (for_softirqs ? c->softirq_ns : 0);
}

/*
 * Between the two reads an interrupt may come and go, hard or soft; then the sum has changed and both are read
 * again. As many in a row, each within nanoseconds, are not seen in practice; the last one's time would go to what it
 * interrupted, and to itself as well. That is seldom, so it is a function of its own: what is skipped takes room in caches.
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
