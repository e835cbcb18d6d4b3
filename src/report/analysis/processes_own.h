/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes_own.h: takes the recorder's own part out of the exact times of processes, on the basis
 * of the summary: what the split takes out of a leaf is distributed over the processes. What runs
 * of probes took follows the number of calls, softirqs, interrupts or switches that caused them;
 * the rest, which are samples and programs that samples found, follows the time. So the times of
 * all processes sum to the leaf, and nobody knows more of one process: a call that is shorter than
 * the mean cost of its probes may leave less than nothing.
 */
#ifndef NETCOST_REPORT_PROCESSES_OWN_H
#define NETCOST_REPORT_PROCESSES_OWN_H

#include "report/model/model.h"
#include "split.h"

/* The exact time of an event on all CPUs, and the recorder's own part of it. */
struct own_part {
	double exact_ns; /* NaN: not measured */
	double taken_ns; /* all of it */
	double runs_ns;	 /* in runs of probes that processes_own_take() can count */
	/* what the summary says of all of the time, without the own part */
	double whole_ns, whole_ci95_ns;
};

struct processes_own {
	struct own_part event[NETCOST_EV_COUNT];
	double switches_ns; /* part of TASK's runs_ns; the rest of that is of calls */
	double value[MODEL_PROCESS_VALUES]; /* of all processes */
};

/* The times of events alone. -ENOMEM. */
int processes_own_events(struct own_part event[NETCOST_EV_COUNT], const struct model *m);
/* value: of all processes. -ENOMEM. */
int processes_own_make(struct processes_own *o, const struct model *m,
		       const double value[MODEL_PROCESS_VALUES]);
/* Takes out the part of a process, or of several. */
void processes_own_take(const struct processes_own *o, double value[MODEL_PROCESS_VALUES]);

#endif
