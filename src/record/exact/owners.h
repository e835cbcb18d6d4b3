/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * owners.h: whose packets the CPUs receive (--owners): takes the rows out of the programs' map at each tick, as
 * processes.h does, right after that and with the same turn. What is in no row sums, with the rows, to the time of the RX
 * softirq and of threaded NAPI, as the same reading has it.
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

/* Rows, in both halves. */
uint32_t owners_room(unsigned int ncpus);

/* As processes_new(). every: one softirq in so many is looked at. kernel: for why packets are dropped. */
int owners_new(struct owners **op, int map_fd, const volatile uint32_t *takes,
	       const struct netcost_cpu *states, unsigned int ncpus, unsigned long every,
	       const struct btf_names *kernel);
void owners_free(struct owners *o); /* takes NULL */

/* Sockets that are older than the recording get an owner: who has them open. */
void owners_fill(const struct bpf_program *fill);

/* As those of processes.h; the reset goes by the CPUs' states, too. */
void owners_read(struct owners *o, unsigned int cpu, const struct netcost_cpu *c,
		 const struct exact_reading *r);
void owners_reset(struct owners *o);
int owners_write(struct owners *o, const struct cpuset *cpus, struct process_ids *ids,
		 struct cgroups *cgroups, bool pids, struct trace_writer *w);

#endif
