/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * pmu.h: hardware counters by process. This code is part of processes_switch(). The events that the counters have
 * counted since the last switch are charged to the process that is switched out, including events of interrupts that
 * interrupted the process.
 */
#ifndef NETCOST_PMU_H
#define NETCOST_PMU_H

#include "config.h"
#include "cpu.h"

#ifndef PMU_READ /* the unit tests define their own PMU_READ */
#define PMU_READ(index, value)                                                                     \
	bpf_perf_event_read_value(&pmu_counters, index, value, sizeof(*(value)))

/* The descriptors of the counters: NETCOST_PMU_EVENTS for each CPU, one CPU after the other. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, NETCOST_PMU_EVENTS); /* the recorder sets the real size */
	__type(key, __u32);
	__type(value, __u32);
} pmu_counters SEC(".maps");
#endif

/* Charges the increase of a counter since its last reading. */
#define PMU_TELL(field, now)                                                                       \
	do {                                                                                       \
		__u64 more_ = (now)-told->pmu.field;                                               \
		told->pmu.field = (now);                                                           \
		if (known) {                                                                       \
			to->field += more_;                                                        \
			told->pmu_all.field += more_;                                              \
		}                                                                                  \
	} while (0)

/*
 * Charges the increase of a counter. A counter that cannot be read counts as unchanged, because its CPU may have been
 * offline since the counter was opened.
 */
static __always_inline void tell_counter(struct netcost_told *told, struct netcost_pmu *to,
					 __u32 event, bool enabled)
{
	__u64 bit = 1ull << event;
	bool known = told->pmu_read & bit;
	struct bpf_perf_event_value v = { 0 };

	if (PMU_READ(told->running.cpu * NETCOST_PMU_EVENTS + event, &v))
		return;
	PMU_TELL(count[event], v.counter);
	PMU_TELL(running_ns[event], v.running);
	if (enabled)
		PMU_TELL(enabled_ns, v.enabled);
	told->pmu_read |= bit;
}

static __always_inline void tell_pmu(struct netcost_told *told, struct netcost_pmu *to)
{
#pragma unroll
	for (__u32 event = 0; event < NETCOST_PMU_EVENTS; event++)
		/* The counters of a CPU are enabled together, so time_enabled of the first counter is enough. */
		if (pmu_events >> event & 1)
			tell_counter(told, to, event, !(pmu_events & ((1u << event) - 1)));
}

#endif
