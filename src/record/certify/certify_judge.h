/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * certify_judge.h: decides whether the recorder counted the injected time. This code only computes: it reads no clock
 * and no counter.
 *
 * Batches of packets are sent through a program that spins in every other batch. The difference of the mean counted
 * times must be the injected time. Other load on the CPU affects both sorts of batches; a batch that the load made much
 * longer is excluded. Only a batch's duration decides whether the batch is excluded, never its counted time.
 */
#ifndef NETCOST_CERTIFY_JUDGE_H
#define NETCOST_CERTIFY_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct certify_batch {
	bool spins;
	/* time from before the first reading of rx_ns until after the second reading */
	uint64_t wall_ns;
	/* part of wall_ns in which the program spun, by the program's own clock */
	uint64_t spun_ns;
	int64_t rx_ns; /* time that the recorder counted as RX during the batch */
};

/* Sums over the undisturbed batches that spin. */
struct certify_time {
	/* error_ns: half the width of the interval around injected_ns */
	uint64_t injected_ns, error_ns;
	int64_t found_ns;
	/* number of undisturbed batches of both sorts, and number of all batches */
	size_t used, batches;
	bool known; /* set if enough batches were undisturbed */
};

/*
 * Judges the batches. clock_ns: the counted time of a batch may exceed its spun_ns by this time, because the clock is
 * read at the start and at the end of spinning.
 */
void certify_judge(struct certify_time *t, const struct certify_batch *b, size_t n,
		   uint64_t clock_ns);

/*
 * certify_is_clear() returns true if the interval is narrow enough for a verdict. certify_is_found() returns true if
 * the found time is in the interval.
 */
bool certify_is_clear(const struct certify_time *t);
bool certify_is_found(const struct certify_time *t);

#endif
