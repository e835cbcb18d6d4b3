// SPDX-License-Identifier: BSD-2-Clause
#include "own_cost_impl.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/cpuset.h>
#include <netcost/reasons.h>

#include "exact.h"
#include "own_batches.h"
#include "own_calls.h"
#include "own_cost_fit.h"
#include "record/base/clock.h"

/*
 * Rounds with programs on and off alternate, where these can be detached, that both find the same moments (own_batches.h).
 */
#define PAUSE_US 2000
#define SWITCH_US 100 /* a switch on this CPU, from which on its state is known */

/* Less of a class in a piece of work is by chance: a timer's softirq, another task. */
#define SOME 0.1

/* ---- batches ----------------------------------------------------------------------------- */

struct look {
	const struct exact *exact; /* NULL: off */
	unsigned int cpu;
	struct exact_runs before, after;
};

static void look(void *ctx, bool after)
{
	struct look *l = ctx;

	if (l->exact)
		exact_runs(l->exact, l->cpu, after ? &l->after : &l->before);
}

static double runs_between(const struct look *l, enum netcost_probe probe)
{
	uint64_t runs = 0;

	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		runs += l->after.of[probe][e] - l->before.of[probe][e];
	return (double)runs;
}

/* What was seen of a kind. */
struct batches {
	bool failed;
	struct own_batches all, measured, runs[NETCOST_PROBE_COUNT];
};

static void run_kind(struct own_cost *o, const struct exact *e, const struct own_calls_kind *k,
		     struct batches *seen, int first)
{
	struct look l = { .exact = e, .cpu = own_calls_cpu(o->calls) };

	seen->failed |= own_calls_begin(o->calls, k) != 0;
	for (int b = first; b < first + OWN_BATCHES_A_ROUND && !seen->failed; b++) {
		seen->all.ns[b] = own_calls_batch(o->calls, k, look, &l) / k->pieces;
		seen->failed |= isnan(seen->all.ns[b]);
		seen->measured.ns[b] =
			(double)(l.after.op_ns[k->event] - l.before.op_ns[k->event]) / k->pieces;
		for (int c = 0; c < NETCOST_PROBE_COUNT; c++)
			seen->runs[c].ns[b] = runs_between(&l, c) / k->pieces;
	}
	own_calls_end(o->calls);
}

/* e: the programs are on; NULL: they are off. */
static void run_round(struct own_cost *o, const struct exact *e, struct batches *seen, int round)
{
	for (int k = 0; k < OWN_CALLS_KINDS; k++)
		run_kind(o, e, &own_calls_kinds[k], &seen[k], round * OWN_BATCHES_A_ROUND);
}

static struct piece piece_of(const struct batches *seen)
{
	struct piece p = { !seen->failed, seen->all, seen->measured, { 0 } };

	for (int c = 0; c < NETCOST_PROBE_COUNT; c++)
		p.runs[c] = own_batches_median(&seen->runs[c]).ns;
	return p;
}

static void run_rounds(struct own_cost *o, const struct exact *e, struct batches *seen)
{
	for (int r = 0; r < OWN_ROUNDS; r++) {
		run_round(o, e, seen, r);
		usleep(PAUSE_US);
	}
}

/* Programs that are on and off in turn, and what is run each time. */
struct turns {
	int (*set)(struct exact *e, bool on, char *why, size_t whysize);
	void (*run)(struct own_cost *o, const struct exact *e, bool on, struct batches *seen,
		    int round);
};

/* The programs are on after it. */
static int alternate(struct own_cost *o, struct exact *e, const struct turns *t,
		     struct batches *off, struct batches *on, char *why, size_t whysize)
{
	int err = 0;

	for (int r = 0; r < OWN_ROUNDS && !err; r++) {
		err = t->set(e, false, why, whysize);
		if (!err) {
			t->run(o, e, false, off, r);
			err = t->set(e, true, why, whysize);
		}
		if (!err)
			t->run(o, e, true, on, r);
	}
	return err;
}

static int set_all(struct exact *e, bool on, char *why, size_t whysize)
{
	const struct cpuset none = { 0 };
	int err = 0;

	if (on) {
		err = exact_on(e, &none, why, whysize);
		usleep(SWITCH_US);
	} else {
		exact_off(e);
	}
	return err;
}

static void run_turn(struct own_cost *o, const struct exact *e, bool on, struct batches *seen,
		     int round)
{
	run_round(o, on ? e : NULL, seen, round);
}

static const struct turns all_turns = { set_all, run_turn };

/* Without programs: off alone. Where there is no memory, or own calls are not possible, no piece is done. */
static int run_all(struct own_cost *o, struct exact *e, char *why, size_t whysize)
{
	struct batches *seen = calloc(2 * OWN_CALLS_KINDS, sizeof(*seen));
	struct batches *off = seen, *on = seen + OWN_CALLS_KINDS;
	bool can = seen && !own_calls_new(&o->calls);
	int err = 0;

	if (can && e && !o->before)
		err = alternate(o, e, &all_turns, off, on, why, whysize);
	else if (can)
		run_rounds(o, e, e ? on : off);
	for (int k = 0; can && k < OWN_CALLS_KINDS; k++) {
		if (!o->before || !e)
			o->off[k] = piece_of(&off[k]);
		if (e)
			o->on[k] = piece_of(&on[k]);
	}
	own_calls_free(o->calls);
	o->calls = NULL;
	free(seen);
	return err;
}

/* ---- from batches to costs --------------------------------------------------------------- */

static bool known(const struct own_cost *o, int probe)
{
	return !isnan(o->probe[probe].ns);
}

/*
 * What a piece takes longer with the programs on. Programs of --owners run here only where they cannot be left out for a
 * moment; then what they take is softirqs'.
 */
static struct own_fit_row row_of(const struct piece *on, const struct piece *off)
{
	struct own_fit_row r = { .more = { NAN, NAN } };

	if (on->done && off->done)
		r.more = own_batches_shift(&on->all, &off->all);
	for (int c = 0; c < NETCOST_PROBE_COUNT; c++)
		if (on->runs[c] >= SOME && c != NETCOST_PROBE_OWNERS)
			r.runs[c] = on->runs[c];
	return r;
}

/* With how many of their own runs a class was measured, in the first kind that has it. */
static unsigned int own_runs(const struct own_fit_row *row, int class)
{
	for (int k = 0; k < OWN_CALLS_KINDS; k++)
		if (!isnan(row[k].more.ns) && row[k].runs[class] > 0)
			return (unsigned int)(row[k].runs[class] * own_calls_kinds[k].pieces *
					      OWN_BATCHES);
	return 0;
}

static void take_kinds(struct own_cost *o)
{
	struct own_fit_row row[OWN_CALLS_KINDS];
	struct own_value cost[NETCOST_PROBE_COUNT];

	for (int k = 0; k < OWN_CALLS_KINDS; k++)
		row[k] = row_of(&o->on[k], &o->off[k]);
	own_cost_fit(row, OWN_CALLS_KINDS, cost);
	for (int c = 0; c < NETCOST_PROBE_COUNT; c++) {
		if (isnan(cost[c].ns))
			continue;
		o->probe[c].ns = cost[c].ns;
		o->probe[c].ci95 = cost[c].ci95;
		o->probe[c].runs = own_runs(row, c);
	}
}

/* A class whose cost is not measured by itself, but made of others'. */
static void set(struct own_cost *o, enum netcost_probe probe, double ns, double ci95)
{
	if (isnan(ns) || !(ns > 0))
		return;
	o->probe[probe].ns = ns;
	o->probe[probe].ci95 = ci95;
}

static void set_inside(struct own_cost *o, enum netcost_probe probe, double ns, double ci95)
{
	if (isnan(o->probe[probe].ns) || isnan(ns) || !(ns > 0))
		return;
	o->probe[probe].inside_ns = ns;
	o->probe[probe].inside_ci95 = ci95;
}

/*
 * What the programs measure of an operation that does nothing is their own, but for what it takes without them: more
 * than a system call that does nothing.
 */
static void take_inside_operation(struct own_cost *o)
{
	const struct piece *on = &o->on[OWN_CALLS_OPERATION], *off = &o->off[OWN_CALLS_OPERATION];
	const struct piece *nothing = &o->off[OWN_CALLS_NOTHING];
	struct own_value measured, without;

	if (!on->done || !off->done || !nothing->done ||
	    on->runs[NETCOST_PROBE_OPERATION] < 1 - SOME)
		return;
	measured = own_batches_median(&on->measured);
	without = own_batches_shift(&off->all, &nothing->all);
	set_inside(o, NETCOST_PROBE_OPERATION, measured.ns - without.ns,
		   hypot(measured.ci95, without.ci95));
}

struct pair {
	bool known;
	struct own_value all, inside;
};

static struct pair run_pair(struct exact *e, enum exact_pair which)
{
	struct own_batches all, inside;

	for (int b = 0; b < OWN_BATCHES; b++)
		if (exact_pair_ns(e, which, &all.ns[b], &inside.ns[b]))
			return (struct pair){ .known = false };
	return (struct pair){ true, own_batches_median(&all), own_batches_median(&inside) };
}

/*
 * A pair of programs of an interrupt costs what they do, and two ways to a program and back, which are the same: one way
 * back from the first and one way to the second are half of that, and inside. How long the ways are is known of softirqs.
 */
static void take_pair(struct own_cost *o, const struct pair *p, const struct own_value *ways,
		      enum netcost_probe probe, bool measures)
{
	if (!p->known)
		return;
	set(o, probe, p->all.ns + ways->ns, hypot(p->all.ci95, ways->ci95));
	if (measures)
		set_inside(o, probe, p->inside.ns + ways->ns / 2,
			   hypot(p->inside.ci95, ways->ci95 / 2));
}

static void take_interrupts(struct own_cost *o, struct exact *e)
{
	const struct own_cost_probe *softirq = &o->probe[NETCOST_PROBE_SOFTIRQ];
	double programs = exact_softirq_programs(e);
	struct pair softirqs = run_pair(e, EXACT_SOFTIRQ);
	struct pair hardirqs = run_pair(e, EXACT_HARDIRQ),
		    others = run_pair(e, EXACT_OTHER_HARDIRQ);
	struct own_value ways, way;

	if (!softirqs.known || isnan(softirq->ns) || softirq->ns < softirqs.all.ns)
		return;
	/* A softirq runs `programs` of them: all but half of the first way and half of the last one is inside. */
	way.ns = (softirq->ns - softirqs.all.ns) / programs;
	way.ci95 = hypot(softirq->ci95, softirqs.all.ci95) / programs;
	set_inside(o, NETCOST_PROBE_SOFTIRQ, softirqs.inside.ns + (programs - 1) * way.ns,
		   hypot(softirqs.inside.ci95, (programs - 1) * way.ci95));
	ways = (struct own_value){ 2 * way.ns, 2 * way.ci95 };
	set(o, NETCOST_PROBE_OTHER_SOFTIRQ, ways.ns, ways.ci95);
	take_pair(o, &hardirqs, &ways, NETCOST_PROBE_HARDIRQ, true);
	take_pair(o, &others, &ways, NETCOST_PROBE_OTHER_HARDIRQ, false);
}

/* ---- who receives ------------------------------------------------------------------------ */

/* What the kernel still does for that is over then. */
static int set_owners(struct exact *e, bool on, char *why, size_t whysize)
{
	int err = exact_leave_owners(e, !on, why, whysize);

	usleep(PAUSE_US);
	return err;
}

/* A datagram over loopback; all other programs are on. */
static void run_loopback(struct own_cost *o, const struct exact *e, bool on, struct batches *seen,
			 int round)
{
	(void)on;
	run_kind(o, e, &own_calls_kinds[OWN_CALLS_LOOPBACK], seen, round * OWN_BATCHES_A_ROUND);
}

static const struct turns owners_turns = { set_owners, run_loopback };

/* What it takes longer with them is what so many runs of them take. */
static void take_owners(struct own_cost *o, const struct piece *without, const struct piece *with)
{
	double runs = with->runs[NETCOST_PROBE_OWNERS] - without->runs[NETCOST_PROBE_OWNERS];
	struct own_value more;

	if (!without->done || !with->done || runs < SOME)
		return;
	more = own_batches_shift(&with->all, &without->all);
	set(o, NETCOST_PROBE_OWNERS, more.ns / runs, more.ci95 / runs);
	o->probe[NETCOST_PROBE_OWNERS].runs =
		(unsigned int)(runs * own_calls_kinds[OWN_CALLS_LOOPBACK].pieces * OWN_BATCHES);
}

/* Where they were left out; then they are on. */
static int run_owners(struct own_cost *o, struct exact *e, char *why, size_t whysize)
{
	struct batches *seen = calloc(2, sizeof(*seen));
	struct piece without, with;
	int err;

	if (!seen || own_calls_new(&o->calls)) {
		free(seen);
		return exact_leave_owners(e, false, why, whysize);
	}
	err = alternate(o, e, &owners_turns, &seen[0], &seen[1], why, whysize);
	own_calls_free(o->calls);
	o->calls = NULL;
	without = piece_of(&seen[0]);
	with = piece_of(&seen[1]);
	free(seen);
	if (!err)
		take_owners(o, &without, &with);
	return err;
}

/* ---- life -------------------------------------------------------------------------------- */

struct own_cost *own_cost_new(void)
{
	struct own_cost *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	for (int c = 0; c < NETCOST_PROBE_COUNT; c++) {
		o->probe[c] = (struct own_cost_probe){
			.ns = NAN, .ci95 = NAN, .inside_ns = NAN, .inside_ci95 = NAN
		};
		snprintf(o->probe[c].why, sizeof(o->probe[c].why), reason_no_own_calls);
	}
	return o;
}

void own_cost_off(struct own_cost *o)
{
	o->before = true;
	run_all(o, NULL, NULL, 0);
}

static bool own_calls_lost(const struct own_cost *o)
{
	for (int k = 0; k < OWN_CALLS_KINDS; k++)
		if (!o->off[k].done || !o->on[k].done)
			return true;
	return false;
}

/* Calls that were lost may have been those that make it run. */
static void give_reason(struct own_cost_probe *p, bool lost)
{
	if (!isnan(p->ns))
		p->why[0] = '\0';
	else if (lost)
		snprintf(p->why, sizeof(p->why), reason_own_calls_lost);
}

int own_cost_on(struct own_cost *o, struct exact *e, char *why, size_t whysize)
{
	bool owners = exact_can_leave_owners(e);
	int err = owners ? exact_leave_owners(e, true, why, whysize) : 0;

	if (!err)
		err = run_all(o, e, why, whysize);
	take_kinds(o);
	take_inside_operation(o);
	take_interrupts(o, e);
	if (owners && !err)
		err = run_owners(o, e, why, whysize);
	for (int c = 0; c < NETCOST_PROBE_COUNT; c++)
		give_reason(&o->probe[c], own_calls_lost(o));
	return err;
}

void own_cost_free(struct own_cost *o)
{
	free(o);
}

/* ---- what is known ----------------------------------------------------------------------- */

const struct own_cost_probe *own_cost_of(const struct own_cost *o, enum netcost_probe probe)
{
	return &o->probe[probe];
}

uint64_t own_cost_ns(const struct own_cost *o, const struct exact_reading *from,
		     const struct exact_reading *to)
{
	double ns = 0;

	for (int c = 0; c < NETCOST_PROBE_COUNT; c++)
		for (int e = 0; e < NETCOST_EV_COUNT && known(o, c); e++)
			ns += o->probe[c].ns * (double)(to->runs_of[c][e] - from->runs_of[c][e]);
	return (uint64_t)ns;
}

double own_cost_sample_ns(const struct own_cost *o)
{
	return known(o, NETCOST_PROBE_SAMPLE) ? o->probe[NETCOST_PROBE_SAMPLE].ns : 0;
}
