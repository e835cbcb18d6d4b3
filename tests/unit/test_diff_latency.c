// SPDX-License-Identifier: BSD-2-Clause
/* Quantiles of latencies, compared: what moved is found; what varies as packets come in bursts is no change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "report/analysis/diff/diff_latency.h"
#include "report/analysis/diff/diff_side.h"
#include "report/analysis/latency_history.h"
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

	r->m->latency[HOOK].dist.bucket[b]++;
	r->history.bucket[HOOK][piece * NETCOST_LATENCY_BUCKETS + b]++;
}

/* Exponentially distributed; in each piece of time all are slower or faster by up to `bursts`. */
static struct recording record(size_t packets, double ns, double bursts)
{
	struct recording r = { .m = model_new(MODEL_LATENCY, NULL) };
	struct model_latency *l = &r.m->latency[HOOK];

	latency_history_init(&r.history);
	r.history.n = DIFF_PIECES;
	r.history.bucket[HOOK] =
		calloc(DIFF_PIECES * NETCOST_LATENCY_BUCKETS, sizeof(*r.history.bucket[HOOK]));
	l->dist.bucket = calloc(NETCOST_LATENCY_BUCKETS, sizeof(*l->dist.bucket));
	CU_ASSERT_FATAL(r.history.bucket[HOOK] && l->dist.bucket);
	l->dist.min_ns = l->dist.max_ns = TRACE_NIL;
	r.m->probe[r.m->nprobes++] =
		(struct model_probe){ .of = NETCOST_OF_LATENCY, .number = HOOK };
	for (size_t i = 0; i < DIFF_PIECES; i++) {
		double slow = exp(bursts * (2 * uniform() - 1));

		for (size_t k = 0; k < packets / DIFF_PIECES; k++)
			packet(&r, i, 1000 - ns * slow * log(uniform()));
	}
	return r;
}

static struct diff_latency compare(struct recording *before, struct recording *after)
{
	struct diff_latency d;
	struct recording *r[] = { before, after };

	for (int i = 0; i < 2; i++) {
		r[i]->side.m = r[i]->m;
		r[i]->side.latency = &r[i]->history;
	}
	CU_ASSERT_EQUAL_FATAL(diff_latency_make(&d, &before->side, &after->side), 0);
	for (int i = 0; i < 2; i++) {
		latency_history_free(&r[i]->history);
		model_free(r[i]->m);
	}
	return d;
}

static void test_found(void)
{
	struct recording before = record(32000, 50000, 0.2), after = record(32000, 100000, 0.2);
	struct diff_latency d = compare(&before, &after);

	CU_ASSERT(d.there);
	CU_ASSERT_EQUAL_FATAL(d.n, DIFF_LATENCY_QUANTILES);
	for (size_t i = 0; i < 3; i++) {
		const struct diff_latency_row *r = &d.row[i];

		CU_ASSERT_EQUAL(r->c.verdict, DIFF_MORE);
		CU_ASSERT(r->c.change.low_ns > 0 && r->c.change.low_ns < r->c.change.ns);
		CU_ASSERT(r->c.change.high_ns > r->c.change.ns);
	}
	/* log(2) × 50 us */
	CU_ASSERT(d.row[0].c.change.low_ns < 34657 && 34657 < d.row[0].c.change.high_ns);
	after = record(32000, 50000, 0.2);
	before = record(32000, 100000, 0.2);
	d = compare(&before, &after);
	CU_ASSERT_EQUAL(d.row[0].c.verdict, DIFF_LESS);
}

#define PAIRS 200

/* Where nothing has changed, one of 20 comparisons has any row at most; and its intervals have 0 in 19 of 20 rows. */
static void test_noise(void)
{
	static const double bursts[] = { 0, 0.7 };

	for (int b = 0; b < 2; b++) {
		unsigned int wrong = 0, outside = 0, tested = 0;

		for (int i = 0; i < PAIRS; i++) {
			struct recording before = record(6400, 50000, bursts[b]),
					 after = record(6400, 50000, bursts[b]);
			struct diff_latency d = compare(&before, &after);
			bool any = false;

			for (size_t k = 0; k < d.n; k++) {
				const struct diff_latency_row *r = &d.row[k];

				any |= r->c.verdict >= DIFF_MORE;
				tested += !isnan(r->c.p);
				outside += r->c.change.low_ns > 0 || r->c.change.high_ns < 0;
			}
			wrong += any;
		}
		CU_ASSERT(wrong <= PAIRS / 20);
		CU_ASSERT(outside <= tested / 20);
		CU_ASSERT(tested >= 2 * PAIRS);
	}
}

/* Too few, none, and in one of the two. */
static void test_nothing(void)
{
	struct recording before = record(32, 50000, 0), after = record(32, 50000, 0);
	struct diff_latency d = compare(&before, &after);

	CU_ASSERT_EQUAL_FATAL(d.n, DIFF_LATENCY_QUANTILES);
	CU_ASSERT_EQUAL(d.row[DIST_P99_9].c.verdict, DIFF_NOT_TESTED);
	CU_ASSERT(isnan(d.row[DIST_P99_9].c.p) && isnan(d.row[DIST_P99_9].c.p_adjusted));
	before = record(0, 1, 0);
	after = record(0, 1, 0);
	d = compare(&before, &after);
	CU_ASSERT_EQUAL(d.n, 0);
	before = record(0, 1, 0);
	after = record(3200, 50000, 0);
	d = compare(&before, &after);
	CU_ASSERT_EQUAL(d.n, DIFF_LATENCY_QUANTILES);
	CU_ASSERT_EQUAL(d.row[0].c.verdict, DIFF_NOT_MEASURED);
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
