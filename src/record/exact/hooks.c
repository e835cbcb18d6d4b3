// SPDX-License-Identifier: BSD-2-Clause
#include "hooks.h"

#include <stdio.h>

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

const char *hook_row_program(unsigned int row, enum rung rung, bool begin, char name[HOOK_NAME])
{
	const char *prefix = row < HOOK_COUNT ? "" : "part_";

	if (rung == RUNG_FENTRY)
		snprintf(name, HOOK_NAME, "%s%s_%u", prefix, begin ? "fentry" : "fexit",
			 hook_id(row));
	else
		snprintf(name, HOOK_NAME, "%skprobe_%s", prefix, begin ? "begin" : "end");
	return name;
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

/* ---- programs ----------------------------------------------------------------------------- */

#define OF(use_) .use = USE_##use_
#define STAGE(point, part_)                                                                        \
	{ #point "_entry", #point "_entry", OF(STAGES), .turn = HOOK_LAST,                         \
	  .part = NETCOST_PART_##part_ },                                                          \
		{ #point "_exit", #point "_exit", OF(STAGES), .part = NETCOST_PART_##part_ },

/*
 * All programs with tracepoints or functions. The programs for the same use are in the order of the report. The socket
 * tracepoints exist since Linux 6.3.
 */
const struct hook_program hook_programs[] = {
	{ "sched_switch", "sched_switch", OF(SWITCHES), .casts = WITH_CASTS },
	{ "sched_switch_old", "sched_switch", OF(SWITCHES), .casts = WITHOUT_CASTS },
	{ "softirq_entry", "softirq_entry", OF(SOFTIRQS), .turn = HOOK_BETWEEN },
	{ "softirq_exit", "softirq_exit", OF(SOFTIRQS) },
	{ "irq_handler_entry", "irq_handler_entry", OF(HARDIRQS), .turn = HOOK_BETWEEN },
	{ "irq_handler_exit", "irq_handler_exit", OF(HARDIRQS) },
	{ "sys_enter", "sys_enter", OF(SYSCALLS), .turn = HOOK_LAST, .casts = WITH_CASTS },
	{ "sys_enter_old", "sys_enter", OF(SYSCALLS), .turn = HOOK_LAST, .casts = WITHOUT_CASTS },
	{ "sys_exit", "sys_exit", OF(SYSCALLS) },
	{ "sock_send_length", "sock_send_length", OF(MESSAGES) },
	{ "sock_recv_length", "sock_recv_length", OF(MESSAGES) },
	{ "kprobe_begin", OF(KPROBES) },
	{ "kprobe_end", OF(KPROBES) },
	{ "napi_poll", "napi_poll", OF(POLLS), .part = NETCOST_PART_DRIVER_POLL },
	STAGE_TRACEPOINTS(STAGE) /* a pair of programs for each stage */
	{ "part_kprobe_begin", OF(STAGE_KPROBES) },
	{ "part_kprobe_end", OF(STAGE_KPROBES) },
	{ "page_fentry", OF(PAGE_FENTRY) },
	{ "page_kprobe", OF(PAGE_KPROBE) },
	{ "owners_receive", "netif_receive_skb", OF(OWNERS_NEED) },
	{ "owners_poll", "napi_poll", OF(OWNERS_NEED) },
	{ "owners_gro", "napi_gro_receive_exit", OF(OWNERS_MORE) },
	{ "owners_gro_frags", "napi_gro_frags_exit", OF(OWNERS_MORE) },
	{ "owners_drop", "kfree_skb", OF(OWNERS_NEED) },
	{ "owners_forward", "net_dev_queue", OF(OWNERS_NEED) },
	{ "owners_tcp", "tcp_probe", OF(OWNERS_MORE) },
	{ "owners_state", "inet_sock_set_state", OF(OWNERS_NEED) },
	{ "owners_data_ready", "sk_data_ready", OF(OWNERS_MARK) },
	{ "owners_readable", NULL, "sock_def_readable", OF(OWNERS_MARK), .rank = 1 },
	{ "owners_waking", "sched_waking", OF(OWNERS_MARK), .rank = 2 },
	{ "owners_received", "sock_recv_length", OF(OWNERS_OWNER) },
	{ "owners_sent", "sock_send_length", OF(OWNERS_OWNER) },
	{ "owners_recvmsg", NULL, "inet_recvmsg", OF(OWNERS_OWNER), .rank = 1 },
	{ "owners_recvmsg6", NULL, "inet6_recvmsg", OF(OWNERS_OWNER), .rank = 1 },
};

const unsigned int hook_nprograms = sizeof(hook_programs) / sizeof(hook_programs[0]);
_Static_assert(sizeof(hook_programs) / sizeof(hook_programs[0]) <= HOOK_PROGRAMS_MOST,
	       "a bit mask has a bit for each");
