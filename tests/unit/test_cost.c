// SPDX-License-Identifier: BSD-2-Clause
/* Tests the overhead of a recording: extrapolation, unknown values, and values that no recorder writes. */
#include <errno.h>
#include <math.h>

#include "model_maker.h"
#include "report/tables/tables.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MS 1000000ull

/* ---- traces ------------------------------------------------------------------------------ */

static void program(struct maker *k, uint64_t id, const char *name)
{
	trace_writer_begin(k->w, TRACE_PROGRAM);
	trace_writer_uint(k->w, TRACE_PROGRAM_ID, id);
	trace_writer_str(k->w, TRACE_PROGRAM_NAME, name);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Statistics of two programs, and the recorder's own CPU time. */
struct stats {
	uint64_t runs[2], run_ns[2], recursion[2], missed[2], counted_ns, self_us;
};

static void tick(struct maker *k, uint64_t at_ns, const struct stats *s)
{
	maker_tick(k, at_ns, U(0, 1));
	trace_writer_begin(k->w, TRACE_PROGRAM_STATS);
	trace_writer_uints(k->w, TRACE_PROGRAM_STATS_RUNS, s->runs, 2);
	trace_writer_uints(k->w, TRACE_PROGRAM_STATS_RUN_NS, s->run_ns, 2);
	trace_writer_uints(k->w, TRACE_PROGRAM_STATS_RECURSION, s->recursion, 2);
	trace_writer_uints(k->w, TRACE_PROGRAM_STATS_MISSED, s->missed, 2);
	trace_writer_uint(k->w, TRACE_PROGRAM_STATS_COUNTED_NS, s->counted_ns);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
	trace_writer_begin(k->w, TRACE_SELF);
	trace_writer_uint(k->w, TRACE_SELF_USER_US, s->self_us);
	trace_writer_uint(k->w, TRACE_SELF_SYSTEM_US, s->self_us);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Returns the model of two CPUs with two ticks, 20 s apart. */
static struct model *recorded(const struct stats *first, const struct stats *last)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);

	program(&k, 1, "sched_switch");
	program(&k, 2, "kprobe_end");
	tick(&k, 1000 * MS, first);
	tick(&k, 21000 * MS, last);
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	return m;
}

static bool is(double v, double wanted)
{
	return fabs(v - wanted) < 1e-12;
}

/* ---- tests ------------------------------------------------------------------------------- */

static void test_share_of_the_time_counted(void)
{
	const struct stats first = { .counted_ns = 0, .self_us = 7000 };
	const struct stats last = {
		.runs = { 1000, 500000 },
		.run_ns = { 1 * MS, 19 * MS }, /* 20 ms of 2 s: 2 CPUs for 1 s */
		.counted_ns = 1000 * MS,
		.self_us = 7000 + 20000, /* user and system time: 40 ms of the 40 s of 2 CPUs */
	};
	struct model *m = recorded(&first, &last);
	struct cost c = cost_make(m);
	struct cost_program p = cost_program(m, &m->program[1]);

	CU_ASSERT(is(c.programs, 0.01));
	CU_ASSERT(is(c.recorder, 0.001));
	CU_ASSERT(is(c.all, 0.011));
	CU_ASSERT(is(c.counted_s, 1));
	CU_ASSERT(is(c.of_s, 20));
	CU_ASSERT(is(p.runs, 500000));
	CU_ASSERT(is(p.ns_per_run, 38));
	CU_ASSERT(is(p.share, 0.0095));
	CU_ASSERT(c.has_programs);
	CU_ASSERT_FALSE(cost_slowed(m));
	model_free(m);
}

/* Checks that only differences count, because counters may start at any value in a part of a trace. */
static void test_only_differences_count(void)
{
	const struct stats first = { .runs = { 5, 5 },
				     .run_ns = { 50, 50 },
				     .counted_ns = 99 * MS };
	const struct stats last = { .runs = { 6, 5 },
				    .run_ns = { 50 + 4 * MS, 50 },
				    .counted_ns = 199 * MS };
	struct model *m = recorded(&first, &last);
	struct cost c = cost_make(m);

	CU_ASSERT(is(c.programs, 0.02));
	CU_ASSERT(is(c.counted_s, 0.1));
	CU_ASSERT(isnan(cost_program(m, &m->program[1]).ns_per_run));
	model_free(m);
}

static void probe_cost(struct maker *k, uint64_t probe, uint64_t ps, uint64_t inside_ps)
{
	trace_writer_begin(k->w, TRACE_PROBE_COST);
	trace_writer_uint(k->w, TRACE_PROBE_COST_PROBE, probe);
	trace_writer_uint(k->w, TRACE_PROBE_COST_PS, ps);
	trace_writer_uint(k->w, TRACE_PROBE_COST_CI95_PS, ps / 10);
	trace_writer_uint(k->w, TRACE_PROBE_COST_INSIDE_PS, inside_ps);
	trace_writer_uint(k->w, TRACE_PROBE_COST_INSIDE_CI95_PS, inside_ps / 10);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Writes the runs of a probe on two CPUs. */
static void probe_runs(struct maker *k, uint64_t probe, unsigned int key, uint64_t a, uint64_t b)
{
	const uint64_t runs[] = { a, b };

	trace_writer_begin(k->w, TRACE_PROBE_RUNS);
	trace_writer_uint(k->w, TRACE_PROBE_RUNS_PROBE, probe);
	trace_writer_uints(k->w, key, runs, 2);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Checks that the overhead is the number of runs times the cost of a run, on 2 CPUs in 1 s. */
static void test_probes_and_samples(void)
{
	const uint64_t none[] = { 100, 100 }, written[] = { 600, 1100 };
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);
	struct cost_probe p;
	struct cost c;

	probe_cost(&k, NETCOST_PROBE_SOFTIRQ, 200000, 80000);
	probe_cost(&k, NETCOST_PROBE_SAMPLE, 20000000, 0);
	probe_cost(&k, NETCOST_PROBE_COUNT + 9, 1, 1); /* a probe of a later version */
	maker_tick(&k, 1000 * MS, U(0, 1));
	probe_runs(&k, NETCOST_PROBE_SOFTIRQ, TRACE_PROBE_RUNS_IDLE, 7, 7);
	maker_column(&k, TRACE_SAMPLE_LOSS, TRACE_SAMPLE_LOSS_WRITTEN, none, 2);
	maker_tick(&k, 2000 * MS, U(0, 1));
	probe_runs(&k, NETCOST_PROBE_SOFTIRQ, TRACE_PROBE_RUNS_IDLE, 7 + 100000, 7);
	probe_runs(&k, NETCOST_PROBE_COUNT + 9, TRACE_PROBE_RUNS_IDLE, 7, 7);
	maker_column(&k, TRACE_SAMPLE_LOSS, TRACE_SAMPLE_LOSS_WRITTEN, written, 2);
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	c = cost_make(m);
	p = cost_probe(m, NETCOST_PROBE_SOFTIRQ);
	CU_ASSERT(c.measured && !c.lacks);
	CU_ASSERT(is(p.runs, 100000));
	CU_ASSERT(is(p.ns_per_run, 200));
	CU_ASSERT(is(c.probes, 0.01));	 /* 20 ms of 2 s */
	CU_ASSERT(is(c.samples, 0.015)); /* 1500 samples of 20 us */
	CU_ASSERT(is(c.ci95, hypot(0.001, 0.0015)));
	CU_ASSERT(is(c.busiest, 0.03)); /* CPU 0: 20 ms of runs, and 500 samples */
	CU_ASSERT_FALSE(cost_probe(m, NETCOST_PROBE_STAGE).there);
	model_free(m);
}

/*
 * Returns the cost of one second of 2 CPUs with 100000 runs of the softirq class, which take 20 ms, and with these
 * statistics of "softirq_entry" and of another program.
 */
static struct cost cost_with(const char *other, const struct stats *last)
{
	static const struct stats first = { .counted_ns = 0 };
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);
	struct cost c;

	program(&k, 1, "softirq_entry");
	program(&k, 2, other);
	probe_cost(&k, NETCOST_PROBE_SOFTIRQ, 200000, 80000);
	tick(&k, 1000 * MS, &first);
	probe_runs(&k, NETCOST_PROBE_SOFTIRQ, TRACE_PROBE_RUNS_IDLE, 7, 7);
	tick(&k, 2000 * MS, last);
	probe_runs(&k, NETCOST_PROBE_SOFTIRQ, TRACE_PROBE_RUNS_IDLE, 7 + 100000, 7);
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	c = cost_make(m);
	/* the result includes all time that the statistics have */
	for (size_t i = 0; i < 2 && last->run_ns[i] != TRACE_NIL; i++)
		CU_ASSERT(c.all * 2000 * MS >=
			  (double)last->run_ns[0] + (double)last->run_ns[1] - 1);
	CU_ASSERT(c.busiest >= c.all - c.recorder - 1e-12);
	model_free(m);
	return c;
}

/*
 * Checks programs without a class, such as those of --latency. Their statistics give a lower bound without an interval.
 */
static void test_programs_in_no_class(void)
{
	static const char *const in_none[] = { "latency_net_dev_queue", "stages_sk_data_ready",
					       "kfree_skb" };
	const struct stats last = { .run_ns = { 4 * MS, 60 * MS }, .counted_ns = 1000 * MS };
	struct stats half = last, some = last, unknown = last;
	struct cost c;

	for (size_t i = 0; i < ARRAY_SIZE(in_none); i++) {
		c = cost_with(in_none[i], &last);
		CU_ASSERT(is(c.probes, 0.01) && is(c.others, 0.03) && is(c.all, 0.04));
		CU_ASSERT(c.at_least && isnan(c.ci95) && !c.by_statistics);
	}
	half.counted_ns = 500 * MS; /* counted for half of the time, so the share doubles */
	CU_ASSERT(is(cost_with(in_none[0], &half).others, 0.06));
	some.run_ns[1] = MS; /* a small time, which the interval contains */
	c = cost_with(in_none[0], &some);
	CU_ASSERT(is(c.others, 0.0005) && is(c.ci95, 0.001 + 0.0005) && !c.at_least);
	unknown.run_ns[0] = unknown.run_ns[1] = TRACE_NIL;
	c = cost_with(in_none[0], &unknown);
	CU_ASSERT(is(c.probes, 0.01) && isnan(c.others) && is(c.all, 0.01));
	CU_ASSERT(c.at_least && isnan(c.ci95));
}

/* Checks that the larger value counts, because programs take at least the time of their own code. */
static void test_statistics_exceed_the_classes(void)
{
	struct stats last = { .run_ns = { 30 * MS, 20 * MS }, .counted_ns = 1000 * MS };
	struct cost c = cost_with("irq_handler_entry", &last);

	CU_ASSERT(is(c.probes, 0.025) && isnan(c.others));
	CU_ASSERT(c.by_statistics && c.at_least && isnan(c.ci95));
	last.run_ns[0] = last.run_ns[1] = 5 * MS;
	c = cost_with("irq_handler_entry", &last);
	CU_ASSERT(is(c.probes, 0.01) && is(c.ci95, 0.001));
	CU_ASSERT(!c.by_statistics && !c.at_least);
	/* The sampler's program is part of the cost of a sample. */
	last.run_ns[1] = 40 * MS;
	c = cost_with("netcost_sample", &last);
	CU_ASSERT(is(c.probes, 0.01) && is(c.samples, 0.02) && c.at_least);
}

static void received(struct maker *k)
{
	trace_writer_begin(k->w, TRACE_RX_FATES);
	trace_writer_uints(k->w, TRACE_RX_FATES_FATE, U(0));
	trace_writer_uints(k->w, TRACE_RX_FATES_CPU, U(0));
	trace_writer_ints(k->w, TRACE_RX_FATES_NS, I(1));
	trace_writer_uints(k->w, TRACE_RX_FATES_PACKETS, U(1));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/*
 * Checks that the programs that count received packets lack a cost in traces of older recorders, which have no class
 * for them.
 */
static void test_owners_without_a_class(void)
{
	for (unsigned int has_class = 0; has_class < 2; has_class++) {
		struct maker k = maker_new();
		struct model *m = model_new(0, NULL);

		probe_cost(&k, NETCOST_PROBE_SOFTIRQ, 200000, 80000);
		if (has_class)
			probe_cost(&k, NETCOST_PROBE_OWNERS, 50000, 0);
		maker_tick(&k, 1000 * MS, U(0, 1));
		maker_tick(&k, 2000 * MS, U(0, 1));
		received(&k);
		CU_ASSERT_EQUAL(maker_read(&k, m), 0);
		CU_ASSERT_EQUAL(cost_make(m).lacks, has_class ? 0 : 1);
		model_free(m);
	}
}

/*
 * Checks that the cost lacks the programs that count page cache hits, which have no class, if the recorder measured
 * these hits.
 */
static void test_page_cache_without_a_class(void)
{
	static const struct {
		const char *state;
		unsigned int lacks;
	} cases[] = { { "measured", 1 }, { "absent", 0 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct maker k = maker_new();
		struct model *m = model_new(0, NULL);

		probe_cost(&k, NETCOST_PROBE_SOFTIRQ, 200000, 80000);
		trace_writer_begin(k.w, TRACE_SOURCE);
		trace_writer_str(k.w, TRACE_SOURCE_NAME, "page-cache");
		trace_writer_str(k.w, TRACE_SOURCE_STATE, cases[i].state);
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
		maker_tick(&k, 1000 * MS, U(0, 1));
		maker_tick(&k, 2000 * MS, U(0, 1));
		CU_ASSERT_EQUAL(maker_read(&k, m), 0);
		CU_ASSERT_EQUAL(cost_make(m).lacks, cases[i].lacks);
		model_free(m);
	}
}

static void test_slowed_by_counting(void)
{
	const struct stats first = { .counted_ns = 0 };
	struct stats last = { .runs = { 9, 9 },
			      .run_ns = { 100 * MS, 0 },
			      .counted_ns = 1000 * MS };
	struct model *m = recorded(&first, &last);

	CU_ASSERT_TRUE(cost_slowed(m)); /* the programs took 5 % of the counted time */
	model_free(m);
	last.run_ns[0] *= 20;
	last.counted_ns *= 20;
	/* the same share, but the programs were counted all the time */
	m = recorded(&first, &last);
	CU_ASSERT_FALSE(cost_slowed(m));
	model_free(m);
	last.runs[0] = last.run_ns[0] = TRACE_NIL;
	m = recorded(&first, &last);
	CU_ASSERT_FALSE(cost_slowed(m));
	model_free(m);
}

static void test_never_counted_is_not_known(void)
{
	const struct stats nothing = { .self_us = 1 };
	const struct stats refused = { .runs = { TRACE_NIL, TRACE_NIL },
				       .run_ns = { TRACE_NIL, TRACE_NIL } };
	const struct stats one = { .runs = { TRACE_NIL, 1 },
				   .run_ns = { TRACE_NIL, 1 },
				   .counted_ns = MS };
	struct model *m = recorded(&nothing, &nothing);
	struct cost c = cost_make(m);

	CU_ASSERT(isnan(c.programs) && isnan(c.all));
	CU_ASSERT(is(c.recorder, 0));
	CU_ASSERT(isnan(cost_program(m, &m->program[0]).runs));
	model_free(m);
	m = recorded(&refused, &refused);
	c = cost_make(m);
	CU_ASSERT(isnan(c.programs) && isnan(c.all));
	model_free(m);
	m = recorded(&nothing, &one); /* one program's time is unknown, and so is the sum */
	c = cost_make(m);
	CU_ASSERT(isnan(c.programs));
	CU_ASSERT(isnan(cost_program(m, &m->program[0]).share));
	CU_ASSERT(is(cost_program(m, &m->program[1]).runs, 1));
	model_free(m);
}

static void test_no_programs(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);
	char what[480];
	struct cost c;

	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	c = cost_make(m);
	CU_ASSERT(isnan(c.programs) && isnan(c.recorder) && isnan(c.all) && isnan(c.counted_s));
	CU_ASSERT_STRING_EQUAL(cost_misses(m, what, sizeof(what)), "");
	model_free(m);
}

static void test_misses_are_told(void)
{
	const struct stats first = { .missed = { TRACE_NIL, 3 } };
	const struct stats none = { .recursion = { 0, TRACE_NIL }, .missed = { TRACE_NIL, 3 } };
	const struct stats some = { .recursion = { 12, 0 }, .missed = { TRACE_NIL, 10 } };
	struct model *m = recorded(&first, &none);
	char what[480];

	CU_ASSERT_STRING_EQUAL(cost_misses(m, what, sizeof(what)), "");
	CU_ASSERT(is(cost_make(m).missed, 0));
	model_free(m);
	m = recorded(&first, &some);
	cost_misses(m, what, sizeof(what));
	CU_ASSERT_PTR_NOT_NULL(strstr(what, "12 runs of BPF programs"));
	CU_ASSERT_PTR_NOT_NULL(strstr(what, "(sched_switch 12)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(what, "7 hits of kprobes were missed (kprobe_end 7)"));
	CU_ASSERT(is(cost_make(m).recursion, 12));
	model_free(m);
}

/* Checks that the text fits and contains no infinities, whatever the values are. */
static void test_hostile(void)
{
	static const uint64_t edges[] = { 0, 1, UINT32_MAX, INT64_MAX, TRACE_NIL };
	static const size_t n = ARRAY_SIZE(edges);
	char text[1 << 16];

	for (size_t i = 0; i < n * n * n * n; i++) {
		uint64_t a = edges[i % n], b = edges[i / n % n], c = edges[i / n / n % n],
			 d = edges[i / n / n / n];
		const struct stats first = { { a, 0 }, { b, a },      { 0, c },
					     { a, b }, c & INT64_MAX, 0 };
		const struct stats last = {
			{ b, c }, { a, d }, { d, a }, { c, d }, d & INT64_MAX, 1
		};
		struct model *m = recorded(&first, &last);
		FILE *out = fmemopen(text, sizeof(text), "w");
		struct part part = { .file = "file", .alone = true, .first = true };
		struct summary s;
		struct doc doc;
		char what[480];

		doc = doc_begin(&doc_text, out, &part);
		CU_ASSERT_EQUAL_FATAL(summary_make(&s, m, &part), 0);
		cost_line(&doc, &s);
		cost_doc(&doc, &s);
		summary_free(&s);
		doc_end(&doc);
		fputs(cost_misses(m, what, sizeof(what)), out);
		fputc(0, out);
		fclose(out);
		CU_ASSERT_PTR_NULL(strstr(text, "inf"));
		CU_ASSERT_PTR_NULL(strstr(text, "nan"));
		CU_ASSERT(strlen(what) < sizeof(what) - 1);
		model_free(m);
	}
}

/* Checks the text about more programs than a line has room for. */
static void test_many_programs_are_named(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);
	uint64_t zero[40] = { 0 }, many[40];
	char name[32], what[480];

	for (uint64_t i = 1; i <= 40; i++) {
		snprintf(name, sizeof(name), "a_program_of_some_name_%u", (unsigned int)i);
		program(&k, i, name);
		many[i - 1] = INT64_MAX;
	}
	for (int i = 0; i < 2; i++) {
		maker_tick(&k, 1000 * MS * (1 + (uint64_t)i), U(0, 1));
		trace_writer_begin(k.w, TRACE_PROGRAM_STATS);
		trace_writer_uints(k.w, TRACE_PROGRAM_STATS_RUNS, zero, 40);
		trace_writer_uints(k.w, TRACE_PROGRAM_STATS_RECURSION, i ? many : zero, 40);
		trace_writer_uints(k.w, TRACE_PROGRAM_STATS_MISSED, i ? many : zero, 40);
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	}
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	cost_misses(m, what, sizeof(what));
	CU_ASSERT_PTR_NOT_NULL(strstr(what, "in the wrong leaf"));
	CU_ASSERT(strlen(what) < sizeof(what) - 1);
	model_free(m);
}

static const struct unit_test tests[] = {
	{ "share_of_the_time_counted", test_share_of_the_time_counted },
	{ "only_differences_count", test_only_differences_count },
	{ "probes_and_samples", test_probes_and_samples },
	{ "programs_in_no_class", test_programs_in_no_class },
	{ "statistics_exceed_the_classes", test_statistics_exceed_the_classes },
	{ "owners_without_a_class", test_owners_without_a_class },
	{ "page_cache_without_a_class", test_page_cache_without_a_class },
	{ "slowed_by_counting", test_slowed_by_counting },
	{ "never_counted_is_not_known", test_never_counted_is_not_known },
	{ "no_programs", test_no_programs },
	{ "misses_are_told", test_misses_are_told },
	{ "hostile", test_hostile },
	{ "many_programs_are_named", test_many_programs_are_named },
};

int main(void)
{
	return unit_main("cost", tests, ARRAY_SIZE(tests));
}
