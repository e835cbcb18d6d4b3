/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * certify_judge.h: is the time that was injected in what the recorder counted? The arithmetic alone.
 *
 * Batches of packets are sent past a program, which spins for every other batch. What is counted more for the ones than
 * for the others, on average, must be what was injected. Whatever else runs on the CPU comes between with both; a batch
 * that it made much longer is left out: by its length, never by what was counted of it.
 */
#ifndef NETCOST_CERTIFY_JUDGE_H
#define NETCOST_CERTIFY_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct certify_batch {
	bool spins;
	uint64_t wall_ns; /* from before rx_ns was first read until after it was read again */
	uint64_t spun_ns; /* of that, by the program's own clock */
	int64_t rx_ns;	  /* what was counted as RX meanwhile */
};

/* All of the batches that spin and were left alone, together. */
struct certify_time {
	uint64_t injected_ns, error_ns; /* error_ns: half of the interval around injected_ns */
	int64_t found_ns;
	size_t used, batches; /* of both sorts: left alone, in all */
	bool known;	      /* enough were left alone */
};

/* clock_ns: for so long a batch may be counted longer than it spun, as a clock was read at its ends. */
void certify_judge(struct certify_time *t, const struct certify_batch *b, size_t n,
		   uint64_t clock_ns);

/* The interval is narrow enough to say something, and what was found is in it. */
bool certify_is_clear(const struct certify_time *t);
bool certify_is_found(const struct certify_time *t);

#endif
