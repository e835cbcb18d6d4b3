// SPDX-License-Identifier: BSD-2-Clause
/* Tests breakdowns of random samples of random tasks at random times: the rows always sum to the whole. */
#include <math.h>
#include <stdlib.h>

#include "model_maker.h"
#include "report/analysis/breakdown.h"
#include "report/rules/rules.h"
#include "report/model/filter.h"
#include "report/analysis/functions.h"

#define MS 1000000ull
#define TICKS 12
#define TASKS 9
#define STACKS 8
#define RECORDS 40 /* number of SAMPLES records, each with 50 samples */

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-6 * (1 + fabs((double)(b))))

static struct rules *rules;
static struct classifier *classifier;
static uint64_t memory;	    /* --memory of models */
static unsigned int of_all; /* number of breakdowns by samples of all CPUs together */

static unsigned int random_below(unsigned int n)
{
	return (unsigned int)rand() % n;
}

/* ---- traces ------------------------------------------------------------------------------ */

/* Writes stacks and tasks. The stacks are: idle, user, send, receive, RX in a send, poll, other kernel, RX in idle. */
static void put_definitions(struct maker *k)
{
	uint64_t tid[TASKS], tgid[TASKS];

	maker_symbols(k, 1, S("do_idle", "entry_SYSCALL_64", "udp_sendmsg", "net_rx_action"));
	maker_symbols(k, 5, S("__x64_sys_recvfrom", "sock_poll", "vfs_read"));
	maker_stacks(k, 1, U(1, 2, 1, 1, 3, 4, 5, 7), U(1, 2, 3, 4, 5, 6, 7, 4));
	for (unsigned int i = 0; i < TASKS; i++) {
		tid[i] = 100 + i / 2 * 2; /* two task ids for each thread, with different names */
		tgid[i] = 100 + i / 4;
	}
	trace_writer_begin(k->w, TRACE_TASKS);
	trace_writer_uint(k->w, TRACE_TASKS_FIRST, 1);
	trace_writer_uints(k->w, TRACE_TASKS_TID, tid, TASKS);
	trace_writer_uints(k->w, TRACE_TASKS_TGID, tgid, TASKS);
	trace_writer_strs(k->w, TRACE_TASKS_COMM,
			  (const char *const[]){ "a", "b", "c", "d", "e", "f", "g", "h", "i" },
			  TASKS);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void put_exact(struct maker *k, unsigned int event, uint64_t a, uint64_t b)
{
	trace_writer_begin(k->w, TRACE_EXACT);
	trace_writer_uint(k->w, TRACE_EXACT_EVENT, event);
	trace_writer_uints(k->w, TRACE_EXACT_NS, U(a, b));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Writes a tick and, if `exact`, random times of events that sum to the wall time. */
static void put_tick(struct maker *k, unsigned int i, bool exact)
{
	static uint64_t sum[2][NETCOST_EV_COUNT];
	uint64_t at_ns = (1000 + 100 * i) * MS;

	if (!i)
		memset(sum, 0, sizeof(sum));
	trace_writer_begin(k->w, TRACE_TICK);
	trace_writer_uint(k->w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(k->w, TRACE_TICK_CPU, U(0, 1));
	if (exact)
		trace_writer_uints(k->w, TRACE_TICK_EXACT_NS, U(at_ns + 5, at_ns + 9));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
	for (unsigned int cpu = 0; i && cpu < 2; cpu++) {
		uint64_t left = 100 * MS;

		for (unsigned int e = 0; e < 8; e++) {
			uint64_t ns = e == 7 ? left : random_below((unsigned int)(left / 2));

			sum[cpu][e] += ns;
			left -= ns;
		}
	}
	for (unsigned int e = 0; exact && e < 8; e++)
		put_exact(k, e, sum[0][e], sum[1][e]);
}

/* Writes 50 samples at random times, which may be before the first tick or after the last one. */
static void put_samples(struct maker *k)
{
	uint64_t stack[50], task[50], now = 900 + random_below(TICKS * 100);
	int64_t dt[50];

	for (unsigned int i = 0; i < 50; i++) {
		stack[i] = random_below(STACKS + 1);
		task[i] = random_below(TASKS + 1);
		dt[i] = (int64_t)random_below(5) - 1;
	}
	trace_writer_begin(k->w, TRACE_SAMPLES);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, random_below(2));
	trace_writer_uint(k->w, TRACE_SAMPLES_BASE_NS, now * MS);
	trace_writer_uint(k->w, TRACE_SAMPLES_UNIT_NS, MS);
	trace_writer_uint(k->w, TRACE_SAMPLES_STEP, 1);
	trace_writer_ints(k->w, TRACE_SAMPLES_DT, dt, 50);
	trace_writer_uints(k->w, TRACE_SAMPLES_STACK, stack, 50);
	trace_writer_uints(k->w, TRACE_SAMPLES_TASK, task, 50);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static FILE *make_trace(bool exact)
{
	struct maker k = maker_new();
	unsigned int tick = 0;

	put_definitions(&k);
	for (unsigned int i = 0; i < RECORDS; i++) {
		put_samples(&k);
		if (i % 3 == 0 && tick <= TICKS)
			put_tick(&k, tick++, exact);
	}
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k.w), 0);
	trace_writer_free(k.w);
	return k.file;
}

static int see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

static struct trace_reader *reader_on(FILE *f)
{
	struct trace_reader *r;

	lseek(fileno(f), 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fileno(f)), 0);
	return r;
}

static struct model *read_model(FILE *f, unsigned int keep, const struct filter *filter,
				struct intervals *iv)
{
	struct model *m = model_new(keep, classifier);
	struct trace_reader *r = reader_on(f);

	if (iv) {
		CU_ASSERT_FATAL(intervals_find(iv, r));
		trace_reader_free(r);
		r = reader_on(f);
		model_set_see(m, see, iv);
	}
	model_set_filter(m, filter);
	model_set_memory(m, memory);
	CU_ASSERT_EQUAL_FATAL(model_read(m, r), 0);
	trace_reader_free(r);
	return m;
}

/* ---- sums -------------------------------------------------------------------------------- */

static const struct part part = { .file = "test", .alone = true, .first = true };

static double known(double ns)
{
	return isnan(ns) ? 0 : ns;
}

/*
 * Checks that the rows and the remainder sum to the whole, leaf by leaf, and that the leaves of a row sum to its time.
 */
static void check_sums(const struct breakdown *b)
{
	uint64_t samples = b->others.samples;
	double wall_ns = known(b->others.split.wall_ns), ns[LEAF_COUNT];

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		ns[l] = known(b->others.split.leaf[l].ns);
	for (size_t i = 0; i < b->n; i++) {
		const struct split_cpu *c = &b->row[i].split;
		double sum = 0;

		samples += b->row[i].samples;
		wall_ns += known(c->wall_ns);
		for (unsigned int l = 0; l < LEAF_COUNT; l++) {
			ns[l] += known(c->leaf[l].ns);
			sum += known(c->leaf[l].ns);
		}
		if (c->samples > 0)
			NEAR(sum, c->sum_ns);
	}
	CU_ASSERT_EQUAL(samples, b->all.samples);
	NEAR(wall_ns, known(b->all.split.wall_ns));
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (b->kind != BREAKDOWN_INTERVAL || b->all.split.leaf[l].how == SPLIT_EXACT)
			NEAR(ns[l], known(b->all.split.leaf[l].ns));
}

/* Checks that the tasks sum to the times of the summary, whether these are sampled or exact. */
static void check_sampled(const struct breakdown *b)
{
	const struct split_cpu *all = &b->s->split.all;

	for (unsigned int l = 0; l < LEAF_TASK; l++)
		if (!isnan(all->leaf[l].sampled))
			NEAR(b->all.split.leaf[l].ns, all->leaf[l].ns);
}

/* Checks that the CPUs sum to the times of the summary. */
static void check_whole(const struct breakdown *b)
{
	const struct split_cpu *all = &b->s->split.all;

	NEAR(b->all.split.wall_ns, all->wall_ns);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		NEAR(known(b->all.split.leaf[l].ns), known(all->leaf[l].ns));
		NEAR(known(b->all.split.leaf[l].sampled), known(all->leaf[l].sampled));
	}
}

static bool is_sorted(const struct breakdown *b)
{
	for (size_t i = 1; i < b->n; i++)
		if (split_sum(&b->row[i].split, LEAF_NETWORK).ns >
		    split_sum(&b->row[i - 1].split, LEAF_NETWORK).ns * (1 + 1e-9))
			return false;
	return true;
}

static void check_kind(FILE *f, enum breakdown_kind kind, const struct filter *filter)
{
	struct intervals iv;
	struct summary s;
	struct model *m;
	struct breakdown b;

	intervals_init(&iv, random_below(4) * 90 * MS);
	m = read_model(f, breakdown_is_sampled(kind) ? MODEL_TASKS | MODEL_CPU_TASKS : 0u, filter,
		       &iv);
	CU_ASSERT_EQUAL_FATAL(summary_make(&s, m, &part), 0);
	CU_ASSERT_EQUAL_FATAL(breakdown_make(&b, &s, kind, random_below(6), &iv), 0);
	of_all += breakdown_is_of_all_cpus(&b);
	check_sums(&b);
	CU_ASSERT(kind == BREAKDOWN_INTERVAL || is_sorted(&b));
	if (breakdown_is_sampled(kind))
		check_sampled(&b);
	if (kind == BREAKDOWN_CPU)
		check_whole(&b);
	if (kind == BREAKDOWN_INTERVAL)
		CU_ASSERT_EQUAL(b.all.samples + b.samples_outside, m->samples);
	breakdown_free(&b);
	summary_free(&s);
	model_free(m);
	intervals_free(&iv);
}

static void test_rows_sum_to_the_whole(void)
{
	static const enum breakdown_kind kinds[] = { BREAKDOWN_CPU, BREAKDOWN_TASK,
						     BREAKDOWN_PROCESS, BREAKDOWN_INTERVAL };
	uint32_t cpu[] = { 1 };
	const struct filter filters[] = {
		{ .tasks = NULL },
		{ .cpus = { cpu, 1, "1" } },
		{ .tasks = "100,i" },
	};

	for (unsigned int round = 0; round < 20; round++) {
		FILE *f;

		srand(round);
		/* too little for samples by task on each CPU */
		memory = round % 3 ? 0 : 10000;
		f = make_trace(round % 2);
		for (unsigned int i = 0; i < 4; i++)
			for (unsigned int j = 0; j < 3; j++)
				check_kind(f, kinds[i], &filters[j]);
		fclose(f);
	}
	memory = 0;
	CU_ASSERT(of_all);
}

/* Checks that a task's share of sampled time does not depend on whether other tasks are in the report. */
static void test_filter_of_tasks(void)
{
	const struct filter filter = { .tasks = "100" };

	for (unsigned int round = 0; round < 10; round++) {
		struct summary all, one;
		struct model *ma, *mo;
		struct breakdown b;
		size_t i = 0;
		FILE *f;

		srand(round);
		f = make_trace(round % 2);
		ma = read_model(f, MODEL_TASKS | MODEL_CPU_TASKS, NULL, NULL);
		mo = read_model(f, 0, &filter, NULL);
		CU_ASSERT_EQUAL_FATAL(summary_make(&all, ma, &part), 0);
		CU_ASSERT_EQUAL_FATAL(summary_make(&one, mo, &part), 0);
		CU_ASSERT_EQUAL_FATAL(breakdown_make(&b, &all, BREAKDOWN_TASK, 100, NULL), 0);
		while (i < b.n && b.row[i].id != 100)
			i++;
		CU_ASSERT_FATAL(i < b.n);
		NEAR(one.split.all.samples, all.split.all.samples);
		for (unsigned int l = 0; l < LEAF_TASK; l++) {
			const struct split_value *v = &all.split.all.leaf[l];

			/* Other leaves are shares of the exact TASK time, which covers all tasks. */
			if (v->how == SPLIT_SAMPLES &&
			    fabs(v->ns - v->sampled * all.split.all.wall_ns) < 1)
				NEAR(one.split.all.leaf[l].ns, b.row[i].split.leaf[l].ns);
		}
		CU_ASSERT_NOT_EQUAL(one.split.all.leaf[LEAF_SOCK_SEND].how, SPLIT_EXACT);
		/* All of the task's time is an estimate, because the other samples belong to other tasks. */
		CU_ASSERT(split_sum(&one.split.all, LEAF_KERNEL | LEAF_BIT(USER)).ci95_ns > 0);
		CU_ASSERT(isnan(one.event[NETCOST_EV_SOCK_SEND].calls));
		CU_ASSERT(isnan(one.recording.samples_expected));
		breakdown_free(&b);
		summary_free(&all);
		summary_free(&one);
		model_free(ma);
		model_free(mo);
		fclose(f);
	}
}

static void put_process(struct maker *k)
{
	trace_writer_begin(k->w, TRACE_TASKS);
	trace_writer_uint(k->w, TRACE_TASKS_FIRST, 1);
	trace_writer_uints(k->w, TRACE_TASKS_TID, U(11, 7, 12, 7, 9));
	trace_writer_uints(k->w, TRACE_TASKS_TGID, U(7, 7, 7, 7, 9));
	trace_writer_strs(k->w, TRACE_TASKS_COMM,
			  S("worker", "sh", "other worker", "server", "nobody"));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void put_sample_of(struct maker *k, uint64_t task)
{
	trace_writer_begin(k->w, TRACE_SAMPLES);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, 0);
	trace_writer_uint(k->w, TRACE_SAMPLES_BASE_NS, 1000 * MS);
	trace_writer_uint(k->w, TRACE_SAMPLES_UNIT_NS, MS);
	trace_writer_uint(k->w, TRACE_SAMPLES_STEP, 1);
	trace_writer_ints(k->w, TRACE_SAMPLES_DT, (const int64_t[]){ 0 }, 1);
	trace_writer_uints(k->w, TRACE_SAMPLES_STACK, U(0));
	trace_writer_uints(k->w, TRACE_SAMPLES_TASK, U(task));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Checks that a process has the name of its first thread, even if only its other threads have samples. */
static void test_process_is_called_after_its_first_thread(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_TASKS | MODEL_CPU_TASKS, classifier);
	struct summary s;
	struct breakdown b;

	put_process(&k);
	put_sample_of(&k, 1);
	put_sample_of(&k, 3);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL_FATAL(summary_make(&s, m, &part), 0);
	CU_ASSERT_EQUAL_FATAL(breakdown_make(&b, &s, BREAKDOWN_PROCESS, 10, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(b.n, 1);
	CU_ASSERT_EQUAL(b.row[0].id, 7);
	CU_ASSERT_STRING_EQUAL(b.row[0].name, "server");
	breakdown_free(&b);
	summary_free(&s);
	model_free(m);
}

/*
 * Checks that the exact times of the intervals sum to those of the whole: the intervals and the whole have the same
 * first and last tick.
 */
static void test_pieces_of_exact_time(void)
{
	for (unsigned int round = 0; round < 10; round++) {
		double ns[NETCOST_EV_COUNT] = { 0 }, wall_ns = 0;
		struct intervals iv;
		struct model *m;
		FILE *f;

		srand(round);
		f = make_trace(true);
		intervals_init(&iv, round * 70 * MS);
		m = read_model(f, 0, NULL, &iv);
		CU_ASSERT_FATAL(iv.n > 0);
		for (size_t i = 0; i < iv.n; i++) {
			CU_ASSERT(!i || iv.row[i].begin_ns == iv.row[i - 1].end_ns);
			for (unsigned int c = 0; c < 2; c++) {
				const struct interval_times *t = &iv.cell[2 * i + c].times;

				wall_ns += t->wall_ns;
				for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
					ns[e] += known(t->exact_ns[e]);
			}
		}
		NEAR(wall_ns, counter_moved(&m->cpu[0]->exact_at_ns) +
				      counter_moved(&m->cpu[1]->exact_at_ns));
		for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
			NEAR(ns[e], known(counter_moved(&m->cpu[0]->ns[e])) +
					    known(counter_moved(&m->cpu[1]->ns[e])));
		CU_ASSERT(isnan(interval_traffic(&iv, 0)->packets));
		CU_ASSERT(isnan(iv.row[0].host.joules));
		model_free(m);
		intervals_free(&iv);
		fclose(f);
	}
}

/* ---- functions --------------------------------------------------------------------------- */

/* Checks recursion: a calls b, b calls a again, and each sample counts only once for a. */
static void test_functions_that_call_themselves(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_MODULES, classifier);
	struct top t;

	maker_symbols(&k, 1, S("a", "b", "a"));
	maker_stacks(&k, 1, U(1, 1, 1, 2), U(1, 2, 3, 2));
	maker_samples(&k, 0, U(3, 3, 3, 2, 1, 0, 4, 4));
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL_FATAL(top_make(&t, m, &(struct model_choice){ LEAF_ALL, NULL }, 10), 0);
	CU_ASSERT_EQUAL_FATAL(t.n, 3);
	CU_ASSERT_EQUAL(t.samples, 8);
	/* three samples in the inner a, one in the outer a */
	CU_ASSERT_STRING_EQUAL(t.row[0].name, "a");
	CU_ASSERT_EQUAL(t.row[0].self.samples, 4);
	CU_ASSERT_EQUAL(t.row[0].inclusive.samples, 7);
	CU_ASSERT_STRING_EQUAL(t.row[1].name, "b");
	CU_ASSERT_EQUAL(t.row[1].self.samples, 3);
	CU_ASSERT_EQUAL(t.row[1].inclusive.samples, 6);
	CU_ASSERT_STRING_EQUAL(t.row[2].name, FUNCTION_USER);
	CU_ASSERT_EQUAL(t.row[2].self.samples, 1);
	CU_ASSERT_EQUAL(t.rest, 0);
	NEAR(t.row[0].self.share, 0.5);
	top_free(&t);
	CU_ASSERT_EQUAL_FATAL(top_make(&t, m, &(struct model_choice){ LEAF_NETWORK, NULL }, 10), 0);
	CU_ASSERT_EQUAL(t.samples, 0);
	CU_ASSERT_EQUAL(t.of, 8);
	CU_ASSERT_EQUAL(t.n, 0);
	top_free(&t);
	model_free(m);
}

static void test_filter_words(void)
{
	const struct filter f = { .tasks = "iperf3,12,a b", .cgroup = "/system.slice/" };
	const struct filter root = { .cgroup = "/" };

	CU_ASSERT(filter_takes_task(&f, 1, "iperf3", 6));
	CU_ASSERT(filter_takes_task(&f, 1, "a b", 3));
	CU_ASSERT(filter_takes_task(&f, 12, "x", 1));
	/* a word of digits is an id, never a name */
	CU_ASSERT_FALSE(filter_takes_task(&f, 1, "12", 2));
	CU_ASSERT_FALSE(filter_takes_task(&f, 1, "iperf", 5));
	CU_ASSERT_FALSE(filter_takes_task(&f, 121, "", 0));
	CU_ASSERT(filter_takes_cgroup(&f, "/system.slice", 13));
	CU_ASSERT(filter_takes_cgroup(&f, "/system.slice/x", 15));
	CU_ASSERT_FALSE(filter_takes_cgroup(&f, "/system.slices", 14));
	CU_ASSERT_FALSE(filter_takes_cgroup(&f, "/system", 7));
	CU_ASSERT(filter_takes_cgroup(&root, "/", 1));
	CU_ASSERT(filter_takes_cgroup(&root, "/a", 2));
}

static const struct unit_test tests[] = {
	{ "rows_sum_to_the_whole", test_rows_sum_to_the_whole },
	{ "filter_of_tasks", test_filter_of_tasks },
	{ "process_is_called_after_its_first_thread",
	  test_process_is_called_after_its_first_thread },
	{ "pieces_of_exact_time", test_pieces_of_exact_time },
	{ "functions_that_call_themselves", test_functions_that_call_themselves },
	{ "filter_words", test_filter_words },
};

int main(void)
{
	int status;

	rules = rules_load(NULL);
	classifier = classifier_new(rules);
	status = unit_main("breakdown", tests, sizeof(tests) / sizeof(tests[0]));
	classifier_free(classifier);
	rules_free(rules);
	return status;
}
