// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests owners.h: dispositions of received packets sum to the time, the remaining time is distributed evenly, and
 * estimates are scaled.
 */
#include <math.h>

#include "model_maker.h"
#include "report/analysis/processes_shares.h"

#define US 1000

static void processes(struct maker *k)
{
	trace_writer_begin(k->w, TRACE_PROCESSES);
	trace_writer_uint(k->w, TRACE_PROCESSES_FIRST, 1);
	trace_writer_uints(k->w, TRACE_PROCESSES_PID, U(77, 78));
	trace_writer_strs(k->w, TRACE_PROCESSES_NAME, S("a", "b"));
	trace_writer_uints(k->w, TRACE_PROCESSES_START_NS, U(1, 1));
	trace_writer_uints(k->w, TRACE_PROCESSES_CGROUP, U(0, 0));
	trace_writer_uints(k->w, TRACE_PROCESSES_KERNEL, U(0, 0));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Writes a tick. `ns` is the RX softirq time until then. */
static void leaf(struct maker *k, uint64_t at_ns, uint64_t ns)
{
	maker_tick(k, at_ns, U(0));
	trace_writer_begin(k->w, TRACE_EXACT);
	trace_writer_uint(k->w, TRACE_EXACT_EVENT, NETCOST_EV_RX_SOFTIRQ);
	trace_writer_uints(k->w, TRACE_EXACT_NS, &ns, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void received(struct maker *k, const uint64_t ns[2], const uint64_t packets[2],
		     uint64_t squares)
{
	trace_writer_begin(k->w, TRACE_OWNER_STATS);
	trace_writer_uints(k->w, TRACE_OWNER_STATS_PROCESS, U(1, 2));
	trace_writer_uints(k->w, TRACE_OWNER_STATS_NS, ns, 2);
	trace_writer_uints(k->w, TRACE_OWNER_STATS_PACKETS, packets, 2);
	if (squares)
		trace_writer_uints(k->w, TRACE_OWNER_STATS_SQUARES, U(squares, 0));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

#define ROWS 6

static void fates(struct maker *k, const uint64_t *fate, const int64_t *ns, const uint64_t *packets,
		  uint64_t every)
{
	const uint64_t cpu[ROWS] = { 0 };
	const char *reason[ROWS], *netdev[ROWS];

	for (int i = 0; i < ROWS; i++) {
		reason[i] = fate[i] == NETCOST_FATE_DROPPED ? "NO_SOCKET" : "";
		netdev[i] = fate[i] == NETCOST_FATE_FORWARDED ? "eth1" : "";
	}
	trace_writer_begin(k->w, TRACE_RX_FATES);
	trace_writer_uints(k->w, TRACE_RX_FATES_FATE, fate, ROWS);
	trace_writer_uints(k->w, TRACE_RX_FATES_CPU, cpu, ROWS);
	trace_writer_ints(k->w, TRACE_RX_FATES_NS, ns, ROWS);
	trace_writer_uints(k->w, TRACE_RX_FATES_PACKETS, packets, ROWS);
	trace_writer_strs(k->w, TRACE_RX_FATES_REASON, reason, ROWS);
	trace_writer_strs(k->w, TRACE_RX_FATES_NETDEV, netdev, ROWS);
	trace_writer_uint(k->w, TRACE_RX_FATES_EVERY, every);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

struct report {
	struct model *m;
	struct processes p;
	struct owners o;
};

static void read_it(struct report *r, struct maker *k)
{
	r->m = model_new(MODEL_PROCESSES | MODEL_CGROUPS, NULL);
	CU_ASSERT_EQUAL_FATAL(maker_read(k, r->m), 0);
	CU_ASSERT_EQUAL_FATAL(
		processes_make(&r->p, r->m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 10), 0);
	owners_make(&r->o, r->m);
}

static void done(struct report *r)
{
	processes_free(&r->p);
	model_free(r->m);
}

static bool is(double v, double wanted)
{
	return fabs(v - wanted) < 1e-6;
}

static const struct owners_row *row(const struct report *r, enum netcost_fate fate)
{
	static const struct owners_row none;

	for (size_t i = 0; i < r->o.nrows; i++)
		if (r->o.row[i].fate == fate)
			return &r->o.row[i];
	return &none;
}

static struct owners_paid of(const struct report *r, uint64_t pid)
{
	for (size_t i = 0; i < r->p.nrows; i++)
		if (r->p.row[i].pid == pid)
			return owners_paid(&r->o, &r->p.row[i].v);
	return (struct owners_paid){ 0 };
}

static double sum(const struct report *r)
{
	double ns = 0;

	for (size_t i = 0; i < r->o.nrows; i++)
		ns += r->o.row[i].ns + r->o.row[i].dealt_ns;
	return ns;
}

/* Checks that the rows sum to the RX softirq time, also if a row's part becomes known only at a later tick. */
static void test_sums(void)
{
	struct maker k = maker_new();
	struct report r;

	processes(&k);
	leaf(&k, 1000000, 500);
	leaf(&k, 2000000, 500 + 100 * US);
	received(&k, (const uint64_t[]){ 30 * US, 10 * US }, (const uint64_t[]){ 6, 2 }, 0);
	fates(&k, (const uint64_t[]){ 0, 1, 2, 3, 4, 7 },
	      (const int64_t[]){ 40 * US, 5 * US, 5 * US, 20 * US, 10 * US, 20 * US },
	      (const uint64_t[]){ 8, 1, 1, 0, 0, 0 }, 1);
	leaf(&k, 3000000, 500 + 150 * US);
	received(&k, (const uint64_t[]){ 40 * US, 10 * US }, (const uint64_t[]){ 8, 2 }, 0);
	fates(&k, (const uint64_t[]){ 0, 1, 2, 3, 4, 7 },
	      (const int64_t[]){ 50 * US, 0, 0, 20 * US, 0, -20 * US },
	      (const uint64_t[]){ 10, 0, 0, 0, 0, 0 }, 1);
	read_it(&r, &k);
	CU_ASSERT(r.o.any);
	CU_ASSERT(is(r.o.leaf_ns, 150 * US));
	CU_ASSERT(is(r.o.all_ns, 150 * US));
	CU_ASSERT(is(sum(&r), 150 * US));
	CU_ASSERT(is(row(&r, NETCOST_FATE_DIRECT)->ns, 90 * US));
	CU_ASSERT(
		is(row(&r, NETCOST_FATE_DIRECT)->dealt_ns, 36 * US)); /* 40 us * 18 of 20 packets */
	CU_ASSERT(is(row(&r, NETCOST_FATE_POOL)->ns, 0));
	CU_ASSERT(is(row(&r, NETCOST_FATE_OPEN)->ns, 0));
	CU_ASSERT_STRING_EQUAL(row(&r, NETCOST_FATE_DROPPED)->what, "NO_SOCKET");
	CU_ASSERT_STRING_EQUAL(row(&r, NETCOST_FATE_FORWARDED)->what, "eth1");
	CU_ASSERT(is(of(&r, 77).received_ns, 70 * US));
	CU_ASSERT(is(of(&r, 77).dealt_ns, 28 * US));
	CU_ASSERT(is(of(&r, 77).ci95_ns, 0));
	CU_ASSERT(is(of(&r, 78).packets, 4));
	done(&r);
}

/*
 * Checks that a process's own time is known as soon as one of its parts is known, and that the whole cost is unknown
 * before.
 */
static void test_own_time_is_not_measured(void)
{
	struct processes_values v = { .received_ns = 30, .received_packets = 6 };
	const struct owners o = { .scale = 1, .left = 1, .every = 1, .dealt_ns = 2 };

	for (unsigned int i = 0; i < MODEL_PROCESS_VALUES; i++)
		v.value[i] = NAN;
	CU_ASSERT(isnan(owners_paid(&o, &v).own_ns));
	CU_ASSERT(isnan(owners_paid(&o, &v).all_ns));
	v.value[MODEL_PROCESS_VALUE(SOCK_RECV_NS)] = 5;
	CU_ASSERT(is(owners_paid(&o, &v).own_ns, 5));
	CU_ASSERT(is(owners_paid(&o, &v).all_ns, 5 + 30 + 6 * 2));
}

/* Checks that no process pays for packets that XDP took, because the pool does not include them. */
static void test_xdp(void)
{
	struct maker k = maker_new();
	struct report r;

	processes(&k);
	leaf(&k, 1000000, 500);
	leaf(&k, 2000000, 500 + 1000 * US);
	received(&k, (const uint64_t[]){ 30 * US, 10 * US }, (const uint64_t[]){ 6, 2 }, 0);
	fates(&k, (const uint64_t[]){ 0, 1, 2, 3, 4, 8 },
	      (const int64_t[]){ 40 * US, 5 * US, 5 * US, 20 * US, 0, 930 * US },
	      (const uint64_t[]){ 8, 1, 1, 0, 0, 100000 }, 1);
	read_it(&r, &k);
	CU_ASSERT(is(row(&r, NETCOST_FATE_XDP)->ns, 930 * US));
	CU_ASSERT(is(row(&r, NETCOST_FATE_XDP)->dealt_ns, 0));
	CU_ASSERT(is(row(&r, NETCOST_FATE_XDP)->packets, 100000));
	CU_ASSERT(is(row(&r, NETCOST_FATE_DIRECT)->dealt_ns, 16 * US));
	CU_ASSERT(is(of(&r, 77).dealt_ns, 12 * US));
	CU_ASSERT(is(sum(&r), 1000 * US));
	done(&r);
}

/* Checks estimates: one softirq in ten was observed, and its tenth of the time represents all of the time. */
static void test_estimates(void)
{
	struct maker k = maker_new();
	struct report r;

	processes(&k);
	leaf(&k, 1000000, 0);
	leaf(&k, 2000000, 1000 * US);
	received(&k, (const uint64_t[]){ 60 * US, 20 * US }, (const uint64_t[]){ 6, 2 },
		 900 * 1000 * 1000 / 1024);
	fates(&k, (const uint64_t[]){ 0, 1, 2, 3, 4, 6 },
	      (const int64_t[]){ 80 * US, 5 * US, 5 * US, 10 * US, 0, 900 * US },
	      (const uint64_t[]){ 8, 1, 1, 0, 0, 0 }, 10);
	read_it(&r, &k);
	CU_ASSERT(is(r.o.scale, 10));
	CU_ASSERT(is(r.o.looked_ns, 100 * US));
	CU_ASSERT(is(sum(&r), 1000 * US));
	CU_ASSERT(is(row(&r, NETCOST_FATE_SKIPPED)->ns, 0));
	CU_ASSERT(is(of(&r, 77).received_ns, 600 * US));
	CU_ASSERT(is(of(&r, 77).packets, 60));
	CU_ASSERT(is(of(&r, 77).dealt_ns, 60 * US));
	/* The expected interval is 1.96 * sqrt(10 * 9 * 30000^2). */
	CU_ASSERT(fabs(of(&r, 77).ci95_ns - 557826) < 50);
	CU_ASSERT(is(owners_ci95(600, 50, 60), 55));
	CU_ASSERT(is(owners_ci95(0, 50, 60), 50));
	done(&r);
}

/* Checks that no interval is known if a trace of some softirqs lacks the sums of squares. */
static void test_estimates_without_squares(void)
{
	struct maker k = maker_new();
	struct report r;

	processes(&k);
	leaf(&k, 1000000, 0);
	leaf(&k, 2000000, 1000 * US);
	received(&k, (const uint64_t[]){ 60 * US, 0 }, (const uint64_t[]){ 6, 0 }, 0);
	fates(&k, (const uint64_t[]){ 0, 1, 2, 3, 4, 6 },
	      (const int64_t[]){ 60 * US, 0, 0, 0, 0, 940 * US },
	      (const uint64_t[]){ 6, 0, 0, 0, 0, 0 }, 10);
	read_it(&r, &k);
	CU_ASSERT(isnan(of(&r, 77).ci95_ns));
	CU_ASSERT(is(of(&r, 78).ci95_ns, 0));
	done(&r);
}

#define MOST (1ull << 62) /* a large value that a trace can have */

static uint64_t received_ns(const struct model *m, uint64_t process)
{
	const struct store *s = m->store[MODEL_STORE_OWNERS];
	ptrdiff_t row = store_find(s, &process);

	CU_ASSERT_FATAL(row >= 0);
	return store_value(s, (size_t)row, TRACE_OWNER_STATS_NS);
}

/* Checks that invalid values in a trace do not cause accesses out of bounds. */
static void test_hostile(void)
{
	struct maker k = maker_new();
	struct report r;

	processes(&k);
	leaf(&k, 1000000, 0);
	for (int i = 0; i < 5; i++)
		received(&k, (const uint64_t[]){ MOST, i ? TRACE_NIL : 5 },
			 (const uint64_t[]){ 1, 1 }, 0);
	fates(&k, (const uint64_t[]){ 0, 1, 99, 0, 0, TRACE_NIL },
	      (const int64_t[]){ MOST, -(int64_t)MOST, 1, MOST, 5, 6 },
	      (const uint64_t[]){ MOST, 1, 1, 7, 0, 0 }, 0);
	read_it(&r, &k);
	CU_ASSERT_EQUAL(received_ns(r.m, 1), TRACE_NIL - 1);
	CU_ASSERT_EQUAL(received_ns(r.m, 2), TRACE_NIL);
	CU_ASSERT_EQUAL(model_fates(r.m), 2);
	CU_ASSERT_EQUAL(model_fate(r.m, 0).ns, INT64_MAX);
	CU_ASSERT_EQUAL(r.o.nrows, 2);
	done(&r);
}

static void test_none(void)
{
	struct maker k = maker_new();
	struct report r;

	leaf(&k, 1000000, 0);
	read_it(&r, &k);
	CU_ASSERT(!r.o.any);
	done(&r);
}

static const struct unit_test tests[] = {
	{ "sums", test_sums },
	{ "own_time_is_not_measured", test_own_time_is_not_measured },
	{ "xdp", test_xdp },
	{ "estimates", test_estimates },
	{ "estimates_without_squares", test_estimates_without_squares },
	{ "hostile", test_hostile },
	{ "none", test_none },
};

int main(void)
{
	return unit_main("owners", tests, sizeof(tests) / sizeof(tests[0]));
}
