// SPDX-License-Identifier: BSD-2-Clause
#include "pieces.h"

#include <errno.h>

/* What is wrong with the record the model will say. */
static int pieces_record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	const struct store_tick tick = { m->tick_cpu, m->tick_ncpus };
	struct store_pieces *p = ctx;

	if (rec->type != p->query->type || !p->n)
		return 0;
	return store_take(p->now, rec, &tick) == -ENOMEM ? -ENOMEM : 0;
}

/* What was counted up to the edge is the piece's before it. */
static void pieces_edge(void *ctx, const struct model *m, size_t at)
{
	struct store_pieces *p = ctx;

	p->m = m;
	if (at)
		p->take(p->ctx, (uint32_t)at - 1, p->now);
	store_clear(p->now);
}

static bool pieces_begin(void *ctx, const struct intervals *iv)
{
	struct store_pieces *p = ctx;

	pieces_free(p);
	p->n = iv->n;
	p->begin(p->ctx, iv);
	return !store_new(&p->now, p->query);
}

void pieces_init(struct store_pieces *p, const struct store_query *q)
{
	p->query = q;
	p->watch = (struct intervals_watch){
		.ctx = p, .begin = pieces_begin, .edge = pieces_edge, .record = pieces_record
	};
}

void pieces_free(struct store_pieces *p)
{
	store_free(p->now);
	p->now = NULL;
	p->n = 0;
}
