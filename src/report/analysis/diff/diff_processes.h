/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_processes.h: processes of two recordings, joined by name, cgroups, by path, and users, by id. Their times are exact:
 * what differs is a difference, of the load or of its cost; so they have no intervals and are not tested. Energy is a range,
 * and what was received is an estimate where only some softirqs were looked at.
 */
#ifndef NETCOST_REPORT_DIFF_PROCESSES_H
#define NETCOST_REPORT_DIFF_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/analysis/energy.h"

struct diff_side;

enum diff_processes_by { DIFF_BY_NAME, DIFF_BY_CGROUP, DIFF_BY_USER, DIFF_BYS };

extern const char *const diff_processes_names[DIFF_BYS + 1]; /* NULL-terminated */

/* In the unit that was asked for; of what was not there 0. */
struct diff_process_side {
	double on_cpu, network; /* network NaN: not measured */
	double received; /* packets for its sockets, with what is dealt out; NaN: not recorded */
	double received_ci95;	   /* half of its interval; 0: exact, NaN: not known */
	struct energy_range watts; /* NaN: not known */
};

struct diff_process {
	const char *name; /* "": not known */
	bool kernel;	  /* by name or user */
	struct diff_process_side before, after;
};

/* Half of the interval of how what was received changed. */
double diff_process_received_ci95(const struct diff_process *p);

struct diff_process_table {
	bool there;		  /* by user: both recordings have them */
	struct diff_process *row; /* n that changed, most first */
	size_t n, nothers;
	struct diff_process others,
		all;	/* others: with those that the recorder did not keep apart */
	void *names[2]; /* those that are not the models' */
};

struct diff_processes {
	bool there; /* both have counted by process, and it is about all CPUs and tasks */
	struct diff_process_table table[DIFF_BYS];
};

/* n: the most rows of each table. -ENOMEM: then there is nothing to free. */
int diff_processes_make(struct diff_processes *d, const struct diff_side *before,
			const struct diff_side *after, size_t n);
void diff_processes_free(struct diff_processes *d);

#endif
