/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * owners.h: records the receivers of packets (--owners). At each tick it takes the rows out of the programs' map, right
 * after processes.h and from the same half. The rows and the amounts outside of rows sum to the time of the RX softirq
 * and of threaded NAPI in the same reading.
 */
#ifndef NETCOST_OWNERS_H
#define NETCOST_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_program;
struct btf_names;
struct cgroups;
struct cpuset;
struct exact_reading;
struct netcost_cpu;
struct owners;
struct process_ids;
struct trace_writer;

/*
 * Creates the object. map_fd is the map of receiver rows; takes, states and each are the same as for processes_new().
 * The programs observe one of `every` softirqs. kernel has the names of drop reasons.
 */
int owners_new(struct owners **op, int map_fd, const volatile uint32_t *takes,
	       const struct netcost_cpu *states, unsigned int ncpus, uint32_t each,
	       unsigned long every, const struct btf_names *kernel);
void owners_free(struct owners *o); /* NULL is allowed */

/* Sets the receiver of each socket that was opened before the recording to a process that has the socket open. */
void owners_fill(const struct bpf_program *fill);

/*
 * These functions work like the functions of processes.h with the corresponding names. owners_reset() also reads the
 * CPUs' states.
 */
void owners_read(struct owners *o, unsigned int cpu, const struct netcost_cpu *c,
		 const struct exact_reading *r);
void owners_reset(struct owners *o);
int owners_write(struct owners *o, const struct cpuset *cpus, struct process_ids *ids,
		 struct cgroups *cgroups, bool pids, struct trace_writer *w);

#endif
