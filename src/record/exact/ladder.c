// SPDX-License-Identifier: BSD-2-Clause
#include "ladder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h> /* libbpf_set_print */

#include <netcost/messages.h>

#include "ladder_host.h"
#include "record/kernel/btf_names.h"

/* ---- rungs ------------------------------------------------------------------------------- */

int ladder_limit(struct ladder *l, char *why, size_t whysize)
{
	const char *best = getenv("NETCOST_RUNG");

	*l = (struct ladder){ 0 };
	for (enum rung r = 0; best && r < RUNG_COUNT; r++) {
		if (!strcmp(rung_name(r), best))
			return 0;
		snprintf(l->left_out[r], LADDER_WHY, said_left_out);
	}
	if (!best)
		return 0;
	snprintf(why, whysize, "NETCOST_RUNG=%s: not one of fentry, kprobe, tracepoint, samples",
		 best);
	return -EINVAL;
}

/* ---- probes ------------------------------------------------------------------------------ */

/*
 * best: the rung the event's ladder begins at. The scheduler and the softirqs have tracepoints at just
 * the right places: nothing is better. needs: tracepoints, which must all be in the kernel's BTF.
 */
struct probe_desc {
	enum netcost_event event;
	enum rung best, rung;
	const char *programs[LADDER_PROGRAMS], *tracepoints[LADDER_PROGRAMS],
		*needs[LADDER_PROGRAMS];
};

#define SWITCH                                                                                     \
	{ "sched_switch" }, { "sched_switch" },                                                    \
	{                                                                                          \
		"sched_switch"                                                                     \
	}
#define SOFTIRQ                                                                                    \
	{ "softirq_entry", "softirq_exit" }, { "softirq_entry", "softirq_exit" },                  \
	{                                                                                          \
		"softirq_entry", "softirq_exit"                                                    \
	}
#define SYSCALL                                                                                    \
	{ "sys_enter", "sys_exit", "sched_switch" }, { "sys_enter", "sys_exit" },                  \
	{                                                                                          \
		"sys_enter", "sys_exit", "sched_switch"                                            \
	}
/* And a pair of programs for each hook that the host has. */
#define FENTRY                                                                                     \
	{ "sched_switch" }, { NULL },                                                              \
	{                                                                                          \
		"sched_switch"                                                                     \
	}
#define KPROBE                                                                                     \
	{ "kprobe_begin", "kprobe_end", "sched_switch" }, { NULL },                                \
	{                                                                                          \
		"sched_switch"                                                                     \
	}

static const struct probe_desc probes[] = {
	{ NETCOST_EV_IDLE, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SWITCH },
	{ NETCOST_EV_TASK, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SWITCH },
	{ NETCOST_EV_IO_WORKER, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SWITCH },
	{ NETCOST_EV_SOCK_SEND, RUNG_FENTRY, RUNG_FENTRY, FENTRY },
	{ NETCOST_EV_SOCK_SEND, RUNG_FENTRY, RUNG_KPROBE, KPROBE },
	{ NETCOST_EV_SOCK_SEND, RUNG_FENTRY, RUNG_TRACEPOINT, SYSCALL },
	{ NETCOST_EV_SOCK_RECV, RUNG_FENTRY, RUNG_FENTRY, FENTRY },
	{ NETCOST_EV_SOCK_RECV, RUNG_FENTRY, RUNG_KPROBE, KPROBE },
	{ NETCOST_EV_SOCK_RECV, RUNG_FENTRY, RUNG_TRACEPOINT, SYSCALL },
	{ NETCOST_EV_SOCK_LOCAL, RUNG_FENTRY, RUNG_FENTRY, FENTRY },
	{ NETCOST_EV_SOCK_LOCAL, RUNG_FENTRY, RUNG_KPROBE, KPROBE },
	{ NETCOST_EV_SOCK_LOCAL, RUNG_FENTRY, RUNG_TRACEPOINT, SYSCALL },
	{ NETCOST_EV_RX_SOFTIRQ, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SOFTIRQ },
	{ NETCOST_EV_TX_SOFTIRQ, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SOFTIRQ },
	{ NETCOST_EV_RX_THREAD, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SWITCH },
	/* A poll's tracepoint fires at its end alone. */
	{ NETCOST_EV_RX_BUSY_POLL, RUNG_FENTRY, RUNG_FENTRY, FENTRY },
	{ NETCOST_EV_RX_BUSY_POLL, RUNG_FENTRY, RUNG_KPROBE, KPROBE },
};

#define NPROBES (sizeof(probes) / sizeof(probes[0]))

static const char *const witnesses[] = { "sock_send_length", "sock_recv_length", NULL };
static const char *const nothing[] = { NULL };

static bool has_hooks(enum rung r)
{
	return r == RUNG_FENTRY || r == RUNG_KPROBE;
}

/* Is there a row for this event on this rung that the host has all parts of? */
static const struct probe_desc *find_probe(const struct host *h, enum netcost_event event,
					   enum rung rung, char *why)
{
	for (size_t i = 0; i < NPROBES; i++) {
		const char *missing;

		if (probes[i].event != event || probes[i].rung != rung)
			continue;
		missing = host_missing_tracepoint(h, probes[i].needs);
		if (!missing)
			return &probes[i];
		snprintf(why, LADDER_WHY, said_no_tracepoint, missing);
	}
	return NULL;
}

static enum rung best_rung(enum netcost_event event)
{
	for (size_t i = 0; i < NPROBES; i++)
		if (probes[i].event == event)
			return probes[i].best;
	return RUNG_SAMPLES;
}

static void choose_event(struct ladder_choice *c, const struct host *h, enum netcost_event event)
{
	*c = (struct ladder_choice){ .rung = RUNG_SAMPLES,
				     .programs = nothing,
				     .tracepoints = nothing };
	for (enum rung r = best_rung(event); r < RUNG_SAMPLES; r++) {
		const struct probe_desc *p;

		if (h->usable[r]) {
			memcpy(c->refused[r], h->why[r], LADDER_WHY);
			continue;
		}
		p = find_probe(h, event, r, c->refused[r]);
		if (!p)
			continue;
		c->rung = r;
		c->programs = p->programs;
		c->tracepoints = p->tracepoints;
		return;
	}
}

struct lookup {
	struct host *host;
	enum rung rung;
};

static bool look_up(void *ctx, const char *function, char name[HOOK_NAME])
{
	struct lookup *l = ctx;

	return host_function(l->host, l->rung, function, NULL, name);
}

/* The first rung on which the host has functions for both directions; the others are not usable. */
static void choose_hooks(struct ladder *l, struct host *h)
{
	bool send = false, recv = false;

	for (enum rung r = 0; r < RUNG_TRACEPOINT; r++) {
		struct lookup ctx = { h, r };

		if (h->usable[r])
			continue;
		for (enum hook row = 0; row < HOOK_COUNT; row++) {
			hook_choose(&l->hook[row], row, look_up, &ctx);
			if (!hook_function(&l->hook[row]))
				continue;
			send |= hook_event(row) == NETCOST_EV_SOCK_SEND;
			recv |= hook_event(row) == NETCOST_EV_SOCK_RECV;
		}
		if (send && recv)
			return;
		h->usable[r] = -ENOENT;
		snprintf(h->why[r], LADDER_WHY, said_no_functions);
	}
}

/* One reason for all rungs is said once, for the best. */
static void refuse_all(struct ladder *l, const char *why)
{
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		struct ladder_choice *c = &l->event[e];

		*c = (struct ladder_choice){ .rung = RUNG_SAMPLES,
					     .programs = nothing,
					     .tracepoints = nothing };
		snprintf(c->refused[best_rung(e)], LADDER_WHY, "%s", why);
	}
	snprintf(l->witness_why, sizeof(l->witness_why), "%s", why);
}

int ladder_choose(struct ladder *l, char *why, size_t whysize)
{
	struct host h;
	const char *missing;
	int err;

	libbpf_set_print(NULL); /* what is wrong is said once, and by us */
	l->witness = false;
	l->witness_why[0] = '\0';
	l->sockets = l->stages = RUNG_SAMPLES;
	err = host_open(&h, l, why, whysize);
	if (!err && l->left_out[RUNG_TRACEPOINT][0]) {
		err = -ECANCELED; /* the scheduler's tracepoints are what all others stand on */
		snprintf(why, whysize, "%s", l->left_out[RUNG_TRACEPOINT]);
	}
	if (err) {
		refuse_all(l, why);
		host_close(&h);
		return err;
	}
	choose_hooks(l, &h);
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		choose_event(&l->event[e], &h, e);
	l->sockets = l->event[NETCOST_EV_SOCK_SEND].rung;
	l->casts = host_has_kfunc(&h, "bpf_rdonly_cast");
	missing = host_missing_tracepoint(&h, witnesses);
	l->witness = !missing;
	if (missing)
		snprintf(l->witness_why, sizeof(l->witness_why), said_no_witness, missing);
	ladder_choose_stages(l, &h);
	host_close(&h);
	return 0;
}

void ladder_close(struct ladder *l)
{
	btf_names_close(l->names);
	l->names = NULL;
}

void ladder_skip(struct ladder *l, const struct ladder_rows *rows)
{
	for (enum hook row = 0; row < HOOK_COUNT; row++)
		if (rows->hooks >> row & 1 && l->hook[row].used < l->hook[row].n)
			l->hook[row].used++;
	ladder_skip_stages(l, rows->stages);
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

bool ladder_wants(const struct ladder *l, const char *program)
{
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		if (is_in(l->event[e].programs, program))
			return true;
	return (l->witness && is_in(witnesses, program)) || ladder_wants_stage(l, program);
}

enum rung ladder_rung(const struct ladder *l, enum netcost_event event)
{
	const char *name[LADDER_HOOKS];

	return ladder_hooks(l, event, name) ? l->event[event].rung : RUNG_SAMPLES;
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
