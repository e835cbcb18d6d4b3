/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * energy.h: computes the power of the network from energy counters, as a range. NaN: unknown.
 *
 * The power of packages and memory is modelled as P = idle power + rest, where the rest grows with the CPUs' busy time.
 * Idle power is the intercept of a straight line fitted to the power of each interval over its busy time, or a value
 * that the user supplies. The low end of the range is the network's share of the rest, minus the error of the line. The
 * network's share of the rest equals its share of the busy time. The high end is Netto's model: the network's share of
 * CPU time, applied to all power. With a counter for each core, the low end is a sum over cores: the energy of a core
 * times the network's share of the core's busy time. If the host is mostly idle, the high end can be below the low end.
 * In this case, the high end is the network's share of the rest, plus the error of the line. Both models assume that
 * every second of busy time costs the same energy. This is not true, because frequency, SMT and wide vector
 * instructions change the energy by a factor of two or three.
 */
#ifndef NETCOST_REPORT_ENERGY_H
#define NETCOST_REPORT_ENERGY_H

#include <stdbool.h>
#include <stddef.h>

#include "report/model/model.h"
#include "split.h"

enum energy_state {
	ENERGY_MEASURED,
	ENERGY_CONSTANT,   /* the counter never moved and is ignored */
	ENERGY_REFUSED,	   /* the counter could not be opened or read */
	ENERGY_VANISHED,   /* the counter disappeared before the end */
	ENERGY_UNREADABLE, /* the value that was read is not a counter */
	ENERGY_WRAPS,	   /* the counter may have wrapped twice between two reads */
	ENERGY_SHORT,	   /* the counter was read only once */
	ENERGY_UNREAD,	   /* the counter was never read: the trace has no readings */
	ENERGY_MIRROR,	   /* the counter duplicates another zone's counter, and is in no total */
	ENERGY_STATES,
};

/* names for machine-readable output; NULL-terminated */
extern const char *const energy_states[ENERGY_STATES + 1];

struct energy_zone {
	/* The worst state of the zone. ENERGY_WRAPS is set even if it applies only to a part of the time. */
	enum energy_state state;
	double joules, watts; /* energy and mean power in the time told_s */
	/* Time in which the energy is known, and the remaining time between the first and the last read. */
	double told_s, untold_s;
	/* The following fields are used only for packages and memory. */
	bool in_total;
	/* idle_w is NaN if idle power is unknown; idle_why contains the reason */
	double idle_w, idle_se, idle_df;
	const char *idle_why;
	double pieces; /* number of intervals in which power and busy time are known */
	/* Standard error of the mean power, from the variation of power that the load does not explain. */
	double watts_se;
	double share, share_ci95; /* the network's share of the busy time of the zone's CPUs */
	/* the share combines the shares of cores, weighted by the energy of each core */
	bool by_core;
};

struct energy_range {
	double low, high;
};

struct energy {
	/* Number of zones of packages and memory, and number of those whose power is unknown. */
	size_t zones, missing;
	double total_w;		      /* sum over the zones whose power is known */
	bool by_core;		      /* the shares of cores are used for at least one package */
	bool idle_given;	      /* idle power is from --idle-watts */
	double idle_w, idle_ci95_w;   /* sums over all zones */
	const char *idle_why;	      /* reason why idle_w is NaN; NULL if idle_w is known */
	double share_w, share_ci95_w; /* the network's share of the power above idle power */
	double netto_w;
	struct energy_range network_w;
	struct energy_range packet_uj, gb_j; /* energy per packet and per GB on interfaces */
	double ns_per_read;
	/* The hypervisor that emulates the counters. NULL: no hypervisor, or unknown. */
	const char *hypervisor;
};

/*
 * Error probability of the ends of ranges. Ranges use this probability instead of 5 %, so that they nearly always
 * contain the true value.
 */
#define ENERGY_BEYOND 1e-4

/* Other data that unit costs need. */
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
