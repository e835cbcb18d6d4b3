/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * windows.h: decides when probes are attached, so that they stay within their budget. This code only computes, and
 * attaches nothing itself.
 *
 * Probes are attached all the time while they are cheap enough. Otherwise they are attached in windows, one in each
 * period, at a random time within the period. So the windows do not always meet periodic load in the same phase.
 */
#ifndef NETCOST_WINDOWS_H
#define NETCOST_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

struct windows {
	double budget;	 /* share of a CPU's time; 0: no limit */
	bool on;	 /* the probes should be attached */
	bool always;	 /* the probes are attached all the time, not only for a window */
	uint64_t due_ns; /* time of the next decision; UINT64_MAX: never */

	uint64_t asked_ns, on_ns;      /* times of the last decision, and of the last attaching */
	uint64_t period_end_ns;	       /* end of the current period */
	uint64_t period_ns, window_ns; /* planned lengths */
	/* counted time and the probes' cost, in the current window */
	uint64_t counted_ns, probes_ns;
	double debt_ns; /* with `always`: cost above the budget; saved budget if negative */
	double own;	/* share of a CPU that the recorder's own process takes */
};

/* Observations since the last decision. */
struct windows_seen {
	/* Counted time, and the cost of the probes in that time, on the CPU where they cost most; 0: unknown. */
	uint64_t counted_ns, probes_ns;
	/* the recorder's CPU time that belongs to the budget, without the times in the following fields */
	uint64_t own_ns;
	/* One round of attaching and detaching: its CPU time, and the time while the probes are partly attached. */
	uint64_t round_cpu_ns, round_ns;
	/* share of a CPU that samples take; 0 if they do not belong to the budget */
	double samples;
	uint32_t random;
};

/* Begins with attached probes, which stay attached until their cost is known. */
void windows_begin(struct windows *w, double budget, uint64_t now_ns);
/* Makes a decision, which is valid until due_ns or, if the probes are to be attached, until windows_attached(). */
void windows_decide(struct windows *w, const struct windows_seen *seen, uint64_t now_ns);
void windows_attached(struct windows *w, uint64_t now_ns);
/* Ends all windows, because the probes cannot be attached. */
void windows_give_up(struct windows *w);

#endif
