/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * energy.h: from energy counters to the power of the network, as a range. NaN: unknown.
 *
 * The power of packages and memory is modelled as P = idle power + rest, where the rest grows with the CPUs' busy time.
 * Idle power is the intercept of a straight line fitted to the power of each interval over its busy time, or a value
 * that the user supplies. The network's share of the rest is its share of the busy time: this is the low end of the
 * range, minus the error of the line. The high end is Netto's model: the network's share of CPU time, applied to all
 * power. With a counter for each core, the low end is the sum over cores of a core's energy times the network's share
 * of its busy time. If the host is mostly idle the high end can be below the low end; then it is the low end plus its
 * error. Both models assume that every second of busy time costs the same energy, which is not true: frequency, SMT and
 * wide vector instructions change it by a factor of two or three.
 */
#ifndef NETCOST_REPORT_ENERGY_H
#define NETCOST_REPORT_ENERGY_H

#include <stdbool.h>
#include <stddef.h>

#include "report/model/model.h"
#include "split.h"

enum energy_state {
	ENERGY_MEASURED,
	ENERGY_CONSTANT,   /* never moved: ignored */
	ENERGY_REFUSED,	   /* could not be opened or read */
	ENERGY_VANISHED,   /* existed, but not at the end */
	ENERGY_UNREADABLE, /* the value read is not a counter */
	ENERGY_WRAPS,	   /* may have wrapped twice between two reads */
	ENERGY_SHORT,	   /* read only once */
	ENERGY_UNREAD,	   /* never read: the trace has no readings */
	ENERGY_MIRROR,	   /* duplicates the counter of another zone, and is in no total */
	ENERGY_STATES,
};

extern const char *const energy_states[ENERGY_STATES + 1]; /* for programs; NULL-terminated */

/* A zone. */
struct energy_zone {
	/* the worst state; WRAPS also if it applies to a part of the time */
	enum energy_state state;
	double joules, watts; /* in told_s */
	/* time in which the energy is known; the remaining time between the first read and the last */
	double told_s, untold_s;
	/* Packages and memory only: */
	bool in_total;
	double idle_w, idle_se, idle_df; /* NaN: unknown, see idle_why */
	const char *idle_why;
	double pieces; /* number of intervals used */
	/* standard error from the variation of power: not all power depends on the load */
	double watts_se;
	double share, share_ci95; /* the network's share of the busy time of the zone's CPUs */
	bool by_core;		  /* the shares of cores, weighted by their energy */
};

struct energy_range {
	double low, high;
};

struct energy {
	/* zones of packages and memory; number of those without a power */
	size_t zones, missing;
	double total_w;		      /* sum over zones with a power */
	bool by_core;		      /* at least one package uses the shares of cores */
	bool idle_given;	      /* with --idle-watts */
	double idle_w, idle_ci95_w;   /* sum over all zones */
	const char *idle_why;	      /* why idle_w is NaN; otherwise NULL */
	double share_w, share_ci95_w; /* the network's share of the power above idle */
	double netto_w;
	struct energy_range network_w;
	struct energy_range packet_uj, gb_j; /* per packet and GB on interfaces */
	double ns_per_read;
	/* a hypervisor that emulates the counters; NULL: none, or unknown */
	const char *hypervisor;
};

/* Ends of ranges use this error probability instead of 5 %, so that a range nearly always contains the true value. */
#define ENERGY_BEYOND 1e-4

/* Other data for unit costs. */
struct energy_work {
	double seconds, packets, bytes;
};

bool energy_is_total(const struct model *m, const struct model_zone *z);
/* Returns the known energy of packages and memory. NaN: unknown. */
double energy_joules(const struct model *m);
void energy_zone(struct energy_zone *e, const struct model *m, const struct split *split,
		 size_t zone);
void energy_make(struct energy *e, const struct model *m, const struct split *split,
		 const struct energy_work *work);

#endif
