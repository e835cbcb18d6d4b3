/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process_times.h: what was counted by process in each piece of time: it watches the intervals while they are filled, and
 * keeps what is not 0. Then it is summed up by the groups of processes.h: those with most have tracks of their own.
 */
#ifndef NETCOST_REPORT_PROCESS_TIMES_H
#define NETCOST_REPORT_PROCESS_TIMES_H

#include "intervals.h"
#include "processes.h"

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
