// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests comparisons of latency quantiles: real changes are found, and variation because packets arrive in bursts is not
 * a change.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_maker.h"
#include "random.h"
#include "report/analysis/diff/diff.h"
#include "report/analysis/latency.h"
#include "unit.h"

#define HOOK NETCOST_LATENCY_UDP_READ

struct recording {
	struct model *m;
	struct latency_history history;
	struct diff_side side;
};

static double uniform(void)
{
	return ((double)rnd(1 << 30) + 0.5) / (1 << 30);
}

static void packet(struct recording *r, size_t piece, double ns)
{
	unsigned int b = netcost_latency_bucket((unsigned long long)ns);

	r->history.count[0][piece * NETCOST_LATENCY_BUCKETS + b]++;
}

/* Reads the sum of all intervals into the model. */
static void read_all(struct recording *r)
{
	uint64_t bucket[NETCOST_LATENCY_BUCKETS], packets[NETCOST_LATENCY_BUCKETS] = { 0 };
	struct maker k = maker_new();

	for (uint64_t b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		bucket[b] = b;
		for (size_t i = 0; i < DIFF_PIECES; i++)
			packets[b] += r->history.count[0][i * NETCOST_LATENCY_BUCKETS + b];
	}
	maker_tick(&k, 1000, U(0, 1));
	trace_writer_begin(k.w, TRACE_LATENCY);
	trace_writer_uint(k.w, TRACE_LATENCY_HOOK, HOOK);
	trace_writer_uint(k.w, TRACE_LATENCY_CPU, 0);
	trace_writer_uints(k.w, TRACE_LATENCY_BUCKET, bucket, NETCOST_LATENCY_BUCKETS);
	trace_writer_uints(k.w, TRACE_LATENCY_PACKETS, packets, NETCOST_LATENCY_BUCKETS);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, r->m), 0);
	r->m->probe[r->m->nprobes++] =
		(struct model_probe){ .of = NETCOST_OF_LATENCY, .number = HOOK };
}

/*
 * Returns a recording of exponentially distributed latencies with mean `ns`, plus 1000 ns. In each interval all packets
 * are slower or faster by a common random factor, from exp(-bursts) to exp(bursts).
 */
static struct recording record(size_t packets, double ns, double bursts)
{
	struct recording r = { .m = model_new(MODEL_LATENCY, NULL) };
	latency_history_init(&r.history, MODEL_STORE_LATENCY, 1);
	r.history.pieces = r.history.ncolumns = DIFF_PIECES;
	r.history.count[0] =
		calloc(DIFF_PIECES * NETCOST_LATENCY_BUCKETS, sizeof(*r.history.count[0]));
	CU_ASSERT_PTR_NOT_NULL_FATAL(r.history.count[0]);
	for (size_t i = 0; i < DIFF_PIECES; i++) {
		double slow = exp(bursts * (2 * uniform() - 1));

		for (size_t k = 0; k < packets / DIFF_PIECES; k++)
			packet(&r, i, 1000 - ns * slow * log(uniform()));
	}
	read_all(&r);
	return r;
}

static struct diff_table compare(struct recording *before, struct recording *after)
{
	struct diff_table d;
	struct recording *r[] = { before, after };

	for (int i = 0; i < 2; i++) {
		r[i]->side.m = r[i]->m;
		r[i]->side.latency = &r[i]->history;
	}
	CU_ASSERT_EQUAL_FATAL(
		diff_table_make(&d, DIFF_LATENCY, &before->side, &after->side, SIZE_MAX), 0);
	for (int i = 0; i < 2; i++) {
		latency_history_free(&r[i]->history);
		model_free(r[i]->m);
	}
	return d;
}

static void test_found(void)
{
	struct recording before = record(32000, 50000, 0.2), after = record(32000, 100000, 0.2);
	struct diff_table d = compare(&before, &after);

	CU_ASSERT(d.there);
	CU_ASSERT_EQUAL_FATAL(d.n, DIFF_LATENCY_QUANTILES);
	for (size_t i = 0; i < 3; i++) {
		const struct diff_change *c = &d.row[i].m[0];

		CU_ASSERT_EQUAL(c->verdict, DIFF_MORE);
		CU_ASSERT(c->low > 0 && c->low < c->change);
		CU_ASSERT(c->high > c->change);
	}
	/* The median differs by log(2) × 50 us. */
	CU_ASSERT(d.row[0].m[0].low < 34657 && 34657 < d.row[0].m[0].high);
	diff_table_free(&d);
	after = record(32000, 50000, 0.2);
	before = record(32000, 100000, 0.2);
	d = compare(&before, &after);
	CU_ASSERT_EQUAL(d.row[0].m[0].verdict, DIFF_LESS);
	diff_table_free(&d);
}

#define PAIRS 200

/* Checks that, without a change, at most one of 20 comparisons reports a row, and 19 of 20 intervals contain 0. */
static void test_noise(void)
{
	static const double bursts[] = { 0, 0.7 };

	for (int b = 0; b < 2; b++) {
		unsigned int wrong = 0, outside = 0, tested = 0;

		for (int i = 0; i < PAIRS; i++) {
			struct recording before = record(6400, 50000, bursts[b]),
					 after = record(6400, 50000, bursts[b]);
			struct diff_table d = compare(&before, &after);
			bool any = false;

			for (size_t k = 0; k < d.n; k++) {
				const struct diff_change *c = &d.row[k].m[0];

				any |= c->verdict >= DIFF_MORE;
				tested += !isnan(c->p);
				outside += c->low > 0 || c->high < 0;
			}
			wrong += any;
			diff_table_free(&d);
		}
		CU_ASSERT(wrong <= PAIRS / 20);
		CU_ASSERT(outside <= tested / 20);
		CU_ASSERT(tested >= 2 * PAIRS);
	}
}

/* Checks recordings with too few packets, with no packets, and with packets only in the second recording. */
static void test_nothing(void)
{
	struct recording before = record(32, 50000, 0), after = record(32, 50000, 0);
	struct diff_table d = compare(&before, &after);

	CU_ASSERT_EQUAL_FATAL(d.n, DIFF_LATENCY_QUANTILES);
	CU_ASSERT_EQUAL(d.row[DIST_P99_9].m[0].verdict, DIFF_NOT_TESTED);
	CU_ASSERT(isnan(d.row[DIST_P99_9].m[0].p) && isnan(d.row[DIST_P99_9].m[0].p_adjusted));
	diff_table_free(&d);
	before = record(0, 1, 0);
	after = record(0, 1, 0);
	d = compare(&before, &after);
	CU_ASSERT_EQUAL(d.n, 0);
	diff_table_free(&d);
	before = record(0, 1, 0);
	after = record(3200, 50000, 0);
	d = compare(&before, &after);
	CU_ASSERT_EQUAL(d.n, DIFF_LATENCY_QUANTILES);
	CU_ASSERT_EQUAL(d.row[0].m[0].verdict, DIFF_NOT_MEASURED);
	diff_table_free(&d);
}

static const struct unit_test tests[] = {
	{ "found", test_found },
	{ "noise", test_noise },
	{ "nothing", test_nothing },
};

int main(void)
{
	return unit_main("diff_latency", tests, sizeof(tests) / sizeof(tests[0]));
}
