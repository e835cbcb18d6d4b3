/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * windows.h: when probes are attached, so that they cost no more than they may. The arithmetic alone.
 *
 * They are attached all the time, as long as that is cheap enough. Otherwise in windows: one in each period, at a
 * random place in it, so that load that comes in periods of its own is not always met in the same state.
 */
#ifndef NETCOST_WINDOWS_H
#define NETCOST_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

struct windows {
	double budget;	 /* of a CPU's time; 0: no limit */
	bool on;	 /* they are to be attached */
	bool always;	 /* not only for a window */
	uint64_t due_ns; /* when it is to be asked again; UINT64_MAX: never */

	uint64_t asked_ns, on_ns;	/* when it was asked last, and when they were attached */
	uint64_t period_end_ns;		/* of the one that goes on */
	uint64_t period_ns, window_ns;	/* the plan */
	uint64_t counted_ns, probes_ns; /* their cost since they were attached for a window */
	double debt_ns; /* if always: what they have cost too much, or, below 0, saved */
	double own;	/* what the recorder itself takes of a CPU */
};

/* Since the last question. */
struct windows_seen {
	/* What the probes cost in this time, on the CPU where that is most; 0: nothing is known. */
	uint64_t counted_ns, probes_ns;
	uint64_t own_ns; /* CPU time of the recorder that is in the budget, apart from what follows */
	/* What attaching and detaching takes once: CPU time, and for how long probes are partly there. */
	uint64_t round_cpu_ns, round_ns;
	double samples; /* share of a CPU that samples take, if that is in the budget */
	uint32_t random;
};

/* They have been attached, and stay so until something is known of their cost. */
void windows_begin(struct windows *w, double budget, uint64_t now_ns);
/* Decides: what is in w then holds up to due_ns; or, where they are to be attached, up to windows_attached(). */
void windows_decide(struct windows *w, const struct windows_seen *seen, uint64_t now_ns);
void windows_attached(struct windows *w, uint64_t now_ns);
/* They cannot be attached. */
void windows_give_up(struct windows *w);

#endif
