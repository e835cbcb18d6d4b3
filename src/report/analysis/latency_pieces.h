/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_pieces.h: each hook's histogram in each piece of time: it watches the intervals while they are filled. */
#ifndef NETCOST_REPORT_LATENCY_PIECES_H
#define NETCOST_REPORT_LATENCY_PIECES_H

#include "intervals.h"
#include "report/model/model.h"

struct latency_pieces {
	struct intervals_watch watch;		 /* the second of the intervals */
	uint64_t *bucket[NETCOST_LATENCY_COUNT]; /* piece by piece; NULL: there are no packets */
	size_t n;				 /* pieces */
	size_t next; /* what comes belongs to that one, from 1 on; 0: to none */
};

void latency_pieces_init(struct latency_pieces *p);
void latency_pieces_free(struct latency_pieces *p);

/* Packets of a hook in a piece, those up to that bucket. */
double latency_pieces_upto(const struct latency_pieces *p, enum netcost_latency hook, size_t piece,
			   unsigned int bucket);

#endif
