/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes.h: what the exact counters count, by process and cgroup (--processes): takes the rows out of the programs' maps at
 * each tick, and adds what the running processes have done since they came.
 */
#ifndef NETCOST_PROCESSES_H
#define NETCOST_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

struct cgroups;
struct cpuset;
struct exact_reading;
struct ladder;
struct process_ids;
struct netcost_cpu;
struct processes;
struct trace_writer;

/* Rows in each of the two maps, which are there from the start: 300 bytes each. */
uint32_t processes_room(unsigned int ncpus);

/* map_fd: the maps; takes: which one takes rows, mapped. */
int processes_new(struct processes **pp, const int map_fd[2], volatile uint32_t *takes,
		  unsigned int ncpus);
void processes_free(struct processes *p); /* takes NULL */
/* Of its rows. */
struct process_ids *processes_ids(const struct processes *p);

/* The state of a CPU, as it was read, and what that means. */
void processes_read(struct processes *p, unsigned int cpu, const struct netcost_cpu *c,
		    const struct exact_reading *r);
/* All CPUs have been read: the next rows are of the next tick. */
void processes_turn(struct processes *p);
/* The CPUs' states began anew, at 0. */
void processes_reset(struct processes *p);

/*
 * After processes_turn(): what came since the last tick on these CPUs; of the first tick nothing, as all counts from there.
 * pids: process ids are those that this process sees.
 */
int processes_write(struct processes *p, const struct cpuset *cpus, const struct ladder *ladder,
		    struct cgroups *cgroups, bool pids, struct trace_writer *w);

#endif
