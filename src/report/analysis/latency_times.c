// SPDX-License-Identifier: BSD-2-Clause
#include "latency_times.h"

#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

static void keep(void *ctx, uint32_t piece, uint32_t hook, const struct model_latency *l)
{
	struct latency_times *t = ctx;
	struct latency_times_row *to;
	struct latency_row r;

	latency_row_of(&r, l);
	if (!(r.packets > 0) || t->too_many || t->no_memory)
		return;
	t->too_many = t->n == LATENCY_TIMES_MOST;
	t->no_memory = array_reserve(&t->row, &t->cap, t->n + 1, sizeof(*t->row));
	if (t->too_many || t->no_memory)
		return;
	to = &t->row[t->n++];
	*to = (struct latency_times_row){ .piece = piece,
					  .hook = hook,
					  .packets = r.packets,
					  .mean_ns = r.mean_ns,
					  .min_ns = r.min_ns,
					  .max_ns = r.max_ns };
	memcpy(to->ns, r.ns, sizeof(to->ns));
}

static void forget(struct latency_times *t)
{
	free(t->row);
	*t = (struct latency_times){ .pieces = t->pieces };
}

static bool begin(void *ctx, const struct intervals *iv)
{
	(void)iv;
	forget(ctx);
	return true;
}

void latency_times_init(struct latency_times *t)
{
	*t = (struct latency_times){ .pieces = { .ctx = t, .begin = begin, .take = keep } };
	latency_pieces_init(&t->pieces);
}

/* It can be used again. */
void latency_times_free(struct latency_times *t)
{
	latency_pieces_free(&t->pieces);
	forget(t);
}
