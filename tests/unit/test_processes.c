// SPDX-License-Identifier: BSD-2-Clause
/* What was counted by process: how it is put together, dealt energy, and divided into pieces of time. */
#include <math.h>
#include <stdlib.h>

#include "model_maker.h"
#include "report/analysis/diff/diff_side.h"
#include "report/analysis/processes_energy.h"
#include "report/analysis/timeline_by.h"
#include "report/model/filter.h"
#include "report/rules/classify.h"
#include "report/rules/rules.h"
#include "report/tables/process_title.h"

#define SECOND 1000000000ull
#define MS 1000000ull

/* ---- a trace ----------------------------------------------------------------------------- */

static struct classifier *classifier;

static void processes(struct maker *k, uint64_t first, const uint64_t *pid, size_t n,
		      const char *const *name, const uint64_t *cgroup, const uint64_t *kernel)
{
	uint64_t start_ns[8];

	for (size_t i = 0; i < n; i++)
		start_ns[i] = 100 + pid[i];
	trace_writer_begin(k->w, TRACE_PROCESSES, 6);
	trace_writer_uint(k->w, TRACE_PROCESSES_FIRST, first);
	trace_writer_uints(k->w, TRACE_PROCESSES_PID, pid, n);
	trace_writer_strs(k->w, TRACE_PROCESSES_NAME, name, n);
	trace_writer_uints(k->w, TRACE_PROCESSES_START_NS, start_ns, n);
	trace_writer_uints(k->w, TRACE_PROCESSES_CGROUP, cgroup, n);
	trace_writer_uints(k->w, TRACE_PROCESSES_KERNEL, kernel, n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Times in ms. */
static void stats(struct maker *k, const uint64_t *process, size_t n, const uint64_t *task,
		  const uint64_t *send, const uint64_t *rx)
{
	uint64_t ns[3][8];

	for (size_t i = 0; i < n; i++) {
		ns[0][i] = task[i] * MS;
		ns[1][i] = send[i] * MS;
		ns[2][i] = rx[i] * MS;
	}
	trace_writer_begin(k->w, TRACE_PROCESS_STATS, 4);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_PROCESS, process, n);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_TASK_NS, ns[0], n);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_SOCK_SEND_NS, ns[1], n);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_RX_SOFTIRQ_NS, ns[2], n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void tick(struct maker *k, uint64_t at_ns)
{
	trace_writer_begin(k->w, TRACE_TICK, 3);
	trace_writer_uint(k->w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(k->w, TRACE_TICK_CPU, U(0, 1));
	trace_writer_uints(k->w, TRACE_TICK_EXACT_NS, U(at_ns, at_ns));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* ms of CPU 0, since the beginning; CPU 1 has only been idle. */
static void exact(struct maker *k, enum netcost_event event, uint64_t ms, uint64_t other_ms)
{
	trace_writer_begin(k->w, TRACE_EXACT, 2);
	trace_writer_uint(k->w, TRACE_EXACT_EVENT, event);
	trace_writer_uints(k->w, TRACE_EXACT_NS, U(ms * MS, other_ms * MS));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* uJ */
static void energy(struct maker *k, uint64_t at_ns, uint64_t raw)
{
	trace_writer_begin(k->w, TRACE_ENERGY, 2);
	trace_writer_uints(k->w, TRACE_ENERGY_READ_NS, &at_ns, 1);
	trace_writer_uints(k->w, TRACE_ENERGY_RAW, &raw, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/*
 * Ten seconds. In second i, in ms: web 20 + 10 i on CPUs and 5 i in sends, db 40, two workers of one name 3 and 4, the idle
 * task 7 of softirqs, and 1 of what was not kept apart. 30 W, and 20 W for a busy CPU.
 */
static void make(struct maker *k)
{
	uint64_t task = 0, send = 0, uj = 77;

	maker_cgroup(k, 1, "/");
	maker_cgroup(k, 2, "/system.slice/web.service");
	processes(k, 1, U(10, 11, 12, 13, 0),
		  (const char *const[]){ "web", "db", "worker", "worker", "idle" },
		  (const uint64_t[]){ 2, 1, 1, 2, 0 }, (const uint64_t[]){ 0, 0, 0, 0, 0 });
	trace_writer_begin(k->w, TRACE_ENERGY_ZONE, 5);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_ID, 1);
	trace_writer_str(k->w, TRACE_ENERGY_ZONE_NAME, "package-0");
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_PARENT, 0);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_UNIT_NJ, 1000);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_WRAP, 262143328850ull);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
	for (uint64_t i = 0; i <= 10; i++) {
		uint64_t busy = i ? 20 + 10 * i + 5 * i + 40 + 3 + 4 + 7 + 1 : 0;

		task += i ? 20 + 10 * i + 40 + 3 + 4 + 1 : 0;
		send += 5 * i;
		uj += i ? 30000000 + 20000 * busy : 0;
		tick(k, (i + 1) * SECOND);
		exact(k, NETCOST_EV_IDLE, 1000 * i - task - send - 7 * i, 1000 * i);
		exact(k, NETCOST_EV_TASK, task, 0);
		exact(k, NETCOST_EV_SOCK_SEND, send, 0);
		exact(k, NETCOST_EV_RX_SOFTIRQ, 7 * i, 0);
		energy(k, (i + 1) * SECOND, uj);
		if (i)
			stats(k, U(1, 2, 3, 4, 5, 0),
			      (const uint64_t[]){ 20 + 10 * i, 40, 3, 4, 0, 1 },
			      (const uint64_t[]){ 5 * i, 0, 0, 0, 0, 0 },
			      (const uint64_t[]){ 0, 0, 0, 0, 7, 0 });
	}
}

struct whole {
	FILE *file;
	struct model *m;
	struct intervals iv;
	struct process_times times;
};

static struct trace_reader *reader_on(FILE *f)
{
	struct trace_reader *r;

	lseek(fileno(f), 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fileno(f)), 0);
	return r;
}

static int see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

static void read_it(struct whole *w, uint64_t every_ns)
{
	struct maker k = maker_new();
	struct trace_reader *r;

	make(&k);
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k.w), 0);
	intervals_init(&w->iv, every_ns);
	process_times_init(&w->times);
	w->iv.second = &w->times.watch;
	w->iv.wants_stacks = true;
	r = reader_on(k.file);
	CU_ASSERT_FATAL(intervals_find(&w->iv, r));
	trace_reader_free(r);
	w->m = model_new(MODEL_PROCESSES | MODEL_CGROUPS | DIFF_SIDE_KEEP, classifier);
	model_set_see(w->m, see, &w->iv);
	r = reader_on(k.file);
	CU_ASSERT_EQUAL_FATAL(model_read(w->m, r), 0);
	trace_reader_free(r);
	trace_writer_free(k.w);
	fclose(k.file);
}

static void done(struct whole *w)
{
	model_free(w->m);
	intervals_free(&w->iv);
	process_times_free(&w->times);
}

static bool is(double v, double wanted)
{
	return fabs(v - wanted) < 1e-6 * fmax(1, fabs(wanted));
}

/* ---- rows -------------------------------------------------------------------------------- */

static void test_rows_by_name(void)
{
	struct processes p;
	struct whole w;

	read_it(&w, 0);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_NAME, PROCESSES_SORT_CPU, 9), 0);
	CU_ASSERT_EQUAL_FATAL(p.nrows, 5); /* web, db, worker, idle, the rest */
	CU_ASSERT_STRING_EQUAL(p.row[0].name, "web");
	CU_ASSERT(is(p.row[0].v.on_cpu_ns, (200 + 15 * 55) * 1e6));
	CU_ASSERT_STRING_EQUAL(p.row[2].name, "worker");
	CU_ASSERT_EQUAL(p.row[2].processes, 2);
	CU_ASSERT(is(p.row[2].v.on_cpu_ns, 70e6));
	CU_ASSERT(is(p.network_ns, (5 * 55 + 70) * 1e6));
	CU_ASSERT(is(p.cpus_network_ns, p.network_ns));
	CU_ASSERT(is(p.busy_ns, p.cpus_busy_ns));
	CU_ASSERT_EQUAL(p.group_of[3], p.group_of[4]);
	CU_ASSERT_NOT_EQUAL(p.group_of[1], p.group_of[2]);
	CU_ASSERT_EQUAL(p.group_of[5], 0);
	CU_ASSERT_EQUAL(p.group_of[0], 0);
	processes_free(&p);
	done(&w);
}

/* Without times of sends and receives what threads of NAPI have is not all of it. */
static void test_network_is_not_measured(void)
{
	struct processes p;
	struct whole w;

	read_it(&w, 0);
	w.m->process_has[MODEL_PROCESS_VALUE(SOCK_SEND_NS)] = false;
	w.m->process_has[MODEL_PROCESS_VALUE(RX_THREAD_NS)] = true;
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_NAME, PROCESSES_SORT_CPU, 9), 0);
	CU_ASSERT(isnan(p.row[0].v.network_ns));
	CU_ASSERT(isnan(p.all.network_ns));
	CU_ASSERT(is(p.row[0].v.on_cpu_ns, (200 + 10 * 55) * 1e6));
	processes_free(&p);
	done(&w);
}

static void test_sorts(void)
{
	struct processes p;
	struct whole w;

	read_it(&w, 0);
	for (enum processes_sort s = 0; s < PROCESSES_SORTS; s++) {
		CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_PROCESS, s, 2), 0);
		for (size_t i = 1; i < p.nrows && p.row[i].kind == PROCESSES_ONE; i++) {
			double a = processes_sort_value(&p.row[i - 1].v, s),
			       b = processes_sort_value(&p.row[i].v, s);

			CU_ASSERT(isnan(a) || isnan(b) || a >= b);
		}
		CU_ASSERT(is(p.all.on_cpu_ns + p.all.interrupted_ns, p.cpus_busy_ns));
		processes_free(&p);
	}
	done(&w);
}

static void test_titles(void)
{
	const struct container none = { .runtime = "" };
	struct processes p = { .by = PROCESSES_BY_PROCESS };
	struct processes_row r = { .name = "a very long name", .pid = 1234567, .container = &none };
	char t[17];

	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "a very l 1234567");
	r.kernel = true;
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "[a very] 1234567");
	r = (struct processes_row){ .name = "\x1b[31m", .pid = TRACE_NIL, .container = &none };
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "?[31m");
	p.by = PROCESSES_BY_CGROUP;
	r.name = "/system.slice/a-long-one.service";
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "..ng-one.service");
	r.name = "/";
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "/");
}

/* ---- energy ------------------------------------------------------------------------------ */

static void check_energy(const struct whole *w, double idle_j)
{
	struct energy_range sum = { 0, 0 };
	struct processes_energy e;
	struct processes p;

	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w->m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 9),
			      0);
	processes_energy_make(&e, &p);
	CU_ASSERT(is(e.total_j, 300 + 20e-3 * (750 + 15 * 55)));
	CU_ASSERT(e.idle_j.low <= idle_j + 1e-3 && e.idle_j.high >= idle_j - 1e-3);
	CU_ASSERT(fabs(e.part[PROCESSES_ENERGY_IDLE].low - idle_j) < 1);
	for (unsigned int i = 0; i < PROCESSES_ENERGY_PARTS; i++) {
		sum.low += e.part[i].low;
		sum.high += e.part[i].high;
	}
	CU_ASSERT(is(sum.low, e.total_j) && is(sum.high, e.total_j));
	sum = (struct energy_range){ 0, 0 };
	for (size_t i = 0; i < p.nrows; i++) {
		struct energy_range r = processes_energy_of(&e, p.row[i].v.on_cpu_ns);

		CU_ASSERT(r.low <= r.high);
		sum.low += r.low;
		sum.high += r.high;
	}
	CU_ASSERT(is(sum.low, e.part[PROCESSES_ENERGY_ROWS].low));
	CU_ASSERT(is(sum.high, e.part[PROCESSES_ENERGY_ROWS].high));
	CU_ASSERT(is(e.part[PROCESSES_ENERGY_MISSING].high, 0));
	processes_free(&p);
}

static void test_energy_sums(void)
{
	struct filter given = { .idle_watts = 25 };
	struct whole w;

	read_it(&w, 0);
	check_energy(&w, 300); /* 30 W for 10 s, by the line through the seconds */
	w.m->filter = &given;
	check_energy(&w, 250);
	done(&w);
}

/* As if that column were a hardware counter. */
static void test_energy_by_another_column(void)
{
	const struct processes_energy_second missing = { "switches", MODEL_PROCESS_VALUE(SWITCHES),
							 MODEL_PROCESS_VALUE(CYCLES_NS) };
	const struct processes_energy_second sends = { "sends", MODEL_PROCESS_VALUE(SOCK_SEND_NS),
						       MODEL_PROCESS_VALUE(CYCLES_NS) };
	struct energy_range sum = { 0, 0 };
	struct processes_energy e;
	struct processes p;
	struct whole w;

	read_it(&w, 0);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 2),
			      0);
	processes_energy_make(&e, &p);
	CU_ASSERT_PTR_NULL(e.second.name);
	CU_ASSERT(isnan(processes_energy_second(&e, &p.all).high));
	processes_energy_weigh(&e, &p, &missing);
	CU_ASSERT_PTR_NULL(e.second.name);
	processes_energy_weigh(&e, &p, &sends);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e.second.name);
	for (size_t i = 0; i < p.nrows; i++) {
		struct energy_range r = processes_energy_second(&e, &p.row[i].v);

		sum.low += r.low;
		sum.high += r.high;
	}
	CU_ASSERT(is(sum.low,
		     e.part[PROCESSES_ENERGY_ROWS].low + e.part[PROCESSES_ENERGY_INTERRUPTS].low));
	CU_ASSERT(is(sum.high, processes_energy_second(&e, &p.all).high));
	CU_ASSERT(is(sum.high, processes_energy_second(&e, &p.row[0].v).high)); /* only web sends */
	processes_free(&p);
	done(&w);
}

/* Of two that count the same, one for half of the time only: it has twice as much. */
static void test_counters_that_take_turns(void)
{
	static struct processes p;
	static struct processes_row row[2];
	const struct processes_energy_second cycles = { "cycles", MODEL_PROCESS_VALUE(CYCLES),
							MODEL_PROCESS_VALUE(CYCLES_NS) };
	struct processes_energy e = { .part[PROCESSES_ENERGY_ROWS] = { 3, 6 } };
	struct model *m = model_new(0, NULL);

	m->process_has[MODEL_PROCESS_VALUE(CYCLES)] = true;
	for (size_t i = 0; i < 2; i++) {
		row[i].v.value[MODEL_PROCESS_VALUE(CYCLES)] = 1000;
		row[i].v.value[MODEL_PROCESS_VALUE(PMU_NS)] = 100;
		row[i].v.value[MODEL_PROCESS_VALUE(CYCLES_NS)] = i ? 50 : 100;
	}
	p = (struct processes){ .m = m, .row = row, .nrows = 2 };
	processes_energy_weigh(&e, &p, &cycles);
	CU_ASSERT(is(processes_energy_second(&e, &row[0].v).low, 1));
	CU_ASSERT(is(processes_energy_second(&e, &row[1].v).high, 4));
	CU_ASSERT(is(processes_energy_second(&e, &p.all).high, 6));
	model_free(m);
}

static void test_energy_without_idle_power(void)
{
	struct filter much = { .idle_watts = 1000 };
	struct processes_energy e;
	struct processes p;
	struct whole w;

	read_it(&w, 0);
	w.m->filter = &much;
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 9),
			      0);
	processes_energy_make(&e, &p);
	CU_ASSERT(isnan(e.idle_j.low) && e.idle_why && isnan(e.part[PROCESSES_ENERGY_ROWS].low));
	CU_ASSERT(e.part[PROCESSES_ENERGY_ROWS].high > 0);
	processes_free(&p);
	done(&w);
}

/* ---- pieces of time ---------------------------------------------------------------------- */

static void check_pieces(uint64_t every_ns, size_t n, size_t pieces)
{
	double on_cpu_ns = 0, first_ns = 0, joules = 0;
	struct timeline_by t;
	struct processes p;
	struct whole w;

	read_it(&w, every_ns);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, n),
			      0);
	CU_ASSERT_EQUAL_FATAL(timeline_by_make(&t, &w.iv, &p, &w.times, n), 0);
	CU_ASSERT_EQUAL(t.tracks.ntracks, n < 4 ? n : 4);
	CU_ASSERT_EQUAL(w.iv.n, pieces);
	for (size_t i = 0; i < w.iv.n; i++) {
		const struct timeline_by_row *r = timeline_by_row(&t, i);
		double sum = r->idle_ns + r->interrupted_ns + r->missing_ns;

		for (size_t k = 0; k <= t.tracks.ntracks; k++) {
			sum += r->track[k][PROCESS_TIME_ON_CPU];
			on_cpu_ns += r->track[k][PROCESS_TIME_ON_CPU];
		}
		CU_ASSERT(is(sum, r->wall_ns));
		CU_ASSERT(is(r->wall_ns, 2e9 * (r->end_s - r->begin_s)));
		CU_ASSERT(fabs(r->missing_ns) < 1);
		joules += r->joules;
		CU_ASSERT(fabs(timeline_by_energy(r, 1e9).low - 20) < 1e-3); /* a busy CPU */
		CU_ASSERT(timeline_by_energy(r, 1e9).high > 20 - 1e-6);
		CU_ASSERT(fabs(timeline_by_idle_energy(r).low - 30 * (r->end_s - r->begin_s)) <
			  1e-3);
		first_ns += r->track[0][PROCESS_TIME_ON_CPU];
	}
	CU_ASSERT(is(on_cpu_ns, p.all.on_cpu_ns));
	CU_ASSERT(is(first_ns, p.row[0].v.on_cpu_ns));
	CU_ASSERT(is(joules, t.energy.total_j));
	timeline_by_free(&t);
	processes_free(&p);
	done(&w);
}

static void test_pieces_sum_to_the_whole(void)
{
	check_pieces(0, 1, 10);
	check_pieces(0, 9, 10);
	check_pieces(3 * SECOND, 2, 4);
}

/* What was counted before the first tick is in no piece. */
static void test_before_the_first_edge(void)
{
	struct maker k = maker_new();
	struct process_times t;
	struct intervals iv = { .n = 1 };
	struct model *m;
	const uint64_t id = 0, ns = 5;
	struct trace_record rec;
	struct trace_reader *r;

	process_times_init(&t);
	CU_ASSERT(t.watch.begin(t.watch.ctx, &iv));
	trace_writer_begin(k.w, TRACE_PROCESS_STATS, 2);
	trace_writer_uints(k.w, TRACE_PROCESS_STATS_PROCESS, &id, 1);
	trace_writer_uints(k.w, TRACE_PROCESS_STATS_TASK_NS, &ns, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k.w), 0);
	m = model_new(MODEL_PROCESSES, NULL);
	r = reader_on(k.file);
	while (trace_reader_next(r, &rec) > 0)
		CU_ASSERT_EQUAL(t.watch.record(t.watch.ctx, m, &rec), 0);
	t.watch.edge(t.watch.ctx, m, 0);
	CU_ASSERT_EQUAL(t.n, 0);
	t.watch.edge(t.watch.ctx, m, 1);
	CU_ASSERT_EQUAL(t.n, 0);
	trace_reader_free(r);
	trace_writer_free(k.w);
	fclose(k.file);
	model_free(m);
	process_times_free(&t);
}

/* ---- two recordings ---------------------------------------------------------------------- */

static void test_no_difference(void)
{
	static struct diff_side side;
	struct diff_processes d;
	struct whole w;

	read_it(&w, 0);
	CU_ASSERT_EQUAL_FATAL(diff_side_make(&side, w.m, NULL, &w.iv, DIFF_PER_SECOND, LEAF_ALL),
			      0);
	CU_ASSERT_EQUAL_FATAL(diff_processes_make(&d, &side, &side, 10), 0);
	CU_ASSERT(d.there);
	CU_ASSERT(!d.table[DIFF_BY_USER].there);
	for (unsigned int by = 0; by <= DIFF_BY_CGROUP; by++) {
		const struct diff_process_table *t = &d.table[by];

		CU_ASSERT_EQUAL(t->n, 0);
		CU_ASSERT(is(t->all.before.on_cpu, (750 + 825 - 70) / 10.0)); /* ms a second */
		CU_ASSERT(is(t->all.after.on_cpu, t->others.after.on_cpu));
		CU_ASSERT(t->all.before.watts.low < t->all.before.watts.high);
	}
	CU_ASSERT_EQUAL(d.table[DIFF_BY_NAME].nothers, 3);
	CU_ASSERT_EQUAL(d.table[DIFF_BY_CGROUP].nothers, 2);
	diff_processes_free(&d);
	diff_side_free(&side);
	done(&w);
}

static const struct unit_test tests[] = {
	{ "rows_by_name", test_rows_by_name },
	{ "network_is_not_measured", test_network_is_not_measured },
	{ "sorts", test_sorts },
	{ "titles", test_titles },
	{ "energy_sums", test_energy_sums },
	{ "energy_by_another_column", test_energy_by_another_column },
	{ "counters_that_take_turns", test_counters_that_take_turns },
	{ "energy_without_idle_power", test_energy_without_idle_power },
	{ "pieces_sum_to_the_whole", test_pieces_sum_to_the_whole },
	{ "before_the_first_edge", test_before_the_first_edge },
	{ "no_difference", test_no_difference },
};

int main(void)
{
	struct rules *rules = rules_load(NULL);
	int status;

	classifier = classifier_new(rules);
	status = unit_main("processes", tests, sizeof(tests) / sizeof(tests[0]));
	classifier_free(classifier);
	rules_free(rules);
	return status;
}
