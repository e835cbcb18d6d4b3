/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu.h: hardware counters of each CPU (--processes): opens them, passes them to the programs,
 * reads them. NETCOST_PMU=software replaces them by software counters, which every host has:
 * cpu-clock, task-clock, page-faults and context-switches. NETCOST_PMU=off disables them.
 */
#ifndef NETCOST_EXACT_PMU_H
#define NETCOST_EXACT_PMU_H

#include <stdbool.h>
#include <stdint.h>

struct cpuset;
struct netcost_pmu;
struct pmu;
struct source_status;

/* Opens them on these CPUs. -ENOMEM; a host without hardware counters is no error. */
int pmu_new(struct pmu **pp, const struct cpuset *cpus);
void pmu_free(struct pmu *p); /* NULL is allowed */

/* Bit mask of the open events; 0 for NULL. */
uint32_t pmu_events(const struct pmu *p);
void pmu_status(struct pmu *p, struct source_status *st);

/* Stores them in the programs' map. -errno */
int pmu_give(const struct pmu *p, int map_fd);
/* Reads the counters now, which interrupts that CPU. Unreadable counters keep their values. */
void pmu_read(const struct pmu *p, unsigned int cpu, struct netcost_pmu *now);

#endif
