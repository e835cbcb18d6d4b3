/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_history.h: each hook's histogram in each piece of time, kept. */
#ifndef NETCOST_REPORT_LATENCY_HISTORY_H
#define NETCOST_REPORT_LATENCY_HISTORY_H

#include "latency_pieces.h"

struct latency_history {
	struct latency_pieces pieces;		 /* its watch is the second of the intervals */
	uint64_t *bucket[NETCOST_LATENCY_COUNT]; /* piece by piece; NULL: there are no packets */
	size_t n;				 /* pieces */
	bool no_memory;
};

void latency_history_init(struct latency_history *h);
void latency_history_free(struct latency_history *h);

#endif
