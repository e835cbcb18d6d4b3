// SPDX-License-Identifier: BSD-2-Clause
#include "latency_times.h"

#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

struct latency_times_row *latency_times_add(struct latency_times_rows *to, uint32_t piece,
					    uint32_t hook, const struct dist *l)
{
	struct latency_times_row *row;
	struct dist_summary r;

	dist_summarize(&r, l);
	if (!(r.count > 0) || to->too_many || to->no_memory)
		return NULL;
	to->too_many = to->n == LATENCY_TIMES_MOST;
	to->no_memory = array_reserve(&to->at, &to->cap, to->n + 1, sizeof(*to->at));
	if (to->too_many || to->no_memory)
		return NULL;
	row = &to->at[to->n++];
	*row = (struct latency_times_row){ .piece = piece,
					   .hook = hook,
					   .packets = r.count,
					   .mean_ns = r.mean_ns,
					   .min_ns = r.min_ns,
					   .max_ns = r.max_ns };
	memcpy(row->ns, r.ns, sizeof(row->ns));
	return row;
}

void latency_times_rows_free(struct latency_times_rows *rows)
{
	free(rows->at);
	*rows = (struct latency_times_rows){ 0 };
}

static void take(void *ctx, uint32_t piece, uint32_t hook, const struct dist *l)
{
	struct latency_times *t = ctx;

	latency_times_add(&t->rows, piece, hook, l);
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct latency_times *t = ctx;

	(void)iv;
	latency_times_rows_free(&t->rows);
	return true;
}

void latency_times_init(struct latency_times *t)
{
	*t = (struct latency_times){ .pieces = { .ctx = t, .begin = begin, .take = take } };
	latency_pieces_init(&t->pieces);
}

/* It can be used again. */
void latency_times_free(struct latency_times *t)
{
	latency_pieces_free(&t->pieces);
	latency_times_rows_free(&t->rows);
}
