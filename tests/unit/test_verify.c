// SPDX-License-Identifier: BSD-2-Clause
/* What SPEC.md demands of records: each rule broken once, and named. */
#include "unit.h"

#include <errno.h>

#include "model_maker.h"
#include "report/spec/check.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char *const names[] = { "a", "b", "c", "d" };

static void tick(struct maker *k, uint64_t at)
{
	trace_writer_time(k->w, 100);
	trace_writer_time(k->w, 200);
	trace_writer_begin(k->w, TRACE_TICK, 2);
	trace_writer_uint(k->w, TRACE_TICK_AT_NS, at);
	trace_writer_uints(k->w, TRACE_TICK_CPU, U(0, 5));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void one(struct maker *k, enum trace_type type, unsigned int key, uint64_t v)
{
	trace_writer_begin(k->w, type, 1);
	trace_writer_uint(k->w, key, v);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void two_from(struct maker *k, enum trace_type type, unsigned int key, const uint64_t *a,
		     size_t na, const uint64_t *b, size_t nb)
{
	trace_writer_begin(k->w, type, 2);
	trace_writer_uints(k->w, key, a, na);
	trace_writer_uints(k->w, key + 1, b, nb);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void two(struct maker *k, enum trace_type type, const uint64_t *a, size_t na,
		const uint64_t *b, size_t nb)
{
	two_from(k, type, 1, a, na, b, nb);
}

static void samples(struct maker *k, uint64_t cpu, uint64_t base, uint64_t stack, uint64_t task)
{
	trace_writer_begin(k->w, TRACE_SAMPLES, 7);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, cpu);
	trace_writer_uint(k->w, TRACE_SAMPLES_BASE_NS, base);
	trace_writer_uint(k->w, TRACE_SAMPLES_UNIT_NS, 10);
	trace_writer_uint(k->w, TRACE_SAMPLES_STEP, 0);
	trace_writer_ints(k->w, TRACE_SAMPLES_DT, I(0));
	trace_writer_uints(k->w, TRACE_SAMPLES_STACK, U(stack));
	trace_writer_uints(k->w, TRACE_SAMPLES_TASK, U(task));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void energy_zone(struct maker *k, uint64_t id, uint64_t parent, uint64_t wrap)
{
	trace_writer_begin(k->w, TRACE_ENERGY_ZONE, 3);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_ID, id);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_PARENT, parent);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_WRAP, wrap);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

/* ---- each writes what is named beside it below -------------------------------------------- */

static void nothing(struct maker *k)
{
	tick(k, 150);
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
	trace_writer_begin(k->w, TRACE_NETDEV, 1);
	trace_writer_str(k->w, TRACE_NETDEV_NAME, "eth0");
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void too_many_ids(struct maker *k)
{
	one(k, TRACE_MODULE, TRACE_MODULE_ID, UINT64_C(1) << 62);
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
	tick(k, 150);
	samples(k, 0, 150, 1, 0);
}

/* One cgroup is defined; n elements beside one sample. */
static void cgroup_samples(struct maker *k, const uint64_t *cgroup, size_t n)
{
	tick(k, 150);
	trace_writer_begin(k->w, TRACE_CGROUPS, 2);
	trace_writer_uint(k->w, TRACE_CGROUPS_FIRST, 1);
	trace_writer_strs(k->w, TRACE_CGROUPS_PATH, names, 1);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	trace_writer_begin(k->w, TRACE_SAMPLES, 8);
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
	one(k, TRACE_CGROUPS, TRACE_CGROUPS_FIRST, 1);
}

static void sample_task(struct maker *k)
{
	tick(k, 150);
	samples(k, 0, 150, 0, 1);
}

static void sample_nil(struct maker *k)
{
	tick(k, 150);
	samples(k, 0, 150, TRACE_NIL, 0);
}

static void sample_cpu(struct maker *k)
{
	tick(k, 150);
	samples(k, 8192, 150, 0, 0);
}

static void sample_rounded(struct maker *k)
{
	tick(k, 150);
	samples(k, 0, 91, 0, 0);
}

static void sample_early(struct maker *k)
{
	tick(k, 150);
	samples(k, 0, 90, 0, 0);
}

static void sample_late(struct maker *k)
{
	tick(k, 150);
	samples(k, 0, 201, 0, 0);
}

static void tick_early(struct maker *k)
{
	tick(k, 99);
}

static void mark_late(struct maker *k)
{
	tick(k, 150);
	one(k, TRACE_MARK, TRACE_MARK_AT_NS, 201);
}

static void clock_early(struct maker *k)
{
	tick(k, 150);
	one(k, TRACE_CLOCK, TRACE_CLOCK_MONO_NS, 99);
}

static void tick_without_cpus(struct maker *k)
{
	one(k, TRACE_TICK, TRACE_TICK_AT_NS, 0);
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
	tick(k, 150);
	CU_ASSERT_EQUAL(trace_writer_flush(k->w), 0);
	no_tick(k);
}

static void per_cpu_length(struct maker *k)
{
	tick(k, 150);
	maker_column(k, TRACE_PROCSTAT, TRACE_PROCSTAT_USER, U(1));
}

static void own_falls(struct maker *k)
{
	for (uint64_t v = 2; v; v--) {
		tick(k, 150);
		maker_column(k, TRACE_SAMPLE_LOSS, TRACE_SAMPLE_LOSS_WRITTEN, U(7, v));
	}
}

static void own_scalar_falls(struct maker *k)
{
	for (uint64_t v = 2; v; v--) {
		tick(k, 150);
		one(k, TRACE_SELF, TRACE_SELF_USER_US, v);
	}
}

static void exact_falls(struct maker *k)
{
	static const uint64_t event[] = { 1, 2, 1 };

	for (uint64_t i = 0; i < 3; i++) {
		tick(k, 150);
		trace_writer_begin(k->w, TRACE_EXACT, 2);
		trace_writer_uint(k->w, TRACE_EXACT_EVENT, event[i]);
		trace_writer_uints(k->w, TRACE_EXACT_NS, U(9 - i, TRACE_NIL));
		CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	}
}

static void host_falls(struct maker *k)
{
	for (uint64_t v = 2; v; v--) {
		tick(k, 150);
		maker_column(k, TRACE_PROCSTAT, TRACE_PROCSTAT_IOWAIT, U(7, v));
		maker_column(k, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, U(v, 7));
	}
}

static void softnet_wide(struct maker *k)
{
	tick(k, 150);
	maker_column(k, TRACE_SOFTNET, TRACE_SOFTNET_DROPPED, U(1, UINT64_C(1) << 32));
}

static void interface_undefined(struct maker *k)
{
	tick(k, 150);
	two(k, TRACE_NETDEV_STATS, U(1), U(5));
}

static void interface_twice(struct maker *k)
{
	one(k, TRACE_NETDEV, TRACE_NETDEV_ID, 1);
	tick(k, 150);
	two(k, TRACE_NETDEV_STATS, U(1, 1), U(5, 5));
}

static void interface_columns(struct maker *k)
{
	one(k, TRACE_NETDEV, TRACE_NETDEV_ID, 1);
	tick(k, 150);
	two(k, TRACE_NETDEV_STATS, U(1), U(5, 5));
}

static void zone_parent(struct maker *k)
{
	energy_zone(k, 1, 1, 0);
}

static void energy_too_long(struct maker *k)
{
	energy_zone(k, 1, 0, 0);
	tick(k, 150);
	two(k, TRACE_ENERGY, U(150, 150), U(1, 1));
}

static void energy_beyond_wrap(struct maker *k)
{
	energy_zone(k, 1, 0, 1000);
	tick(k, 150);
	two(k, TRACE_ENERGY, U(150), U(1001));
}

static void energy_time(struct maker *k)
{
	energy_zone(k, 1, 0, 0);
	tick(k, 150);
	two(k, TRACE_ENERGY, U(99), U(1));
}

static void energy_wraps(struct maker *k)
{
	energy_zone(k, 1, 0, 1000);
	tick(k, 150);
	two(k, TRACE_ENERGY, U(150), U(1000));
	tick(k, 160);
	two(k, TRACE_ENERGY, U(160), U(0));
}

static void program_too_long(struct maker *k)
{
	one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 1);
	tick(k, 150);
	two_from(k, TRACE_PROGRAM_STATS, TRACE_PROGRAM_STATS_RECURSION, U(1, 1), U(1, 1));
}

static void program_columns(struct maker *k)
{
	one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 1);
	tick(k, 150);
	two_from(k, TRACE_PROGRAM_STATS, TRACE_PROGRAM_STATS_RECURSION, U(1), U(1, 1));
}

static void program_gap(struct maker *k)
{
	one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 2);
}

static void program_falls(struct maker *k)
{
	one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 1);
	one(k, TRACE_PROGRAM, TRACE_PROGRAM_ID, 2);
	for (uint64_t v = 2; v; v--) {
		tick(k, 150);
		two_from(k, TRACE_PROGRAM_STATS, TRACE_PROGRAM_STATS_RECURSION, U(7, v), U(0, 0));
	}
}

static void lost_falls(struct maker *k)
{
	for (uint64_t v = 2; v; v--) {
		trace_writer_lost(k->w, 1, v);
		tick(k, 150);
		CU_ASSERT_EQUAL(trace_writer_flush(k->w), 0);
	}
}

static void wrong_total(struct maker *k)
{
	tick(k, 150);
	samples(k, 0, 150, 0, 0);
	samples(k, 0, 150, 0, 0);
}

/* what: a part of what is said; NULL: nothing. odd: legal, but told. */
static const struct {
	const char *name;
	void (*make)(struct maker *k);
	const char *what;
	uint64_t odd;
} cases[] = {
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
	{ "sample's stack nil", sample_nil, "nil is no stack id", 0 },
	{ "sample's CPU", sample_cpu, "samples.cpu", 0 },
	{ "time rounded down", sample_rounded, NULL, 0 },
	{ "sample too early", sample_early, "a sample at 90", 0 },
	{ "sample too late", sample_late, "a sample at 201", 0 },
	{ "tick too early", tick_early, "tick.at_ns", 0 },
	{ "mark too late", mark_late, "mark.at_ns", 0 },
	{ "clock too early", clock_early, "clock.mono_ns", 0 },
	{ "tick without CPUs", tick_without_cpus, "tick.cpu is missing", 0 },
	{ "CPU twice", tick_cpu_twice, "comes twice", 0 },
	{ "no tick", no_tick, "without a TICK", 0 },
	{ "tick in the frame before", tick_in_another_frame, "without a TICK", 0 },
	{ "length of a per-CPU column", per_cpu_length, "1 elements, the TICK 2", 0 },
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
	{ "energy beyond its wrap", energy_beyond_wrap, "beyond its zone's wrap", 0 },
	{ "energy too early", energy_time, "energy.read_ns", 0 },
	{ "energy wraps", energy_wraps, NULL, 0 },
	{ "counters of more programs", program_too_long, "there are 1 programs", 0 },
	{ "columns of programs", program_columns, "program_stats.missed has 2", 0 },
	{ "gap in programs", program_gap, "program 2 is defined after 0", 0 },
	{ "program's counter falls", program_falls, "program_stats.recursion falls from 2 to 1",
	  0 },
	{ "losses fall", lost_falls, "frame.lost falls from 2 to 1", 0 },
	{ "wrong total", wrong_total, "end.samples is 1, but there are 2", 0 },
};

static int read_checked(struct maker *k, struct check *c)
{
	struct trace_reader *r;
	struct trace_record rec;
	int err;

	lseek(fileno(k->file), 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fileno(k->file)), 0);
	while ((err = trace_reader_next(r, &rec)) > 0) {
		err = check_record(c, &rec, trace_reader_status(r));
		if (err)
			break;
	}
	CU_ASSERT_NOT_EQUAL(trace_reader_status(r)->problem, TRACE_DAMAGED);
	trace_reader_free(r);
	return err;
}

static void test_rules(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct maker k = maker_new();
		struct check *c = check_new();
		struct trace_totals totals = { .samples = 1, .why = "" };
		bool right;
		uint64_t odd;
		int err;

		CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
		cases[i].make(&k);
		CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
		if (cases[i].make == wrong_total)
			CU_ASSERT_EQUAL(trace_writer_finish(k.w, &totals), 0);
		trace_writer_free(k.w);
		err = read_checked(&k, c);
		check_oddity(c, &odd);
		right = err == (cases[i].what ? -EBADMSG : 0) && odd == cases[i].odd &&
			(!cases[i].what || strstr(check_what(c), cases[i].what));
		CU_ASSERT(right);
		if (!right)
			printf("  case: %s: %d: %s\n", cases[i].name, err, check_what(c));
		check_free(c);
		fclose(k.file);
	}
}

static const struct unit_test tests[] = {
	{ "rules", test_rules },
};

int main(void)
{
	return unit_main("verify", tests, ARRAY_SIZE(tests));
}
