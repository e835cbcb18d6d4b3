/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes.h: sums up the values of processes by process, name, cgroup, container, user or names of pods. The report
 * shows the sums next to the leaves of the summary, and states any difference. A difference is never distributed over
 * the rows. Times exclude the recorder's own part (processes_own.h). For a process, this part is the same share of its
 * time in every interval.
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
	/* from this kind on, the processes of a row may be in several cgroups */
	PROCESSES_BY_CONTAINER,
	/* all processes with the same name; if a process changes its name, its time is divided between both names */
	PROCESSES_BY_NAME,
	PROCESSES_BY_USER, /* all processes of a user; kernel threads have a separate row */
	PROCESSES_BY_POD,
	PROCESSES_BY_NAMESPACE,
	PROCESSES_BY_WORKLOAD,
	PROCESSES_BY_IMAGE,
	/* from this name on, the names of who_by_names do not denote processes */
	PROCESSES_BY_PEER,
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
	PROCESSES_ONE,	 /* a process, or several that form one group */
	PROCESSES_IDLE,	 /* interrupts of the idle tasks */
	PROCESSES_REST,	 /* processes that the recorder did not distinguish */
	PROCESSES_OTHERS /* processes without a row in the report */
};

/* names for machine-readable output, in the order of the enum; NULL-terminated */
extern const char *const processes_kinds[];

/* Kinds of time that a process has in an interval. A chart stacks these. */
enum process_time {
	PROCESS_TIME_ON_CPU, /* the process's own time, without interrupts */
	/* the part of the process's own time in network sockets, busy polling and threaded NAPI */
	PROCESS_TIME_NETWORK,
	/* time of network softirqs and hard interrupts that interrupted the process */
	PROCESS_TIME_INTERRUPTED,
	PROCESS_TIMES
};

/* Values of a process or of several. NaN: not measured. */
struct processes_values {
	/* time of network softirqs and hard interrupts that interrupted the process */
	double interrupted_ns;

	double value[MODEL_PROCESS_VALUES];
	double on_cpu_ns;  /* the process's own time, without interrupts */
	double softirq_ns; /* time of RX and TX softirqs that interrupted the process */
	/*
	 * The process's own time in sends, receives, busy polling and threaded NAPI. NaN if neither sends nor receives
	 * were measured.
	 */
	double network_ns;
	double calls, bytes; /* calls on network sockets, and their bytes */
	double hz;	     /* mean frequency of the CPU while the process ran */
	double ipc;	     /* instructions per cycle */
	/*
	 * Softirq time of the packets that the process received (processes_shares.h). `squares` is as in OWNER_STATS.
	 */
	double received_ns, received_packets, received_squares;
};

struct processes_row {
	enum processes_kind kind;
	const char *
		name; /* name of the process, pod and so on; path of the cgroup; or id of the user; "": unknown */
	uint64_t pid, start_ns; /* only by process; start_ns TRACE_NIL: unknown */
	uint64_t user;		/* only by process or user; TRACE_NIL: unknown */
	bool kernel;
	const char *cgroup; /* the process's last cgroup, in rows of one process; "": unknown */
	/* the container of the cgroup; NULL if it is unknown, or if the row has no processes */
	const struct container *container;
	/* Names of the cgroup that all processes of the row share. "": unknown. */
	const char *label[MODEL_CGROUP_NAMES];
	size_t processes;
	uint32_t group; /* number of the group, from 1 on; 0: the row is not PROCESSES_ONE */
	struct processes_values v;
	double measured_ns[PROCESS_TIMES]; /* times including the recorder's own part */
};

/* A time in PROCESS_STATS. `own`: time of the process itself, not of an interrupt. `network`: time of the network. */
struct processes_time {
	enum netcost_event event;
	unsigned int value; /* index of the value in a process of the model */
	bool own, network;
};

#define PROCESSES_TIMES (NETCOST_EV_COUNT - 1) /* one for each event except idle */

#define PROCESSES_USER_NAME 21 /* digits and a NUL */

struct processes_sum {
	enum netcost_event event;
	double processes_ns; /* sum over all rows */
	double cpus_ns; /* sum of the leaf over the CPUs, in the time that was counted exactly */
};

struct processes {
	const struct model *m;
	enum processes_by by;
	struct processes_row *row; /* rows that are not PROCESSES_ONE come last */
	size_t nrows;
	struct container *container; /* container of each cgroup */
	/* id of each process's user, indexed by the process's id; only for rows by user */
	char (*user_name)[PROCESSES_USER_NAME];
	size_t groups; /* number of groups, with or without a row */
	/* group of each process of the model, by id; 0: an idle task, or processes that were not distinguished */
	uint32_t *group_of;
	struct processes_values all; /* sums of all rows */
	struct processes_sum sum[PROCESSES_TIMES];
	double busy_ns, cpus_busy_ns; /* sums over all of sum[] */
	double network_ns,
		/* the network's part of busy_ns and of cpus_busy_ns: own times and times in interrupts */
		cpus_network_ns;
	struct processes_own own;
	/* the recorder's own part that was subtracted from the CPUs' exact times; 0: this part is unknown */
	double own_ns;
	double paused_ns; /* time in which nothing was counted due to pauses (record --budget) */
};

/*
 * Makes the table. n is the largest number of PROCESSES_ONE rows. The model needs MODEL_PROCESSES and MODEL_CGROUPS.
 * Returns 0 or -ENOMEM.
 */
int processes_make(struct processes *p, const struct model *m, enum processes_by by,
		   enum processes_sort sort, size_t n);
void processes_free(struct processes *p);

/* Returns the value by which rows are sorted. */
double processes_sort_value(const struct processes_values *v, enum processes_sort sort);

/* ---- by interval --------------------------------------------------------------------------------- */

#define PROCESS_TIMES_MOST                                                                         \
	6000000 /* limit of entries; a file with more entries has no times by process and interval */

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

/* A track for each of the first PROCESSES_ONE rows, and one track for all other processes. */
struct process_tracks {
	const struct processes *p;
	const struct process_times *t;
	size_t ntracks; /* number of tracks without the last one, which holds all other processes */
	/* track of each group, from 1 on; ntracks: the track of all other processes; [0] is ntracks */
	size_t *track_of;
	/* share of each track's times that is not the recorder's own part */
	double (*left)[PROCESS_TIMES];
};

/* Makes a track for each of the first n rows of p, which must outlive k. Returns 0 or -ENOMEM. */
int process_tracks_make(struct process_tracks *k, const struct processes *p,
			const struct process_times *t, size_t n);
void process_tracks_free(struct process_tracks *k);

/* Adds the times of an interval to sums[], which has ntracks + 1 entries. */
void process_tracks_add(const struct process_tracks *k, size_t piece,
			double (*sums)[PROCESS_TIMES]);

#endif
