// SPDX-License-Identifier: BSD-2-Clause
/* Tests samples during the latency of the slowest packets, and p50 and p99 by interval. */
#include <stdlib.h>
#include <math.h>

#include "model_maker.h"
#include "report/analysis/latency.h"

#define HOOK NETCOST_LATENCY_UDP_READ
#define MS 1000000ull

/* ---- a trace, read twice ------------------------------------------------------------------ */

static struct maker made(void)
{
	struct maker k = { .file = tmpfile() };

	CU_ASSERT_FATAL(k.file && !trace_writer_new(&k.w, fileno(k.file), 2));
	trace_writer_begin(k.w, TRACE_HEADER);
	trace_writer_uint(k.w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	trace_writer_uint(k.w, TRACE_HEADER_MINOR, TRACE_MINOR);
	trace_writer_uints(k.w, TRACE_HEADER_CPUS, U(0, 1));
	trace_writer_uint(k.w, TRACE_HEADER_USER_HZ, 100);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	maker_symbols(&k, 1, S("net_rx_action", "nft_do_chain", "kfree_skb"));
	maker_stacks(&k, 1, U(1, 1, 2), U(1, 2, 3));
	return k;
}

static int see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

static void read_twice(struct maker *k, struct model *m, const struct intervals_watch *second)
{
	struct trace_reader *r;
	struct intervals iv;

	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k->w), 0);
	intervals_init(&iv, 0);
	iv.second = second;
	lseek(fileno(k->file), 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fileno(k->file)), 0);
	CU_ASSERT_FATAL(intervals_find(&iv, r));
	trace_reader_free(r);
	model_set_see(m, see, &iv);
	CU_ASSERT_EQUAL_FATAL(maker_read(k, m), 0);
	intervals_free(&iv);
}

/* Adds samples at distances of 1 ms. */
static void samples(struct maker *k, uint64_t cpu, uint64_t first_ns, const uint64_t *stack,
		    size_t n)
{
	static const int64_t dt[8];
	static const uint64_t task[8];

	trace_writer_begin(k->w, TRACE_SAMPLES);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, cpu);
	trace_writer_uint(k->w, TRACE_SAMPLES_BASE_NS, first_ns - MS);
	trace_writer_uint(k->w, TRACE_SAMPLES_UNIT_NS, 1000);
	trace_writer_uint(k->w, TRACE_SAMPLES_STEP, 1000);
	trace_writer_ints(k->w, TRACE_SAMPLES_DT, dt, n);
	trace_writer_uints(k->w, TRACE_SAMPLES_STACK, stack, n);
	trace_writer_uints(k->w, TRACE_SAMPLES_TASK, task, n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Adds a packet. On CPU 0 a softirq works for 4 ms on the packet's way. On CPU 1 its reader does other work for 2
 * ms, sleeps for 3 ms, and does both again. */
static void kept(struct maker *k, uint64_t end_ns)
{
	trace_writer_begin(k->w, TRACE_LATENCY_TAIL);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_HOOK, HOOK);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_CPU, 1);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_END_NS, end_ns);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_NS, 10 * MS);
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_WHAT, U(1, 6, 7));
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_READER, U(0, 1, 1));
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_NUMBER, U(3, TRACE_NIL, TRACE_NIL));
	trace_writer_strs(k->w, TRACE_LATENCY_TAIL_NAME, S("", "", ""));
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_TOOK_NS, U(4 * MS, 3 * MS, 3 * MS));
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_QUEUED_NS, 4 * MS);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_QUEUED_CPU, 0);
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_SPAN_SHARE, U(1, 2, 1, 0));
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_SPAN_NS, U(MS, 3 * MS, 2 * MS, 4 * MS));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void masked(struct maker *k, uint64_t end_ns, uint64_t ns, uint64_t late_ns)
{
	trace_writer_begin(k->w, TRACE_LATENCY_TAIL);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_HOOK, HOOK);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_CPU, 1);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_END_NS, end_ns);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_NS, ns);
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_WHAT, U(5, 4));
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_READER, U(0, 0));
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_NUMBER, U(TRACE_NIL, TRACE_NIL));
	trace_writer_strs(k->w, TRACE_LATENCY_TAIL_NAME, S("", ""));
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_TOOK_NS, U(late_ns, ns - late_ns));
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_SPAN_SHARE, U(0, 1));
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_SPAN_NS, U(late_ns, ns - late_ns));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static const struct tail_seen_row *row_of(const struct tail_seen *t, const struct model *m,
					  enum netcost_culprit what)
{
	const struct store *s = m->store[MODEL_STORE_CULPRITS];

	for (size_t i = 0; i < store_rows(s); i++) {
		struct model_culprit c = model_culprit(s, i);

		if (c.what == what)
			return tail_seen_row(t, m, &c);
	}
	return NULL;
}

static uint64_t samples_of(const struct tail_seen *t, const struct model *m,
			   enum netcost_culprit what)
{
	const struct tail_seen_row *r = row_of(t, m, what);

	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	return r->samples;
}

/* ---- tests ------------------------------------------------------------------------------- */

/* Tests that samples count whether they come before or after the packet's record. Samples of the other CPU or just
 * outside of the packet's time do not count. */
static void test_samples(void)
{
	struct model *m = model_new(MODEL_LATENCY, NULL);
	struct tail_seen *t = malloc(sizeof(*t));
	struct tail_function *f;
	struct maker k = made();
	size_t n;

	tail_seen_init(t);
	samples(&k, 0, 101 * MS - 1, U(3, 2, 2)); /* one sample is too early */
	maker_tick(&k, 200 * MS, U(0, 1));
	kept(&k, 111 * MS);
	samples(&k, 0, 104 * MS - 1, U(3, 2, 2)); /* two samples are too late */
	/* samples in the softirq, while the reader runs, and while it sleeps */
	samples(&k, 1, 104 * MS, U(0, 1, 2, 3));
	samples(&k, 1, 110 * MS, U(2));
	samples(&k, 1, 111 * MS, U(3));
	read_twice(&k, m, &t->watch);
	CU_ASSERT_EQUAL(samples_of(t, m, NETCOST_CULPRIT_SOFTIRQ), 4);
	CU_ASSERT_EQUAL(samples_of(t, m, NETCOST_CULPRIT_READER), 3);
	CU_ASSERT_EQUAL(samples_of(t, m, NETCOST_CULPRIT_LATE), 0);
	CU_ASSERT(!row_of(t, m, NETCOST_CULPRIT_LATE)->spans);
	CU_ASSERT_EQUAL_FATAL(tail_seen_functions(row_of(t, m, NETCOST_CULPRIT_SOFTIRQ), m, &f, &n),
			      0);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_STRING_EQUAL(f[0].name, "nft_do_chain");
	CU_ASSERT_EQUAL(f[0].samples, 3);
	CU_ASSERT_STRING_EQUAL(f[1].name, "kfree_skb");
	free(f);
	model_free(m);
	tail_seen_free(t);
	free(t);
}

/* Tests that impossible times are not reported. */
static void test_hostile(void)
{
	struct model *m = model_new(MODEL_LATENCY, NULL);
	struct tail_seen *t = malloc(sizeof(*t));
	struct maker k = made();

	tail_seen_init(t);
	maker_tick(&k, 100 * MS, U(0, 1));
	masked(&k, 10, 80 * MS, 60 * MS);
	masked(&k, INT64_MAX, 80 * MS, 60 * MS);
	samples(&k, 1, MS, U(1, 2, 3));
	maker_tick(&k, 200 * MS, U(0, 1));
	read_twice(&k, m, &t->watch);
	CU_ASSERT_EQUAL(t->nspans, 1);
	CU_ASSERT_EQUAL(samples_of(t, m, NETCOST_CULPRIT_MASKED), 0);
	model_free(m);
	tail_seen_free(t);
	free(t);
}

static void waited(struct maker *k, uint64_t hook, uint64_t bucket, uint64_t packets)
{
	trace_writer_begin(k->w, TRACE_LATENCY);
	trace_writer_uint(k->w, TRACE_LATENCY_HOOK, hook);
	trace_writer_uint(k->w, TRACE_LATENCY_CPU, 0);
	trace_writer_uints(k->w, TRACE_LATENCY_BUCKET, &bucket, 1);
	trace_writer_uints(k->w, TRACE_LATENCY_PACKETS, &packets, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Checks intervals. Reads of TCP and UDP are merged, but a named checkpoint is not. The second interval has no
 * packets. */
static void check_pieces(const char *hook, double packets, uint64_t p50, uint64_t p99)
{
	struct model *m = model_new(0, NULL);
	struct latency_times t;
	struct maker k = made();

	latency_times_init_merged(&t, hook);
	maker_tick(&k, 100, U(0, 1));
	maker_tick(&k, 200, U(0, 1));
	waited(&k, NETCOST_LATENCY_TCP_READ, 10, 60);
	waited(&k, HOOK, 20, 40);
	waited(&k, NETCOST_LATENCY_RECEIVE, 30, 1000);
	maker_tick(&k, 300, U(0, 1));
	read_twice(&k, m, &t.pieces.watch);
	CU_ASSERT_EQUAL_FATAL(t.n, 2);
	CU_ASSERT_EQUAL(latency_times_merged(&t, 0).count, packets);
	CU_ASSERT(fabs(latency_times_merged(&t, 0).ns[DIST_P50] - (double)p50) <= 1);
	CU_ASSERT(fabs(latency_times_merged(&t, 0).ns[DIST_P99] - (double)p99) <= 1);
	CU_ASSERT_EQUAL(latency_times_merged(&t, 1).count, 0);
	CU_ASSERT(isnan(latency_times_merged(&t, 1).ns[DIST_P50]));
	CU_ASSERT(isnan(latency_times_merged(&t, 2).count));
	CU_ASSERT(!t.no_memory);
	model_free(m);
	latency_times_free(&t);
}

static void test_pieces(void)
{
	check_pieces(NULL, 100, 10, 20);
	check_pieces("receive", 1000, 30, 30);
}

static const struct unit_test tests[] = {
	{ "samples", test_samples },
	{ "hostile", test_hostile },
	{ "pieces", test_pieces },
};

int main(void)
{
	return unit_main("tail_seen", tests, sizeof(tests) / sizeof(tests[0]));
}
