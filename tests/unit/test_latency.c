// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests latency histograms: the bounds of buckets, quantiles with their intervals, the model's view of records, and
 * intervals of time.
 */
#include <math.h>

#include "model_maker.h"
#include "report/analysis/latency.h"
#include "report/base/stats.h"

/* ---- buckets ----------------------------------------------------------------------------- */

static void test_bounds(void)
{
	CU_ASSERT_EQUAL(netcost_latency_bucket(0), 0);
	for (unsigned int bit = NETCOST_LATENCY_NS_BITS; bit < 64; bit++) {
		CU_ASSERT(netcost_latency_bucket((1ull << bit) + 1) >= NETCOST_LATENCY_BUCKETS);
		CU_ASSERT(netcost_latency_bucket((2ull << bit) - 1) >= NETCOST_LATENCY_BUCKETS);
	}
	CU_ASSERT_EQUAL(netcost_latency_lower(0), 0);
	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		unsigned long long lower = netcost_latency_lower(b),
				   upper = netcost_latency_upper(b);

		CU_ASSERT(lower < upper);
		CU_ASSERT_EQUAL(netcost_latency_bucket(lower + 1), b);
		CU_ASSERT_EQUAL(netcost_latency_bucket(upper), b);
		CU_ASSERT_EQUAL(netcost_latency_bucket(upper + 1), b + 1);
		CU_ASSERT(upper == lower + 1 || (double)(upper - lower) <= 0.032 * (double)lower);
	}
	CU_ASSERT_EQUAL(netcost_latency_upper(NETCOST_LATENCY_BUCKETS - 1),
			1ull << NETCOST_LATENCY_NS_BITS);
	CU_ASSERT(netcost_latency_upper(NETCOST_LATENCY_BUCKETS - 1) > 100000000000ull);
}

/* ---- quantiles --------------------------------------------------------------------------- */

/* Returns the probability of at most k of n events that each have probability p. */
static double at_most(double k, double n, double p)
{
	double sum = 0;

	for (double i = 0; i <= k; i++)
		sum += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) +
			   (n - i) * log1p(-p));
	return sum;
}

static void check(uint64_t n, double share)
{
	struct quantile q = quantile_of(n, share);
	double all = (double)n, low = (double)q.low, high = (double)q.high;

	CU_ASSERT(q.rank >= 1 && q.rank <= n);
	CU_ASSERT((double)q.rank >= all * share);
	CU_ASSERT((double)q.rank - 1 < all * share);
	CU_ASSERT(low <= (double)q.rank && (double)q.rank <= high && high <= all + 1);
	/* Intervals are as narrow as possible, or nearly so if quantile_of() uses the normal approximation. */
	CU_ASSERT(!q.low || at_most(low - 1, all, share) < 0.0265);
	CU_ASSERT(at_most(low, all, share) > 0.0225);
	CU_ASSERT(q.high > n || 1 - at_most(high - 1, all, share) < 0.0265);
	CU_ASSERT(1 - at_most(high - 2, all, share) > 0.0225);
}

static void test_quantiles(void)
{
	static const uint64_t n[] = { 1, 2, 5, 6, 10, 100, 372, 1000, 36888, 100000 };
	static const double share[] = { 0.01, 0.5, 0.9, 0.99, 0.999, 0.9999 };

	CU_ASSERT_EQUAL(quantile_of(0, 0.5).rank, 0);
	for (size_t i = 0; i < sizeof(n) / sizeof(n[0]); i++)
		for (size_t k = 0; k < sizeof(share) / sizeof(share[0]); k++)
			check(n[i], share[k]);
	/* With 5 values the median has no interval. With 6 values the interval is from the first to the last. */
	CU_ASSERT_EQUAL(quantile_of(5, 0.5).low, 0);
	CU_ASSERT_EQUAL(quantile_of(5, 0.5).high, 6);
	CU_ASSERT_EQUAL(quantile_of(6, 0.5).low, 1);
	CU_ASSERT_EQUAL(quantile_of(6, 0.5).high, 6);
	CU_ASSERT_EQUAL(quantile_of(100, 0.5).low, 40);
	CU_ASSERT_EQUAL(quantile_of(100, 0.5).high, 61);
	CU_ASSERT_EQUAL(quantile_of(1000000000, 0.5).low, 499969010);
	CU_ASSERT_EQUAL(quantile_of(UINT64_MAX - 1, 0.9999).rank > 0, 1);
}

/* ---- models ------------------------------------------------------------------------------ */

static void point(struct maker *k, uint64_t hook, const char *method, const char *reason)
{
	trace_writer_begin(k->w, TRACE_PROBE);
	trace_writer_uint(k->w, TRACE_PROBE_OF, NETCOST_OF_LATENCY);
	trace_writer_uint(k->w, TRACE_PROBE_NUMBER, hook);
	trace_writer_str(k->w, TRACE_PROBE_METHOD, method);
	trace_writer_strs(k->w, TRACE_PROBE_HOOKS, S("netif_receive_skb", "tcp_probe"));
	trace_writer_str(k->w, TRACE_PROBE_REASON, reason);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/*
 * Writes a LATENCY record. If `ends` is NULL, minimum and maximum are unknown. If `ns` is TRACE_NIL, the sum is
 * unknown.
 */
static void counts(struct maker *k, uint64_t hook, uint64_t ns, const uint64_t ends[2],
		   const uint64_t *bucket, size_t n, const uint64_t *packets, size_t npackets)
{
	trace_writer_begin(k->w, TRACE_LATENCY);
	trace_writer_uint(k->w, TRACE_LATENCY_HOOK, hook);
	trace_writer_uint(k->w, TRACE_LATENCY_CPU, 1);
	if (ns != TRACE_NIL)
		trace_writer_uint(k->w, TRACE_LATENCY_NS, ns);
	if (ends) {
		trace_writer_uint(k->w, TRACE_LATENCY_MIN_NS, ends[0]);
		trace_writer_uint(k->w, TRACE_LATENCY_MAX_NS, ends[1]);
	}
	trace_writer_uints(k->w, TRACE_LATENCY_BUCKET, bucket, n);
	trace_writer_uints(k->w, TRACE_LATENCY_PACKETS, packets, npackets);
	trace_writer_uint(k->w, TRACE_LATENCY_UNKNOWN, 3);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static struct model *read_it(struct maker *k)
{
	struct model *m = model_new(MODEL_LATENCY, NULL);

	CU_ASSERT_EQUAL_FATAL(maker_read(k, m), 0);
	return m;
}

static bool is(double v, double wanted)
{
	return fabs(v - wanted) < 1e-6;
}

static void test_model(void)
{
	const uint64_t ends[] = { 33, 200000 }, later[] = { 31, 31 };
	const unsigned int far = netcost_latency_bucket(200000);
	struct maker k = maker_new();
	struct dist_summary r;
	struct model *m;

	maker_tick(&k, 1000, U(0, 1));
	point(&k, NETCOST_LATENCY_TCP_READ, "tracepoint", "");
	point(&k, NETCOST_LATENCY_IP_START, "off", "no");
	point(&k, NETCOST_LATENCY_TCP_READ, "off", "the first one counts");
	point(&k, NETCOST_LATENCY_COUNT + 9, "tracepoint", "");
	counts(&k, NETCOST_LATENCY_TCP_READ, 400000, ends, U(32, far), U(98, 1));
	counts(&k, NETCOST_LATENCY_TCP_READ, 31, later, U(30), U(1));
	counts(&k, NETCOST_LATENCY_RECEIVE, 5, NULL, U(4, 1 << 20), U(1, 1));
	counts(&k, NETCOST_LATENCY_COUNT + 9, 5, NULL, U(4), U(1));
	counts(&k, NETCOST_LATENCY_DRIVER, TRACE_NIL, NULL, U(4), U(1));
	counts(&k, NETCOST_LATENCY_DRIVER, 7, NULL, U(7), U(1));
	m = read_it(&k);
	CU_ASSERT(model_is_measured(m, NETCOST_OF_LATENCY, NETCOST_LATENCY_TCP_READ));
	CU_ASSERT(!model_is_measured(m, NETCOST_OF_LATENCY, NETCOST_LATENCY_IP_START));
	CU_ASSERT(!model_is_measured(m, NETCOST_OF_LATENCY, NETCOST_LATENCY_UDP_READ));
	dist_summarize(&r, model_latency_dist(m, NETCOST_LATENCY_TCP_READ));
	CU_ASSERT(is(r.count, 100));
	CU_ASSERT(is(r.mean_ns, 4000.31));
	CU_ASSERT(is(r.min_ns, 31));
	CU_ASSERT(is(r.max_ns, 200000));
	CU_ASSERT(fabs(r.ns[DIST_P50] - 32.5) < 0.5);
	CU_ASSERT(is(r.low_ns[DIST_P50], 32));
	CU_ASSERT(is(r.high_ns[DIST_P50], 33));
	CU_ASSERT(fabs(r.ns[DIST_P99] - 33) < 0.5);
	CU_ASSERT(isnan(r.high_ns[DIST_P99_9]));
	CU_ASSERT(fabs(r.ns[DIST_P99_99] / 200000 - 1) < 0.032);
	CU_ASSERT(r.ns[DIST_P99_99] <= 200000);
	CU_ASSERT(fabs(r.variation_ns - 2) < 1);
	CU_ASSERT_EQUAL(
		model_latency_lost(m, NETCOST_LATENCY_TCP_READ, NETCOST_LATENCY_LOSS_UNKNOWN), 6);
	CU_ASSERT_EQUAL(model_latency_lost(m, NETCOST_LATENCY_TCP_READ, NETCOST_LATENCY_LOSS_OLD),
			0);
	/* Buckets that do not exist are ignored. */
	dist_summarize(&r, model_latency_dist(m, NETCOST_LATENCY_RECEIVE));
	CU_ASSERT(is(r.count, 1));
	CU_ASSERT(isnan(r.max_ns));
	dist_summarize(&r, model_latency_dist(m, NETCOST_LATENCY_DRIVER));
	CU_ASSERT(is(r.count, 2));
	CU_ASSERT(isnan(r.mean_ns));
	dist_summarize(&r, model_latency_dist(m, NETCOST_LATENCY_UDP_READ));
	CU_ASSERT(is(r.count, 0));
	CU_ASSERT(isnan(r.ns[DIST_P50]) && isnan(r.mean_ns) && isnan(r.min_ns) &&
		  isnan(r.variation_ns) && isnan(r.low_ns[DIST_P50]));
	model_free(m);
}

/* Checks that numbers saturate at the largest known value. */
static void test_huge(void)
{
	const uint64_t most = INT64_MAX, none[] = { most, 0 };
	struct maker k = maker_new();
	struct dist_summary r;
	struct model *m;

	maker_tick(&k, 1000, U(0, 1));
	for (int i = 0; i < 4; i++)
		counts(&k, NETCOST_LATENCY_QDISC, most, none, U(7, 9, 7), U(most, most, most));
	m = read_it(&k);
	dist_summarize(&r, model_latency_dist(m, NETCOST_LATENCY_QDISC));
	CU_ASSERT(r.count >= 1.8e19);
	CU_ASSERT(!isnan(r.mean_ns));
	CU_ASSERT(!isnan(r.ns[DIST_P50]));
	model_free(m);
}

/* ---- pieces of time ---------------------------------------------------------------------- */

static struct trace_reader *reader_on(const struct maker *k)
{
	struct trace_reader *r;

	lseek(fileno(k->file), 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fileno(k->file)), 0);
	return r;
}

static int see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

static void make_times(struct maker *k)
{
	const uint64_t ends[] = { 33, 200000 }, later[] = { 31, 31 };

	maker_tick(k, 1000, U(0, 1)); /* data before the next tick is in no interval */
	counts(k, NETCOST_LATENCY_QDISC, 5, NULL, U(4), U(1));
	maker_tick(k, 2000, U(0, 1));
	counts(k, NETCOST_LATENCY_RECEIVE, 400000, ends, U(32, 500), U(98, 1));
	counts(k, NETCOST_LATENCY_RECEIVE, 31, later, U(30), U(1));
	counts(k, NETCOST_LATENCY_COUNT, 31, later, U(30), U(1));
	maker_tick(k, 3000, U(0, 1));
	counts(k, NETCOST_LATENCY_RECEIVE, 31, later, U(30), U(1));
	counts(k, NETCOST_LATENCY_DRIVER, TRACE_NIL, NULL, U(4), U(2));
	maker_tick(k, 4000, U(0, 1));
}

static void check_row(const struct latency_times_row *r, uint32_t piece, uint32_t hook,
		      double packets)
{
	CU_ASSERT_EQUAL(r->piece, piece);
	CU_ASSERT_EQUAL(r->hook, hook);
	CU_ASSERT(is(r->r.count, packets));
}

static void test_times(void)
{
	struct maker k = maker_new();
	struct latency_times t;
	struct intervals iv;
	struct trace_reader *r;
	struct model *m = model_new(MODEL_LATENCY, NULL);

	make_times(&k);
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k.w), 0);
	intervals_init(&iv, 0);
	latency_times_init(&t, LATENCY_ALL);
	iv.second = &t.pieces.watch;
	r = reader_on(&k);
	CU_ASSERT_FATAL(intervals_find(&iv, r));
	trace_reader_free(r);
	model_set_see(m, see, &iv);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL_FATAL(t.n, 3);
	check_row(&t.row[0], 0, NETCOST_LATENCY_RECEIVE, 100);
	CU_ASSERT(is(t.row[0].r.mean_ns, 4000.31));
	CU_ASSERT(is(t.row[0].r.min_ns, 31));
	CU_ASSERT(is(t.row[0].r.max_ns, 200000));
	check_row(&t.row[1], 1, NETCOST_LATENCY_RECEIVE, 1);
	CU_ASSERT(is(t.row[1].r.ns[DIST_P99], 31));
	CU_ASSERT(is(t.row[1].r.max_ns, 31));
	check_row(&t.row[2], 1, NETCOST_LATENCY_DRIVER, 2);
	CU_ASSERT(isnan(t.row[2].r.mean_ns) && isnan(t.row[2].r.max_ns));
	model_free(m);
	intervals_free(&iv);
	latency_times_free(&t);
}

static void test_damaged(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_LATENCY, NULL);

	maker_tick(&k, 1000, U(0, 1));
	counts(&k, NETCOST_LATENCY_QDISC, 1, NULL, U(7, 9), U(1));
	CU_ASSERT_NOT_EQUAL(maker_read(&k, m), 0);
	model_free(m);
}

static const struct unit_test tests[] = {
	{ "bounds", test_bounds }, { "quantiles", test_quantiles }, { "model", test_model },
	{ "huge", test_huge },	   { "times", test_times },	    { "damaged", test_damaged },
};

int main(void)
{
	return unit_main("latency", tests, sizeof(tests) / sizeof(tests[0]));
}
