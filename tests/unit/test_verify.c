// SPDX-License-Identifier: BSD-2-Clause
/* Tests the rules of SPEC.md for definitions, samples and times: each rule is broken once, and verify must name it. */
#include "rules_util.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char *const names[] = { "a", "b", "c", "d" };

static void samples(struct maker *k, uint64_t cpu, uint64_t base, uint64_t stack, uint64_t task)
{
	trace_writer_begin(k->w, TRACE_SAMPLES);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, cpu);
	trace_writer_uint(k->w, TRACE_SAMPLES_BASE_NS, base);
	trace_writer_uint(k->w, TRACE_SAMPLES_UNIT_NS, 10);
	trace_writer_uint(k->w, TRACE_SAMPLES_STEP, 0);
	trace_writer_ints(k->w, TRACE_SAMPLES_DT, I(0));
	trace_writer_uints(k->w, TRACE_SAMPLES_STACK, U(stack));
	trace_writer_uints(k->w, TRACE_SAMPLES_TASK, U(task));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

/* ---- functions, each of which writes what its row in the table names ------------------------  */

static void nothing(struct maker *k)
{
	rule_tick(k, 150);
}

static void id_gap(struct maker *k)
{
	maker_symbols(k, 1, names, 2);
	maker_symbols(k, 4, names, 1);
}

static void id_again(struct maker *k)
{
	maker_symbols(k, 1, names, 2);
	maker_symbols(k, 2, names, 1);
}

static void no_first(struct maker *k)
{
	trace_writer_begin(k->w, TRACE_NETDEV);
	trace_writer_str(k->w, TRACE_NETDEV_NAME, "eth0");
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void too_many_ids(struct maker *k)
{
	rule_one(k, TRACE_MODULE, TRACE_MODULE_ID, UINT64_C(1) << 62);
}

static void stack_up_zero(struct maker *k)
{
	maker_symbols(k, 1, names, 2);
	maker_stacks(k, 1, U(1, 0), U(1, 2));
}

static void stack_up_beyond(struct maker *k)
{
	maker_stacks(k, 1, U(2), U(0));
}

static void stack_symbol(struct maker *k)
{
	maker_symbols(k, 1, names, 2);
	maker_stacks(k, 1, U(1), U(3));
}

static void stack_columns(struct maker *k)
{
	maker_stacks(k, 1, U(1, 1), U(0));
}

static void stack_too_deep(struct maker *k)
{
	uint64_t up[128], symbol[128] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(up); i++)
		up[i] = 1;
	maker_stacks(k, 1, up, ARRAY_SIZE(up), symbol, ARRAY_SIZE(symbol));
}

static void sample_stack(struct maker *k)
{
	rule_tick(k, 150);
	samples(k, 0, 150, 1, 0);
}

/* Defines one cgroup, and writes one sample with a column of n cgroups. */
static void cgroup_samples(struct maker *k, const uint64_t *cgroup, size_t n)
{
	rule_tick(k, 150);
	trace_writer_begin(k->w, TRACE_CGROUPS);
	trace_writer_uint(k->w, TRACE_CGROUPS_FIRST, 1);
	trace_writer_strs(k->w, TRACE_CGROUPS_PATH, names, 1);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	trace_writer_begin(k->w, TRACE_SAMPLES);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, 0);
	trace_writer_uint(k->w, TRACE_SAMPLES_BASE_NS, 150);
	trace_writer_uint(k->w, TRACE_SAMPLES_UNIT_NS, 10);
	trace_writer_uint(k->w, TRACE_SAMPLES_STEP, 0);
	trace_writer_ints(k->w, TRACE_SAMPLES_DT, I(0));
	trace_writer_uints(k->w, TRACE_SAMPLES_STACK, U(0));
	trace_writer_uints(k->w, TRACE_SAMPLES_TASK, U(0));
	trace_writer_uints(k->w, TRACE_SAMPLES_CGROUP, cgroup, n);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void sample_cgroup(struct maker *k)
{
	cgroup_samples(k, U(2));
}

static void sample_cgroups(struct maker *k)
{
	cgroup_samples(k, U(1, 0));
}

static void no_path(struct maker *k)
{
	rule_one(k, TRACE_CGROUPS, TRACE_CGROUPS_FIRST, 1);
}

static void sample_task(struct maker *k)
{
	rule_tick(k, 150);
	samples(k, 0, 150, 0, 1);
}

static void sample_nil(struct maker *k)
{
	rule_tick(k, 150);
	samples(k, 0, 150, TRACE_NIL, 0);
}

static void sample_cpu(struct maker *k)
{
	rule_tick(k, 150);
	samples(k, 8192, 150, 0, 0);
}

static void sample_rounded(struct maker *k)
{
	rule_tick(k, 150);
	samples(k, 0, 91, 0, 0);
}

static void sample_early(struct maker *k)
{
	rule_tick(k, 150);
	samples(k, 0, 90, 0, 0);
}

static void sample_late(struct maker *k)
{
	rule_tick(k, 150);
	samples(k, 0, 201, 0, 0);
}

static void mark_late(struct maker *k)
{
	rule_tick(k, 150);
	rule_one(k, TRACE_MARK, TRACE_MARK_AT_NS, 201);
}

static void clock_early(struct maker *k)
{
	rule_tick(k, 150);
	rule_one(k, TRACE_CLOCK, TRACE_CLOCK_MONO_NS, 99);
}

static void wrong_total(struct maker *k)
{
	rule_tick(k, 150);
	samples(k, 0, 150, 0, 0);
	samples(k, 0, 150, 0, 0);
}

static const struct rule rules[] = {
	{ "nothing wrong", nothing, NULL, 0 },
	{ "gap in ids", id_gap, "symbol 4 is defined after 2", 0 },
	{ "id defined again", id_again, "symbol 2 is defined after 2", 0 },
	{ "definition without id", no_first, "netdev.id is missing", 0 },
	{ "huge id", too_many_ids, "module", 0 },
	{ "up 0", stack_up_zero, "stack 2 has no caller", 0 },
	{ "up beyond", stack_up_beyond, "stack 1 has no caller", 0 },
	{ "stack of an undefined symbol", stack_symbol, "symbol 3 is not defined", 0 },
	{ "columns of a stack", stack_columns, "stacks.symbol has 1 elements", 0 },
	{ "deep stack", stack_too_deep, "stack 128 is deeper", 0 },
	{ "sample's stack", sample_stack, "stack 1 is not defined", 0 },
	{ "sample's task", sample_task, "task 1 is not defined", 0 },
	{ "sample's cgroup", sample_cgroup, "cgroup 2 is not defined", 0 },
	{ "cgroups of a sample", sample_cgroups, "samples.cgroup has 2 elements", 0 },
	{ "cgroup without a path", no_path, "cgroups.path is missing", 0 },
	{ "sample's stack nil", sample_nil, "nil is not a valid stack id", 0 },
	{ "sample's CPU", sample_cpu, "samples.cpu", 0 },
	{ "time rounded down", sample_rounded, NULL, 0 },
	{ "sample too early", sample_early, "a sample at 90", 0 },
	{ "sample too late", sample_late, "a sample at 201", 0 },
	{ "mark too late", mark_late, "mark.at_ns", 0 },
	{ "clock too early", clock_early, "clock.mono_ns", 0 },
};

static void test_rules(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		rule_check(&rules[i], NULL);
}

static void test_totals(void)
{
	static const struct rule rule = { "wrong total", wrong_total,
					  "end.samples is 1, but there are 2", 0 };

	rule_check(&rule, &(struct trace_totals){ .samples = 1, .why = "" });
}

static const struct unit_test tests[] = {
	{ "rules", test_rules },
	{ "totals", test_totals },
};

int main(void)
{
	return unit_main("verify", tests, ARRAY_SIZE(tests));
}
