/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes_energy.h: the energy of packages and memory, dealt out by busy time: to processes by their on-CPU time, to
 * network interrupts by theirs. Each share is a range, as the network's power is one (energy.h):
 *   low    of the energy above idle power, less the error of that
 *   high   of all energy, by the share of CPU time (Netto's model); or the first with its error, where that is more
 * Idle power, or idle time, has the rest: at both ends all shares sum to all energy. Processes have no time by CPU, so
 * packages are not told apart.
 *
 * Where there are hardware counters by process there is a second estimate: what rows and network interrupts have
 * together, dealt out to rows by cycles, or by instructions. These know frequency, and what shares a core; not vector
 * instructions.
 */
#ifndef NETCOST_REPORT_PROCESSES_ENERGY_H
#define NETCOST_REPORT_PROCESSES_ENERGY_H

#include "energy.h"
#include "processes.h"

enum processes_energy_part {
	PROCESSES_ENERGY_ROWS,	     /* on-CPU time of all rows */
	PROCESSES_ENERGY_INTERRUPTS, /* network softirqs and hard interrupts, whoever they interrupted */
	PROCESSES_ENERGY_MISSING, /* time of CPUs that is in no row */
	PROCESSES_ENERGY_IDLE,
	PROCESSES_ENERGY_PARTS
};

struct processes_energy {
	double total_j;			 /* as far as counters tell; NaN: not known */
	struct energy_range idle_j;	 /* of idle power, with its error; NaN: cannot be told */
	const char *idle_why;		 /* … for this reason */
	bool idle_given;		 /* by --idle-watts */
	bool above_netto;		 /* the high end is not Netto's model */
	struct energy_range joules_a_ns; /* of busy time; low NaN: idle power cannot be told */
	struct energy_range part[PROCESSES_ENERGY_PARTS];
	const char *second; /* the column that the second estimate is by; NULL: there is none */
	unsigned int second_value; /* its number in the values */
	double second_all;	   /* of all rows */
};

void processes_energy_make(struct processes_energy *e, const struct processes *p);
/* What that much busy time has of it. NaN: not known. */
struct energy_range processes_energy_of(const struct processes_energy *e, double ns);

/* The second estimate by a column of PROCESS_STATS, if the trace has it; that is tried with those that there are. */
void processes_energy_weigh(struct processes_energy *e, const struct processes *p,
			    const char *column);
/* Of the values of a row, or of all. */
struct energy_range processes_energy_second(const struct processes_energy *e,
					    const struct processes_values *v);

#endif
