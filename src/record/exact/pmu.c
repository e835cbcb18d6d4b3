// SPDX-License-Identifier: BSD-2-Clause
#include "pmu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <netcost/cpuset.h>
#include <netcost/reasons.h>

#include "bpf/wire.h"
#include "record/base/perf_event.h"
#include "record/source/source.h"

struct event {
	const char *name;
	uint32_t type;
	uint64_t config;
};

#define HARDWARE(text, what)                                                                       \
	{                                                                                          \
		text, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##what                                     \
	}
#define SOFTWARE(text, what)                                                                       \
	{                                                                                          \
		text, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##what                                     \
	}

/* The hardware events, in the order of PROCESS_STATS. */
static const struct event hardware[NETCOST_PMU_EVENTS] = {
	HARDWARE("cycles", CPU_CYCLES),
	HARDWARE("ref-cycles", REF_CPU_CYCLES),
	HARDWARE("instructions", INSTRUCTIONS),
	HARDWARE("cache-misses", CACHE_MISSES),
};
static const struct event software[NETCOST_PMU_EVENTS] = {
	SOFTWARE("cpu-clock", CPU_CLOCK),
	SOFTWARE("task-clock", TASK_CLOCK),
	SOFTWARE("page-faults", PAGE_FAULTS),
	SOFTWARE("context-switches", CONTEXT_SWITCHES),
};

/* The data that a read returns with PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING. */
struct reading {
	uint64_t count, enabled_ns, running_ns;
};

struct pmu {
	const struct event *event;
	unsigned int ncpus;	       /* number of the highest CPU plus 1 */
	int (*fd)[NETCOST_PMU_EVENTS]; /* descriptors of each CPU; -1: not open */
	/* 0 if the event is open, otherwise the errno of opening it */
	int err[NETCOST_PMU_EVENTS];
	char via[NETCOST_PMU_EVENTS * 20]; /* names of the open events */
};

/* ---- opening ----------------------------------------------------------------------------- */

static int open_on(const struct event *e, uint32_t cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = e->type,
		.config = e->config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return perf_event_open(&attr, (int)cpu);
}

static void close_event(struct pmu *p, int event)
{
	for (unsigned int cpu = 0; cpu < p->ncpus; cpu++) {
		if (p->fd[cpu][event] >= 0)
			close(p->fd[cpu][event]);
		p->fd[cpu][event] = -1;
	}
}

/* Opens the event on all CPUs. If opening fails on one CPU, leaves the event closed on all CPUs. */
static void open_event(struct pmu *p, int event, const struct cpuset *cpus)
{
	for (unsigned int i = 0; i < cpus->n; i++) {
		int fd = open_on(&p->event[event], cpus->cpu[i]);

		if (fd < 0) {
			p->err[event] = -fd;
			close_event(p, event);
			return;
		}
		p->fd[cpus->cpu[i]][event] = fd;
	}
}

int pmu_new(struct pmu **pp, const struct cpuset *cpus)
{
	const char *instead = getenv("NETCOST_PMU");
	struct pmu *p = calloc(1, sizeof(*p));

	*pp = p;
	if (!p)
		return -ENOMEM;
	p->event = instead && !strcmp(instead, "software") ? software : hardware;
	p->ncpus = cpus->n ? cpus->cpu[cpus->n - 1] + 1 : 0;
	p->fd = malloc(p->ncpus * sizeof(*p->fd));
	if (!p->fd)
		return -ENOMEM;
	memset(p->fd, -1, p->ncpus * sizeof(*p->fd));
	for (int event = 0; event < NETCOST_PMU_EVENTS; event++) {
		p->err[event] = instead && !strcmp(instead, "off") ? ECANCELED : 0;
		if (!p->err[event])
			open_event(p, event, cpus);
	}
	return 0;
}

void pmu_free(struct pmu *p)
{
	if (!p)
		return;
	for (int event = 0; p->fd && event < NETCOST_PMU_EVENTS; event++)
		close_event(p, event);
	free(p->fd);
	free(p);
}

uint32_t pmu_events(const struct pmu *p)
{
	uint32_t events = 0;

	for (int event = 0; p && event < NETCOST_PMU_EVENTS; event++)
		events |= p->err[event] ? 0u : 1u << event;
	return events;
}

/* ---- status ------------------------------------------------------------------------------ */

static bool is_refused(int err)
{
	return err == EACCES || err == EPERM || err == EMFILE;
}

/*
 * Lists the open events. Returns the errno of an event that is not open. If there are several such events, prefers an
 * event that was refused.
 */
static int list_events(const struct pmu *p, char *via, size_t size)
{
	size_t at = (size_t)snprintf(via, size, reason_list, "");
	bool any = false;
	int err = 0;

	for (int event = 0; event < NETCOST_PMU_EVENTS; event++) {
		if (p->err[event])
			err = is_refused(err) ? err : p->err[event];
		else
			at += (size_t)snprintf(via + at, size - at, any ? ",%s" : "%s",
					       p->event[event].name);
		any |= !p->err[event];
	}
	return err;
}

void pmu_status(struct pmu *p, struct source_status *st)
{
	int err = list_events(p, p->via, sizeof(p->via));

	*st = (struct source_status){ .state = "measured", .via = p->via };
	if (pmu_events(p) && err)
		snprintf(st->why, sizeof(st->why), reason_pmu_some, err);
	if (pmu_events(p))
		return;
	st->state = is_refused(err) ? "refused" : err == ECANCELED ? "off" : "absent";
	st->via = reason_pmu;
	if (err == ECANCELED) {
		snprintf(st->why, sizeof(st->why), reason_pmu_left_out);
		return;
	}
	snprintf(st->why, sizeof(st->why), is_refused(err) ? reason_pmu_refused : reason_no_pmu,
		 err);
}

/* ---- counting ---------------------------------------------------------------------------- */

int pmu_give(const struct pmu *p, int map_fd)
{
	for (unsigned int cpu = 0; cpu < p->ncpus; cpu++)
		for (__u32 event = 0; event < NETCOST_PMU_EVENTS; event++) {
			__u32 key = cpu * NETCOST_PMU_EVENTS + event;

			if (p->fd[cpu][event] >= 0 &&
			    bpf_map_update_elem(map_fd, &key, &p->fd[cpu][event], BPF_ANY))
				return -errno;
		}
	return 0;
}

void pmu_read(const struct pmu *p, unsigned int cpu, struct netcost_pmu *now)
{
	bool first = true;

	for (int event = 0; cpu < p->ncpus && event < NETCOST_PMU_EVENTS; event++) {
		struct reading r;

		if (p->fd[cpu][event] < 0 ||
		    read(p->fd[cpu][event], &r, sizeof(r)) != (ssize_t)sizeof(r))
			continue;
		now->count[event] = r.count;
		now->running_ns[event] = r.running_ns;
		if (first)
			now->enabled_ns = r.enabled_ns;
		first = false;
	}
}
