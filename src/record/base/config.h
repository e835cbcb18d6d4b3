/* SPDX-License-Identifier: BSD-2-Clause */
/* config.h: the settings from the command line. */
#ifndef NETCOST_CONFIG_H
#define NETCOST_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/cpuset.h>

#include "series.h"

struct config {
	const char *output;
	struct series_every every; /* --rotate; zeros: one file */
	const char *post;	   /* command per file; NULL: none */
	unsigned long keep;	   /* number of files to keep; 0: all */
	struct cpuset cpus;	   /* n 0: all online CPUs */
	const char *exact;    /* off, calls, entry, full; "": calls or entry, whichever is better */
	const char *event;    /* cpu-clock, cycles */
	uint64_t duration_ns; /* 0: no limit */
	uint64_t tick_ns;     /* whole milliseconds */
	unsigned long hz;
	uint64_t owners_every; /* one softirq in this many; 0: none */
	uint64_t stages_every; /* one packet in this many; 0: none */
	uint64_t budget_ppm;   /* ppm of a CPU's time; 0: no limit */
	bool budget_all;       /* includes samples and the recorder itself */
	/* what the budget may detach: exact times; programs that follow packets */
	bool exact_in_windows, path_in_windows;
	const char *latency_by;	  /* interface, cgroup, process; NULL: off */
	const char *latency_only; /* KEY=VALUE,…; NULL: all packets */
	bool net_only, processes, latency, tail, check, quiet, host_details, version, certify;
	const char *mark;	/* text of a mark for the running recordings; nothing is recorded */
	unsigned long mark_pid; /* only the recording of this process; 0: all */
	bool live;
	const char *live_program; /* netcost-report, for --live and --listen */
	const char *listen;	  /* where to serve metrics; NULL: nowhere */
	char **command;		  /* NULL: record until a signal, or for the duration */
	const char *host_root;	  /* the folder where the host's root is */
	unsigned long files;	  /* the command's limit of open files; 0: ours */
	const char *completion;	  /* print what completes arguments in this shell; NULL: not */
	bool man_options;	  /* print the part of the man page that is about options */
};

#endif
