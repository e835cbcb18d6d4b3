/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * energy.h: from energy counters to the power of the network, as a range. What is not known is NaN.
 *
 * The power of packages and memory is taken as P = idle power + rest, where the rest grows with the time that CPUs are
 * busy. Idle power is where a straight line through the power of each piece of time, over how busy it was, meets a
 * load of nothing; or what the user knows it to be. Of the rest the network has its share of the busy time: the low end
 * of the range, less the error of the line. The high end is Netto's model, the network's share of CPU time of
 * all the power (where there is a counter for each core, the low end is the sum over cores of a core's energy, by the
 * network's share of its busy time); where the host idles more than it works that is less than the first, and the first with its error is
 * the high end, too. Both take all busy time as equally dear. It is not: frequency, SMT and wide
 * vector instructions make two or three times as much of the same time.
 */
#ifndef NETCOST_REPORT_ENERGY_H
#define NETCOST_REPORT_ENERGY_H

#include <stdbool.h>
#include <stddef.h>

#include "report/model/model.h"
#include "split.h"

enum energy_state {
	ENERGY_MEASURED,
	ENERGY_CONSTANT,   /* it never moved: it does not count */
	ENERGY_REFUSED,	   /* it could not be opened, or read */
	ENERGY_VANISHED,   /* it was there, and was not at the end */
	ENERGY_UNREADABLE, /* what is read is no counter */
	ENERGY_WRAPS,	   /* it may have wrapped twice between two reads */
	ENERGY_SHORT,	   /* read once */
	ENERGY_UNREAD,	   /* never read: the trace has no counters */
	ENERGY_MIRROR,	   /* it shows the counter of another zone once more, and is in no total */
	ENERGY_STATES,
};

extern const char *const energy_states[ENERGY_STATES + 1]; /* for programs; NULL-terminated */

/* A zone. */
struct energy_zone {
	enum energy_state state; /* the worst; WRAPS also if that is so of a part of the time */
	double joules, watts;	 /* of the time that the counter tells */
	double told_s, untold_s; /* untold_s: of the rest, between its first read and its last */
	/* Of packages and memory: */
	bool in_total;
	double idle_w, idle_se, idle_df; /* NaN: cannot be told, for this reason */
	const char *idle_why;
	double pieces;	 /* that this rests on */
	double watts_se; /* by how the power scatters: not all that is drawn is drawn for the load */
	double share, share_ci95; /* the network's, of the time that its CPUs were busy … */
	bool by_core;		  /* … that of each core, as much of it as the core's energy is */
};

struct energy_range {
	double low, high;
};

struct energy {
	size_t zones, missing;	      /* of packages and memory; and those without a power */
	double total_w;		      /* of the others */
	bool by_core;		      /* shares of packages, of one at least */
	bool idle_given;	      /* by --idle-watts */
	double idle_w, idle_ci95_w;   /* of them all */
	const char *idle_why;	      /* idle_w is NaN for this reason; else NULL */
	double share_w, share_ci95_w; /* the network's share of what is not idle power */
	double netto_w;
	struct energy_range network_w;
	struct energy_range packet_uj, gb_j; /* on interfaces */
	double ns_per_read;
	const char *hypervisor; /* that models the counters; NULL: none, or not known */
};

/* The ends of ranges are to hold the truth, not only in 19 of 20 cases. */
#define ENERGY_BEYOND 1e-4

/* What there is besides, for unit costs. */
struct energy_work {
	double seconds, packets, bytes;
};

bool energy_is_total(const struct model *m, const struct model_zone *z);
/* Of packages and memory, as far as counters tell. NaN: nothing is known. */
double energy_joules(const struct model *m);
void energy_zone(struct energy_zone *e, const struct model *m, const struct split *split,
		 size_t zone);
void energy_make(struct energy *e, const struct model *m, const struct split *split,
		 const struct energy_work *work);

#endif
