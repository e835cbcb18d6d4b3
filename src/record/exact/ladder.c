// SPDX-License-Identifier: BSD-2-Clause
#include "ladder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h> /* libbpf_set_print */

#include <netcost/reasons.h>
#include <netcost/text_append.h>

#include "ladder_host.h"
#include "ladder_owners.h"
#include "record/kernel/btf_names.h"
#include "record/source/irq_numbers.h"

/* ---- rungs ------------------------------------------------------------------------------- */

int ladder_limit(struct ladder *l, char *why, size_t whysize)
{
	const char *best = getenv("NETCOST_RUNG");

	*l = (struct ladder){ .forced = best };
	for (enum rung r = 0; best && r < RUNG_COUNT; r++) {
		if (!strcmp(rung_name(r), best))
			return 0;
		snprintf(l->left_out[r], LADDER_WHY, reason_left_out);
	}
	if (!best)
		return 0;
	snprintf(why, whysize, "NETCOST_RUNG=%s: not one of fentry, kprobe, tracepoint, samples",
		 best);
	return -EINVAL;
}

/* ---- ways to count an event -------------------------------------------------------------- */

/*
 * programs: their names in bpf/netcost.bpf.c; on the rungs fentry and kprobe, and a pair for each hook that the host
 * has. tracepoints: what they attach to.
 */
struct way {
	enum rung rung;
	const char *programs[LADDER_PROGRAMS], *tracepoints[LADDER_PROGRAMS];
	enum {
		ALWAYS,
		TIMES, /* of socket operations, not with --exact=calls */
		CALLS, /* without their times, only with --exact=calls */
	} use;
};

static const struct way switches = { RUNG_TRACEPOINT,
				     { "sched_switch" },
				     { "sched_switch" },
				     ALWAYS };
static const struct way softirqs = { RUNG_TRACEPOINT,
				     { "softirq_entry", "softirq_exit" },
				     { "softirq_entry", "softirq_exit" },
				     ALWAYS };
static const struct way hardirqs = { RUNG_TRACEPOINT,
				     { "irq_handler_entry", "irq_handler_exit" },
				     { "irq_handler_entry", "irq_handler_exit" },
				     ALWAYS };
static const struct way fentry = { RUNG_FENTRY, { "sched_switch" }, { NULL }, TIMES };
static const struct way kprobes = { RUNG_KPROBE,
				    { "kprobe_begin", "kprobe_end", "sched_switch" },
				    { NULL },
				    TIMES };
static const struct way syscalls = { RUNG_TRACEPOINT,
				     { "sys_enter", "sys_exit", "sched_switch" },
				     { "sys_enter", "sys_exit" },
				     TIMES };
static const struct way messages = { RUNG_TRACEPOINT,
				     { "sock_send_length", "sock_recv_length" },
				     { "sock_send_length", "sock_recv_length" },
				     CALLS };

/*
 * Best first. The scheduler and interrupts have tracepoints at just the right places: nothing is better. That of
 * busy polling fires at its end alone.
 */
static const struct way *const ways[NETCOST_EV_COUNT][RUNG_COUNT + 1] = {
	[NETCOST_EV_IDLE] = { &switches },
	[NETCOST_EV_TASK] = { &switches },
	[NETCOST_EV_IO_WORKER] = { &switches },
	[NETCOST_EV_SOCK_SEND] = { &fentry, &kprobes, &syscalls, &messages },
	[NETCOST_EV_SOCK_RECV] = { &fentry, &kprobes, &syscalls, &messages },
	[NETCOST_EV_SOCK_LOCAL] = { &fentry, &kprobes, &syscalls, &messages },
	[NETCOST_EV_RX_SOFTIRQ] = { &softirqs },
	[NETCOST_EV_TX_SOFTIRQ] = { &softirqs },
	[NETCOST_EV_RX_THREAD] = { &switches },
	[NETCOST_EV_RX_BUSY_POLL] = { &fentry, &kprobes },
	[NETCOST_EV_HARDIRQ_NET] = { &hardirqs },
};

static const char *const nothing[] = { NULL };
static const struct ladder_choice by_samples = { .rung = RUNG_SAMPLES,
						 .programs = nothing,
						 .tracepoints = nothing };

static bool has_hooks(enum rung r)
{
	return r == RUNG_FENTRY || r == RUNG_KPROBE;
}

/* Says why not. */
static bool is_usable(const struct host *h, const struct way *w, char *why)
{
	const char *missing;

	if (h->usable[w->rung]) {
		memcpy(why, h->why[w->rung], LADDER_WHY);
		return false;
	}
	missing = host_missing_tracepoint(h, w->tracepoints);
	if (missing)
		snprintf(why, LADDER_WHY, reason_no_tracepoint, missing);
	return !missing;
}

static void choose_event(struct ladder *l, const struct host *h, enum netcost_event event)
{
	struct ladder_choice *c = &l->event[event];

	*c = by_samples;
	for (const struct way *const *at = ways[event]; *at; at++) {
		const struct way *w = *at;

		if (w->use == CALLS && !l->calls)
			continue;
		if (!is_usable(h, w, c->refused[w->rung]))
			continue;
		if (w->use == TIMES && l->calls) {
			snprintf(c->refused[w->rung], LADDER_WHY, reason_only_calls);
			continue;
		}
		c->rung = w->rung;
		c->timed = w->use != CALLS;
		c->programs = w->programs;
		c->tracepoints = w->tracepoints;
		return;
	}
}

/* Is there a rung that does not slow down other system calls? Not before choose_hooks(). */
static bool has_functions(const struct host *h)
{
	return !h->usable[RUNG_FENTRY] || !h->usable[RUNG_KPROBE];
}

/* Where the messages are what is counted, nothing is left to witness that. */
static void choose_witness(struct ladder *l, const struct host *h)
{
	const char *missing = host_missing_tracepoint(h, messages.tracepoints);

	l->witness = !missing && !l->calls;
	if (missing)
		snprintf(l->witness_why, sizeof(l->witness_why), reason_no_witness, missing);
	else if (l->calls)
		snprintf(l->witness_why, sizeof(l->witness_why), reason_witness_counts);
}

/* Has it functions for both directions? */
static bool has_both(const struct ladder *l)
{
	bool send = false, recv = false;

	for (enum hook row = 0; row < HOOK_COUNT; row++) {
		if (!hook_function(&l->hook[row]))
			continue;
		send |= hook_event(row) == NETCOST_EV_SOCK_SEND;
		recv |= hook_event(row) == NETCOST_EV_SOCK_RECV;
	}
	return send && recv;
}

/* The first rung on which the host has them; those before it are not usable. */
static void choose_hooks(struct ladder *l, struct host *h)
{
	for (enum rung r = 0; r < RUNG_TRACEPOINT; r++) {
		if (h->usable[r])
			continue;
		host_choose_hooks(h, r, l->hook, 0, HOOK_COUNT);
		if (has_both(l))
			return;
		h->usable[r] = -ENOENT;
		snprintf(h->why[r], LADDER_WHY, reason_no_functions);
	}
}

/*
 * Programs of functions stay where they are in a pause (attach_off()), and each call goes on paying for the way to them.
 * Those of system calls do not. With --exact=full only functions show the stages.
 */
static void leave_functions(struct ladder *l, struct host *h)
{
	if (!l->windows || l->forced || l->full || l->calls ||
	    host_missing_tracepoint(h, syscalls.tracepoints))
		return;
	for (enum rung r = 0; r < RUNG_TRACEPOINT; r++) {
		if (h->usable[r])
			continue;
		h->usable[r] = -ECANCELED;
		snprintf(h->why[r], LADDER_WHY, reason_no_windows);
	}
	memset(l->hook, 0, HOOK_COUNT * sizeof(l->hook[0]));
}

/* Why not by functions, of either rung that has them; "" if one of them can be used. */
static void say_why(const struct host *h, char *why, size_t size)
{
	*why = '\0';
	for (enum rung r = RUNG_FENTRY; r <= RUNG_KPROBE; r++)
		if (h->usable[RUNG_FENTRY] && h->usable[RUNG_KPROBE])
			text_append(why, size, " ", reason_method, rung_name(r), h->why[r]);
}

/* On the rung of the socket operations, if that has functions; otherwise on tracepoints. */
static void choose_stages(struct ladder *l, struct host *h)
{
	memset(&l->hook[HOOK_COUNT], 0, STAGE_HOOK_COUNT * sizeof(l->hook[0]));
	l->stages = l->full ? l->sockets : RUNG_SAMPLES;
	if (!l->full)
		return;
	say_why(h, l->stages_why, sizeof(l->stages_why));
	for (size_t i = 0; l->stages == RUNG_TRACEPOINT && i < stage_ntracepoints; i++)
		if (!host_has_tracepoint(h, stage_tracepoints[i].name))
			l->stages = RUNG_SAMPLES;
	if (has_hooks(l->stages))
		host_choose_hooks(h, l->stages, l->hook, HOOK_COUNT, HOOK_ROWS);
}

/*
 * Hits of the page cache: what Kepler counts. Of the two functions the older one has become a wrapper of the other (5.16,
 * commit 76580b6529db), which most now call.
 */
static void choose_pages(struct ladder *l, struct host *h)
{
	static const char *const functions[] = { "folio_mark_accessed", "mark_page_accessed" };
	struct ladder_pages *p = &l->pages;

	*p = (struct ladder_pages){ .rung = RUNG_SAMPLES };
	if (!l->processes)
		return;
	for (enum rung r = RUNG_FENTRY; r <= RUNG_KPROBE; r++)
		for (size_t i = 0; !h->usable[r] && i < sizeof(functions) / sizeof(*functions); i++)
			if (host_has_function(h, r, functions[i], p->function)) {
				p->rung = r;
				return;
			}
	say_why(h, p->why, sizeof(p->why));
	if (!p->why[0])
		snprintf(p->why, sizeof(p->why), reason_no_functions);
}

/* One reason for all rungs is given once, for the best rung. */
static void refuse_all(struct ladder *l, const char *why)
{
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		l->event[e] = by_samples;
		snprintf(l->event[e].refused[ways[e][0]->rung], LADDER_WHY, "%s", why);
	}
	snprintf(l->witness_why, sizeof(l->witness_why), "%s", why);
}

int ladder_choose(struct ladder *l, char *why, size_t whysize)
{
	struct host h;
	int err;

	libbpf_set_print(NULL); /* what is wrong is said once, and by us */
	l->witness = false;
	l->witness_why[0] = '\0';
	l->sockets = l->stages = l->pages.rung = RUNG_SAMPLES;
	l->polls = false;
	err = host_open(&h, l, why, whysize);
	if (!err && l->left_out[RUNG_TRACEPOINT][0]) {
		err = -ECANCELED; /* all others need the scheduler's tracepoints */
		snprintf(why, whysize, "%s", l->left_out[RUNG_TRACEPOINT]);
	}
	if (err) {
		refuse_all(l, why);
		host_close(&h);
		return err;
	}
	choose_pages(l, &h);
	choose_hooks(l, &h);
	if (l->best)
		l->calls = !has_functions(&h);
	leave_functions(l, &h);
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		choose_event(l, &h, e);
	if (!irq_numbers_any(IRQ_NUMBERS_NET))
		ladder_leave_hardirqs(l, reason_no_interrupts);
	l->sockets = l->event[NETCOST_EV_SOCK_SEND].rung;
	l->casts = host_has_kfunc(&h, "bpf_rdonly_cast");
	choose_witness(l, &h);
	choose_stages(l, &h);
	l->polls = l->event[NETCOST_EV_RX_SOFTIRQ].rung == RUNG_TRACEPOINT &&
		   host_has_tracepoint(&h, "napi_poll");
	ladder_choose_owners(l, &h);
	if (l->processes || l->owners_every)
		l->cgroups = cgroup_hierarchy_of_tasks(l->names, &l->cgroup_place);
	host_close(&h);
	return 0;
}

void ladder_close(struct ladder *l)
{
	btf_names_close(l->names);
	l->names = NULL;
}

void ladder_skip(struct ladder *l, uint64_t rows)
{
	for (unsigned int row = 0; row < HOOK_ROWS; row++)
		if (rows >> row & 1)
			hook_skip(&l->hook[row]);
}

bool ladder_step(struct ladder *l, uint32_t blind, const char *why)
{
	char unused[LADDER_WHY];
	bool other = false;

	if (!has_hooks(l->sockets))
		return false;
	for (enum hook row = 0; row < HOOK_COUNT; row++) {
		struct hook_choice *c = &l->hook[row];

		if (blind >> row & 1 && c->used + 1 < c->n) {
			c->used++;
			other = true;
		}
	}
	if (other)
		return true;
	snprintf(l->left_out[l->sockets], LADDER_WHY, "%s", why);
	return !ladder_choose(l, unused, sizeof(unused)) && l->sockets < RUNG_SAMPLES;
}

/* ---- what was chosen --------------------------------------------------------------------- */

static bool is_in(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

static bool wants_stage(const struct ladder *l, const char *program)
{
	if (l->stages == RUNG_KPROBE)
		return !strcmp(program, "part_kprobe_begin") || !strcmp(program, "part_kprobe_end");
	if (l->stages != RUNG_TRACEPOINT)
		return false;
	for (size_t i = 0; i < stage_ntracepoints; i++)
		if (!strcmp(program, stage_tracepoints[i].name))
			return true;
	return false;
}

bool ladder_wants(const struct ladder *l, const char *program)
{
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		if (is_in(l->event[e].programs, program))
			return true;
	if (!strcmp(program, "napi_poll"))
		return l->polls;
	if (!strcmp(program, "page_fentry"))
		return l->pages.rung == RUNG_FENTRY;
	if (!strcmp(program, "page_kprobe"))
		return l->pages.rung == RUNG_KPROBE;
	return (l->witness && is_in(messages.programs, program)) || wants_stage(l, program) ||
	       ladder_wants_owners(l, program);
}

enum rung ladder_rung(const struct ladder *l, enum netcost_event event)
{
	const char *name[LADDER_HOOKS];

	return ladder_hooks(l, event, name) ? l->event[event].rung : RUNG_SAMPLES;
}

bool ladder_times(const struct ladder *l, enum netcost_event event)
{
	return l->event[event].timed && ladder_rung(l, event) != RUNG_SAMPLES;
}

const char *ladder_mode(const struct ladder *l)
{
	return l->calls ? "calls" : l->full ? "full" : "entry";
}

bool ladder_polls_are_witness(const struct ladder *l)
{
	return l->polls && l->stages == RUNG_KPROBE &&
	       ladder_stage_rung(l, NETCOST_PART_DRIVER_POLL) == RUNG_KPROBE;
}

bool ladder_polls_in_softirq(const struct ladder *l)
{
	return l->polls && l->stages != RUNG_TRACEPOINT;
}

bool ladder_counts_packets(const struct ladder *l, enum netcost_event event)
{
	return l->polls && ladder_rung(l, event) != RUNG_SAMPLES &&
	       (event == NETCOST_EV_RX_SOFTIRQ || event == NETCOST_EV_RX_THREAD ||
		event == NETCOST_EV_RX_BUSY_POLL);
}

bool ladder_counts_hardirqs(const struct ladder *l)
{
	return l->event[NETCOST_EV_HARDIRQ_NET].rung != RUNG_SAMPLES;
}

bool ladder_leave_hardirqs(struct ladder *l, const char *why)
{
	struct ladder_choice *c = &l->event[NETCOST_EV_HARDIRQ_NET];

	if (!ladder_counts_hardirqs(l))
		return false;
	*c = by_samples;
	snprintf(c->refused[RUNG_TRACEPOINT], LADDER_WHY, "%s", why);
	return true;
}

bool ladder_leave_pages(struct ladder *l, const char *why)
{
	if (l->pages.rung == RUNG_SAMPLES)
		return false;
	l->pages.rung = RUNG_SAMPLES;
	snprintf(l->pages.why, sizeof(l->pages.why), "%s", why);
	return true;
}

size_t ladder_hooks(const struct ladder *l, enum netcost_event event,
		    const char *name[LADDER_HOOKS])
{
	const struct ladder_choice *c = &l->event[event];
	size_t n = 0;

	for (; c->tracepoints[n]; n++)
		name[n] = c->tracepoints[n];
	for (enum hook row = 0; has_hooks(c->rung) && row < HOOK_COUNT; row++) {
		bool serves = hook_event(row) == event ||
			      (event == NETCOST_EV_SOCK_LOCAL && hook_is_operation(row));

		if (serves && hook_function(&l->hook[row]))
			name[n++] = hook_function(&l->hook[row]);
	}
	return n;
}

size_t ladder_stage_hooks(const struct ladder *l, enum netcost_part stage,
			  const char *name[LADDER_HOOKS])
{
	size_t n = 0;

	for (size_t i = 0; l->stages == RUNG_TRACEPOINT && i < stage_ntracepoints; i++)
		if (stage_tracepoints[i].stage == stage)
			name[n++] = stage_tracepoints[i].name;
	for (unsigned int row = HOOK_COUNT; has_hooks(l->stages) && row < HOOK_ROWS; row++)
		if (hook_serves_stage(row, stage) && hook_function(&l->hook[row]))
			name[n++] = hook_function(&l->hook[row]);
	return n;
}

enum rung ladder_stage_rung(const struct ladder *l, enum netcost_part stage)
{
	const char *name[LADDER_HOOKS];

	return ladder_stage_hooks(l, stage, name) ? l->stages : RUNG_SAMPLES;
}
