/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes.h: what was counted by process, summed up by process, name, cgroup, container, user or names of pods, next
 * to the leaves of the summary: any difference is reported, never distributed. Times are without the recorder's own part
 * (processes_own.h); in each interval a process has the same share of it.
 */
#ifndef NETCOST_REPORT_PROCESSES_H
#define NETCOST_REPORT_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/container.h>

#include "intervals.h"
#include "processes_own.h"
#include "report/model/model.h"

enum processes_by {
	PROCESSES_BY_PROCESS,
	PROCESSES_BY_CGROUP,
	PROCESSES_BY_CONTAINER, /* after it: the processes of a row may be in several cgroups */
	PROCESSES_BY_NAME, /* all processes of a name; a process that changes its name has a part in both */
	PROCESSES_BY_USER, /* all processes of a user; threads of the kernel are a row of their own */
	PROCESSES_BY_POD,
	PROCESSES_BY_NAMESPACE,
	PROCESSES_BY_WORKLOAD,
	PROCESSES_BY_IMAGE,
};
enum processes_sort {
	PROCESSES_SORT_CPU,
	PROCESSES_SORT_NETWORK,
	PROCESSES_SORT_BYTES,
	PROCESSES_SORT_CALLS,
	PROCESSES_SORT_SOFTIRQ,
	PROCESSES_SORT_SWITCHES,
	PROCESSES_SORT_SEND,
	PROCESSES_SORT_RECEIVE,
	PROCESSES_SORT_INTERRUPTED,
	PROCESSES_SORT_RECEIVED,
	PROCESSES_SORTS
};

enum processes_kind {
	PROCESSES_ONE,	 /* a process, or several that belong together */
	PROCESSES_IDLE,	 /* what interrupted the idle tasks */
	PROCESSES_REST,	 /* processes that the recorder did not distinguish */
	PROCESSES_OTHERS /* processes without a row in the report */
};

extern const char
	*const processes_kinds[]; /* for programs, in the order of the enum; NULL-terminated */

/* What a process did in an interval; a picture stacks these. */
enum process_time {
	PROCESS_TIME_ON_CPU,  /* its own time, without interrupts */
	PROCESS_TIME_NETWORK, /* the part of it on network sockets, busy polling and threaded NAPI */
	PROCESS_TIME_INTERRUPTED, /* network softirqs and hard interrupts that interrupted it */
	PROCESS_TIMES
};

/* NaN: not measured. */
struct processes_values {
	/* time of network softirqs and hard interrupts that interrupted it */
	double interrupted_ns;

	double value[MODEL_PROCESS_VALUES];
	double on_cpu_ns;  /* its own time, without interrupts */
	double softirq_ns; /* time of RX and TX softirqs that interrupted it */
	/*
	 * Its own time in sends, receives, busy polling and threaded NAPI; NaN if neither sends
	 * nor receives were measured.
	 */
	double network_ns;
	double calls, bytes; /* of network sockets */
	double hz;	     /* average frequency of the CPU while it ran */
	double ipc;	     /* instructions per cycle */
	/*
	 * Softirq time of the packets that it received (processes_shares.h); squares: as in
	 * OWNER_STATS.
	 */
	double received_ns, received_packets, received_squares;
};

struct processes_row {
	enum processes_kind kind;
	const char *
		name; /* of the process, pod, …; the path of the cgroup; the id of the user; "": not known */
	uint64_t pid, start_ns; /* only by process; TRACE_NIL: not known */
	uint64_t user;		/* only by process or user; TRACE_NIL: not known */
	bool kernel;
	const char *cgroup; /* by process: the last one that it was in; "": not known */
	const struct container *container; /* of its cgroup; NULL: not a row of processes */
	/* of its cgroup, what all of the row's processes share; "": not known */
	const char *label[MODEL_CGROUP_NAMES];
	size_t processes;
	uint32_t group; /* number of the group, from 1 on; 0: the row is not PROCESSES_ONE */
	struct processes_values v;
	double measured_ns[PROCESS_TIMES]; /* with the recorder's own part */
};

/*
 * A time of PROCESS_STATS: the process's own, or that of an interrupt; network: it is the
 * network's.
 */
struct processes_time {
	enum netcost_event event;
	unsigned int value; /* of a model's process */
	bool own, network;
};

#define PROCESSES_TIMES (NETCOST_EV_COUNT - 1) /* one for each event except idle */
extern const struct processes_time processes_time[PROCESSES_TIMES];

#define PROCESSES_USER_NAME 21 /* digits, and a NUL */

struct processes_sum {
	enum netcost_event event;
	double processes_ns; /* of all rows */
	double cpus_ns;	     /* of the CPUs: of the leaf, while it was counted exactly */
};

struct processes {
	const struct model *m;
	enum processes_by by;
	struct processes_row *row; /* rows that are not PROCESSES_ONE come last */
	size_t nrows;
	struct container *container;		/* of each cgroup */
	char (*user_name)[PROCESSES_USER_NAME]; /* by user: of each process of the model, by id */
	size_t groups;				/* number of groups, with a row or without */
	uint32_t *group_of; /* of each process of the model, by id; 0: idle, or not distinguished */
	struct processes_values all; /* sums of all rows */
	struct processes_sum sum[PROCESSES_TIMES];
	double busy_ns, cpus_busy_ns;	    /* the same over all of sum[] */
	double network_ns, cpus_network_ns; /* the network's part: own times, and interrupts */
	struct processes_own own;
	double own_ns; /* what was taken out of the CPUs' exact times; 0: nothing is known of it */
	double paused_ns; /* time in which nothing was counted (record --budget) */
};

/* n: the most rows of PROCESSES_ONE. Needs MODEL_PROCESSES and MODEL_CGROUPS. -ENOMEM. */
int processes_make(struct processes *p, const struct model *m, enum processes_by by,
		   enum processes_sort sort, size_t n);
void processes_free(struct processes *p);

/* The value that rows are sorted by. */
double processes_sort_value(const struct processes_values *v, enum processes_sort sort);

/* ---- by interval --------------------------------------------------------------------------------- */

#define PROCESS_TIMES_MOST                                                                         \
	6000000 /* entries; a file with more has no times by process and interval */

struct process_times_entry {
	uint32_t piece, process;
	double ns[PROCESS_TIMES];
};

struct process_times {
	struct store_pieces pieces;
	struct process_times_entry *entry; /* sorted by interval, then by process */
	size_t n, cap;
	bool no_memory, too_many;
};

void process_times_init(struct process_times *t);
void process_times_free(struct process_times *t);

/* Tracks: the first rows that are PROCESSES_ONE, and one for all others. */
struct process_tracks {
	const struct processes *p;
	const struct process_times *t;
	size_t ntracks;	  /* without the one for all others */
	size_t *track_of; /* of each group, from 1 on; ntracks: that of all others; [0] is ntracks */
	/* of each track: share that is not the recorder's own */
	double (*left)[PROCESS_TIMES];
};

/*
 * Makes a track for each of the first n rows of p, which must outlive it. -ENOMEM.
 */
int process_tracks_make(struct process_tracks *k, const struct processes *p,
			const struct process_times *t, size_t n);
void process_tracks_free(struct process_tracks *k);

/* Adds the times of an interval to sums[track], of ntracks + 1 tracks. */
void process_tracks_add(const struct process_tracks *k, size_t piece,
			double (*sums)[PROCESS_TIMES]);

#endif
