// SPDX-License-Identifier: BSD-2-Clause
#include "latency_history.h"

#include <stdlib.h>
#include <string.h>

static void take(void *ctx, uint32_t piece, uint32_t hook, const struct dist *l)
{
	struct latency_history *h = ctx;

	if (!l->bucket || piece >= h->n)
		return;
	if (!h->bucket[hook])
		h->bucket[hook] = calloc(h->n * NETCOST_LATENCY_BUCKETS, sizeof(*l->bucket));
	if (h->bucket[hook])
		memcpy(h->bucket[hook] + piece * NETCOST_LATENCY_BUCKETS, l->bucket,
		       NETCOST_LATENCY_BUCKETS * sizeof(*l->bucket));
	else
		h->no_memory = true;
}

static void forget(struct latency_history *h)
{
	for (unsigned int i = 0; i < NETCOST_LATENCY_COUNT; i++) {
		free(h->bucket[i]);
		h->bucket[i] = NULL;
	}
	h->n = 0;
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct latency_history *h = ctx;

	forget(h);
	h->n = iv->n;
	return true;
}

void latency_history_init(struct latency_history *h)
{
	*h = (struct latency_history){ .pieces = { .ctx = h, .begin = begin, .take = take } };
	latency_pieces_init(&h->pieces);
}

/* It can be used again. */
void latency_history_free(struct latency_history *h)
{
	latency_pieces_free(&h->pieces);
	forget(h);
}
