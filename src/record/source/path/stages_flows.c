// SPDX-License-Identifier: BSD-2-Clause
#include "stages_flows.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/array.h>

static void forget(struct stages_flows_of *t)
{
	idmap_free(&t->at);
	free(t->flow);
	*t = (struct stages_flows_of){ .n = 0 };
}

void stages_flows_free(struct stages_flows *f)
{
	forget(&f->now);
	forget(&f->before);
}

int stages_flows_add(struct stages_flows *f, uint32_t hash, const struct netcost_stage_flow *whose)
{
	struct stages_flows_of *t = &f->now;

	if (!hash || !whose->version || idmap_get(&t->at, hash))
		return 0;
	if (array_reserve(&t->flow, &t->room, t->n + 1, sizeof(*t->flow)) ||
	    idmap_set(&t->at, hash, (uint32_t)t->n + 1))
		return -ENOMEM;
	t->flow[t->n++] = (struct stages_flow){ .whose = *whose, .hash = hash };
	return 0;
}

static struct stages_flow *find(struct stages_flows_of *t, uint32_t hash)
{
	uint32_t at = idmap_get(&t->at, hash);

	return at ? &t->flow[at - 1] : NULL;
}

struct stages_flow *stages_flows_find(struct stages_flows *f, uint32_t hash)
{
	struct stages_flow *flow = find(&f->now, hash);

	return flow ? flow : find(&f->before, hash);
}

void stages_flows_turn(struct stages_flows *f)
{
	forget(&f->before);
	f->before = f->now;
	f->now = (struct stages_flows_of){ .n = 0 };
}
