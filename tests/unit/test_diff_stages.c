// SPDX-License-Identifier: BSD-2-Clause
/* Tests comparisons of packet paths: a change is found only in its step and its path, and noise is not a change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "report/analysis/diff/diff.h"
#include "report/analysis/latency.h"
#include "report/model/model_stages.h"
#include "unit.h"

struct recording {
	struct model *m;
	struct latency_history history;
	struct diff_side side;
};

static double uniform(void)
{
	return ((double)rnd(1 << 30) + 0.5) / (1 << 30);
}

/* Counts a packet's step between two stages. If `from` and `to` are STAGES_WHOLE, the step is the whole path. */
static void count(struct model *m, enum stages_path path, unsigned int from, unsigned int to,
		  uint64_t begun_ns, double ns)
{
	struct store *s = m->store[MODEL_STORE_STEPS];
	const struct store_dim dim[] = {
		{ .v = path }, { .v = STAGES_KEY_ALL }, { .v = from }, { .v = to }
	};
	size_t row;

	CU_ASSERT_EQUAL_FATAL(store_put(s, dim, &row), 0);
	CU_ASSERT_EQUAL_FATAL(store_put_value(s, row, STAGES_STEP_BEGUN, begun_ns), 0);
	CU_ASSERT_EQUAL_FATAL(store_put_ns(s, row, (uint64_t)ns), 0);
}

static void packet(struct model *m, double read_ns, bool dropped)
{
	double socket_ns = -2000 * log(uniform());
	enum stages_path path = dropped ? STAGES_DROPPED : STAGES_SOCKET;

	m->stages->finished[path]++;
	count(m, path, STAGES_WHOLE, STAGES_WHOLE, 0, socket_ns + (dropped ? 0 : read_ns));
	if (dropped)
		return;
	count(m, path, NETCOST_STAGE_RECEIVE, NETCOST_STAGE_SOCKET, 0, socket_ns);
	count(m, path, NETCOST_STAGE_SOCKET, NETCOST_STAGE_READ, 1000, read_ns);
}

/*
 * Returns a recording in which the time until a packet is read is exponentially distributed with mean read_ns, plus
 * 1000 ns. In each interval all packets are slower or faster by a common random factor, from exp(-bursts) to
 * exp(bursts). `dropped` is the share of dropped packets.
 */
static struct recording record(size_t packets, double read_ns, double bursts, double dropped)
{
	struct recording r = { .m = model_new(MODEL_STAGES, NULL) };
	struct intervals iv = { .n = DIFF_PIECES };

	r.m->stages = calloc(1, sizeof(*r.m->stages));
	CU_ASSERT_PTR_NOT_NULL_FATAL(r.m->stages);
	CU_ASSERT_EQUAL_FATAL(store_new(&r.m->store[MODEL_STORE_STEPS], &model_steps_query), 0);
	latency_history_init(&r.history, MODEL_STORE_STEPS, 1);
	CU_ASSERT_FATAL(r.history.watch.begin(&r.history, &iv));
	r.history.watch.edge(&r.history, r.m, 0);
	for (size_t i = 0; i < DIFF_PIECES; i++) {
		double slow = exp(bursts * (2 * uniform() - 1));

		for (size_t k = 0; k < packets / DIFF_PIECES; k++)
			packet(r.m, 1000 - read_ns * slow * log(uniform()), uniform() < dropped);
		r.history.watch.edge(&r.history, r.m, i + 1);
	}
	return r;
}

struct ways {
	struct diff_table paths, stages;
};

static struct ways compare(struct recording *before, struct recording *after)
{
	struct recording *r[] = { before, after };
	struct ways d;

	for (int i = 0; i < 2; i++) {
		CU_ASSERT(!r[i]->history.no_memory);
		r[i]->side.m = r[i]->m;
		r[i]->side.stages = &r[i]->history;
	}
	CU_ASSERT_EQUAL_FATAL(
		diff_table_make(&d.paths, DIFF_PATHS, &before->side, &after->side, SIZE_MAX), 0);
	CU_ASSERT_EQUAL_FATAL(
		diff_table_make(&d.stages, DIFF_STAGES, &before->side, &after->side, SIZE_MAX), 0);
	for (int i = 0; i < 2; i++) {
		latency_history_free(&r[i]->history);
		model_free(r[i]->m);
	}
	return d;
}

static void ways_free(struct ways *d)
{
	diff_table_free(&d->paths);
	diff_table_free(&d->stages);
}

static void test_found(void)
{
	struct recording before = record(32000, 50000, 0.2, 0.05),
			 after = record(32000, 100000, 0.2, 0.2);
	struct ways d = compare(&before, &after);

	CU_ASSERT(d.stages.there);
	CU_ASSERT_EQUAL_FATAL(d.paths.n, 2);
	CU_ASSERT_EQUAL(d.paths.row[0].m[0].verdict, DIFF_LESS);
	CU_ASSERT_EQUAL(d.paths.row[1].m[0].verdict, DIFF_MORE);
	CU_ASSERT(fabs(d.paths.row[1].m[0].change - 15) < d.paths.row[1].m[0].ci95);
	CU_ASSERT_EQUAL_FATAL(d.stages.n, 8);
	CU_ASSERT_EQUAL(d.stages.row[0].id[1], NETCOST_STAGE_SOCKET);
	CU_ASSERT_EQUAL(d.stages.row[0].m[0].verdict, DIFF_SAME);
	CU_ASSERT_EQUAL(d.stages.row[2].id[1], NETCOST_STAGE_READ);
	CU_ASSERT_EQUAL(d.stages.row[2].m[0].verdict, DIFF_MORE);
	/* The median differs by log(2) × 50 us. */
	CU_ASSERT(d.stages.row[2].m[0].low < 34657 && 34657 < d.stages.row[2].m[0].high);
	CU_ASSERT_EQUAL(d.stages.row[4].id[0], DIFF_WHOLE_PATH);
	CU_ASSERT_EQUAL(d.stages.row[4].m[0].verdict, DIFF_MORE);
	CU_ASSERT_EQUAL(d.stages.row[6].id[0], DIFF_WHOLE_PATH);
	CU_ASSERT_EQUAL(d.stages.row[6].group, STAGES_DROPPED);
	CU_ASSERT_EQUAL(d.stages.row[6].m[0].verdict, DIFF_SAME);
	ways_free(&d);
}

#define PAIRS 100

/* Checks that, without a change, at most one of 20 comparisons reports a step, and at most one of 20 reports a path. */
static void test_noise(void)
{
	static const double bursts[] = { 0, 0.7 };

	for (int b = 0; b < 2; b++) {
		unsigned int wrong = 0, wrong_path = 0, tested = 0;

		for (int i = 0; i < PAIRS; i++) {
			struct recording before = record(3200, 50000, bursts[b], 0.1),
					 after = record(3200, 50000, bursts[b], 0.1);
			struct ways d = compare(&before, &after);
			bool any = false;

			for (size_t k = 0; k < d.stages.n; k++) {
				any |= d.stages.row[k].m[0].verdict >= DIFF_MORE;
				tested += !isnan(d.stages.row[k].m[0].p);
			}
			wrong += any;
			wrong_path += d.paths.row[0].m[0].verdict >= DIFF_MORE;
			ways_free(&d);
		}
		CU_ASSERT(wrong <= PAIRS / 20 + 3);
		/* tolerance for chance, because a test of more pairs takes longer */
		CU_ASSERT(wrong_path <= PAIRS / 20 + 5);
		CU_ASSERT(tested >= 4 * PAIRS);
	}
}

/* Checks recordings with too few packets, with no packets, with steps that only one of them has, and without stages. */
static void test_nothing(void)
{
	struct recording before = record(32, 50000, 0, 0), after = record(32, 50000, 0, 1);
	struct ways d = compare(&before, &after);

	CU_ASSERT_EQUAL_FATAL(d.paths.n, 2);
	CU_ASSERT_EQUAL_FATAL(d.stages.n, 8);
	CU_ASSERT_EQUAL(d.stages.row[0].m[0].verdict, DIFF_NOT_MEASURED);
	ways_free(&d);
	before = record(0, 1, 0, 0);
	after = record(0, 1, 0, 0);
	d = compare(&before, &after);
	CU_ASSERT_EQUAL(d.paths.n, 0);
	CU_ASSERT_EQUAL(d.stages.n, 0);
	ways_free(&d);
	before = record(320, 1, 0, 0);
	after = record(320, 1, 0, 0);
	model_free(after.m);
	after.m = model_new(MODEL_STAGES, NULL);
	d = compare(&before, &after);
	CU_ASSERT(!d.stages.there);
	ways_free(&d);
}

static const struct unit_test tests[] = {
	{ "found", test_found },
	{ "noise", test_noise },
	{ "nothing", test_nothing },
};

int main(void)
{
	return unit_main("diff_stages", tests, sizeof(tests) / sizeof(tests[0]));
}
