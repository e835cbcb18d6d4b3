/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes_shares.h: what processes have of what is not theirs alone: of received packets, and of
 * energy.
 */
#ifndef NETCOST_REPORT_PROCESSES_SHARES_H
#define NETCOST_REPORT_PROCESSES_SHARES_H

#include <netcost/fates.h>

#include "energy.h"
#include "processes.h"

/*
 * Receivers ("owners", record --owners). The time of the RX softirq and of threaded NAPI belongs
 * to processes that received packets, to packets that were dropped or forwarded, or it is
 * unattributed. The time of the driver and of GRO is no packet's: it is distributed evenly over
 * packets. All rows sum to the exact counters of the CPUs. Where only one softirq in N was
 * measured, its packets stand for all.
 */
struct owners_row {
	enum netcost_fate fate;
	const char *what; /* why dropped, or where forwarded to; "": not known, or neither */
	double ns,
		ci95_ns; /* the packets' own time; half-width of its interval: 0: exact; NaN: not known */
	double dealt_ns; /* its part of the time of the driver and GRO */
	double packets;
};

#define OWNERS_ROWS (MODEL_FATES + NETCOST_FATE_COUNT)

struct owners {
	const struct model *m;
	bool any;	/* the trace has receivers */
	double every;	/* one softirq in this number was measured */
	double leaf_ns; /* of the CPUs, in the summary, while it was counted */
	double left; /* share of a measured time that is not the recorder's own, equally of each packet */
	double all_ns;	  /* of all rows, with what is distributed */
	double looked_ns; /* the part of it in softirqs that were measured */
	double packets;	  /* of all rows */
	double dealt_ns;  /* distributed to each packet */
	double scale;	  /* from what was measured to all of it */
	struct owners_row row[OWNERS_ROWS];
	size_t nrows;
};

/*
 * Half-width of the interval of own time and distributed time together: both rest on the same
 * packets, so the relative error is the same.
 */
double owners_ci95(double ns, double ci95_ns, double dealt_ns);

/* The model needs MODEL_PROCESSES. */
void owners_make(struct owners *o, const struct model *m);

/* The network's time that a process pays for, or several; NaN: not measured. */
struct owners_paid {
	double own_ns; /* sends, receives, busy polling; threaded NAPI belongs to the receivers */
	double received_ns, ci95_ns, dealt_ns, packets; /* of packets for its sockets */
	double all_ns;
};
struct owners_paid owners_paid(const struct owners *o, const struct processes_values *v);

/*
 * The energy of packages and memory, distributed by busy time: to processes by their on-CPU time,
 * to network interrupts by their time or, with receivers, to the processes that received the
 * packets. Each share is a range, as is the network's power (energy.h):
 *   low    a share of the energy above idle power, less the error of idle power
 *   high   a share of all energy, by CPU time (Netto's model); or the low end with its error, if
 *          that is more
 * The rest goes to idle power, or idle time: at both ends all shares sum to all energy. Processes
 * have no time by CPU, so all packages are one.
 *
 * With hardware counters by process there is a second estimate: the energy of rows and network
 * interrupts together, distributed to rows by cycles, or by instructions. These reflect frequency
 * and shared cores, but not vector instructions.
 */
enum processes_energy_part {
	PROCESSES_ENERGY_ROWS, /* on-CPU time of all rows; with receivers, without threaded NAPI */
	PROCESSES_ENERGY_RECEIVED, /* with receivers: packets that rows received, with what is distributed to them */
	PROCESSES_ENERGY_UNOWNED,    /* with receivers: packets of no process */
	PROCESSES_ENERGY_INTERRUPTS, /* other network softirqs and hard interrupts */
	PROCESSES_ENERGY_MISSING,    /* time of CPUs that is in no row */
	PROCESSES_ENERGY_IDLE,
	PROCESSES_ENERGY_PARTS
};

/* A column of a hardware counter, and the column of the time in which it counted. */
struct processes_energy_second {
	const char *name;
	unsigned int value, counted;
};

struct processes_energy {
	double total_j;			 /* by the counters; NaN: not known */
	struct energy_range idle_j;	 /* energy of idle power, with its error; NaN: not known */
	struct energy_range idle_w;	 /* idle power, with its error; NaN: not known */
	const char *idle_why;		 /* why idle power is not known */
	bool idle_given;		 /* by --idle-watts */
	bool above_netto;		 /* the high end is not Netto's model */
	struct energy_range joules_a_ns; /* of busy time; low NaN: idle power is not known */
	double busy_ns;			 /* of the CPUs, with the recorder's own part */
	struct owners owners;
	struct energy_range part[PROCESSES_ENERGY_PARTS];
	struct processes_energy_second second; /* name NULL: there is no second estimate */
	double second_all;		       /* of all rows */
	const struct processes_values *all;    /* their sum */
};

void processes_energy_make(struct processes_energy *e, const struct processes *p);
/* The energy of an amount of busy time. NaN: not known. */
struct energy_range processes_energy_of(const struct processes_energy *e, double ns);
/*
 * The energy of a row, or of all: of its on-CPU time, and of packets that it received; NaN:
 * receivers are not known.
 */
struct energy_range processes_energy_own(const struct processes_energy *e,
					 const struct processes_values *v);
struct energy_range processes_energy_received(const struct processes_energy *e,
					      const struct processes_values *v);

/*
 * Joules per ns of busy time, in a part of the recording with this energy, busy time and idle
 * time.
 */
struct energy_range processes_energy_rates(double joules, const struct energy_range *idle_j,
					   double busy_ns, double idle_ns);
/*
 * The energy of idle power in a part of the recording, with its error. joules: all energy of that
 * part.
 */
struct energy_range processes_energy_idle(const struct processes_energy *e, double joules,
					  double seconds);

/* Makes the second estimate from a column, if the trace has it. */
void processes_energy_weigh(struct processes_energy *e, const struct processes *p,
			    const struct processes_energy_second *second);
/* The second estimate for a row, or for all. */
struct energy_range processes_energy_second(const struct processes_energy *e,
					    const struct processes_values *v);

#endif
