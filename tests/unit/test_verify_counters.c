// SPDX-License-Identifier: BSD-2-Clause
/* Tests the rules of SPEC.md for ticks and their counters: each rule is broken once, and verify must name it. */
#include "rules_util.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static void two_from(struct maker *k, enum trace_type type, unsigned int key, const uint64_t *a,
		     size_t na, const uint64_t *b, size_t nb)
{
	trace_writer_begin(k->w, type);
	trace_writer_uints(k->w, key, a, na);
	trace_writer_uints(k->w, key + 1, b, nb);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void two(struct maker *k, enum trace_type type, const uint64_t *a, size_t na,
		const uint64_t *b, size_t nb)
{
	two_from(k, type, 1, a, na, b, nb);
}

static void energy_zone(struct maker *k, uint64_t id, uint64_t parent, uint64_t wrap)
{
	trace_writer_begin(k->w, TRACE_ENERGY_ZONE);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_ID, id);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_PARENT, parent);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_WRAP, wrap);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

/* ---- functions, each of which writes what its row in the table names ------------------------  */

static void tick_early(struct maker *k)
{
	rule_tick(k, 99);
}

static void tick_without_cpus(struct maker *k)
{
	rule_one(k, TRACE_TICK, TRACE_TICK_AT_NS, 0);
}

static void tick_cpu_twice(struct maker *k)
{
	maker_column(k, TRACE_TICK, TRACE_TICK_CPU, U(1, 1));
}

static void no_tick(struct maker *k)
{
	maker_column(k, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, U(1, 1));
}

static void tick_in_another_frame(struct maker *k)
{
	rule_tick(k, 150);
	CU_ASSERT_EQUAL(trace_writer_flush(k->w), 0);
	no_tick(k);
}

static void per_cpu_length(struct maker *k)
{
	rule_tick(k, 150);
	maker_column(k, TRACE_PROCSTAT, TRACE_PROCSTAT_USER, U(1));
}

static void own_falls(struct maker *k)
{
	for (uint64_t v = 2; v; v--) {
		rule_tick(k, 150);
		maker_column(k, TRACE_SAMPLE_LOSS, TRACE_SAMPLE_LOSS_WRITTEN, U(7, v));
	}
}

static void own_scalar_falls(struct maker *k)
{
	for (uint64_t v = 2; v; v--) {
		rule_tick(k, 150);
		rule_one(k, TRACE_SELF, TRACE_SELF_USER_US, v);
	}
}

static void exact_falls(struct maker *k)
{
	static const uint64_t event[] = { 1, 2, 1 };

	for (uint64_t i = 0; i < 3; i++) {
		rule_tick(k, 150);
		trace_writer_begin(k->w, TRACE_EXACT);
		trace_writer_uint(k->w, TRACE_EXACT_EVENT, event[i]);
		trace_writer_uints(k->w, TRACE_EXACT_NS, U(9 - i, TRACE_NIL));
		CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	}
}

static void host_falls(struct maker *k)
{
	for (uint64_t v = 2; v; v--) {
		rule_tick(k, 150);
		maker_column(k, TRACE_PROCSTAT, TRACE_PROCSTAT_IOWAIT, U(7, v));
		maker_column(k, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, U(v, 7));
	}
}

static void softnet_wide(struct maker *k)
{
	rule_tick(k, 150);
	maker_column(k, TRACE_SOFTNET, TRACE_SOFTNET_DROPPED, U(1, UINT64_C(1) << 32));
}

static void interface_undefined(struct maker *k)
{
	rule_tick(k, 150);
	two(k, TRACE_NETDEV_STATS, U(1), U(5));
}

static void interface_twice(struct maker *k)
{
	rule_one(k, TRACE_NETDEV, TRACE_NETDEV_ID, 1);
	rule_tick(k, 150);
	two(k, TRACE_NETDEV_STATS, U(1, 1), U(5, 5));
}

static void interface_columns(struct maker *k)
{
	rule_one(k, TRACE_NETDEV, TRACE_NETDEV_ID, 1);
	rule_tick(k, 150);
	two(k, TRACE_NETDEV_STATS, U(1), U(5, 5));
}

static void zone_parent(struct maker *k)
{
	energy_zone(k, 1, 1, 0);
}

static void energy_too_long(struct maker *k)
{
	energy_zone(k, 1, 0, 0);
	rule_tick(k, 150);
	two(k, TRACE_ENERGY, U(150, 150), U(1, 1));
}

static void energy_beyond_wrap(struct maker *k)
{
	energy_zone(k, 1, 0, 1000);
	rule_tick(k, 150);
	two(k, TRACE_ENERGY, U(150), U(1001));
}

static void energy_time(struct maker *k)
{
	energy_zone(k, 1, 0, 0);
	rule_tick(k, 150);
	two(k, TRACE_ENERGY, U(99), U(1));
}

static void energy_wraps(struct maker *k)
{
	energy_zone(k, 1, 0, 1000);
	rule_tick(k, 150);
	two(k, TRACE_ENERGY, U(150), U(1000));
	rule_tick(k, 160);
	two(k, TRACE_ENERGY, U(160), U(0));
}

static void program_too_long(struct maker *k)
{
	rule_one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 1);
	rule_tick(k, 150);
	two_from(k, TRACE_PROGRAM_STATS, TRACE_PROGRAM_STATS_RECURSION, U(1, 1), U(1, 1));
}

static void program_columns(struct maker *k)
{
	rule_one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 1);
	rule_tick(k, 150);
	two_from(k, TRACE_PROGRAM_STATS, TRACE_PROGRAM_STATS_RECURSION, U(1), U(1, 1));
}

static void program_gap(struct maker *k)
{
	rule_one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 2);
}

static void program_falls(struct maker *k)
{
	rule_one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 1);
	rule_one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 2);
	for (uint64_t v = 2; v; v--) {
		rule_tick(k, 150);
		two_from(k, TRACE_PROGRAM_STATS, TRACE_PROGRAM_STATS_RECURSION, U(7, v), U(0, 0));
	}
}

static void lost_falls(struct maker *k)
{
	for (uint64_t v = 2; v; v--) {
		trace_writer_lost(k->w, 1, v);
		rule_tick(k, 150);
		CU_ASSERT_EQUAL(trace_writer_flush(k->w), 0);
	}
}

static const struct rule rules[] = {
	{ "tick too early", tick_early, "tick.at_ns", 0 },
	{ "tick without CPUs", tick_without_cpus, "tick.cpu is missing", 0 },
	{ "CPU twice", tick_cpu_twice, "comes twice", 0 },
	{ "no tick", no_tick, "without a TICK", 0 },
	{ "tick in the frame before", tick_in_another_frame, "without a TICK", 0 },
	{ "length of a per-CPU column", per_cpu_length, "1 elements, but the TICK has 2", 0 },
	{ "own counter falls", own_falls, "sample_loss.written falls from 2 to 1", 0 },
	{ "own sum falls", own_scalar_falls, "self.user_us falls from 2 to 1", 0 },
	{ "exact time falls", exact_falls, "exact.ns falls from 9 to 7", 0 },
	{ "kernel's counter falls", host_falls, NULL, 1 },
	{ "softnet beyond 32 bits", softnet_wide, "softnet.dropped", 0 },
	{ "undefined interface", interface_undefined, "interface 1 is not defined", 0 },
	{ "interface twice", interface_twice, "interface 1 comes twice", 0 },
	{ "columns of interfaces", interface_columns, "netdev_stats.rx_packets has 2", 0 },
	{ "zone's parent", zone_parent, "energy zone 1 is not defined", 0 },
	{ "energy of more zones", energy_too_long, "there are 1 energy zones", 0 },
	{ "energy beyond its wrap", energy_beyond_wrap, "above its zone's wrap value", 0 },
	{ "energy too early", energy_time, "energy.read_ns", 0 },
	{ "energy wraps", energy_wraps, NULL, 0 },
	{ "counters of more programs", program_too_long, "there are 1 programs", 0 },
	{ "columns of programs", program_columns, "program_stats.missed has 2", 0 },
	{ "gap in programs", program_gap, "program 2 is defined after 0", 0 },
	{ "program's counter falls", program_falls, "program_stats.recursion falls from 2 to 1",
	  0 },
	{ "losses fall", lost_falls, "frame.lost decreases from 2 to 1", 0 },
};

static void test_rules(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		rule_check(&rules[i], NULL);
}

static const struct unit_test tests[] = {
	{ "rules", test_rules },
};

int main(void)
{
	return unit_main("verify_counters", tests, ARRAY_SIZE(tests));
}
