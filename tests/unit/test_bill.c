// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests the report on other BPF programs: shares, programs that started late or ended, and time that was not measured.
 */
#include <math.h>

#include "model_maker.h"
#include "report/analysis/cost.h"
#include "report/analysis/diff/diff.h"

#define MS 1000000ull

static void program(struct maker *k, uint64_t id, const char *name, const char *kind,
		    const char *attached)
{
	trace_writer_begin(k->w, TRACE_OTHER_PROGRAMS);
	trace_writer_uint(k->w, TRACE_OTHER_PROGRAMS_FIRST, id);
	trace_writer_strs(k->w, TRACE_OTHER_PROGRAMS_NAME, &name, 1);
	trace_writer_strs(k->w, TRACE_OTHER_PROGRAMS_KIND, &kind, 1);
	trace_writer_strs(k->w, TRACE_OTHER_PROGRAMS_ATTACHED, &attached, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

struct stats {
	size_t n;
	uint64_t runs[3], run_ns[3], unseen_ns[3], counted_ns;
};

static void stats(struct maker *k, const struct stats *s)
{
	trace_writer_begin(k->w, TRACE_OTHER_STATS);
	trace_writer_uints(k->w, TRACE_OTHER_STATS_RUNS, s->runs, s->n);
	trace_writer_uints(k->w, TRACE_OTHER_STATS_RUN_NS, s->run_ns, s->n);
	trace_writer_uints(k->w, TRACE_OTHER_STATS_UNSEEN_NS, s->unseen_ns, s->n);
	trace_writer_uint(k->w, TRACE_OTHER_STATS_COUNTED_NS, s->counted_ns);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void tick(struct maker *k, uint64_t at_ns, const struct stats *s)
{
	maker_tick(k, at_ns, U(0, 1));
	if (s)
		stats(k, s);
}

struct report {
	struct model *m;
	struct summary s;
	struct bill b;
};

static void read_it(struct report *r, struct maker *k)
{
	r->m = model_new(0, NULL);
	CU_ASSERT_EQUAL_FATAL(maker_read(k, r->m), 0);
	CU_ASSERT_EQUAL_FATAL(summary_make(&r->s, r->m, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(bill_make(&r->b, &r->s), 0);
}

static void done(struct report *r)
{
	bill_free(&r->b);
	summary_free(&r->s);
	model_free(r->m);
}

static bool is(double v, double wanted)
{
	return fabs(v - wanted) < 1e-12;
}

static void test_shares(void)
{
	const struct stats first = { .n = 2 };
	const struct stats last = { .n = 3, /* counted for 1 s on 2 CPUs */
				    .runs = { 1000, 10, 300 },
				    .run_ns = { 20 * MS, MS, 40 * MS },
				    .unseen_ns = { 0, 0, 200 * MS },
				    .counted_ns = 1000 * MS };
	struct maker k = maker_new();
	struct report r;

	program(&k, 1, "filter", "xdp", "interface eth0 xdp");
	program(&k, 2, "watch", "tracing", "");
	tick(&k, 1000 * MS, &first);
	tick(&k, 2000 * MS, NULL); /* a tick without statistics */
	program(&k, 3, "late", "cgroup_skb", "");
	tick(&k, 21000 * MS, &last);
	read_it(&r, &k);
	CU_ASSERT_EQUAL_FATAL(r.b.n, 3);
	CU_ASSERT_STRING_EQUAL(r.b.row[0].name, "late"); /* 40 ms of 1.6 s: 2 CPUs for 0.8 s */
	CU_ASSERT(is(r.b.row[0].share, 0.025) && is(r.b.row[0].runs_per_s, 375));
	CU_ASSERT(r.b.row[0].on_the_way && is(r.b.row[0].unseen_s, 0.2));
	CU_ASSERT_STRING_EQUAL(r.b.row[1].attached, "interface eth0 xdp");
	CU_ASSERT(is(r.b.row[1].share, 0.01) && is(r.b.row[1].ns_per_run, 20000));
	CU_ASSERT(!r.b.row[2].on_the_way && isnan(r.b.row[2].network_share));
	CU_ASSERT(is(r.b.on_the_way, 0.035) && is(r.b.elsewhere, 0.0005));
	CU_ASSERT(r.b.ran_on_the_way == 2 && r.b.ran_elsewhere == 1 && r.b.ended == 1);
	CU_ASSERT(is(r.b.counted_s, 1) && is(r.b.of_s, 20));
	done(&r);
}

/*
 * Checks a part of a trace, in which counters start at any value. If a program was never counted, its share is unknown,
 * not 0.
 */
static void test_parts(void)
{
	const struct stats first = { .n = 1, { 70 }, { 7000 }, { 5 * MS }, 90 * MS };
	const struct stats last = { .n = 1, { 80 }, { 9000 }, { 5 * MS }, 100 * MS };
	struct maker k = maker_new();
	struct report r;

	program(&k, 1, "filter", "xdp", "");
	tick(&k, 1000 * MS, &first);
	tick(&k, 2000 * MS, &last);
	read_it(&r, &k);
	CU_ASSERT(is(r.b.row[0].runs, 10) && is(r.b.row[0].ns_per_run, 200));
	CU_ASSERT(is(r.b.row[0].share, 2000 / (2. * 10 * MS)) && !r.b.ended);
	done(&r);

	k = maker_new();
	program(&k, 1, "filter", "xdp", "");
	tick(&k, 1000 * MS, &last);
	tick(&k, 2000 * MS, &last);
	read_it(&r, &k);
	CU_ASSERT(isnan(r.b.row[0].runs) && isnan(r.b.row[0].share) && isnan(r.b.on_the_way));
	CU_ASSERT(!r.b.ran_on_the_way);
	done(&r);

	k = maker_new();
	tick(&k, 1000 * MS, NULL);
	read_it(&r, &k);
	CU_ASSERT(!r.b.n && isnan(r.b.on_the_way) && isnan(r.b.counted_s));
	done(&r);
}

/* Writes a tick with the exact RX softirq time of both CPUs, and the program's statistics. */
static void network(struct maker *k, uint64_t at_ns, uint64_t rx_ns, const struct stats *s)
{
	trace_writer_begin(k->w, TRACE_TICK);
	trace_writer_uint(k->w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(k->w, TRACE_TICK_CPU, U(0, 1));
	trace_writer_uints(k->w, TRACE_TICK_EXACT_NS, U(at_ns, at_ns));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		uint64_t ns = e == NETCOST_EV_RX_SOFTIRQ ? rx_ns :
			      e == NETCOST_EV_IDLE	 ? at_ns - 1000 * MS - rx_ns :
							   0;

		trace_writer_begin(k->w, TRACE_EXACT);
		trace_writer_uint(k->w, TRACE_EXACT_EVENT, e);
		trace_writer_uints(k->w, TRACE_EXACT_NS, U(ns, ns));
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
	}
	stats(k, s);
}

static void test_of_the_network(void)
{
	static const struct {
		uint64_t run_ns;
		double share;
	} cases[] = { { 20 * MS, 0.1 }, { 200 * MS, 1 }, { 201 * MS, NAN } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct stats first = { .n = 1 };
		const struct stats last = {
			/* counted for 1 s on 2 CPUs, which spend 10 % of it in the network */
			.n = 1,
			.runs = { 1 },
			.run_ns = { cases[i].run_ns },
			.counted_ns = 1000 * MS
		};
		struct maker k = maker_new();
		struct report r;

		program(&k, 1, "filter", "xdp", "");
		for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
			trace_writer_begin(k.w, TRACE_PROBE);
			trace_writer_uint(k.w, TRACE_PROBE_OF, NETCOST_OF_EVENT);
			trace_writer_uint(k.w, TRACE_PROBE_NUMBER, e);
			trace_writer_str(k.w, TRACE_PROBE_METHOD, "tracepoint");
			CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
		}
		network(&k, 1000 * MS, 0, &first);
		network(&k, 11000 * MS, 1000 * MS, &last);
		read_it(&r, &k);
		CU_ASSERT(isnan(cases[i].share) ? isnan(r.b.network_share) :
						  is(r.b.network_share, cases[i].share));
		CU_ASSERT(is(r.b.row[0].share, cases[i].run_ns / (2000. * MS)));
		done(&r);
	}
}

/*
 * Checks the intervals of a ratio over equal pieces of time: the standard error times Student's t, reduced by the share
 * of the time that was counted.
 */
static void test_intervals(void)
{
	/* time of 100 runs of each program, in us per 1 ms */
	static const uint64_t run_us[] = { 100, 120, 90, 110, 80 };
	/* relative error of their mean, 100 us, with 4 degrees of freedom */
	const double error = 5e-2 * sqrt(2) * sqrt(1 - 0.005);
	const double t95 = 2.776445105;
	struct stats now = { .n = 2, .runs = { 0, 1 } };
	struct maker k = maker_new();
	struct report r;

	program(&k, 1, "filter", "xdp", "");
	program(&k, 2, "never", "xdp", "");
	tick(&k, 1000 * MS, &now);
	maker_tick(&k, 2000 * MS, U(0, 1));
	for (size_t i = 0; i < 5; i++) {
		now.runs[0] += 100;
		now.run_ns[0] += 1000 * run_us[i];
		now.counted_ns += MS;
		stats(&k, &now);
	}
	read_it(&r, &k);
	CU_ASSERT(is(r.b.row[0].share, 0.05) && is(r.b.row[0].ns_per_run, 1000));
	CU_ASSERT(fabs(r.b.row[0].ns_ci95 / (t95 * 1000 * error) - 1) < 1e-6);
	CU_ASSERT(fabs(r.b.row[0].share_ci95 / (t95 * 0.05 * error) - 1) < 1e-6);
	CU_ASSERT(is(r.b.row[1].share, 0) && is(r.b.row[1].share_ci95, 0));
	CU_ASSERT(isnan(r.b.row[1].ns_ci95));
	done(&r);
}

/* Checks that a program that was counted all the time has no error. */
static void test_all_counted(void)
{
	struct stats now = { .n = 1, .runs = { 0 } };
	struct maker k = maker_new();
	struct report r;

	program(&k, 1, "filter", "xdp", "");
	tick(&k, 1000 * MS, &now);
	for (unsigned int i = 1; i <= 4; i++) {
		now.runs[0] += 100;
		now.run_ns[0] += 100000 * i;
		now.counted_ns += 250 * MS;
		maker_tick(&k, (1000 + 250 * i) * MS, U(0, 1));
		stats(&k, &now);
	}
	read_it(&r, &k);
	CU_ASSERT(is(r.b.row[0].ns_per_run, 2500));
	CU_ASSERT_EQUAL(r.b.row[0].ns_ci95, 0);
	CU_ASSERT_EQUAL(r.b.row[0].share_ci95, 0);
	done(&r);
}

/*
 * Checks that many pieces of time are merged with their neighbours, and that a program that started late did nothing in
 * the earlier ones.
 */
static void test_many_pieces(void)
{
	struct stats now = { .n = 1 };
	struct maker k = maker_new();
	struct report r;

	program(&k, 1, "filter", "xdp", "");
	tick(&k, 1000 * MS, &now);
	maker_tick(&k, 2000 * MS, U(0, 1));
	for (unsigned int i = 1; i <= 1000; i++) {
		now.runs[0] += 10;
		now.run_ns[0] += i % 2 ? 900 : 1100;
		now.counted_ns += MS;
		if (i == 600) {
			program(&k, 2, "late", "xdp", "");
			now.n = 2;
		}
		stats(&k, &now);
	}
	read_it(&r, &k);
	CU_ASSERT(is(r.b.row[0].ns_per_run, 100) && r.b.row[0].ns_ci95 < 1);
	CU_ASSERT(r.m->others_pieces > MODEL_PIECES / 2 && r.m->others_pieces <= MODEL_PIECES);
	CU_ASSERT_EQUAL(r.m->others_piece_ns[r.m->others_pieces - 1], 1000 * MS);
	for (size_t i = 1; i + 1 < r.m->others_pieces; i++)
		CU_ASSERT_EQUAL(r.m->others_piece_ns[i] - r.m->others_piece_ns[i - 1],
				r.m->others_piece_ns[0]);
	CU_ASSERT(is(r.b.row[1].share, 0));
	done(&r);
}

/* Checks that the shares are 0, not unknown, if no programs exist. */
static void test_none(void)
{
	const struct stats first = { .n = 0 }, last = { .n = 0, .counted_ns = MS };
	struct maker k = maker_new();
	struct report r;

	tick(&k, 1000 * MS, &first);
	tick(&k, 2000 * MS, &last);
	read_it(&r, &k);
	CU_ASSERT(!r.b.n && is(r.b.on_the_way, 0) && is(r.b.elsewhere, 0));
	done(&r);
}

/*
 * Checks that two programs with the same name and type share a row, and that a program of another type with this name
 * has its own row.
 */
static void test_pairs(void)
{
	const struct stats first = { .n = 3 };
	const struct stats last = { .n = 3,
				    .runs = { 100, 300, 5 },
				    .run_ns = { MS, 7 * MS, 50 },
				    .counted_ns = 1000 * MS };
	struct maker k = maker_new();
	struct report r, none;
	struct diff_side side[DIFF_SIDES] = { 0 };
	struct diff_table t;
	const struct diff_change *c;

	program(&k, 1, "filter", "sched_cls", "interface eth0 tc ingress");
	program(&k, 2, "filter", "sched_cls", "interface eth1 tc ingress");
	program(&k, 3, "filter", "tracing", "");
	tick(&k, 1000 * MS, &first);
	tick(&k, 2000 * MS, &last);
	read_it(&r, &k);
	k = maker_new();
	read_it(&none, &k);
	side[DIFF_BEFORE].m = none.m;
	side[DIFF_BEFORE].summary = none.s;
	side[DIFF_AFTER].m = r.m;
	side[DIFF_AFTER].summary = r.s;
	CU_ASSERT_EQUAL_FATAL(
		diff_table_make(&t, DIFF_PROGRAMS, &side[DIFF_BEFORE], &side[DIFF_AFTER], 10), 0);
	CU_ASSERT_EQUAL_FATAL(t.n, 2);
	CU_ASSERT_STRING_EQUAL(t.row[0].of, "sched_cls");
	c = t.row[0].m; /* runs per second, ns per run, % of CPU time */
	CU_ASSERT(is(c[0].side[DIFF_AFTER].value, 400));
	CU_ASSERT(fabs(c[1].side[DIFF_AFTER].value - 20000) < 1e-6);
	CU_ASSERT(is(c[2].side[DIFF_AFTER].value, 0.4));
	CU_ASSERT(isnan(c[2].side[DIFF_BEFORE].value) && !t.row[1].id[0]);
	diff_table_free(&t);
	done(&r);
	done(&none);
}

/* Checks that no input makes a result infinite. */
static void test_hostile(void)
{
	static const uint64_t edges[] = { 0, 1, UINT32_MAX, INT64_MAX, TRACE_NIL };
	enum { N = sizeof(edges) / sizeof(*edges) };

	for (size_t i = 0; i < N * N * N * N; i++) {
		const struct stats first = { .n = 1 };
		const struct stats last = { .n = 1,
					    { edges[i % N] },
					    { edges[i / N % N] },
					    { edges[i / N / N % N] },
					    edges[i / N / N / N] };
		struct maker k;
		struct report r;

		if (last.counted_ns == TRACE_NIL) /* a single number in a record cannot be nil */
			continue;
		k = maker_new();
		program(&k, 1, "", "no such type", "");
		tick(&k, 1000 * MS, &first);
		tick(&k, 2000 * MS, &last);
		read_it(&r, &k);
		CU_ASSERT(!isinf(r.b.row[0].share) && !isinf(r.b.row[0].ns_per_run));
		CU_ASSERT(!isinf(r.b.elsewhere) && !(r.b.row[0].share < 0));
		done(&r);
	}
}

static const struct unit_test tests[] = {
	{ "shares", test_shares },
	{ "parts", test_parts },
	{ "of the network", test_of_the_network },
	{ "intervals", test_intervals },
	{ "all_counted", test_all_counted },
	{ "many pieces", test_many_pieces },
	{ "none", test_none },
	{ "pairs", test_pairs },
	{ "hostile", test_hostile },
};

int main(void)
{
	return unit_main("bill", tests, sizeof(tests) / sizeof(tests[0]));
}
