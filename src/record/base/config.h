/* SPDX-License-Identifier: BSD-2-Clause */
/* config.h: what the command line asks for. */
#ifndef NETCOST_CONFIG_H
#define NETCOST_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/cpuset.h>

#include "series.h"

struct config {
	const char *output;
	struct series_every every; /* --rotate; zeros: all is one file */
	const char *post;	   /* for each file; NULL: nothing */
	unsigned long keep;	   /* files; 0: all */
	struct cpuset cpus;	   /* n 0: all that are online */
	const char *exact;    /* off, calls, entry, full; "": calls or entry, whichever is best */
	const char *event;    /* cpu-clock, cycles */
	uint64_t duration_ns; /* 0: no limit */
	uint64_t tick_ns;     /* whole milliseconds */
	unsigned long hz;
	uint64_t owners_every; /* one softirq in so many; 0: none */
	uint64_t stages_every; /* one packet in so many; 0: none */
	uint64_t budget_ppm;   /* of a CPU's time; 0: no limit */
	bool budget_all;       /* samples and the recorder itself are in it, too */
	bool exact_in_windows,
		path_in_windows; /* what the budget may detach: exact times; what follows packets */
	const char *latency_by;	 /* interface, cgroup, process; NULL: not */
	const char *latency_only; /* KEY=VALUE,…; NULL: all packets */
	bool net_only, processes, latency, tail, check, quiet, host_details, version, certify;
	const char *mark;	/* record nothing, mark this moment in the recordings that run */
	unsigned long mark_pid; /* in that of this process only; 0: in all */
	char **command;		/* NULL: record until a signal, or for the duration */
	unsigned long files;	/* how many the command may have open; 0: as many as we may */
	const char *completion; /* print what completes arguments in this shell; NULL: not */
	bool man_options;	/* print the part of the man page that is about options */
};

#endif
