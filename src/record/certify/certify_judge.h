/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * certify_judge.h: decides whether the recorder counted the injected time. Pure arithmetic.
 *
 * Batches of packets are sent through a program that spins in every other batch. The difference of the mean counted
 * times must be the injected time. Other load on the CPU affects both sorts of batches; a batch that it made much
 * longer is excluded, by its duration and never by what was counted.
 */
#ifndef NETCOST_CERTIFY_JUDGE_H
#define NETCOST_CERTIFY_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct certify_batch {
	bool spins;
	uint64_t wall_ns; /* from before the first reading of rx_ns until after the second */
	uint64_t spun_ns; /* part of wall_ns, by the program's own clock */
	int64_t rx_ns;	  /* counted as RX meanwhile */
};

/* Sums of the undisturbed batches that spin. */
struct certify_time {
	/* error_ns: half-width of the interval around injected_ns */
	uint64_t injected_ns, error_ns;
	int64_t found_ns;
	size_t used, batches; /* batches of both sorts: undisturbed; in total */
	bool known;	      /* enough batches were undisturbed */
};

/* clock_ns: how much longer than it spun a batch may be counted, because a clock is read at its ends. */
void certify_judge(struct certify_time *t, const struct certify_batch *b, size_t n,
		   uint64_t clock_ns);

/* certify_is_clear(): the interval is narrow enough for a verdict; certify_is_found(): the found time is in it. */
bool certify_is_clear(const struct certify_time *t);
bool certify_is_found(const struct certify_time *t);

#endif
