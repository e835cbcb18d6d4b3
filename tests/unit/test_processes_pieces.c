// SPDX-License-Identifier: BSD-2-Clause
/* Tests counters by process in intervals of time, and a comparison of a recording with itself. */
#include <math.h>

#include "processes_util.h"
#include "report/analysis/diff/diff.h"
#include "report/analysis/breakdown.h"

/* ---- intervals --------------------------------------------------------------------------- */

static void check_pieces(uint64_t every_ns, size_t n, size_t pieces)
{
	double on_cpu_ns = 0, first_ns = 0, joules = 0;
	struct timeline_by t;
	struct processes p;
	struct whole w;

	whole_read(&w, every_ns);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, n),
			      0);
	CU_ASSERT_EQUAL_FATAL(timeline_by_make(&t, &w.iv, &p, &w.times, n), 0);
	CU_ASSERT_EQUAL(t.tracks.ntracks, n < 4 ? n : 4);
	CU_ASSERT_EQUAL(w.iv.n, pieces);
	for (size_t i = 0; i < w.iv.n; i++) {
		const struct timeline_by_row *r = timeline_by_row(&t, i);
		double sum = r->idle_ns + r->interrupted_ns + r->missing_ns;

		for (size_t k = 0; k <= t.tracks.ntracks; k++) {
			sum += r->track[k][PROCESS_TIME_ON_CPU];
			on_cpu_ns += r->track[k][PROCESS_TIME_ON_CPU];
		}
		CU_ASSERT(is(sum, r->wall_ns));
		CU_ASSERT(is(r->wall_ns, 2e9 * (r->end_s - r->begin_s)));
		CU_ASSERT(fabs(r->missing_ns) < 1);
		joules += r->joules;
		/* 20 W for a busy CPU */
		CU_ASSERT(fabs(timeline_by_energy(r, 1e9).low - 20) < 1e-3);
		CU_ASSERT(timeline_by_energy(r, 1e9).high > 20 - 1e-6);
		CU_ASSERT(fabs(timeline_by_idle_energy(r).low - 30 * (r->end_s - r->begin_s)) <
			  1e-3);
		first_ns += r->track[0][PROCESS_TIME_ON_CPU];
	}
	CU_ASSERT(is(on_cpu_ns, p.all.on_cpu_ns));
	CU_ASSERT(is(first_ns, p.row[0].v.on_cpu_ns));
	CU_ASSERT(is(joules, t.energy.total_j));
	timeline_by_free(&t);
	processes_free(&p);
	whole_free(&w);
}

static void test_pieces_sum_to_the_whole(void)
{
	check_pieces(0, 1, 10);
	check_pieces(0, 9, 10);
	check_pieces(3 * SECOND, 2, 4);
}

/* Checks that counts before the first tick are in no interval. */
static void test_before_the_first_edge(void)
{
	struct maker k = maker_new();
	struct process_times t;
	struct intervals iv = { .n = 1 };
	struct model *m;
	const uint64_t id = 0, ns = 5;
	struct trace_record rec;
	struct trace_reader *r;

	process_times_init(&t);
	CU_ASSERT(t.pieces.watch.begin(t.pieces.watch.ctx, &iv));
	trace_writer_begin(k.w, TRACE_PROCESS_STATS);
	trace_writer_uints(k.w, TRACE_PROCESS_STATS_PROCESS, &id, 1);
	trace_writer_uints(k.w, TRACE_PROCESS_STATS_TASK_NS, &ns, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k.w), 0);
	m = model_new(MODEL_PROCESSES, NULL);
	r = reader_on(k.file);
	while (trace_reader_next(r, &rec) > 0)
		CU_ASSERT_EQUAL(t.pieces.watch.record(t.pieces.watch.ctx, m, &rec), 0);
	t.pieces.watch.edge(t.pieces.watch.ctx, m, 0);
	CU_ASSERT_EQUAL(t.n, 0);
	t.pieces.watch.edge(t.pieces.watch.ctx, m, 1);
	CU_ASSERT_EQUAL(t.n, 0);
	trace_reader_free(r);
	trace_writer_free(k.w);
	fclose(k.file);
	model_free(m);
	process_times_free(&t);
}

/* ---- two recordings ---------------------------------------------------------------------- */

static void test_no_difference(void)
{
	static struct diff_side side;
	struct diff_table t;
	struct whole w;

	whole_read(&w, 0);
	CU_ASSERT_EQUAL_FATAL(diff_side_make(&side, w.m, NULL, &w.iv, DIFF_PER_SECOND, LEAF_ALL),
			      0);
	CU_ASSERT_EQUAL_FATAL(diff_table_make(&t, DIFF_PROCESSES, &side, &side, 10), 0);
	CU_ASSERT(t.there);
	/* There are two rows by name and two by cgroup: unchanged rows are merged into the row of others. */
	CU_ASSERT_EQUAL_FATAL(t.n, 4);
	for (size_t i = 0; i < t.n; i++) {
		const struct diff_change *c = t.row[i].m;

		CU_ASSERT_EQUAL(t.row[i].group, i / 2);
		CU_ASSERT_EQUAL(t.row[i].kind, i % 2 ? DIFF_SUM : DIFF_OTHERS);
		/* in ms per second */
		CU_ASSERT(is(c[DIFF_ON_CPU].side[DIFF_BEFORE].value, (750 + 825 - 70) / 10.0));
		CU_ASSERT(is(c[DIFF_ON_CPU].side[DIFF_AFTER].value, (750 + 825 - 70) / 10.0));
		CU_ASSERT_EQUAL(c[DIFF_ON_CPU].change, 0);
		CU_ASSERT(c[DIFF_WATTS].side[DIFF_BEFORE].low <
			  c[DIFF_WATTS].side[DIFF_BEFORE].high);
	}
	diff_table_free(&t);
	diff_side_free(&side);
	whole_free(&w);
}

static const struct unit_test tests[] = {
	{ "pieces_sum_to_the_whole", test_pieces_sum_to_the_whole },
	{ "before_the_first_edge", test_before_the_first_edge },
	{ "no_difference", test_no_difference },
};

int main(void)
{
	return processes_main("processes_pieces", tests, sizeof(tests) / sizeof(tests[0]));
}
