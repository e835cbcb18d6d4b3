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
	AB_PACKETS, /* IP packets received and sent in the network namespace of the process */
	AB_PACKET_BYTES,
	AB_SLEEPS,	/* voluntary context switches */
	AB_PREEMPTIONS, /* involuntary context switches */
	AB_COUNTERS
};

/* Sums over a process and its descendants. */
struct ab_reading {
	uint64_t at_ns;
	double v[AB_COUNTERS]; /* NaN if unknown */
	uint64_t threads;      /* hash of the set of threads */
};

void ab_read(struct ab_reading *r, pid_t process);
/* Computes rates per second; NaN if unknown. */
void ab_rates(const struct ab_reading *from, const struct ab_reading *to, double *rate);

/* ---- ab_result.c: what changed ---- */

/* The rates of the two phases of a round: without and with recording. */
struct ab_round {
	double rate[2][AB_COUNTERS];
};

/* A counter, or the ratio of two counters. */
struct ab_figure {
	const char *name, *unit;
	double scale; /* factor from the counter's unit to the printed unit */
	enum ab_counter of;
	int per;	  /* enum ab_counter, or -1 */
	const char *zero; /* text printed if the process did no work of this kind */
	/* text printed if the figure is unknown; NULL: the figure is omitted */
	const char *unknown;
};

/* A figure without and with recording, and its change with 95 % intervals. NaN if unknown. */
struct ab_change {
	double off, on, by, by_ci95;
	double relative, relative_ci95; /* in percent */
};

/* Compares the phases of each round. Rounds in which the figure is unknown are ignored. */
struct ab_change ab_compare(const struct ab_figure *f, const struct ab_round *round, size_t n);
/* Prints the comparison of at least AB_ROUNDS_LEAST rounds. */
void ab_print(FILE *out, const struct ab_round *round, size_t n);

#endif
