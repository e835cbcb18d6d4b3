/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu.h: hardware counters of each CPU (--processes): opens them, gives them to the programs, reads them. NETCOST_PMU=software
 * puts counters of the kernel's in their place, which every host has: cpu-clock, task-clock, page-faults and context-switches.
 * NETCOST_PMU=off leaves them out.
 */
#ifndef NETCOST_EXACT_PMU_H
#define NETCOST_EXACT_PMU_H

#include <stdbool.h>
#include <stdint.h>

struct cpuset;
struct netcost_pmu;
struct pmu;
struct source_status;

/* On these CPUs. Having none is no failure: -ENOMEM. */
int pmu_new(struct pmu **pp, const struct cpuset *cpus);
void pmu_free(struct pmu *p); /* takes NULL */

/* Those that are open: bits. NULL has none. */
uint32_t pmu_events(const struct pmu *p);
void pmu_status(struct pmu *p, struct source_status *st);

/* Into the programs' map. -errno */
int pmu_give(const struct pmu *p, int map_fd);
/* As of now: interrupts that CPU. What cannot be read stays. */
void pmu_read(const struct pmu *p, unsigned int cpu, struct netcost_pmu *now);

#endif
