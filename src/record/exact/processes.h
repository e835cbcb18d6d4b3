/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes.h: the exact counters by process and cgroup (--processes). At each tick it takes the rows out of the
 * programs' maps, and adds what the running processes have done since they were switched in.
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

/* Rows per CPU and half of the map. */
uint32_t processes_each(unsigned int ncpus);
/* Bytes of a row, which has hardware counters only if there are some. */
size_t processes_row_size(const struct pmu *pmu);

/* map_fd: the rows; takes, states: mapped; pmu: NULL, or it must outlive this. */
int processes_new(struct processes **pp, int map_fd, volatile uint32_t *takes,
		  const struct netcost_cpu *states, unsigned int ncpus, const struct pmu *pmu);
void processes_close(struct processes *p); /* NULL is allowed */
/* The ids of its rows. */
struct process_ids *processes_ids(const struct processes *p);

/* A CPU's state as read, and the reading derived from it. */
void processes_read(struct processes *p, unsigned int cpu, const struct netcost_cpu *c,
		    const struct exact_reading *r);
/* All CPUs have been read: swap the halves, so that new rows belong to the next tick. */
void processes_turn(struct processes *p);
/* The CPUs' states restart at 0. Call while no program runs. */
void processes_reset(struct processes *p);

/*
 * After processes_turn(): writes the increase since the last tick on these CPUs. The first tick
 * writes nothing: it is the base of all others. pids: process ids are valid in our pid namespace.
 */
int processes_write(struct processes *p, const struct cpuset *cpus, const struct ladder *ladder,
		    struct cgroups *cgroups, bool pids, struct trace_writer *w);
/* Another file begins, after a tick: ids restart, as those of cgroups did. */
void processes_again(struct processes *p, struct cgroups *cgroups);

#endif
