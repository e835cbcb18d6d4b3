/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes.h: what the exact counters count, by process and cgroup (--processes): takes the rows out of the programs' maps at
 * each tick, and adds what the running processes have done since they came.
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

/* Rows of each CPU in each half of the map. */
uint32_t processes_each(unsigned int ncpus);
/* Bytes of a row: what hardware counters have is there only where there are some. */
size_t processes_row_size(const struct pmu *pmu);

/* map_fd: the rows; takes, states: mapped; pmu: NULL, or it must live as long. */
int processes_new(struct processes **pp, int map_fd, volatile uint32_t *takes,
		  const struct netcost_cpu *states, unsigned int ncpus, const struct pmu *pmu);
void processes_close(struct processes *p); /* takes NULL */
/* Of its rows. */
struct process_ids *processes_ids(const struct processes *p);

/* The state of a CPU, as it was read, and what that means. */
void processes_read(struct processes *p, unsigned int cpu, const struct netcost_cpu *c,
		    const struct exact_reading *r);
/* All CPUs have been read: the next rows are of the next tick. */
void processes_turn(struct processes *p);
/* The CPUs' states will begin anew, at 0. While no program runs. */
void processes_reset(struct processes *p);

/*
 * After processes_turn(): what came since the last tick on these CPUs; of the first tick nothing, as all counts from there.
 * pids: process ids are those that this process sees.
 */
int processes_write(struct processes *p, const struct cpuset *cpus, const struct ladder *ladder,
		    struct cgroups *cgroups, bool pids, struct trace_writer *w);
/* Another file begins, after a tick: ids begin anew, and so have those of cgroups. */
void processes_again(struct processes *p, struct cgroups *cgroups);

#endif
