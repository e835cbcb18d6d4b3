// SPDX-License-Identifier: BSD-2-Clause
/* Tests the report on energy counters: each state, wraps, and exact joules. */
#include <errno.h>
#include <math.h>

#include "model_maker.h"
#include "report/analysis/energy.h"
#include "report/analysis/summary.h"

#define SECOND 1000000000ull
#define WRAP 262143328850ull

static void zone(struct maker *k, uint64_t id, const char *name, uint64_t parent, uint64_t wrap)
{
	trace_writer_begin(k->w, TRACE_ENERGY_ZONE);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_ID, id);
	trace_writer_str(k->w, TRACE_ENERGY_ZONE_NAME, name);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_PARENT, parent);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_UNIT_NJ, 1000);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_WRAP, wrap);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Writes a reading of one zone. `error` counts only if `raw` is TRACE_NIL. */
static void reading(struct maker *k, uint64_t at_ns, uint64_t raw, uint64_t error)
{
	maker_tick(k, at_ns, U(0));
	trace_writer_begin(k->w, TRACE_ENERGY);
	trace_writer_uints(k->w, TRACE_ENERGY_READ_NS, &at_ns, 1);
	trace_writer_uints(k->w, TRACE_ENERGY_RAW, &raw, 1);
	error = raw == TRACE_NIL ? error : TRACE_NIL;
	trace_writer_uints(k->w, TRACE_ENERGY_ERROR, &error, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

struct report {
	struct model *m;
	struct summary s;
	struct energy_zone z;
};

static void read_it(struct report *r, struct maker *k)
{
	r->m = model_new(0, NULL);
	CU_ASSERT_EQUAL_FATAL(maker_read(k, r->m), 0);
	CU_ASSERT_EQUAL_FATAL(summary_make(&r->s, r->m, NULL), 0);
	energy_zone(&r->z, r->m, &r->s.split, 0);
}

static void done(struct report *r)
{
	summary_free(&r->s);
	model_free(r->m);
}

static bool is(double v, double wanted)
{
	return fabs(v - wanted) < 1e-9;
}

static void expect(struct maker *k, enum energy_state state, double joules, double watts)
{
	struct report r;

	read_it(&r, k);
	CU_ASSERT_EQUAL(r.z.state, state);
	CU_ASSERT(isnan(joules) ? isnan(r.z.joules) : is(r.z.joules, joules));
	CU_ASSERT(isnan(watts) ? isnan(r.z.watts) : is(r.z.watts, watts));
	CU_ASSERT(isnan(watts) ? isnan(r.s.energy.total_w) : is(r.s.energy.total_w, watts));
	CU_ASSERT_EQUAL(r.s.energy.missing, isnan(watts));
	done(&r);
}

static struct maker one_zone(uint64_t wrap)
{
	struct maker k = maker_new();

	zone(&k, 1, "package-0", 0, wrap);
	return k;
}

static void test_a_wrap_in_the_middle(void)
{
	struct maker k = one_zone(WRAP);

	reading(&k, 1 * SECOND, WRAP - 1, 0);
	reading(&k, 2 * SECOND, 3, 0); /* 5 uJ later: WRAP, 0, 1, 2, 3 */
	reading(&k, 4 * SECOND, 3000001, 0);
	expect(&k, ENERGY_MEASURED, 3.000003, 1.000001);
}

/*
 * Checks intervals so long that a counter may wrap more than once: 1000 W use up 262 kJ, the range of the counter, in
 * 262 s.
 */
static void test_wraps_that_cannot_be_told(void)
{
	struct maker k = one_zone(WRAP);

	reading(&k, 1 * SECOND, 5, 0);
	reading(&k, 262 * SECOND, 1000005, 0);
	reading(&k, 525 * SECOND, 9000005, 0); /* 263 s later, too long */
	reading(&k, 526 * SECOND, 10000005, 0);
	expect(&k, ENERGY_WRAPS, 2, 2.0 / 262);
	k = one_zone(0); /* the trace does not say where the counter wraps */
	reading(&k, 1 * SECOND, 5000000, 0);
	reading(&k, 2 * SECOND, 7000000, 0);
	reading(&k, 3 * SECOND, 1, 0);
	reading(&k, 4 * SECOND, 1000001, 0);
	expect(&k, ENERGY_WRAPS, 3, 1.5);
	k = one_zone(WRAP); /* the counter was set back, because a wrap would mean 250 kW */
	reading(&k, 1 * SECOND, 10000000, 0);
	reading(&k, 2 * SECOND, 5, 0);
	reading(&k, 3 * SECOND, 1000005, 0);
	expect(&k, ENERGY_WRAPS, 1, 1);
	k = one_zone(1000000);
	reading(&k, 1 * SECOND, 5, 0);
	reading(&k, 2 * SECOND, 6, 0);
	expect(&k, ENERGY_WRAPS, NAN, NAN);
}

static void test_states(void)
{
	struct maker k = one_zone(WRAP);

	reading(&k, 1 * SECOND, 5, 0);
	reading(&k, 2 * SECOND, 5, 0);
	expect(&k, ENERGY_CONSTANT, NAN, NAN);
	k = one_zone(WRAP);
	reading(&k, 1 * SECOND, 5, 0);
	expect(&k, ENERGY_SHORT, NAN, NAN);
	k = one_zone(WRAP);
	expect(&k, ENERGY_UNREAD, NAN, NAN);
	k = one_zone(WRAP);
	reading(&k, 1 * SECOND, TRACE_NIL, EACCES);
	reading(&k, 2 * SECOND, TRACE_NIL, EACCES);
	expect(&k, ENERGY_REFUSED, NAN, NAN);
	k = one_zone(WRAP);
	reading(&k, 1 * SECOND, TRACE_NIL, 0);
	expect(&k, ENERGY_UNREADABLE, NAN, NAN);
}

/* Checks that the energy before a zone vanishes is known, and so is the energy between two readings around a gap. */
static void test_a_zone_that_vanishes(void)
{
	struct maker k = one_zone(WRAP);

	reading(&k, 1 * SECOND, 5, 0);
	reading(&k, 2 * SECOND, 4000005, 0);
	reading(&k, 3 * SECOND, TRACE_NIL, ENODEV);
	expect(&k, ENERGY_VANISHED, 4, 4);
	k = one_zone(WRAP);
	reading(&k, 1 * SECOND, 5, 0);
	reading(&k, 2 * SECOND, TRACE_NIL, ENOENT);
	reading(&k, 3 * SECOND, 4000005, 0);
	expect(&k, ENERGY_MEASURED, 4, 2);
}

/* Checks that more readings than pieces of time are merged, and that no energy is lost. */
static void test_pieces_are_joined(void)
{
	const size_t n = 3 * MODEL_ENERGY_PIECES + 7;
	struct maker k = one_zone(WRAP);
	struct report r;
	double joules = 0, ns = 0, busy_ns = 0;

	for (size_t i = 0; i <= n; i++) {
		trace_writer_begin(k.w, TRACE_TICK);
		trace_writer_uint(k.w, TRACE_TICK_AT_NS, i * SECOND);
		trace_writer_uints(k.w, TRACE_TICK_CPU, U(0));
		trace_writer_uints(k.w, TRACE_TICK_EXACT_NS, U(i * SECOND));
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
		trace_writer_begin(k.w, TRACE_EXACT);
		trace_writer_uint(k.w, TRACE_EXACT_EVENT, NETCOST_EV_IDLE);
		trace_writer_uints(k.w, TRACE_EXACT_NS, U(i * (SECOND / 4 * 3)));
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
		trace_writer_begin(k.w, TRACE_ENERGY);
		trace_writer_uints(k.w, TRACE_ENERGY_READ_NS, U(i * SECOND));
		trace_writer_uints(k.w, TRACE_ENERGY_RAW, U(i * 2000000));
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	}
	read_it(&r, &k);
	CU_ASSERT(r.m->zone[0].npieces <= MODEL_ENERGY_PIECES);
	CU_ASSERT(r.m->zone[0].npieces > MODEL_ENERGY_PIECES / 2);
	for (size_t i = 0; i < r.m->zone[0].npieces; i++) {
		joules += r.m->zone[0].piece[i].joules;
		ns += r.m->zone[0].piece[i].ns;
		busy_ns += r.m->zone[0].piece[i].busy_ns;
	}
	CU_ASSERT(is(joules, 2.0 * (double)n) && is(ns / 1e9, (double)n));
	CU_ASSERT(is(busy_ns / 1e9, 0.25 * (double)n));
	CU_ASSERT(isnan(r.z.idle_w)); /* a constant load does not show the idle power */
	CU_ASSERT_PTR_NOT_NULL(r.z.idle_why);
	done(&r);
}

/* Defines an energy zone of some CPUs. */
static void zone_of(struct maker *k, uint64_t id, const char *name, uint64_t parent,
		    const uint64_t *cpu, size_t ncpus)
{
	trace_writer_begin(k->w, TRACE_ENERGY_ZONE);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_ID, id);
	trace_writer_str(k->w, TRACE_ENERGY_ZONE_NAME, name);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_PARENT, parent);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_UNIT_NJ, 1000);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_WRAP, WRAP);
	trace_writer_uints(k->w, TRACE_ENERGY_ZONE_CPUS, cpu, ncpus);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void exact(struct maker *k, enum netcost_event event, uint64_t a_ns, uint64_t b_ns)
{
	trace_writer_begin(k->w, TRACE_EXACT);
	trace_writer_uint(k->w, TRACE_EXACT_EVENT, event);
	trace_writer_uints(k->w, TRACE_EXACT_NS, U(a_ns, b_ns));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/*
 * Writes a trace in which both CPUs are busy half of the time. CPU 0 does network work, which takes three times the
 * power of the other work.
 */
static void two_cores(struct maker *k, uint64_t other_core_uj)
{
	*k = maker_new();
	zone_of(k, 1, "package-0", 0, U(0, 1));
	zone_of(k, 2, "core-0", 1, U(0));
	zone_of(k, 3, "core-1", 1, U(1));
	for (uint64_t i = 0; i < 3; i++) {
		uint64_t at_ns = (i + 1) * SECOND, half_ns = i * SECOND / 2;

		trace_writer_begin(k->w, TRACE_TICK);
		trace_writer_uint(k->w, TRACE_TICK_AT_NS, at_ns);
		trace_writer_uints(k->w, TRACE_TICK_CPU, U(0, 1));
		trace_writer_uints(k->w, TRACE_TICK_EXACT_NS, U(at_ns, at_ns));
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
		exact(k, NETCOST_EV_IDLE, half_ns, half_ns);
		exact(k, NETCOST_EV_TASK, 0, half_ns);
		exact(k, NETCOST_EV_SOCK_SEND, half_ns, 0);
		trace_writer_begin(k->w, TRACE_ENERGY);
		trace_writer_uints(k->w, TRACE_ENERGY_READ_NS, U(at_ns, at_ns, at_ns));
		trace_writer_uints(k->w, TRACE_ENERGY_RAW,
				   U(i * 9000000, i * 3000000, i * other_core_uj));
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
	}
}

static void test_shares_by_core(void)
{
	struct report r;
	struct maker k;

	two_cores(&k, 1000000);
	read_it(&r, &k);
	CU_ASSERT(r.z.by_core && is(r.z.share, 0.75));
	CU_ASSERT(r.s.energy.by_core);
	done(&r);
	two_cores(&k, 0); /* the counter of core-1 does not move */
	read_it(&r, &k);
	CU_ASSERT(!r.z.by_core && is(r.z.share, 0.5));
	CU_ASSERT(!r.s.energy.by_core);
	done(&r);
}

static void dies(struct maker *k, uint64_t second, const uint64_t raw[4])
{
	const uint64_t at[4] = { second * SECOND, second * SECOND + 1000, second * SECOND + 2000,
				 second * SECOND + 3000 };

	maker_tick(k, second * SECOND, U(0));
	trace_writer_begin(k->w, TRACE_ENERGY);
	trace_writer_uints(k->w, TRACE_ENERGY_READ_NS, at, 4);
	trace_writer_uints(k->w, TRACE_ENERGY_RAW, raw, 4);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/*
 * Checks that a die that mirrors another one is left out. Two of three dies show the same counter, read at slightly
 * different times, also when it wraps. A die of another package has equal values, but counts.
 */
static void test_mirrored_dies(void)
{
	struct maker k = maker_new();
	struct energy_zone z;
	struct report r;

	zone(&k, 1, "package-0-die-0", 0, 1000000000);
	zone(&k, 2, "package-0-die-1", 0, 1000000000);
	zone(&k, 3, "package-0-die-2", 0, 1000000000);
	zone(&k, 4, "package-1-die-0", 0, 1000000000);
	dies(&k, 1, (const uint64_t[]){ 900000000, 7000000, 900000300, 900000000 });
	dies(&k, 2, (const uint64_t[]){ 968000000, 27000000, 968000100, 968000000 });
	dies(&k, 3,
	     (const uint64_t[]){ 35999999, 47000000, 36000399,
				 35999999 }); /* three counters at 68 W, one at 20 W */
	read_it(&r, &k);
	CU_ASSERT_EQUAL(r.z.state, ENERGY_MEASURED);
	energy_zone(&z, r.m, &r.s.split, 1);
	CU_ASSERT_EQUAL(z.state, ENERGY_MEASURED);
	energy_zone(&z, r.m, &r.s.split, 2);
	CU_ASSERT_EQUAL(z.state, ENERGY_MIRROR);
	CU_ASSERT(!z.in_total);
	energy_zone(&z, r.m, &r.s.split, 3);
	CU_ASSERT_EQUAL(z.state, ENERGY_MEASURED);
	CU_ASSERT(fabs(r.s.energy.total_w - (68 + 20 + 68)) < 1e-6);
	CU_ASSERT(fabs(energy_joules(r.m) - 2 * (68 + 20 + 68)) < 1e-6);
	done(&r);
}

static const struct unit_test tests[] = {
	{ "mirrored_dies", test_mirrored_dies },
	{ "a_wrap_in_the_middle", test_a_wrap_in_the_middle },
	{ "wraps_that_cannot_be_told", test_wraps_that_cannot_be_told },
	{ "states", test_states },
	{ "a_zone_that_vanishes", test_a_zone_that_vanishes },
	{ "shares_by_core", test_shares_by_core },
	{ "pieces_are_joined", test_pieces_are_joined },
};

int main(void)
{
	return unit_main("energy", tests, sizeof(tests) / sizeof(tests[0]));
}
