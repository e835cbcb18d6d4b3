/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes.h: records the exact counters by process and cgroup (--processes). At each tick it takes the rows out of
 * the programs' maps, and adds the work of the running processes since they were switched in.
 */
#ifndef NETCOST_PROCESSES_H
#define NETCOST_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cgroups;
struct cpuset;
struct exact_reading;
struct ladder;
struct process_ids;
struct netcost_cpu;
struct pmu;
struct processes;
struct trace_writer;

/*
 * Returns the number of rows per CPU in each half of the map. Both halves take at most an eighth of the memory limit,
 * unless that is less than 64 rows per CPU.
 */
uint32_t processes_each(unsigned int ncpus, uint64_t memory_limit);
/* Returns the size of a row in bytes. A row has hardware counters only if some are open. */
size_t processes_row_size(const struct pmu *pmu);

/*
 * map_fd is the map of rows. each is the result of processes_each(). takes and states are mapped. pmu is NULL or must
 * outlive this object.
 */
int processes_new(struct processes **pp, int map_fd, volatile uint32_t *takes,
		  const struct netcost_cpu *states, unsigned int ncpus, uint32_t each,
		  const struct pmu *pmu);
void processes_close(struct processes *p); /* NULL is allowed */
/* Returns the process ids of the rows. */
struct process_ids *processes_ids(const struct processes *p);

/* Takes a CPU's state, and the reading derived from it. */
void processes_read(struct processes *p, unsigned int cpu, const struct netcost_cpu *c,
		    const struct exact_reading *r);
/* Swaps the halves, so that new rows belong to the next tick. Call it after all CPUs have been read. */
void processes_turn(struct processes *p);
/* Discards all rows and counters, because the CPUs' states restart at 0. Call it while no program runs. */
void processes_reset(struct processes *p);

/*
 * Writes the increase of all counters on these CPUs since the last tick. Call it after processes_turn(). The first tick
 * writes nothing, because it is the base of all later ticks. pids: process ids are valid in the recorder's pid
 * namespace.
 */
int processes_write(struct processes *p, const struct cpuset *cpus, const struct ladder *ladder,
		    struct cgroups *cgroups, bool pids, struct trace_writer *w);
/* Restarts the ids after a tick, because another file begins. Call it after the ids of cgroups were restarted. */
void processes_again(struct processes *p, struct cgroups *cgroups);

#endif
