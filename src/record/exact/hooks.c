// SPDX-License-Identifier: BSD-2-Clause
#include "hooks.h"

#include <stdio.h>

#include <netcost/events.h>

#define NOTHING 0
#define ANYTHING UINT16_MAX
#define ONE(hook) (1u << HOOK_##hook)
#define AT(place, function)                                                                        \
	{                                                                                          \
		function, NETCOST_AT_##place                                                       \
	}
#define X(id, name, what, inside, ...) [id] = { NETCOST_##what, inside, { __VA_ARGS__ } },

const struct hook_desc hook_descs[HOOK_COUNT] = { HOOKS(X) };

void hook_choose(struct hook_choice *c, enum hook row, hook_lookup *lookup, void *ctx)
{
	const struct hook_desc *d = &hook_descs[row];

	*c = (struct hook_choice){ 0 };
	for (int i = 0; i < HOOK_FUNCTIONS && d->function[i].name; i++) {
		if (!lookup(ctx, d->function[i].name, c->function[c->n].name))
			continue;
		c->function[c->n].where = d->function[i].where;
		c->n++;
	}
}

enum netcost_event hook_event(enum hook row)
{
	return (enum netcost_event)NETCOST_MARK_EVENT(hook_descs[row].what);
}

bool hook_is_operation(enum hook row)
{
	return hook_event(row) != NETCOST_EV_RX_BUSY_POLL;
}

bool hook_is_message(enum hook row)
{
	const struct hook_desc *d = &hook_descs[row];

	for (enum hook outer = 0; d->inside != ANYTHING && outer < HOOK_COUNT; outer++)
		if (d->inside >> outer & 1 && hook_descs[outer].what & NETCOST_MARK_MSGS)
			return true;
	return false;
}

const char *hook_function(const struct hook_choice *c)
{
	return c->used < c->n ? c->function[c->used].name : NULL;
}

struct netcost_hook hook_config(const struct hook_choice *c, enum hook row)
{
	const struct hook_desc *d = &hook_descs[row];

	return (struct netcost_hook){
		.where = hook_function(c) ? c->function[c->used].where : NETCOST_AT_NOTHING,
		.what = d->what,
		.messages = hook_is_message(row),
		.inside = d->inside,
	};
}
