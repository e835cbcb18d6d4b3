/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * windows.h: decides when probes are attached, so that they stay within their budget. Pure arithmetic.
 *
 * They are attached all the time, as long as they are cheap enough. Otherwise they are attached in windows, one in each
 * period, at a random place in the period, so that periodic load is not always met in the same phase.
 */
#ifndef NETCOST_WINDOWS_H
#define NETCOST_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

struct windows {
	double budget;	 /* share of a CPU's time; 0: no limit */
	bool on;	 /* the probes should be attached */
	bool always;	 /* all the time, not only for a window */
	uint64_t due_ns; /* when to decide again; UINT64_MAX: never */

	uint64_t asked_ns, on_ns;	/* times of the last decision, and of attaching */
	uint64_t period_end_ns;		/* end of the current period */
	uint64_t period_ns, window_ns;	/* the plan */
	uint64_t counted_ns, probes_ns; /* their cost in the current window */
	double debt_ns; /* if `always`: the excess over the budget or, below 0, what is saved */
	double own;	/* share of a CPU that the recorder itself takes */
};

/* Observations since the last decision. */
struct windows_seen {
	/* Cost of the probes in this time, on the CPU with the highest cost; 0: unknown. */
	uint64_t counted_ns, probes_ns;
	/* the recorder's CPU time in the budget, except for the following fields */
	uint64_t own_ns;
	/* One round of attaching and detaching: its CPU time, and how long the probes are partly attached. */
	uint64_t round_cpu_ns, round_ns;
	double samples; /* share of a CPU that samples take, if they are in the budget */
	uint32_t random;
};

/* The probes are attached, and stay so until their cost is known. */
void windows_begin(struct windows *w, double budget, uint64_t now_ns);
/* Decides. The result is valid until due_ns or, if the probes are to be attached, until windows_attached(). */
void windows_decide(struct windows *w, const struct windows_seen *seen, uint64_t now_ns);
void windows_attached(struct windows *w, uint64_t now_ns);
/* The probes cannot be attached. */
void windows_give_up(struct windows *w);

#endif
