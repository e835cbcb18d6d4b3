// SPDX-License-Identifier: BSD-2-Clause
/* Tests what a model reads from a trace and what it rejects: well-formed files that contradict themselves. */
#include <errno.h>
#include <math.h>

#include "model_maker.h"
#include "report/rules/rules.h"

/* ---- counters ---------------------------------------------------------------------------- */

static struct counter feed(const uint64_t *v, size_t n, uint64_t wrap)
{
	struct counter c = { 0 };

	for (size_t i = 0; i < n; i++)
		counter_add(&c, v[i], wrap);
	return c;
}

static void test_counter_needs_two_readings(void)
{
	struct counter c = feed(U(0), 0);

	CU_ASSERT(isnan(counter_moved(&c)));
	CU_ASSERT_EQUAL(counter_last(&c), 0);
	c = feed(U(TRACE_NIL, 5, TRACE_NIL), 0);
	CU_ASSERT(isnan(counter_moved(&c)));
	c = feed(U(5, TRACE_NIL, 5), 0);
	CU_ASSERT_EQUAL(counter_moved(&c), 0);
	c = feed(U(TRACE_NIL), 0);
	CU_ASSERT(isnan(counter_last(&c)));
}

static void test_counter_backwards_is_counted_not_wrapped(void)
{
	struct counter c = feed(U(100, 150, 40, 60), 0);

	CU_ASSERT_EQUAL(counter_moved(&c), 70);
	CU_ASSERT_EQUAL(c.backwards, 1);
}

static void test_counter_wraps(void)
{
	struct counter c = feed(U(990, 999, 4, 9), 999);

	CU_ASSERT_EQUAL(counter_moved(&c), 9 + 5 + 5);
	CU_ASSERT_EQUAL(c.wraps, 1);
	CU_ASSERT_EQUAL(c.backwards, 0);
	c = feed(U(UINT32_MAX, 0), UINT32_MAX);
	CU_ASSERT_EQUAL(counter_moved(&c), 1);
	/* a value above the stated wrap shows that the stated wrap is wrong */
	c = feed(U(2000, 4), 999);
	CU_ASSERT_EQUAL(c.backwards, 1);
}

static void test_counter_sum_saturates(void)
{
	struct counter c = feed(U(0, INT64_MAX, 0, INT64_MAX, 0, INT64_MAX), 0);

	CU_ASSERT_EQUAL(c.sum, UINT64_MAX);
}

/* ---- what is rejected -------------------------------------------------------------------- */

static void expect_refused(struct maker *k, const char *why)
{
	struct model *m = model_new(MODEL_TASKS | MODEL_CGROUPS, NULL);

	CU_ASSERT_EQUAL(maker_read(k, m), -EBADMSG);
	CU_ASSERT_PTR_NOT_NULL(strstr(m->err, why));
	if (!strstr(m->err, why))
		printf("'%s', not '%s'\n", m->err, why);
	model_free(m);
}

static void test_ids_are_dense(void)
{
	struct maker k = maker_new();

	maker_symbols(&k, 2, S("a"));
	expect_refused(&k, "symbol ids from 2 on, after 0");
	k = maker_new();
	maker_symbols(&k, 1, S("a", "b"));
	maker_symbols(&k, 2, S("c"));
	expect_refused(&k, "symbol ids from 2 on, after 2");
	k = maker_new();
	maker_stacks(&k, 0, U(1), U(0));
	expect_refused(&k, "stack ids from 0 on, after 0");
	k = maker_new();
	maker_stacks(&k, INT64_MAX, U(1), U(0));
	expect_refused(&k, "stack ids from 9223372036854775807");
}

static void test_callers_come_first(void)
{
	struct maker k = maker_new();

	maker_stacks(&k, 1, U(0), U(0));
	expect_refused(&k, "stack 1: no caller 0 ids before it");
	k = maker_new();
	maker_stacks(&k, 1, U(1, 3), U(0, 0));
	expect_refused(&k, "stack 2: no caller 3 ids before it");
	k = maker_new();
	maker_stacks(&k, 1, U(TRACE_NIL), U(0));
	expect_refused(&k, "stack 1: no caller");
}

/* Writes a trace that defines a cgroup with the id `first`, and a sample that names the id `cgroup`. */
static void cgroup_trace(struct maker *k, uint64_t first, uint64_t cgroup)
{
	*k = maker_new();
	trace_writer_begin(k->w, TRACE_CGROUPS);
	trace_writer_uint(k->w, TRACE_CGROUPS_FIRST, first);
	trace_writer_strs(k->w, TRACE_CGROUPS_PATH, S("/a"));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	trace_writer_begin(k->w, TRACE_SAMPLES);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, 1);
	trace_writer_ints(k->w, TRACE_SAMPLES_DT, I(0));
	trace_writer_uints(k->w, TRACE_SAMPLES_STACK, U(0));
	trace_writer_uints(k->w, TRACE_SAMPLES_TASK, U(0));
	trace_writer_uints(k->w, TRACE_SAMPLES_CGROUP, U(cgroup));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void test_cgroups(void)
{
	struct model *m = model_new(MODEL_CGROUPS, NULL);
	struct maker k;

	cgroup_trace(&k, 1, 1);
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL(m->ncgroups, 1);
	CU_ASSERT_STRING_EQUAL(model_cgroup(m, 1), "/a");
	CU_ASSERT_STRING_EQUAL(model_cgroup(m, 0), "");
	CU_ASSERT_STRING_EQUAL(model_cgroup(m, UINT64_MAX), "");
	model_free(m);
	m = model_new(0, NULL); /* cgroups are not requested */
	cgroup_trace(&k, 1, 1);
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	CU_ASSERT_STRING_EQUAL(model_cgroup(m, 1), "");
	model_free(m);
	cgroup_trace(&k, 1, 2);
	expect_refused(&k, "undefined cgroup");
	cgroup_trace(&k, 2, 0);
	expect_refused(&k, "cgroup ids from 2 on, after 0");
}

static void test_symbols_are_defined_first(void)
{
	struct maker k = maker_new();

	maker_stacks(&k, 1, U(1), U(1));
	expect_refused(&k, "stack 1: symbol 1 is not defined");
}

static void test_stacks_have_a_limit(void)
{
	struct maker k = maker_new();

	for (uint64_t i = 0; i <= TRACE_MAX_STACK; i++)
		maker_stacks(&k, i + 1, U(1), U(0));
	expect_refused(&k, "stack 128 is deeper than 127");
}

static void test_samples_refer_to_defined_stacks(void)
{
	struct maker k = maker_new();

	maker_samples(&k, 1, U(0, 1));
	expect_refused(&k, "a sample of CPU 1 has an undefined stack");
	k = maker_new();
	maker_samples(&k, 1, U(TRACE_NIL));
	expect_refused(&k, "undefined stack");
}

static void test_cpu_numbers_have_a_limit(void)
{
	struct maker k = maker_new();

	maker_samples(&k, TRACE_MAX_CPU, U(0));
	expect_refused(&k, "CPU number 8192");
	k = maker_new();
	maker_tick(&k, 1, U(0, TRACE_NIL));
	expect_refused(&k, "CPU number");
	k = maker_new();
	maker_tick(&k, 1, U(3, 3));
	expect_refused(&k, "names CPU 3 twice");
}

static void test_columns_are_equally_long(void)
{
	struct maker k = maker_new();

	maker_stacks(&k, 1, U(1, 1), U(0));
	expect_refused(&k, "columns of STACKS have 2 and 1 elements");
	k = maker_new();
	maker_tick(&k, 1, U(0, 1));
	maker_column(&k, TRACE_PROCSTAT, TRACE_PROCSTAT_USER, U(1, 2, 3));
	expect_refused(&k, "procstat.user has 3 elements, but the TICK before it has 2 CPUs");
	k = maker_new();
	maker_column(&k, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, U(1));
	expect_refused(&k, "softnet.processed has 1 elements, but the TICK before it has 0 CPUs");
	k = maker_new();
	maker_column(&k, TRACE_NETDEV_STATS, TRACE_NETDEV_STATS_ID, U(1));
	expect_refused(&k, "undefined interface");
	k = maker_new();
	maker_column(&k, TRACE_ENERGY, TRACE_ENERGY_RAW, U(1));
	expect_refused(&k, "ENERGY has");
	k = maker_new();
	maker_column(&k, TRACE_PROGRAM_STATS, TRACE_PROGRAM_STATS_MISSED, U(1));
	expect_refused(&k, "PROGRAM_STATS has 1 counters, but there are 0 programs");
}

/* ---- what is accepted -------------------------------------------------------------------- */

static void test_ticks_follow_their_cpus(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_CPU_STACKS, NULL);

	/* CPU 7 appears late, CPU 1 disappears, and the order changes. */
	maker_tick(&k, 10, U(0, 1));
	maker_column(&k, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, U(100, 200));
	maker_tick(&k, 20, U(7, 0));
	maker_column(&k, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, U(1000, 130));
	maker_tick(&k, 30, U(0, 7));
	maker_column(&k, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, U(UINT32_MAX, 1001));
	maker_tick(&k, 40, U(0));
	maker_column(&k, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, U(9));
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL(counter_moved(&m->cpu[0]->processed), UINT32_MAX - 100. + 10);
	CU_ASSERT(isnan(counter_moved(&m->cpu[1]->processed)));
	CU_ASSERT_EQUAL(counter_moved(&m->cpu[7]->processed), 1);
	CU_ASSERT_EQUAL(m->cpu_end, 8);
	CU_ASSERT_EQUAL(m->ticks, 4);
	model_free(m);
}

/* Returns the number of a leaf's samples on CPU 0. */
static uint64_t leaf_samples(const struct model *m, enum leaf leaf)
{
	uint64_t samples[LEAF_COUNT];

	model_leaves(m, m->cpu[0], samples);
	return samples[leaf];
}

static void test_samples_are_counted_by_stack(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_CPU_STACKS, NULL);
	uint64_t sum = 0;

	maker_symbols(&k, 1, S("a"));
	maker_stacks(&k, 1, U(1, 1), U(1, 1));
	maker_samples(&k, 0, U(2, 0, 2, 1, 2));
	maker_samples(&k, 0, U(2));
	maker_samples(&k, 5, U(1));
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	CU_ASSERT_FALSE(m->status.ended);
	CU_ASSERT_EQUAL(m->samples, 7);
	CU_ASSERT_EQUAL(m->cpu[0]->samples, 6);
	CU_ASSERT(m->count[0] == 1 && m->count[1] == 2 && m->count[2] == 4);
	CU_ASSERT_EQUAL(leaf_samples(m, LEAF_USER), 1);
	CU_ASSERT_EQUAL(leaf_samples(m, LEAF_OTHER_KERNEL), 5);
	CU_ASSERT_EQUAL(m->cpu[0]->stacks.n, 3);
	for (size_t i = 0; i < countmap_places(&m->cpu[0]->stacks); i++) {
		const struct countmap_entry *e = &m->cpu[0]->stacks.entry[i];

		sum += e->count * (1 + 10 * e->id);
	}
	CU_ASSERT_EQUAL(sum, 1 * 1 + 1 * 11 + 4 * 21);
	model_free(m);
}

static void test_stacks_are_classified(void)
{
	struct rules *rules = rules_load(NULL);
	struct classifier *c = classifier_new(rules);
	struct model *m = model_new(0, c);
	struct maker k = maker_new();

	maker_symbols(&k, 1, S("__sys_sendto", "net_rx_action", "anything"));
	maker_stacks(&k, 1, U(1, 1, 1, 4), U(3, 1, 2, 3));
	maker_samples(&k, 0, U(0, 1, 2, 3, 3, 4));
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL(leaf_samples(m, LEAF_USER), 1);
	CU_ASSERT_EQUAL(leaf_samples(m, LEAF_OTHER_KERNEL), 2);
	CU_ASSERT_EQUAL(leaf_samples(m, LEAF_SOCK_SEND), 1);
	CU_ASSERT_EQUAL(leaf_samples(m, LEAF_RX_SOFTIRQ), 2);
	CU_ASSERT_EQUAL(m->cpu[0]->stacks.n, 0);
	model_free(m);
	classifier_free(c);
	rules_free(rules);
}

static void test_steps_backwards_are_told(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_CPU_STACKS, NULL);

	maker_tick(&k, 10, U(0));
	maker_column(&k, TRACE_PROCSTAT, TRACE_PROCSTAT_IOWAIT, U(9));
	maker_column(&k, TRACE_PROCSTAT, TRACE_PROCSTAT_IOWAIT, U(8));
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL(m->backwards, 1);
	CU_ASSERT_STRING_EQUAL(m->backwards_key->name, "iowait");
	model_free(m);
}

/*
 * Checks that a count that became unknown stays unknown, even if later readings are known. A count that is unknown only
 * at first may become known.
 */
static void test_counts_that_become_unknown(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_CPU_STACKS, NULL);

	for (uint64_t i = 0; i < 3; i++) {
		maker_tick(&k, 100 + i, U(0, 1));
		trace_writer_begin(k.w, TRACE_EXACT);
		trace_writer_uint(k.w, TRACE_EXACT_EVENT, NETCOST_EV_SOCK_SEND);
		trace_writer_uints(k.w, TRACE_EXACT_BYTES,
				   U(i == 1 ? TRACE_NIL : 10 * i, i ? 10 * i : TRACE_NIL));
		CU_ASSERT_EQUAL(trace_writer_end(k.w), 0);
	}
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT(m->cpu[0]->bytes[NETCOST_EV_SOCK_SEND].unknown);
	CU_ASSERT(!m->cpu[1]->bytes[NETCOST_EV_SOCK_SEND].unknown);
	CU_ASSERT_EQUAL(counter_moved(&m->cpu[1]->bytes[NETCOST_EV_SOCK_SEND]), 10);
	model_free(m);
}

static void test_last_word_on_a_source_counts(void)
{
	static const char *const states[] = { "measured", "stuck" };
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_CPU_STACKS, NULL);

	for (int i = 0; i < 2; i++) {
		trace_writer_begin(k.w, TRACE_SOURCE);
		trace_writer_str(k.w, TRACE_SOURCE_NAME, "energy");
		trace_writer_str(k.w, TRACE_SOURCE_STATE, states[i]);
		trace_writer_end(k.w);
	}
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL_FATAL(m->nsources, 1);
	CU_ASSERT_STRING_EQUAL(model_string(m, m->source[0].state), "stuck");
	model_free(m);
}

static void test_totals_are_checked(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_CPU_STACKS, NULL);
	struct trace_totals t = { .samples = 3, .at_ns = 7, .why = "test" };

	maker_samples(&k, 0, U(0));
	CU_ASSERT_EQUAL(trace_writer_finish(k.w, &t), 0);
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	CU_ASSERT(m->status.ended);
	CU_ASSERT_PTR_NOT_NULL(strstr(m->note, "3 samples, but it has 1"));
	model_free(m);
}

static void test_countmap_grows(void)
{
	struct countmap map = { 0 };
	uint64_t sum = 0;

	for (uint32_t i = 0; i < 10000; i++)
		CU_ASSERT(countmap_add(&map, i * 4096, 1));
	for (uint32_t i = 0; i < 10000; i++)
		CU_ASSERT(countmap_add(&map, i * 4096, i));
	CU_ASSERT_EQUAL(map.n, 10000);
	for (size_t i = 0; i < countmap_places(&map); i++)
		if (map.entry[i].count) {
			CU_ASSERT_EQUAL(map.entry[i].count, map.entry[i].id / 4096 + 1);
			sum++;
		}
	CU_ASSERT_EQUAL(sum, 10000);
	countmap_add(&map, 0, UINT64_MAX);
	countmap_free(&map);
	CU_ASSERT_EQUAL(countmap_places(&map), 0);
}

static void put_outside(struct maker *k, uint64_t process, const char *name, uint64_t sends)
{
	trace_writer_begin(k->w, TRACE_OUTSIDE);
	trace_writer_uints(k->w, TRACE_OUTSIDE_PROCESS, U(process));
	trace_writer_strs(k->w, TRACE_OUTSIDE_NAME, S(name));
	trace_writer_uints(k->w, TRACE_OUTSIDE_FAMILY, U(2));
	trace_writer_uints(k->w, TRACE_OUTSIDE_SENDS, U(sends));
	trace_writer_uints(k->w, TRACE_OUTSIDE_RECVS, U(1));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/*
 * Checks that values with the same key are summed, that the number of keys is limited, and that all other keys share
 * one row.
 */
static void test_messages_outside(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);
	const struct store *s;

	put_outside(&k, 7, "a", 5);
	put_outside(&k, 7, "b", TRACE_NIL);
	for (unsigned int i = 0; i < 2 * MODEL_OUTSIDE; i++)
		put_outside(&k, 100 + i, "a", 1);
	put_outside(&k, 7, "a", 6);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	s = m->store[MODEL_STORE_OUTSIDE];
	CU_ASSERT_EQUAL_FATAL(store_rows(s), MODEL_OUTSIDE + 1);
	CU_ASSERT_EQUAL(store_value(s, 0, TRACE_OUTSIDE_SENDS), 11);
	CU_ASSERT_EQUAL(store_value(s, 0, TRACE_OUTSIDE_RECVS), 2);
	CU_ASSERT_EQUAL(store_value(s, 1, TRACE_OUTSIDE_SENDS), TRACE_NIL);
	CU_ASSERT_STRING_EQUAL(store_text(s, 1, TRACE_OUTSIDE_NAME), "b");
	CU_ASSERT_EQUAL(store_dim(s, 2, TRACE_OUTSIDE_PROCESS), 100);
	CU_ASSERT_EQUAL(store_dim(s, MODEL_OUTSIDE, TRACE_OUTSIDE_FAMILY), TRACE_NIL);
	CU_ASSERT_EQUAL(store_value(s, MODEL_OUTSIDE, TRACE_OUTSIDE_SENDS), MODEL_OUTSIDE + 2);
	model_free(m);
}

static void test_messages_outside_of_other_lengths(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);

	trace_writer_begin(k.w, TRACE_OUTSIDE);
	trace_writer_uints(k.w, TRACE_OUTSIDE_PROCESS, U(1, 2));
	trace_writer_strs(k.w, TRACE_OUTSIDE_NAME, S("a"));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	CU_ASSERT_EQUAL(maker_read(&k, m), -EBADMSG);
	model_free(m);
}

static const struct unit_test tests[] = {
	{ "counter_needs_two_readings", test_counter_needs_two_readings },
	{ "counter_backwards_is_counted_not_wrapped",
	  test_counter_backwards_is_counted_not_wrapped },
	{ "counter_wraps", test_counter_wraps },
	{ "counter_sum_saturates", test_counter_sum_saturates },
	{ "ids_are_dense", test_ids_are_dense },
	{ "callers_come_first", test_callers_come_first },
	{ "cgroups", test_cgroups },
	{ "symbols_are_defined_first", test_symbols_are_defined_first },
	{ "stacks_have_a_limit", test_stacks_have_a_limit },
	{ "samples_refer_to_defined_stacks", test_samples_refer_to_defined_stacks },
	{ "cpu_numbers_have_a_limit", test_cpu_numbers_have_a_limit },
	{ "columns_are_equally_long", test_columns_are_equally_long },
	{ "ticks_follow_their_cpus", test_ticks_follow_their_cpus },
	{ "samples_are_counted_by_stack", test_samples_are_counted_by_stack },
	{ "stacks_are_classified", test_stacks_are_classified },
	{ "steps_backwards_are_told", test_steps_backwards_are_told },
	{ "counts_that_become_unknown", test_counts_that_become_unknown },
	{ "last_word_on_a_source_counts", test_last_word_on_a_source_counts },
	{ "totals_are_checked", test_totals_are_checked },
	{ "countmap_grows", test_countmap_grows },
	{ "messages_outside", test_messages_outside },
	{ "messages_outside_of_other_lengths", test_messages_outside_of_other_lengths },
};

int main(void)
{
	return unit_main("model", tests, sizeof(tests) / sizeof(tests[0]));
}
