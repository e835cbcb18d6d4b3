/* SPDX-License-Identifier: BSD-2-Clause */
/* ab_impl.h: interfaces between the files of this folder. */
#ifndef NETCOST_AB_IMPL_H
#define NETCOST_AB_IMPL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define AB_ROUNDS_LEAST 10

/* ---- ab_read.c: the kernel's own counters of a process, which need no probes ---- */

enum ab_counter {
	AB_CPU_NS,
	AB_CALLS, /* read(2), write(2) and similar, on files, pipes and sockets; not send(2) and recv(2) */
	AB_CALL_BYTES,
	AB_PACKETS, /* IP packets in and out, of the network namespace of the process */
	AB_PACKET_BYTES,
	AB_SLEEPS,	/* voluntary context switches */
	AB_PREEMPTIONS, /* involuntary context switches */
	AB_COUNTERS
};

struct ab_thread {
	pid_t tid;
	uint64_t switches[2]; /* of AB_SLEEPS and AB_PREEMPTIONS */
};

/* A reading of the counters of a process and its descendants. Initialise it with zeros. */
struct ab_reading {
	uint64_t at_ns;
	double v[AB_COUNTERS]; /* NaN if unknown; switches are in `thread` */
	struct ab_thread *thread;
	size_t n, cap;
	pid_t *todo; /* processes that are still to be read */
	size_t ntodo, todo_cap;
};

/* Returns 0 or -ENOMEM. */
int ab_read(struct ab_reading *r, pid_t process);
/* Computes rates per second; NaN if unknown. Returns the number of threads that ended between the two readings. */
size_t ab_rates(const struct ab_reading *from, const struct ab_reading *to, double *rate);
void ab_reading_free(struct ab_reading *r);

/* ---- ab_result.c: what changed ---- */

/* The rates of the two phases of a round, by whether there was a recording. */
struct ab_round {
	double rate[2][AB_COUNTERS];
};

/* A value without and with recording, and its change, with 95 % intervals. The change is NaN if it is unknown. */
struct ab_change {
	double off, on, by, by_ci95;
	double relative, relative_ci95;
};

/* Compares pairs of values. Pairs with an unknown value are ignored. */
struct ab_change ab_compare(const double *off, const double *on, size_t n);
/* Prints the comparison of at least AB_ROUNDS_LEAST rounds. Returns 0 or -ENOMEM. */
int ab_print(FILE *out, const struct ab_round *round, size_t n);

#endif
