// SPDX-License-Identifier: BSD-2-Clause
#include "hooks.h"

#include <netcost/events.h>

#define NOTHING 0
#define ANYTHING UINT16_MAX
#define ONE(hook) (1u << HOOK_##hook)
#define AT(place, function) WITH(0, place, function)
#define WITH(flags, place, function)                                                               \
	{                                                                                          \
		function, NETCOST_AT_##place, flags                                                \
	}
#define CALL(function)                                                                             \
	{                                                                                          \
		function, NETCOST_AT_NOTHING, 0                                                    \
	}

const struct hook_desc hook_descs[HOOK_ROWS] = {
#define X(id, name, does, may_be_in, ...)                                                          \
	[id] = { .what = NETCOST_##does, .inside = may_be_in, .function = { __VA_ARGS__ } },
	HOOKS(X)
#undef X
#define X(id, part, how, in_module, ...)                                                           \
	[HOOK_COUNT + id] = { .stage = { NETCOST_STAGE_##how, NETCOST_PART_##part },               \
			      .module = in_module,                                                 \
			      .function = { __VA_ARGS__ } },
		STAGE_HOOKS(X)
#undef X
};

void hook_choose(struct hook_choice *c, unsigned int row, hook_lookup *lookup, void *ctx)
{
	const struct hook_desc *d = &hook_descs[row];

	*c = (struct hook_choice){ 0 };
	for (int i = 0; i < HOOK_FUNCTIONS && d->function[i].name; i++) {
		if (!lookup(ctx, d->function[i].name, d->module, c->function[c->n].name))
			continue;
		c->function[c->n].where = d->function[i].where;
		c->function[c->n].flags = d->function[i].flags;
		c->n++;
	}
}

void hook_skip(struct hook_choice *c)
{
	c->used += c->used < c->n;
}

const char *hook_function(const struct hook_choice *c)
{
	return c->used < c->n ? c->function[c->used].name : NULL;
}

unsigned int hook_id(unsigned int row)
{
	return row < HOOK_COUNT ? row : row - HOOK_COUNT;
}

const char *hook_prefix(unsigned int row)
{
	return row < HOOK_COUNT ? "" : "part_";
}

/* ---- socket operations -------------------------------------------------------------------- */

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

struct netcost_hook hook_config(const struct hook_choice *c, enum hook row)
{
	const struct hook_desc *d = &hook_descs[row];

	return (struct netcost_hook){
		.where = hook_function(c) ? c->function[c->used].where : NETCOST_AT_NOTHING,
		.what = d->what,
		.flags = hook_function(c) ? c->function[c->used].flags : 0,
		.messages = hook_is_message(row),
		.inside = d->inside,
	};
}

/* ---- stages of the RX softirq ------------------------------------------------------------- */

bool hook_serves_stage(unsigned int row, enum netcost_part stage)
{
	const struct netcost_stage_hook *h = &hook_descs[row].stage;

	return h->how && (h->stage == stage ||
			  (h->how == NETCOST_STAGE_NF && (stage == NETCOST_PART_PREROUTING_V4 ||
							  stage == NETCOST_PART_PREROUTING_V6)));
}

#define X(name, part)                                                                              \
	{ #name "_entry", NETCOST_PART_##part }, { #name "_exit", NETCOST_PART_##part },

const struct stage_tracepoint stage_tracepoints[] = {
	{ "napi_poll", NETCOST_PART_DRIVER_POLL },
	STAGE_TRACEPOINTS(X) /* what comes between a pair */
};

const size_t stage_ntracepoints = sizeof(stage_tracepoints) / sizeof(stage_tracepoints[0]);
