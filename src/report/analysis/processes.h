/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes.h: what was counted by process, summed up by process, name, cgroup, container or user, next to the CPUs' exact
 * counters: any difference is reported, never distributed. Also by interval.
 */
#ifndef NETCOST_REPORT_PROCESSES_H
#define NETCOST_REPORT_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "intervals.h"
#include "report/model/model.h"

/*
 * The container that a cgroup is of, by its path alone: docker, containerd, CRI-O and podman, as they call their cgroups with
 * systemd and without, in pods of Kubernetes or not; LXC and systemd-nspawn.
 */
#define CONTAINER_ID 96

struct container {
	/* docker, containerd, cri-o, podman, lxc, nspawn, machined; "": not known */
	const char *runtime;
	char id[CONTAINER_ID];	/* 64 hex digits, or a name */
	char pod[CONTAINER_ID]; /* the pod's uid; "": none */
};

/* The innermost one. False: of none, or that is not to be seen; *c is empty then. */
bool container_of_path(const char *path, struct container *c);

enum processes_by {
	PROCESSES_BY_PROCESS,
	PROCESSES_BY_CGROUP,
	PROCESSES_BY_CONTAINER,
	PROCESSES_BY_NAME, /* all processes of a name; one that got another has a part in both */
	PROCESSES_BY_USER, /* likewise of a user; threads of the kernel are apart */
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
	PROCESSES_ONE,	 /* or several that belong together */
	PROCESSES_IDLE,	 /* the idle tasks: what interrupted them */
	PROCESSES_REST,	 /* those that the recorder did not keep apart */
	PROCESSES_OTHERS /* those without a row of their own in the report */
};

extern const char *const processes_kinds[]; /* for programs, in that order; NULL-terminated */

/* NaN: not measured. */
struct processes_values {
	/* Network softirqs and hard interrupts that interrupted it. */
	double interrupted_ns;

	double value[MODEL_PROCESS_VALUES];
	double on_cpu_ns;  /* its own, without what interrupted it */
	double softirq_ns; /* RX and TX, that interrupted it */
	/* Its own: sends, receives, busy polling, threaded NAPI; NaN if neither of the first two was measured. */
	double network_ns;
	double calls, bytes; /* of network sockets */
	double hz;	     /* average frequency of the CPU while it had it */
	double ipc;	     /* instructions a cycle */
	/* In softirqs, for it: see processes_shares.h; squares: of OWNER_STATS. */
	double received_ns, received_packets, received_squares;
};

struct processes_row {
	enum processes_kind kind;
	const char *name; /* of a process, the path of a cgroup, or a user's id; "": not known */
	uint64_t pid, start_ns; /* by process; TRACE_NIL: not known */
	uint64_t user;		/* by process or user; likewise */
	bool kernel;
	const char *cgroup; /* by process: the last one that it was seen in; "": not known */
	const struct container *container; /* of its cgroup; NULL: there is none to speak of */
	size_t processes;
	uint32_t group; /* its number, from 1 on; 0: of kinds beside PROCESSES_ONE */
	struct processes_values v;
};

/* A time of PROCESS_STATS: a process's own, or of what interrupted it; in either case the network's, or not. */
struct processes_time {
	enum netcost_event event;
	unsigned int value; /* of a model's process */
	bool own, network;
};

#define PROCESSES_TIMES (NETCOST_EV_COUNT - 1) /* of each event but idle */
extern const struct processes_time processes_time[PROCESSES_TIMES];

#define PROCESSES_USER_NAME 21 /* digits, and a NUL */

struct processes_sum {
	enum netcost_event event;
	double processes_ns; /* of all rows */
	double cpus_ns;	     /* the CPUs' own counters */
};

struct processes {
	const struct model *m;
	enum processes_by by;
	struct processes_row *row; /* nrows; those of kinds beside PROCESSES_ONE are the last ones */
	size_t nrows;
	struct container *container;		/* of each cgroup */
	char (*user_name)[PROCESSES_USER_NAME]; /* by user: of each process of the model, by id */
	size_t groups;				/* there are, with a row or without */
	uint32_t *group_of; /* of each process of the model, by id; 0: in none: idle, or not kept apart */
	struct processes_values all; /* sums of all rows */
	struct processes_sum sum[PROCESSES_TIMES];
	double busy_ns, cpus_busy_ns;	    /* likewise, of all of them */
	double network_ns, cpus_network_ns; /* of these, the network's: own times, and interrupts */
	double paused_ns;		    /* with a budget: time that nothing was counted in */
};

/* n: at most so many rows of PROCESSES_ONE. Needs MODEL_PROCESSES and MODEL_CGROUPS. -ENOMEM. */
int processes_make(struct processes *p, const struct model *m, enum processes_by by,
		   enum processes_sort sort, size_t n);
void processes_free(struct processes *p);

/* What rows are sorted by. */
double processes_sort_value(const struct processes_values *v, enum processes_sort sort);

/* ---- by interval --------------------------------------------------------------------------------- */

/* What a process did in a piece; so, what is stacked in a picture. */
enum process_time {
	PROCESS_TIME_ON_CPU,	  /* its own, without what interrupted it */
	PROCESS_TIME_NETWORK,	  /* of that, on network sockets, busy polling, threaded NAPI */
	PROCESS_TIME_INTERRUPTED, /* network softirqs and hard interrupts, whatever they interrupted */
	PROCESS_TIMES
};

#define PROCESS_TIMES_MOST 6000000 /* entries: of a file that says more nothing is kept */

struct process_times_entry {
	uint32_t piece, process;
	double ns[PROCESS_TIMES];
};

struct process_times {
	struct store_pieces pieces;
	struct process_times_entry *entry; /* piece by piece, process by process */
	size_t n, cap;
	bool no_memory, too_many;
};

void process_times_init(struct process_times *t);
void process_times_free(struct process_times *t);

/* By tracks: rows of processes.h that are one, then the rest. */
struct process_tracks {
	const struct processes *p;
	const struct process_times *t;
	size_t ntracks;	  /* those of groups */
	size_t *track_of; /* of each group, from 1 on; ntracks: the rest; of 0 likewise */
};

/* Of the first n rows of p, which must outlive it. -ENOMEM. */
int process_tracks_make(struct process_tracks *k, const struct processes *p,
			const struct process_times *t, size_t n);
void process_tracks_free(struct process_tracks *k);

/* Of piece i: sums[track], ntracks + 1 of them: the last is of the rest. ns: all zeros before. */
void process_tracks_add(const struct process_tracks *k, size_t piece,
			double (*sums)[PROCESS_TIMES]);

#endif
