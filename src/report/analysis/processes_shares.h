/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes_shares.h: distributes what is shared between processes: the time of received packets, and energy.
 */
#ifndef NETCOST_REPORT_PROCESSES_SHARES_H
#define NETCOST_REPORT_PROCESSES_SHARES_H

#include <netcost/fates.h>

#include "energy.h"
#include "processes.h"

/*
 * Receivers ("owners", record --owners). The time of the RX softirq and of threaded NAPI belongs to processes that
 * received packets, to packets that were dropped or forwarded, or to nobody ("unattributed"). The time of the driver
 * and of GRO belongs to no single packet, so it is distributed evenly over packets. All rows sum to the exact counters
 * of the CPUs. If only one softirq in N was measured, its packets represent all packets.
 */
struct owners_row {
	enum netcost_fate fate;
	/* why packets were dropped, or where they were forwarded to; "": unknown, or neither */
	const char *what;
	double ns,
		/* the packets' own time, and the half-width of its confidence interval (0: exact; NaN: unknown) */
		ci95_ns;
	double dealt_ns; /* the row's part of the time of the driver and GRO */
	double packets;
};

#define OWNERS_ROWS (MODEL_FATES + NETCOST_FATE_COUNT)

struct owners {
	const struct model *m;
	bool any;     /* true if the trace has receivers */
	double every; /* N if one softirq in N was measured */
	/* exact time of RX softirqs and threaded NAPI on all CPUs, without the recorder's own part */
	double leaf_ns;
	/* share of a measured time that remains after subtracting the recorder's own part, the same for each packet */
	double left;
	double all_ns;	  /* sum over all rows, including the distributed time */
	double looked_ns; /* the part of all_ns in softirqs that were measured */
	double packets;	  /* sum over all rows */
	double dealt_ns;  /* time distributed to each packet */
	double scale;	  /* factor from the measured time to the whole time */
	struct owners_row row[OWNERS_ROWS];
	size_t nrows;
};

/*
 * Returns the half-width of the confidence interval of own time and distributed time together. Both are based on the
 * same packets, so they have the same relative error.
 */
double owners_ci95(double ns, double ci95_ns, double dealt_ns);

/* Computes the receivers. The model needs MODEL_PROCESSES. */
void owners_make(struct owners *o, const struct model *m);

/* The network's time that is attributed to one or several processes. NaN: not measured. */
struct owners_paid {
	/* sends, receives and busy polling; the time of threaded NAPI belongs to the receivers */
	double own_ns;
	double received_ns, ci95_ns, dealt_ns,
		packets; /* time and number of packets for the processes' sockets */
	double all_ns;
};
struct owners_paid owners_paid(const struct owners *o, const struct processes_values *v);

/*
 * The energy of packages and memory, distributed by busy time. Processes get energy for their on-CPU time. Network
 * interrupts get energy for their time. If receivers are known, the processes that received the packets get this energy
 * instead. Each share is a range, as is the network's power (energy.h):
 *
 *   low    the share of the energy above idle power, minus the error of idle power
 *   high   the larger of two values: the share of all energy by CPU time (Netto's model), and the share of the energy
 *          above idle power, plus the error of idle power
 *
 * The remaining energy belongs to idle power, or to idle time. So at both ends of the ranges, all shares sum to all
 * energy. Processes have no time by CPU, so all packages are treated as one.
 *
 * With hardware counters by process there is a second estimate: the energy of rows and network interrupts together is
 * distributed to rows by cycles, or by instructions. Cycles and instructions reflect frequency and shared cores, but
 * not vector instructions.
 */
enum processes_energy_part {
	/* on-CPU time of all rows; without threaded NAPI if receivers are known */
	PROCESSES_ENERGY_ROWS,
	/* if receivers are known: packets that rows received, including the time distributed to the packets */
	PROCESSES_ENERGY_RECEIVED,
	PROCESSES_ENERGY_UNOWNED,    /* if receivers are known: packets that belong to no process */
	PROCESSES_ENERGY_INTERRUPTS, /* other network softirqs and hard interrupts */
	PROCESSES_ENERGY_MISSING,    /* time of CPUs that belongs to no row */
	PROCESSES_ENERGY_IDLE,
	PROCESSES_ENERGY_PARTS
};

/* A column of a hardware counter, and the column of the time in which the counter ran. */
struct processes_energy_second {
	const char *name;
	unsigned int value, counted;
};

struct processes_energy {
	double total_j; /* energy by the energy counters; NaN: unknown */
	/* energy at idle power; the range includes the error of idle power; NaN: unknown */
	struct energy_range idle_j;
	struct energy_range idle_w; /* idle power; the range includes the error; NaN: unknown */
	const char *idle_why;	    /* why idle power is unknown */
	bool idle_given;	    /* idle power is from --idle-watts */
	bool above_netto;	    /* the high end is not from Netto's model */
	/* joules per ns of busy time; `low` is NaN if idle power is unknown */
	struct energy_range joules_a_ns;
	double busy_ns; /* busy time of the CPUs, including the recorder's own part */
	struct owners owners;
	struct energy_range part[PROCESSES_ENERGY_PARTS];
	struct processes_energy_second second; /* name NULL: there is no second estimate */
	double second_all;		       /* weight of all rows */
	const struct processes_values *all;    /* values of all rows together */
};

void processes_energy_make(struct processes_energy *e, const struct processes *p);
/* Returns the energy of an amount of busy time. NaN: unknown. */
struct energy_range processes_energy_of(const struct processes_energy *e, double ns);
/*
 * Returns the energy of a row, or of all rows, for its on-CPU time and for the packets that it received. NaN: receivers
 * are unknown.
 */
struct energy_range processes_energy_own(const struct processes_energy *e,
					 const struct processes_values *v);
struct energy_range processes_energy_received(const struct processes_energy *e,
					      const struct processes_values *v);

/*
 * Returns joules per ns of busy time in a part of the recording. The arguments are the energy, busy time and idle time
 * of this part.
 */
struct energy_range processes_energy_rates(double joules, const struct energy_range *idle_j,
					   double busy_ns, double idle_ns);
/*
 * Returns the energy at idle power in a part of the recording, as a range that includes the error of idle power.
 * `joules` is the total energy of this part.
 */
struct energy_range processes_energy_idle(const struct processes_energy *e, double joules,
					  double seconds);

/* Makes the second estimate from a column, if the trace has this column. */
void processes_energy_weigh(struct processes_energy *e, const struct processes *p,
			    const struct processes_energy_second *second);
/* Returns the second estimate for a row, or for all rows. */
struct energy_range processes_energy_second(const struct processes_energy *e,
					    const struct processes_values *v);

#endif
