/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes_own.h: takes the recorder's own part out of the exact times of processes. The time that the split takes out
 * of a leaf is distributed over the processes. The cost of runs of probes is distributed by the number of calls,
 * softirqs, interrupts or switches that caused the runs. The rest, which is the cost of samples and the time of
 * programs that samples found, is distributed by time. So the times of all processes sum to the leaf. The part of a
 * single process is only an estimate. For example, if a call is shorter than the mean cost of its probes, its remaining
 * time is negative.
 */
#ifndef NETCOST_REPORT_PROCESSES_OWN_H
#define NETCOST_REPORT_PROCESSES_OWN_H

#include "report/model/model.h"
#include "split.h"

/* The exact time of an event on all CPUs, and the recorder's own part of this time. */
struct own_part {
	double exact_ns; /* NaN: not measured */
	double taken_ns; /* the whole own part */
	double runs_ns;	 /* the cost of runs of probes that processes_own_take() can count */
	/* The whole time according to the summary, without the own part. */
	double whole_ns, whole_ci95_ns;
};

struct processes_own {
	struct own_part event[NETCOST_EV_COUNT];
	/* the part of TASK's runs_ns that is the cost of switches; the rest is the cost of calls */
	double switches_ns;
	double value[MODEL_PROCESS_VALUES]; /* sums over all processes */
};

/* Finds only the times of events. Returns 0 or -ENOMEM. */
int processes_own_events(struct own_part event[NETCOST_EV_COUNT], const struct model *m);
/* Finds the own part. `value` is the sum over all processes. Returns 0 or -ENOMEM. */
int processes_own_make(struct processes_own *o, const struct model *m,
		       const double value[MODEL_PROCESS_VALUES]);
/* Subtracts the own part from the values of one or several processes. */
void processes_own_take(const struct processes_own *o, double value[MODEL_PROCESS_VALUES]);

#endif
