// SPDX-License-Identifier: BSD-2-Clause
/* Tests counts of records: they are summed by their subject, whatever the values are, and however many there are. */
#include "model_maker.h"
#include "report/analysis/view.h"
#include "report/store/store.h"
#include "unit.h"

static const struct store_query fates = {
	.type = TRACE_RX_FATES,
	.dim = { TRACE_RX_FATES_FATE, TRACE_RX_FATES_REASON },
	.most = 3,
};
static const struct store_query processes = { .type = TRACE_PROCESS_STATS,
					      .dim = { TRACE_PROCESS_STATS_PROCESS } };

static int see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct store **s = ctx;

	(void)m;
	for (int i = 0; rec && s[i]; i++)
		if (rec->type == (i ? TRACE_PROCESS_STATS : TRACE_RX_FATES))
			CU_ASSERT_EQUAL(store_take(s[i], rec, NULL), 0);
	return 0;
}

/* Reads the trace into the stores. */
static void read_into(struct maker *k, struct store *s[3])
{
	struct model *m = model_new(0, NULL);

	CU_ASSERT_EQUAL_FATAL(store_new(&s[0], &fates), 0);
	CU_ASSERT_EQUAL_FATAL(store_new(&s[1], &processes), 0);
	s[2] = NULL;
	model_set_see(m, see, s);
	CU_ASSERT_EQUAL_FATAL(maker_read(k, m), 0);
	model_free(m);
}

static void done(struct store *s[3])
{
	store_free(s[0]);
	store_free(s[1]);
}

static void fate(struct maker *k, uint64_t what, int64_t ns, uint64_t packets, const char *reason)
{
	trace_writer_begin(k->w, TRACE_RX_FATES);
	trace_writer_uints(k->w, TRACE_RX_FATES_FATE, U(what, what));
	trace_writer_uints(k->w, TRACE_RX_FATES_CPU, U(0, 1));
	trace_writer_ints(k->w, TRACE_RX_FATES_NS, I(ns, 0));
	trace_writer_uints(k->w, TRACE_RX_FATES_PACKETS, U(packets, packets));
	trace_writer_strs(k->w, TRACE_RX_FATES_REASON, S(reason, reason));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Tests that values are summed over the dimensions that are not selected, and that numbers are signed if the
 * registry has INT. */
static void test_sums(void)
{
	struct maker k = maker_new();
	struct store *s[3];

	maker_tick(&k, 1000, U(0, 1));
	fate(&k, 1, -5, 3, "a");
	fate(&k, 1, 2, 4, "a");
	fate(&k, 1, INT64_MAX / 2, 1, "b");
	fate(&k, 1, INT64_MAX / 2, 1, "b");
	read_into(&k, s);
	CU_ASSERT_EQUAL_FATAL(store_rows(s[0]), 2);
	CU_ASSERT_EQUAL(store_signed(s[0], 0, TRACE_RX_FATES_NS), -3);
	CU_ASSERT_EQUAL(store_value(s[0], 0, TRACE_RX_FATES_PACKETS), 14);
	CU_ASSERT_EQUAL(store_dim(s[0], 1, TRACE_RX_FATES_FATE), 1);
	CU_ASSERT_STRING_EQUAL(store_text(s[0], 1, TRACE_RX_FATES_REASON), "b");
	CU_ASSERT_EQUAL(store_signed(s[0], 1, TRACE_RX_FATES_NS), INT64_MAX - 1);
	CU_ASSERT(store_has(s[0], TRACE_RX_FATES_NS) && !store_has(s[0], TRACE_RX_FATES_SQUARES));
	CU_ASSERT_EQUAL(store_value(s[0], 0, TRACE_RX_FATES_SQUARES), 0);
	done(s);
}

/* Tests that subjects beyond the limit are summed in the rest, and that an unknown disposition (of a newer format)
 * is accepted. */
static void test_rest(void)
{
	static const char *const reason[] = { "a", "b", "c", "d", "e", "d" };
	struct maker k = maker_new();
	struct store *s[3];
	uint64_t all = 0;

	maker_tick(&k, 1000, U(0, 1));
	for (size_t i = 0; i < 6; i++)
		fate(&k, 1, 1, 1, reason[i]);
	fate(&k, 2, 1, 50, "");
	read_into(&k, s);
	CU_ASSERT_EQUAL_FATAL(store_rows(s[0]), 5);
	CU_ASSERT_STRING_EQUAL(store_text(s[0], 3, TRACE_RX_FATES_REASON), "");
	CU_ASSERT_EQUAL(store_value(s[0], 3, TRACE_RX_FATES_PACKETS), 6);
	CU_ASSERT_EQUAL(store_dim(s[0], 4, TRACE_RX_FATES_FATE), 2);
	for (size_t i = 0; i < store_rows(s[0]); i++)
		all += store_value(s[0], i, TRACE_RX_FATES_PACKETS);
	CU_ASSERT_EQUAL(all, 12 + 100);
	done(s);
}

static void process(struct maker *k, uint64_t id, uint64_t runs, uint64_t ns)
{
	trace_writer_begin(k->w, TRACE_PROCESS_STATS);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_PROCESS, U(id));
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_SWITCHES, U(runs));
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_TASK_NS, U(ns));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

#define PROCESSES 1000

/* Tests records in any order: each key has its own sum, unknown values stay unknown, and sums saturate at the
 * maximum. */
static void test_many(void)
{
	struct maker k = maker_new();
	struct store *s[3];
	const uint32_t *touched;

	maker_tick(&k, 1000, U(0, 1));
	for (uint64_t round = 0; round < 3; round++)
		for (uint64_t id = 0; id < PROCESSES; id++)
			process(&k, id * 77, round == 1 ? id : 0, round == 2 ? 10 * id : 0);
	process(&k, 77, TRACE_NIL, INT64_MAX);
	process(&k, 77, 4, INT64_MAX);
	process(&k, 77, 0, INT64_MAX);
	read_into(&k, s);
	CU_ASSERT_EQUAL_FATAL(store_rows(s[1]), PROCESSES);
	CU_ASSERT_EQUAL(store_value(s[1], 1, TRACE_PROCESS_STATS_SWITCHES), TRACE_NIL);
	CU_ASSERT_EQUAL(store_value(s[1], 1, TRACE_PROCESS_STATS_TASK_NS), TRACE_NIL - 1);
	for (uint64_t id = 2; id < PROCESSES; id++) {
		ptrdiff_t row = store_find(s[1], &(uint64_t){ id * 77 });

		CU_ASSERT_EQUAL_FATAL(row, (ptrdiff_t)id);
		CU_ASSERT_EQUAL(store_value(s[1], id, TRACE_PROCESS_STATS_SWITCHES), id);
		CU_ASSERT_EQUAL(store_value(s[1], id, TRACE_PROCESS_STATS_TASK_NS), 10 * id);
	}
	CU_ASSERT_EQUAL(store_find(s[1], &(uint64_t){ 5 }), -1);
	CU_ASSERT_EQUAL(store_touched(s[1], &touched), PROCESSES);
	store_clear(s[1]);
	CU_ASSERT_EQUAL(store_touched(s[1], &touched), 0);
	CU_ASSERT_EQUAL(store_rows(s[1]), PROCESSES);
	CU_ASSERT_EQUAL(store_value(s[1], 9, TRACE_PROCESS_STATS_SWITCHES), 0);
	done(s);
}

/* ---- counters ---------------------------------------------------------------------------- */

static void drop_names(struct maker *k, uint64_t first, const char *reason)
{
	trace_writer_begin(k->w, TRACE_DROP_REASONS);
	trace_writer_uint(k->w, TRACE_DROP_REASONS_FIRST, first);
	trace_writer_strs(k->w, TRACE_DROP_REASONS_NAME, S(reason));
	trace_writer_uints(k->w, TRACE_DROP_REASONS_CPU, U(0));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void softirqs(struct maker *k, uint64_t on_0, uint64_t on_3)
{
	trace_writer_begin(k->w, TRACE_SOFTIRQS);
	trace_writer_uints(k->w, TRACE_SOFTIRQS_NET_RX, U(on_0, on_3));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void protocols(struct maker *k, uint64_t value)
{
	trace_writer_begin(k->w, TRACE_COUNTERS);
	trace_writer_uints(k->w, TRACE_COUNTERS_VALUE, U(value));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static const uint8_t asked[] = { TRACE_SOFTIRQS, TRACE_COUNTERS, TRACE_DROPS, TRACE_EXACT, 0 };

static struct model *ask(struct maker *k)
{
	struct model *m = model_new(0, NULL);

	CU_ASSERT_EQUAL_FATAL(model_ask(m, asked), 0);
	CU_ASSERT_EQUAL_FATAL(maker_read(k, m), 0);
	return m;
}

/* Tests counters per CPU, compared with the previous TICK: 32-bit counters wrap, nil is skipped, and the first
 * reading only starts the count. */
static void test_per_cpu(void)
{
	struct maker k = maker_new();
	const struct store *s;
	struct model *m;

	maker_tick(&k, 1000, U(0, 3));
	softirqs(&k, UINT32_MAX - 1, 5);
	maker_tick(&k, 2000, U(0, 3));
	softirqs(&k, 3, TRACE_NIL);
	m = ask(&k);
	s = model_answer(m, TRACE_SOFTIRQS);
	CU_ASSERT_EQUAL_FATAL(store_rows(s), 2);
	CU_ASSERT_EQUAL(store_dim(s, 1, STORE_CPU), 3);
	CU_ASSERT_EQUAL(store_value(s, 0, TRACE_SOFTIRQS_NET_RX), 5);
	CU_ASSERT_EQUAL(store_value(s, 1, TRACE_SOFTIRQS_NET_RX), TRACE_NIL);
	CU_ASSERT(store_is_first(s, 1, TRACE_SOFTIRQS_NET_RX));
	CU_ASSERT_FALSE(store_is_first(s, 0, TRACE_SOFTIRQS_NET_RX));
	CU_ASSERT_FALSE(store_is_first(s, 1, TRACE_SOFTIRQS_HI));
	CU_ASSERT_EQUAL(store_value(s, 0, TRACE_SOFTIRQS_HI), TRACE_NIL);
	CU_ASSERT_EQUAL(store_fell(s), 0);
	model_free(m);
}

/* Tests that a counter that decreases adds nothing, and that this is reported. */
static void test_reset(void)
{
	static const uint64_t values[] = { 10, 30, 4, 9 };
	struct maker k = maker_new();
	const struct store *s;
	struct model *m;

	trace_writer_begin(k.w, TRACE_COUNTER_NAMES);
	trace_writer_uint(k.w, TRACE_COUNTER_NAMES_FIRST, 1);
	trace_writer_strs(k.w, TRACE_COUNTER_NAMES_NAME, S("a"));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	for (size_t i = 0; i < 4; i++) {
		maker_tick(&k, 1000 * (i + 1), U(0));
		protocols(&k, values[i]);
	}
	m = ask(&k);
	s = model_answer(m, TRACE_COUNTERS);
	CU_ASSERT_EQUAL(store_value(s, 0, TRACE_COUNTERS_VALUE), 25);
	CU_ASSERT_EQUAL(store_dim(s, 0, STORE_EACH), 1);
	CU_ASSERT_EQUAL(store_fell(s), 1);
	model_free(m);
}

/* Tests that an exact time that was nil at a tick stays unknown. */
static void test_exact(void)
{
	static const uint64_t values[] = { 10, 30, TRACE_NIL, 50 };
	struct maker k = maker_new();
	const struct store *s;
	struct model *m;

	for (size_t i = 0; i < 4; i++) {
		maker_tick(&k, 1000 * (i + 1), U(0, 3));
		trace_writer_begin(k.w, TRACE_EXACT);
		trace_writer_uint(k.w, TRACE_EXACT_EVENT, NETCOST_EV_SOCK_SEND);
		trace_writer_uints(k.w, TRACE_EXACT_NS, U(values[i], 10 * i));
		CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	}
	m = ask(&k);
	s = model_answer(m, TRACE_EXACT);
	CU_ASSERT_EQUAL_FATAL(store_rows(s), 2);
	CU_ASSERT_EQUAL(store_dim(s, 0, TRACE_EXACT_EVENT), NETCOST_EV_SOCK_SEND);
	CU_ASSERT_EQUAL(store_value(s, 0, TRACE_EXACT_NS), TRACE_NIL);
	CU_ASSERT_FALSE(store_is_first(s, 0, TRACE_EXACT_NS));
	CU_ASSERT_EQUAL(store_value(s, 1, TRACE_EXACT_NS), 30);
	model_free(m);
}

/* Tests a drop reason that appears late: it had dropped no packets before. */
static void test_late(void)
{
	struct maker k = maker_new();
	const struct store *s;
	struct model *m;

	drop_names(&k, 1, "a");
	maker_tick(&k, 1000, U(0));
	trace_writer_begin(k.w, TRACE_DROPS);
	trace_writer_uints(k.w, TRACE_DROPS_PACKETS, U(7));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	drop_names(&k, 2, "b");
	maker_tick(&k, 2000, U(0));
	trace_writer_begin(k.w, TRACE_DROPS);
	trace_writer_uints(k.w, TRACE_DROPS_PACKETS, U(8, 6));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	m = ask(&k);
	s = model_answer(m, TRACE_DROPS);
	CU_ASSERT_EQUAL(store_value(s, 0, TRACE_DROPS_PACKETS), 1);
	CU_ASSERT_EQUAL(store_value(s, 1, TRACE_DROPS_PACKETS), 6);
	model_free(m);
}

/* Tests that the table of views agrees with the registry, and that a text column is first, as diff assumes. */
static void test_views(void)
{
	struct view_order order;
	struct view v;

	for (size_t i = 0; i < VIEW_USES_COUNT; i++) {
		CU_ASSERT_FATAL(view_usual(&v, &order, view_uses[i].type));
		CU_ASSERT_STRING_EQUAL(v.name, view_uses[i].name);
		CU_ASSERT_EQUAL(view_find(v.name), view_uses[i].type);
		CU_ASSERT(order.nby > 0 && !v.attribute[order.by[0]].number);
	}
}

static const struct unit_test tests[] = {
	{ "sums", test_sums },	     { "rest", test_rest },   { "many", test_many },
	{ "per-cpu", test_per_cpu }, { "reset", test_reset }, { "late", test_late },
	{ "exact", test_exact },     { "views", test_views },
};

int main(void)
{
	return unit_main("store", tests, sizeof(tests) / sizeof(tests[0]));
}
