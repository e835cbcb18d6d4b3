/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu.h: opens the hardware counters of each CPU (--processes), passes them to the programs, and reads them.
 * NETCOST_PMU=software replaces them with software counters, which every host has: cpu-clock, task-clock, page-faults
 * and context-switches. NETCOST_PMU=off disables them.
 */
#ifndef NETCOST_EXACT_PMU_H
#define NETCOST_EXACT_PMU_H

#include <stdbool.h>
#include <stdint.h>

struct cpuset;
struct netcost_pmu;
struct pmu;
struct source_status;

/* Opens the counters on these CPUs. Returns 0 or -ENOMEM. A host without hardware counters is not an error. */
int pmu_new(struct pmu **pp, const struct cpuset *cpus);
void pmu_free(struct pmu *p); /* NULL is allowed */

/* Returns a bit mask of the open events. Returns 0 if p is NULL. */
uint32_t pmu_events(const struct pmu *p);
void pmu_status(struct pmu *p, struct source_status *st);

/* Stores the counters in the programs' map. Returns 0 or -errno. */
int pmu_give(const struct pmu *p, int map_fd);
/*
 * Reads the current values of a CPU's counters. Reading interrupts that CPU. Counters that cannot be read keep their
 * values.
 */
void pmu_read(const struct pmu *p, unsigned int cpu, struct netcost_pmu *now);

#endif
