// SPDX-License-Identifier: BSD-2-Clause
#include "ladder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h> /* libbpf_set_print */

#include <netcost/reasons.h>
#include <netcost/text_append.h>

#include "record/kernel/btf_names.h"
#include "record/kernel/preemption.h"
#include "record/source/irq_numbers.h"

/* ---- methods ----------------------------------------------------------------------------- */

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

/*
 * Returns -ENOTSUP, with the reason in why, if the kernel may switch tasks within kernel code. wire.h explains why this
 * is not supported.
 */
static int not_preemptible(char *why)
{
	char model[32];

	preemption_built(model, sizeof(model));
	if (!*model)
		return 0;
	if (strcmp(model, "PREEMPT_DYNAMIC")) {
		snprintf(why, LADDER_WHY, reason_preemptible);
		return -ENOTSUP;
	}
	preemption_chosen(preemption_open(), model, sizeof(model));
	if (!strcmp(model, "none") || !strcmp(model, "voluntary"))
		return 0;
	if (*model)
		snprintf(why, LADDER_WHY, reason_preempt_model, model);
	else
		snprintf(why, LADDER_WHY, reason_preempt_unknown);
	return -ENOTSUP;
}

/* ---- functions --------------------------------------------------------------------------- */

struct lookup {
	struct features *features;
	enum rung rung;
};

static bool look_up(void *ctx, const char *function, const char *module, char name[HOOK_NAME])
{
	const struct lookup *l = ctx;

	return features_target(l->features, l->rung, function, module, name);
}

/* Finds the functions of the rows `first` to `end` - 1 for the given method. */
static void choose_rows(struct features *f, enum rung rung, struct hook_choice *choice,
			unsigned int first, unsigned int end)
{
	struct lookup ctx = { f, rung };

	for (unsigned int row = first; row < end; row++)
		hook_choose(&choice[row], row, look_up, &ctx);
}

/* ---- ways to count an event -------------------------------------------------------------- */

#define EV(event) (1u << NETCOST_EV_##event)
#define SOCKETS (EV(SOCK_SEND) | EV(SOCK_RECV) | EV(SOCK_LOCAL))

/*
 * The methods for each event, best first. The tracepoints of the scheduler and of interrupts are at exactly the right
 * places, so they need no alternative. The tracepoint of busy polling fires only when busy polling ends.
 */
static const struct way {
	unsigned int events;
	enum rung rung;
	/* bit mask of HOOK_USE; fentry has a pair of programs for each available hook instead */
	uint32_t uses;
	enum {
		ALWAYS,
		TIMES, /* socket operations are timed; not used with --exact=calls */
		CALLS, /* socket operations are not timed; used only with --exact=calls */
	} when;
} ways[] = {
	{ EV(IDLE) | EV(TASK) | EV(IO_WORKER) | EV(RX_THREAD), RUNG_TRACEPOINT, HOOK_USE(SWITCHES),
	  ALWAYS },
	{ EV(RX_SOFTIRQ) | EV(TX_SOFTIRQ), RUNG_TRACEPOINT, HOOK_USE(SOFTIRQS), ALWAYS },
	{ EV(HARDIRQ_NET), RUNG_TRACEPOINT, HOOK_USE(HARDIRQS), ALWAYS },
	{ SOCKETS | EV(RX_BUSY_POLL), RUNG_FENTRY, 0, TIMES },
	{ SOCKETS | EV(RX_BUSY_POLL), RUNG_KPROBE, HOOK_USE(KPROBES), TIMES },
	{ SOCKETS, RUNG_TRACEPOINT, HOOK_USE(SYSCALLS), TIMES },
	{ SOCKETS, RUNG_TRACEPOINT, HOOK_USE(MESSAGES), CALLS },
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

static const struct ladder_choice by_samples = { .rung = RUNG_SAMPLES };

static bool has_hooks(enum rung r)
{
	return r == RUNG_FENTRY || r == RUNG_KPROBE;
}

/*
 * Returns the first tracepoint that the programs for these uses need and the kernel lacks. Returns NULL if the kernel
 * has all of them.
 */
static const char *missing_of(const struct features *f, uint32_t uses)
{
	for (unsigned int i = 0; i < hook_nprograms; i++) {
		const struct hook_program *p = &hook_programs[i];

		if (uses >> p->use & 1 && p->tracepoint &&
		    !btf_names_tracepoint(f->names, p->tracepoint))
			return p->tracepoint;
	}
	return NULL;
}

/* Returns true if the host supports the method. If not, sets why. */
static bool is_usable(const struct features *f, const struct way *w, char *why)
{
	const char *missing;

	if (f->usable[w->rung]) {
		memcpy(why, f->why[w->rung], LADDER_WHY);
		return false;
	}
	missing = missing_of(f, w->uses);
	if (missing)
		snprintf(why, LADDER_WHY, reason_no_tracepoint, missing);
	return !missing;
}

static void choose_event(struct ladder *l, const struct features *f, enum netcost_event event)
{
	struct ladder_choice *c = &l->event[event];

	*c = by_samples;
	for (const struct way *w = ways; w < ways + WAYS; w++) {
		if (!(w->events >> event & 1) || (w->when == CALLS && !l->calls) ||
		    !is_usable(f, w, c->refused[w->rung]))
			continue;
		if (w->when == TIMES && l->calls) {
			snprintf(c->refused[w->rung], LADDER_WHY, reason_only_calls);
			continue;
		}
		c->rung = w->rung;
		c->timed = w->when != CALLS;
		c->uses = w->uses;
		return;
	}
}

/* Returns true if some usable method does not slow down other system calls. Valid after choose_hooks(). */
static bool has_functions(const struct features *f)
{
	return !f->usable[RUNG_FENTRY] || !f->usable[RUNG_KPROBE];
}

/* Decides whether the witness is used. A method that counts messages itself has no independent witness. */
static void choose_witness(struct ladder *l, const struct features *f)
{
	const char *missing = missing_of(f, HOOK_USE(MESSAGES));

	l->witness = !missing && !l->calls;
	if (missing)
		snprintf(l->witness_why, sizeof(l->witness_why), reason_no_witness, missing);
	else if (l->calls)
		snprintf(l->witness_why, sizeof(l->witness_why), reason_witness_counts);
}

/* Returns true if functions were found for both sending and receiving. */
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

/* Chooses the first method for which the host has functions, and marks better methods as unusable. */
static void choose_hooks(struct ladder *l, struct features *f)
{
	for (enum rung r = 0; r < RUNG_TRACEPOINT; r++) {
		if (f->usable[r])
			continue;
		choose_rows(f, r, l->hook, 0, HOOK_COUNT);
		if (has_both(l))
			return;
		f->usable[r] = -ENOENT;
		snprintf(f->why[r], LADDER_WHY, reason_no_functions);
	}
}

/*
 * Excludes the methods that use functions, if windows are used. Function probes stay attached during a pause
 * (attach_off()), and each call of a probed function still pays for entering the probe. System call tracepoints are
 * detached. With --exact=full, functions are kept because only they show the stages.
 */
static void leave_functions(struct ladder *l, struct features *f)
{
	if (!l->windows || l->forced || l->full || l->calls || missing_of(f, HOOK_USE(SYSCALLS)))
		return;
	for (enum rung r = 0; r < RUNG_TRACEPOINT; r++) {
		if (f->usable[r])
			continue;
		f->usable[r] = -ECANCELED;
		snprintf(f->why[r], LADDER_WHY, reason_no_windows);
	}
	memset(l->hook, 0, HOOK_COUNT * sizeof(l->hook[0]));
}

/* Stores in why the reason why neither fentry nor kprobe is usable. Stores "" if one of them is usable. */
static void say_why(const struct features *f, char *why, size_t size)
{
	*why = '\0';
	for (enum rung r = RUNG_FENTRY; r <= RUNG_KPROBE; r++)
		if (f->usable[RUNG_FENTRY] && f->usable[RUNG_KPROBE])
			text_append(why, size, " ", reason_method, rung_name(r), f->why[r]);
}

/* Chooses the method of the stages: the method of the socket operations if it uses functions, otherwise tracepoints. */
static void choose_stages(struct ladder *l, struct features *f)
{
	memset(&l->hook[HOOK_COUNT], 0, STAGE_HOOK_COUNT * sizeof(l->hook[0]));
	l->stages = l->full ? l->sockets : RUNG_SAMPLES;
	if (!l->full)
		return;
	say_why(f, l->stages_why, sizeof(l->stages_why));
	if (l->stages == RUNG_TRACEPOINT && missing_of(f, HOOK_USE(POLLS) | HOOK_USE(STAGES)))
		l->stages = RUNG_SAMPLES;
	if (has_hooks(l->stages))
		choose_rows(f, l->stages, l->hook, HOOK_COUNT, HOOK_ROWS);
}

/*
 * Chooses the function that counts page cache hits, as Kepler counts them. Since 5.16 (commit 76580b6529db),
 * mark_page_accessed() only calls folio_mark_accessed(), and most callers call folio_mark_accessed() directly.
 */
static void choose_pages(struct ladder *l, struct features *f)
{
	static const char *const functions[] = { "folio_mark_accessed", "mark_page_accessed" };
	struct ladder_pages *p = &l->pages;

	*p = (struct ladder_pages){ .rung = RUNG_SAMPLES };
	if (!l->processes)
		return;
	for (enum rung r = RUNG_FENTRY; r <= RUNG_KPROBE; r++)
		for (size_t i = 0; !f->usable[r] && i < sizeof(functions) / sizeof(*functions); i++)
			if (features_target(f, r, functions[i], NULL, p->function)) {
				p->rung = r;
				return;
			}
	say_why(f, p->why, sizeof(p->why));
	if (!p->why[0])
		snprintf(p->why, sizeof(p->why), reason_no_functions);
}

/* ---- receivers --------------------------------------------------------------------------- */

static bool is_here(const struct features *f, const struct hook_program *p)
{
	if (p->tracepoint)
		return btf_names_tracepoint(f->names, p->tracepoint);
	return !f->usable[RUNG_FENTRY] && btf_names_func(f->names, p->function);
}

/*
 * Removes the receiver programs at tracepoints where a program counts messages. The program that counts messages also
 * does the work of the receiver program, so that only one program runs there.
 */
static void leave_to_messages(struct ladder *l)
{
	for (unsigned int i = 0; (l->witness || l->calls) && i < hook_nprograms; i++)
		if (hook_programs[i].use == USE_OWNERS_OWNER && !hook_programs[i].rank)
			l->owners &= ~(UINT64_C(1) << i);
}

/* Sets l->owners_every to 0, with a reason, if a required program is not available. */
static void choose_owners(struct ladder *l, const struct features *f)
{
	/* best rank of each use; hook_programs is sorted by rank within a use */
	unsigned int best[USES];

	memset(best, 0xff, sizeof(best));
	l->owners = 0;
	l->owners_why[0] = '\0';
	for (unsigned int i = 0; l->owners_every && i < hook_nprograms; i++) {
		const struct hook_program *p = &hook_programs[i];

		if (!hook_is_of_owners(p))
			continue;
		if (is_here(f, p) && p->rank <= best[p->use]) {
			l->owners |= UINT64_C(1) << i;
			best[p->use] = p->rank;
		} else if (p->use == USE_OWNERS_NEED) {
			snprintf(l->owners_why, sizeof(l->owners_why), reason_no_tracepoint,
				 p->tracepoint);
			l->owners = 0;
			l->owners_every = 0;
		}
	}
	leave_to_messages(l);
}

/* ---- choosing all methods ----------------------------------------------------------------- */

/* Refuses all methods. The reason applies to all methods, so it is stored only for the best method. */
static void refuse_all(struct ladder *l, const char *why)
{
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		const struct way *best = ways;

		while (!(best->events >> e & 1))
			best++;
		l->event[e] = by_samples;
		snprintf(l->event[e].refused[best->rung], LADDER_WHY, "%s", why);
	}
	snprintf(l->witness_why, sizeof(l->witness_why), "%s", why);
}

int ladder_choose(struct ladder *l, char *why, size_t whysize)
{
	struct features f;
	int err;

	libbpf_set_print(NULL); /* silent, because the recorder reports each error once */
	l->witness = false;
	l->witness_why[0] = '\0';
	l->sockets = l->stages = l->pages.rung = RUNG_SAMPLES;
	l->polls = false;
	err = features_open(&f, &l->names, l->left_out, why, whysize);
	l->refused = !err && f.usable[RUNG_FENTRY] == -EPERM;
	if (!err && !f.usable[RUNG_FENTRY])
		f.usable[RUNG_FENTRY] = not_preemptible(f.why[RUNG_FENTRY]);
	if (!err && l->left_out[RUNG_TRACEPOINT][0]) {
		err = -ECANCELED; /* all other methods need the scheduler's tracepoints */
		snprintf(why, whysize, "%s", l->left_out[RUNG_TRACEPOINT]);
	}
	if (err) {
		refuse_all(l, why);
		features_close(&f);
		return err;
	}
	choose_pages(l, &f);
	choose_hooks(l, &f);
	if (l->best)
		l->calls = !has_functions(&f);
	leave_functions(l, &f);
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		choose_event(l, &f, e);
	if (!irq_numbers_any(IRQ_NUMBERS_NET))
		ladder_leave_hardirqs(l, reason_no_interrupts);
	l->sockets = l->event[NETCOST_EV_SOCK_SEND].rung;
	l->casts = btf_names_func(l->names, "bpf_rdonly_cast");
	choose_witness(l, &f);
	choose_stages(l, &f);
	l->polls = l->event[NETCOST_EV_RX_SOFTIRQ].rung == RUNG_TRACEPOINT &&
		   btf_names_tracepoint(l->names, "napi_poll");
	choose_owners(l, &f);
	if (l->processes || l->owners_every)
		l->cgroups = cgroup_hierarchy_of_tasks(l->names, &l->cgroup_place);
	features_close(&f);
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

/* ---- queries of the choices -------------------------------------------------------------- */

/* Returns a bit mask of the uses of the chosen programs. */
static uint32_t uses_of(const struct ladder *l)
{
	uint32_t uses = l->witness ? HOOK_USE(MESSAGES) : 0;

	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		uses |= l->event[e].uses;
	if (l->polls)
		uses |= HOOK_USE(POLLS);
	if (l->stages == RUNG_TRACEPOINT)
		uses |= HOOK_USE(POLLS) | HOOK_USE(STAGES);
	if (l->stages == RUNG_KPROBE)
		uses |= HOOK_USE(STAGE_KPROBES);
	if (l->pages.rung == RUNG_FENTRY)
		uses |= HOOK_USE(PAGE_FENTRY);
	if (l->pages.rung == RUNG_KPROBE)
		uses |= HOOK_USE(PAGE_KPROBE);
	return uses;
}

static bool has_casts_of(const struct ladder *l, const struct hook_program *p)
{
	return p->casts != (l->casts ? WITHOUT_CASTS : WITH_CASTS);
}

const struct hook_program *ladder_program(const struct ladder *l, unsigned int *i)
{
	uint32_t uses = uses_of(l);

	for (; *i < hook_nprograms; ++*i) {
		const struct hook_program *p = &hook_programs[*i];

		if (hook_is_of_owners(p) ? l->owners >> *i & 1 :
					   uses >> p->use & 1 && has_casts_of(l, p))
			return p;
	}
	return NULL;
}

bool ladder_wants(const struct ladder *l, const char *program)
{
	const struct hook_program *p;

	for (unsigned int i = 0; (p = ladder_program(l, &i)); i++)
		if (!strcmp(p->name, program))
			return true;
	return false;
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

	for (unsigned int i = 0; i < hook_nprograms; i++)
		if (c->uses >> hook_programs[i].use & 1 && hook_programs[i].tracepoint &&
		    has_casts_of(l, &hook_programs[i]))
			name[n++] = hook_programs[i].tracepoint;
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

	for (unsigned int i = 0; l->stages == RUNG_TRACEPOINT && i < hook_nprograms; i++)
		if ((hook_programs[i].use == USE_POLLS || hook_programs[i].use == USE_STAGES) &&
		    hook_programs[i].part == stage)
			name[n++] = hook_programs[i].tracepoint;
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

/* Rank of the programs chosen for USE_OWNERS_MARK; OWNERS_RANKS if none is chosen. */
#define OWNERS_RANKS 3
static unsigned int rank_of_marks(const struct ladder *l)
{
	const struct hook_program *p;

	for (unsigned int i = 0; (p = ladder_program(l, &i)); i++)
		if (p->use == USE_OWNERS_MARK)
			return p->rank;
	return OWNERS_RANKS;
}

const char *ladder_owners_via(const struct ladder *l)
{
	static const char *const via[OWNERS_RANKS + 1] = { reason_owners_sockets,
							   reason_owners_functions,
							   reason_owners_woken, "" };

	return via[rank_of_marks(l)];
}

const char *ladder_owners_why(const struct ladder *l)
{
	return l->owners_why[0] ? l->owners_why : rank_of_marks(l) == 2 ? reason_owners_weak : "";
}
