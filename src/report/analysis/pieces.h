/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pieces.h: a store for each piece of time. It watches the intervals while they are filled, and gives what was counted in a piece
 * to somebody when that piece ends; then the store begins anew, with the rows that it has.
 */
#ifndef NETCOST_REPORT_PIECES_H
#define NETCOST_REPORT_PIECES_H

#include "intervals.h"
#include "report/store/store.h"

struct store_pieces {
	struct intervals_watch watch; /* the second of the intervals */
	const struct store_query *query;
	void *ctx;
	/* The pieces are known, if there are any. */
	void (*begin)(void *ctx, const struct intervals *iv);
	/* Piece by piece. What was counted in it has been touched (store.h). */
	void (*take)(void *ctx, uint32_t piece, const struct store *s);
	const struct model *m; /* while take() is called */
	struct store *now;
	size_t n;
};

/* Sets watch; ctx and the functions are the caller's. It can be used again after pieces_free(). */
void pieces_init(struct store_pieces *p, const struct store_query *q);
void pieces_free(struct store_pieces *p);

#endif
