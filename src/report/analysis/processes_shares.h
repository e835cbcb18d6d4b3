/* SPDX-License-Identifier: BSD-2-Clause */
/* processes_shares.h: what processes have of what is not theirs alone: of received packets, and of energy. */
#ifndef NETCOST_REPORT_PROCESSES_SHARES_H
#define NETCOST_REPORT_PROCESSES_SHARES_H

#include <netcost/fates.h>

#include "energy.h"
#include "processes.h"

/*
 * Receivers ("owners", record --owners): whose the time of the RX softirq is, and of threaded NAPI: received for processes, dropped,
 * forwarded, or of no one who is known. Time before a packet's own, of the driver and of GRO, is distributed evenly over
 * packets. All of it sums to the CPUs' exact counters. Where only one softirq in N was looked at, what was seen there
 * stands for all.
 */
struct owners_row {
	enum netcost_fate fate;
	const char *what;   /* why dropped, or where forwarded to; "": not known, or not of those */
	double ns, ci95_ns; /* its own; half of the interval, 0: exact; NaN: not known */
	double dealt_ns;    /* of the pool */
	double packets;
};

#define OWNERS_ROWS (MODEL_FATES + NETCOST_FATE_COUNT)

struct owners {
	const struct model *m;
	bool any;	  /* something was recorded */
	double every;	  /* one softirq in so many was looked at */
	double leaf_ns;	  /* as the CPUs' exact counters have it */
	double all_ns;	  /* of all rows, what is dealt out included */
	double looked_ns; /* of that, in softirqs that were looked at */
	double packets;	  /* of all rows */
	double dealt_ns;  /* to a packet */
	double scale;	  /* of what was seen to what there is */
	struct owners_row row[OWNERS_ROWS];
	size_t nrows;
};

/* Half of the interval of its own with what is dealt out to it: that comes with the same packets, so it is as uncertain. */
double owners_ci95(double ns, double ci95_ns, double dealt_ns);

/* The model needs MODEL_PROCESSES. */
void owners_make(struct owners *o, const struct model *m);

/* The network's time that a process pays for, or several do; NaN: not measured. */
struct owners_paid {
	double own_ns; /* sends, receives, busy polling; threaded NAPI is paid for by those who receive */
	double received_ns, ci95_ns, dealt_ns, packets; /* for its sockets */
	double all_ns;
};
struct owners_paid owners_paid(const struct owners *o, const struct processes_values *v);

/*
 * The energy of packages and memory, distributed by busy time: to processes by their on-CPU time, to
 * network interrupts by theirs, or if it is known whose packets they were, to the processes that received them.
 * Each share is a range, as the network's power is one (energy.h):
 *   low    of the energy above idle power, less the error of that
 *   high   of all energy, by the share of CPU time (Netto's model); or the first with its error, where that is more
 * Idle power, or idle time, has the rest: at both ends all shares sum to all energy. Processes have no time by CPU, so
 * packages are not told apart.
 *
 * Where there are hardware counters by process there is a second estimate: what rows and network interrupts have
 * together, dealt out to rows by cycles, or by instructions. These know frequency, and what shares a core; not vector
 * instructions.
 */
enum processes_energy_part {
	PROCESSES_ENERGY_ROWS, /* on-CPU time of all rows; with owners without threaded NAPI */
	PROCESSES_ENERGY_RECEIVED, /* with owners: packets for rows, what is dealt out to them included */
	PROCESSES_ENERGY_UNOWNED, /* likewise, for no process */
	PROCESSES_ENERGY_INTERRUPTS, /* other network softirqs and hard interrupts, whoever they interrupted */
	PROCESSES_ENERGY_MISSING, /* time of CPUs that is in no row */
	PROCESSES_ENERGY_IDLE,
	PROCESSES_ENERGY_PARTS
};

/* A column of hardware counters, and for how long each was counted. */
struct processes_energy_second {
	const char *name;
	unsigned int value, counted;
};

struct processes_energy {
	double total_j;			 /* as far as counters tell; NaN: not known */
	struct energy_range idle_j;	 /* of idle power, with its error; NaN: cannot be told */
	struct energy_range idle_w;	 /* likewise, while counters told of it */
	const char *idle_why;		 /* … for this reason */
	bool idle_given;		 /* by --idle-watts */
	bool above_netto;		 /* the high end is not Netto's model */
	struct energy_range joules_a_ns; /* of busy time; low NaN: idle power cannot be told */
	struct owners owners;
	struct energy_range part[PROCESSES_ENERGY_PARTS];
	struct processes_energy_second second; /* name NULL: there is no second estimate */
	double second_all;		       /* of all rows */
	const struct processes_values *all;    /* their sum */
};

void processes_energy_make(struct processes_energy *e, const struct processes *p);
/* What that much busy time has of it. NaN: not known. */
struct energy_range processes_energy_of(const struct processes_energy *e, double ns);
/* Of the values of a row, or of all: by its on-CPU time, and for what it received; NaN: it is not known who did. */
struct energy_range processes_energy_own(const struct processes_energy *e,
					 const struct processes_values *v);
struct energy_range processes_energy_received(const struct processes_energy *e,
					      const struct processes_values *v);

/* Joules a ns of busy time, of a part of the recording that took so much energy, and had so much busy and idle time. */
struct energy_range processes_energy_rates(double joules, const struct energy_range *idle_j,
					   double busy_ns, double idle_ns);
/* What idle power took of these, with its error. */
struct energy_range processes_energy_idle(const struct processes_energy *e, double joules,
					  double seconds);

/* Makes the second estimate, if the trace has that column; it is tried with those that there are. */
void processes_energy_weigh(struct processes_energy *e, const struct processes *p,
			    const struct processes_energy_second *second);
/* Of the values of a row, or of all. */
struct energy_range processes_energy_second(const struct processes_energy *e,
					    const struct processes_values *v);

#endif
