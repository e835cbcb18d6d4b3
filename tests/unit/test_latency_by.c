// SPDX-License-Identifier: BSD-2-Clause
/* Tests latencies by interface, cgroup or process, in the model and in intervals of time. */
#include <math.h>
#include <stdlib.h>

#include "model_maker.h"
#include "report/analysis/latency.h"

static void by(struct maker *k, uint64_t what, uint64_t which, uint64_t pid, const uint64_t *bucket,
	       size_t n, const uint64_t *packets, size_t npackets)
{
	trace_writer_begin(k->w, TRACE_LATENCY_BY);
	trace_writer_uint(k->w, TRACE_LATENCY_BY_HOOK, NETCOST_LATENCY_UDP_READ);
	trace_writer_uint(k->w, TRACE_LATENCY_BY_BY, what);
	trace_writer_uint(k->w, TRACE_LATENCY_BY_WHICH, which);
	trace_writer_uint(k->w, TRACE_LATENCY_BY_NS, 7);
	trace_writer_uints(k->w, TRACE_LATENCY_BY_BUCKET, bucket, n);
	trace_writer_uints(k->w, TRACE_LATENCY_BY_PACKETS, packets, npackets);
	trace_writer_str(k->w, TRACE_LATENCY_BY_PROCESS, "sh");
	trace_writer_uint(k->w, TRACE_LATENCY_BY_PID, pid);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Checks that keys beyond the limit share one row, and that keys of a newer format are skipped. */
static void test_by(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_LATENCY_BY, NULL);
	uint64_t rest = 0, all = 0;
	struct model_latency_by third;

	maker_tick(&k, 1000, U(0, 1));
	for (uint64_t pid = 0; pid < MODEL_LATENCY_BYS + 50; pid++)
		by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_ONE, pid, U(9), U(2));
	by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_ONE, 3, U(9), U(5));
	by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_NOT_KNOWN, 3, U(9), U(1));
	by(&k, NETCOST_LATENCY_BY_COUNT, NETCOST_LATENCY_ONE, 3, U(9), U(1));
	by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_WHICH_COUNT, 3, U(9), U(1));
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL(model_latency_bys(m), MODEL_LATENCY_BYS + 2);
	third = model_latency_by(m->store[MODEL_STORE_LATENCY_BY], 3);
	CU_ASSERT_EQUAL(third.number, 3);
	CU_ASSERT_EQUAL(third.dist->bucket[9], 7);
	CU_ASSERT_EQUAL(third.dist->ns, 14);
	CU_ASSERT_EQUAL(third.dist->min_ns, TRACE_NIL);
	CU_ASSERT_STRING_EQUAL(third.name, "sh");
	for (size_t i = 0; i < model_latency_bys(m); i++) {
		struct model_latency_by b = model_latency_by(m->store[MODEL_STORE_LATENCY_BY], i);

		all += b.dist->bucket[9];
		rest += b.which == NETCOST_LATENCY_REST ? b.dist->bucket[9] : 0;
	}
	CU_ASSERT_EQUAL(rest, 100);
	CU_ASSERT_EQUAL(all, 2 * (MODEL_LATENCY_BYS + 50) + 6);
	model_free(m);
}

static void test_by_damaged(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_LATENCY_BY, NULL);

	maker_tick(&k, 1000, U(0, 1));
	by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_ONE, 3, U(7, 9), U(1));
	CU_ASSERT_NOT_EQUAL(maker_read(&k, m), 0);
	model_free(m);
}

/* ---- pieces of time ---------------------------------------------------------------------- */

#define PIECES 5
#define PIDS 7

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

/*
 * Reads the model and fills t with its intervals. every_ns is the length of the intervals; 0 means one interval per
 * tick.
 */
static struct model *read_times(struct maker *k, struct latency_times *t,
				enum netcost_latency_by what, uint64_t every_ns)
{
	struct model *m = model_new(MODEL_LATENCY | MODEL_LATENCY_BY, NULL);
	struct intervals iv;
	struct trace_reader *r;

	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k->w), 0);
	intervals_init(&iv, every_ns);
	latency_times_init(t, what);
	iv.second = &t->pieces.watch;
	r = reader_on(k);
	CU_ASSERT_FATAL(intervals_find(&iv, r));
	trace_reader_free(r);
	model_set_see(m, see, &iv);
	CU_ASSERT_EQUAL_FATAL(maker_read(k, m), 0);
	intervals_free(&iv);
	return m;
}

static uint64_t packets_of(uint64_t piece, uint64_t pid)
{
	return (piece * 3 + pid * 2) % 4; /* 0 packets means no row */
}

/* Writes intervals that each have processes, the row of all other processes, and an interface. */
static void make_pieces(struct maker *k)
{
	maker_tick(k, 1000, U(0, 1));
	for (uint64_t piece = 0; piece < PIECES; piece++) {
		maker_tick(k, 2000 + 1000 * piece, U(0, 1));
		for (uint64_t pid = 0; pid < PIDS; pid++)
			if (packets_of(piece, pid))
				by(k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_ONE, pid,
				   U(9 + pid), U(packets_of(piece, pid)));
		by(k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_REST, 0, U(9), U(piece + 1));
		by(k, NETCOST_LATENCY_BY_INTERFACE, NETCOST_LATENCY_NOT_KNOWN, 0, U(9), U(50));
	}
}

static double all_of_piece(uint64_t piece)
{
	double n = (double)piece + 1;

	for (uint64_t pid = 0; pid < PIDS; pid++)
		n += (double)packets_of(piece, pid);
	return n;
}

/* Checks that the intervals and the model have the same keys, and that the rows of a key sum to the model's row. */
static void check_keys(const struct latency_times *t, const struct model *m)
{
	size_t n = model_latency_bys(m);
	double *packets = calloc(n, sizeof(*packets)), all = 0, told = 0;

	CU_ASSERT_FATAL(packets && store_rows(t->pieces.now) == n);
	for (size_t i = 0; i < t->n; i++)
		packets[t->row[i].key] += t->row[i].r.count;
	for (size_t key = 0; key < n; key++) {
		struct model_latency_by a = model_latency_by(t->pieces.now, key);
		struct model_latency_by b = model_latency_by(m->store[MODEL_STORE_LATENCY_BY], key);
		double count = (double)dist_count(b.dist);

		all += b.by == t->by ? count : 0;
		told += packets[key];
		CU_ASSERT(b.by != t->by || packets[key] == count);
		CU_ASSERT(a.number == b.number && a.id == b.id && a.which == b.which);
		CU_ASSERT_STRING_EQUAL(a.name, b.name);
	}
	CU_ASSERT(all > 0 && told == all);
	free(packets);
}

static void test_by_times(void)
{
	struct maker k = maker_new();
	struct latency_times t;
	double packets[PIECES] = { 0 };
	struct model *m;

	make_pieces(&k);
	m = read_times(&k, &t, NETCOST_LATENCY_BY_PROCESS, 0);
	CU_ASSERT_FATAL(t.n > 0 && !t.too_many && !t.no_memory);
	for (size_t i = 0; i < t.n; i++) {
		const struct latency_times_row *a = &t.row[i], *b = a + 1;

		CU_ASSERT_FATAL(a->piece < PIECES);
		CU_ASSERT_EQUAL(a->hook, NETCOST_LATENCY_UDP_READ);
		CU_ASSERT(isnan(a->r.min_ns) && isnan(a->r.max_ns) &&
			  a->r.mean_ns == 7 / a->r.count);
		packets[a->piece] += a->r.count;
		if (i + 1 == t.n || a->piece != b->piece) {
			CU_ASSERT_EQUAL(a->which, NETCOST_LATENCY_REST);
		} else {
			CU_ASSERT(b->which == NETCOST_LATENCY_REST || a->r.count >= b->r.count);
		}
	}
	for (uint64_t piece = 0; piece < PIECES; piece++)
		CU_ASSERT(packets[piece] == all_of_piece(piece));
	check_keys(&t, m);
	model_free(m);
	latency_times_free(&t);
}

static void test_by_times_longer(void)
{
	struct maker k = maker_new();
	struct latency_times t;
	double packets = 0;
	struct model *m;

	make_pieces(&k);
	m = read_times(&k, &t, NETCOST_LATENCY_BY_PROCESS, 1000 * PIECES);
	for (size_t i = 0; i < t.n; i++) {
		CU_ASSERT_EQUAL(t.row[i].piece, 0);
		packets += t.row[i].r.count;
	}
	for (uint64_t piece = 0; piece < PIECES; piece++)
		packets -= all_of_piece(piece);
	CU_ASSERT(packets == 0);
	check_keys(&t, m);
	model_free(m);
	latency_times_free(&t);
}

/* Checks that data before the first tick is in no interval, but that its names are known. */
static void test_by_times_before(void)
{
	struct maker k = maker_new();
	struct latency_times t;
	struct model *m;

	maker_tick(&k, 1000, U(0, 1));
	by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_ONE, 3, U(9), U(5));
	maker_tick(&k, 2000, U(0, 1));
	by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_ONE, 3, U(9), U(2));
	m = read_times(&k, &t, NETCOST_LATENCY_BY_PROCESS, 0);
	CU_ASSERT_EQUAL_FATAL(t.n, 1);
	CU_ASSERT(t.row[0].r.count == 2);
	CU_ASSERT_STRING_EQUAL(model_latency_by(t.pieces.now, t.row[0].key).name, "sh");
	model_free(m);
	latency_times_free(&t);
}

/*
 * Checks that the intervals and the model keep the same keys apart from the other keys, even if some keys occur only
 * in later intervals.
 */
static void test_by_times_many(void)
{
	struct maker k = maker_new();
	struct latency_times t;
	struct model *m;

	maker_tick(&k, 1000, U(0, 1));
	for (uint64_t piece = 0; piece < 2; piece++) {
		maker_tick(&k, 2000 + 1000 * piece, U(0, 1));
		for (uint64_t pid = 0; pid < MODEL_LATENCY_BYS; pid++)
			by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_ONE, pid + 40 * piece,
			   U(9), U(2));
		by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_NOT_KNOWN, 0, U(9), U(1));
	}
	m = read_times(&k, &t, NETCOST_LATENCY_BY_PROCESS, 0);
	CU_ASSERT_EQUAL(store_rows(t.pieces.now), MODEL_LATENCY_BYS + 2);
	check_keys(&t, m);
	model_free(m);
	latency_times_free(&t);
}

/* Checks that rows beyond the limit are left out and reported, and that the table can be used again. */
static void test_by_times_too_many(void)
{
	struct latency_times t;
	struct store *s;
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_LATENCY_BY, NULL);

	for (uint64_t pid = 0; pid < 1000; pid++)
		by(&k, NETCOST_LATENCY_BY_PROCESS, NETCOST_LATENCY_ONE, pid, U(9), U(1));
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	s = m->store[MODEL_STORE_LATENCY_BY];
	latency_times_init(&t, NETCOST_LATENCY_BY_PROCESS);
	t.row = calloc(LATENCY_TIMES_MOST, sizeof(*t.row));
	CU_ASSERT_PTR_NOT_NULL_FATAL(t.row);
	t.cap = LATENCY_TIMES_MOST;
	t.n = LATENCY_TIMES_MOST - 1000;
	t.pieces.take(&t, 0, s);
	CU_ASSERT(!t.too_many && t.n == LATENCY_TIMES_MOST);
	t.pieces.take(&t, 0, s);
	CU_ASSERT(t.too_many && t.n == LATENCY_TIMES_MOST);
	latency_times_free(&t);
	t.pieces.take(&t, 0, s);
	CU_ASSERT(!t.too_many && t.n == 1000);
	latency_times_free(&t);
	model_free(m);
}

static const struct unit_test tests[] = {
	{ "by", test_by },
	{ "damaged", test_by_damaged },
	{ "times", test_by_times },
	{ "longer times", test_by_times_longer },
	{ "before the first tick", test_by_times_before },
	{ "many keys", test_by_times_many },
	{ "too many rows", test_by_times_too_many },
};

int main(void)
{
	return unit_main("latency_by", tests, sizeof(tests) / sizeof(tests[0]));
}
