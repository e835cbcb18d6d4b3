/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency_pieces.h: for how long packets waited in each piece of time: it watches the intervals while they are filled, and
 * gives each hook's histogram of a piece to somebody.
 */
#ifndef NETCOST_REPORT_LATENCY_PIECES_H
#define NETCOST_REPORT_LATENCY_PIECES_H

#include "intervals.h"

struct latency_pieces {
	struct intervals_watch watch; /* the second of the intervals */
	void *ctx;
	/* The pieces are known, if there are any. False: no memory. */
	bool (*begin)(void *ctx, const struct intervals *iv);
	/* d->bucket: NULL: no packet came to that hook in the piece. Piece by piece, hook by hook. */
	void (*take)(void *ctx, uint32_t piece, uint32_t hook, const struct dist *d);
	struct model_latency now[NETCOST_LATENCY_COUNT]; /* since the last edge */
	size_t pieces;
};

/* Sets watch; ctx and the functions are the caller's. */
void latency_pieces_init(struct latency_pieces *p);
void latency_pieces_free(struct latency_pieces *p);

#endif
