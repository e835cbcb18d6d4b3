/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * owners_shim.h: runs bpf/owners.h in user space, with one CPU, a clock that the test advances, and rows in memory.
 * Include this header in only one file of a test.
 */
#ifndef NETCOST_OWNERS_SHIM_H
#define NETCOST_OWNERS_SHIM_H

#include "bpf_shim.h"

#include <stdint.h>
#include <string.h>

#include "unit.h"

#define ROWS 8

static struct {
	struct netcost_cpu c;
	uint64_t now;
	unsigned int random;
	struct task_struct task;
	struct netcost_owned row[2 * ROWS]; /* two halves; the programs write to the second half */
	struct netcost_flow flow[NETCOST_FLOWS];
} m;

void shim_point(void)
{
}

unsigned long long shim_ktime(void)
{
	return m.now;
}

unsigned int shim_cpu_id(void)
{
	return 0;
}

unsigned int shim_random(void)
{
	return m.random;
}

struct netcost_cpu *shim_cpu(unsigned int cpu)
{
	return cpu ? NULL : &m.c;
}

struct task_struct *shim_current(void)
{
	return &m.task;
}

struct netcost_parked *shim_storage(struct task_struct *task, _Bool create)
{
	(void)task;
	(void)create;
	return NULL;
}

struct netcost_process *shim_process_row(unsigned int index)
{
	(void)index;
	return NULL;
}

int shim_pmu(unsigned int index, struct bpf_perf_event_value *value)
{
	(void)index;
	(void)value;
	return -1;
}

struct netcost_owned *shim_owned_row(unsigned int index)
{
	CU_ASSERT_FATAL(index >= processes_each && index < 2 * processes_each);
	return &m.row[index];
}

struct netcost_flow *shim_flow(unsigned int place)
{
	return &m.flow[place];
}

/* ---- events ------------------------------------------------------------------------------ */

static inline void begin(unsigned int every)
{
	memset(&m, 0, sizeof(m));
	m.now = 1000000;
	processes_each = ROWS;
	processes_cpus = 1;
	owners_every = every;
	hardirqs = true;
}

static inline uint64_t accounted(void)
{
	uint64_t ns = 0;

	for (int f = 0; f < NETCOST_FATE_SLOTS; f++)
		ns += m.c.owners.ns[f];
	for (unsigned int i = 0; i < 2 * ROWS; i++)
		ns += m.row[i].ns;
	return ns;
}

static inline void pass(uint64_t ns)
{
	m.now += ns;
}

static inline void softirq(bool begins)
{
	if (begins)
		softirq_begin(&m.c, NETCOST_EV_RX_SOFTIRQ);
	else
		softirq_end(&m.c, NETCOST_EV_RX_SOFTIRQ);
	if (!begins)
		CU_ASSERT_EQUAL(accounted(), m.c.softirq_ns - m.c.tx_ns);
}

static inline void packet_of(unsigned int flow, uint64_t address, uint64_t ns)
{
	owners_packet(&m.c, address, flow);
	pass(ns);
}

static inline void packet(uint64_t address, uint64_t ns)
{
	packet_of(0, address, ns);
}

/*
 * Reports that a packet reaches a process. `address` is the packet's address, or 0 if the mark does not identify the
 * packet.
 */
static inline void packet_reaches(uint64_t address, unsigned int process)
{
	struct netcost_owner owner = { .process = process, .cgroup = 7 };

	if (owners_may_mark(&m.c)) /* the programs check this before they look up the owner */
		owners_mark_socket(&m.c, process ? &owner : NULL, address, false);
	m.c.owners.tap = 0;
}

static inline void reaches(unsigned int process)
{
	packet_reaches(0, process);
}

/* Reports that a packet reaches an AF_PACKET socket, which gets a copy of every packet. */
static inline void taps(unsigned int process)
{
	reaches(process);
	m.c.owners.tap = 1;
}

static inline void wakes(unsigned int process)
{
	struct netcost_owner owner = { .process = process, .cgroup = 7 };

	owners_mark_woken(&m.c.owners, &owner);
}

static inline const struct netcost_owned *row(unsigned int process, uint64_t cgroup)
{
	static const struct netcost_owned none;

	for (unsigned int i = 0; i < 2 * ROWS; i++)
		if (m.row[i].process == process && m.row[i].cgroup == cgroup)
			return &m.row[i];
	return &none;
}

#endif
