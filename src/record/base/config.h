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
	struct series_every every; /* --rotate; both fields are 0 for a single file */
	const char *post;	   /* command that is run for each finished file; NULL: none */
	unsigned long keep;	   /* number of finished files to keep; 0: all */
	/* --ring: time or bytes of the latest data to keep in memory; both fields are 0 for a file */
	struct series_every ring;
	const char *trigger; /* conditions for which a trace of the ring is written; NULL: none */
	/* length of a trace before and after its cause; minimum time between the causes of two traces */
	uint64_t before_ns, after_ns, cooldown_ns;
	/* limits in bytes: memory of the ring; all traces of the ring (0: no limit) */
	uint64_t max_memory, max_size;
	struct cpuset cpus; /* CPUs to record; n is 0 for all online CPUs */
	/* off, calls, entry or full; "" for calls or entry, whichever is better */
	const char *exact;
	const char *event;    /* cpu-clock or cycles */
	uint64_t duration_ns; /* duration of the recording; 0: no limit */
	uint64_t tick_ns;     /* interval between ticks; a whole number of milliseconds */
	unsigned long hz;
	uint64_t owners_every; /* N: receivers are observed in one of N softirqs; 0: none */
	uint64_t stages_every; /* N: one of N packets is sampled; 0: none */
	unsigned long peers;   /* number of peers that have a row; 0: none */
	uint64_t budget_ppm;   /* limit of the budget, ppm of a CPU's time; 0: no limit */
	bool budget_all;       /* the budget includes samples and the recorder itself */
	/* the budget may temporarily detach the programs of exact times, or the programs that follow packets */
	bool exact_in_windows, path_in_windows;
	const char *latency_by;	  /* interface, cgroup or process; NULL: off */
	const char *latency_only; /* KEY=VALUE,…; NULL: all packets are selected */
	bool user_stacks;	  /* also record user-space stacks */
	bool net_only, processes, latency, tail, check, quiet, host_details, version, certify;
	bool privileges; /* print the rights that the recorder keeps after the start */
	/* text of a mark for the running recordings: nothing is recorded; NULL: no mark */
	const char *mark;
	/* with mark: pid of the recording to mark, 0: all; with ab_ns: pid of the process to measure, 0: command */
	unsigned long pid;
	uint64_t ab_ns; /* length of a phase with or without recording (--ab); 0: record all the time */
	int begun_fd; /* descriptor that gets a byte when the recording has begun; 0: none */
	bool live;
	const char *live_program; /* path of netcost-report, for --live, --listen and --ring */
	const char *listen; /* address at which metrics are served; NULL: they are not served */
	const char *user;   /* user as whom the command runs; NULL: the recorder's own user */
	/* command to record; NULL: record until a signal comes or the duration ends */
	char **command;
	const char *host_root; /* path of the host's root folder */
	/* the command's limit of open files; 0: the recorder's own limit */
	unsigned long files;
	const char *completion; /* shell for which to print a completion script; NULL: none */
	bool man_options;	/* print the section on options of the man page */
};

#endif
