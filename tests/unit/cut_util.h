/* SPDX-License-Identifier: BSD-2-Clause */
/* cut_util.h: a recording with something of everything, and what a report finds in a trace. */
#ifndef NETCOST_TESTS_CUT_UTIL_H
#define NETCOST_TESTS_CUT_UTIL_H

#include <errno.h>
#include <inttypes.h>

#include "model_maker.h"
#include "src/report/classify.h"
#include "src/report/cut.h"
#include "src/report/mend.h"
#include "src/report/summary.h"
#include "tests/verified.h"
#include "trace_file.h"

#define SECOND 1000000000ull
#define START (1000 * SECOND)
#define TICK (SECOND / 2)
#define CPUS 2
#define PROGRAMS 3
#define STEP 1000 /* us */

/* xorshift: the same in every run */
static inline uint64_t rnd(uint64_t below)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x % below;
}

/* ---- a recording ------------------------------------------------------------------------- */

struct recording {
	struct trace_writer *w;
	uint64_t symbols, stacks, tasks, cgroups, samples, module;
	uint64_t exact[NETCOST_EV_COUNT][4][CPUS], loss[8][CPUS], stat[10][CPUS], net[3][CPUS];
	uint64_t netdev[8], raw, self[2], lost[CPUS], program[4][PROGRAMS], counted;
	int64_t late; /* units, by which the last sample was late */
};

static inline void rec_begin(struct recording *r, enum trace_type type, unsigned int n)
{
	trace_writer_begin(r->w, type, n);
}

static inline void rec_end(struct recording *r)
{
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(r->w), 0);
}

/* Rows of counters, each a column of CPUs, from key 1 + `first` on. */
static inline void rec_grow(struct recording *r, unsigned int first, uint64_t (*v)[CPUS], size_t n,
			    uint64_t by)
{
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < CPUS; i++)
			v[k][i] += rnd(by);
		trace_writer_uints(r->w, first + 1 + (unsigned int)k, v[k], CPUS);
	}
}

static inline void rec_counters(struct recording *r)
{
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		rec_begin(r, TRACE_EXACT, 5);
		trace_writer_uint(r->w, TRACE_EXACT_EVENT, e);
		rec_grow(r, 1, r->exact[e], 4, 50000000);
		rec_end(r);
	}
	rec_begin(r, TRACE_EXACT_LOSS, 6);
	rec_grow(r, 0, r->loss, 5, 5);
	trace_writer_uint(r->w, TRACE_EXACT_LOSS_TORN, r->loss[5][0] += rnd(3));
	rec_end(r);
	for (int i = 0; i < CPUS; i++)
		trace_writer_lost(r->w, (unsigned int)i, r->lost[i] += rnd(4));
	rec_begin(r, TRACE_SAMPLE_LOSS, 3);
	rec_grow(r, 0, &r->loss[6], 1, 500);
	trace_writer_uints(r->w, TRACE_SAMPLE_LOSS_LOST, r->lost, CPUS);
	rec_grow(r, 2, &r->loss[7], 1, 2);
	rec_end(r);
	rec_begin(r, TRACE_PROCSTAT, 10);
	rec_grow(r, 0, r->stat, 10, 50);
	rec_end(r);
	rec_begin(r, TRACE_SOFTNET, 3);
	rec_grow(r, 0, r->net, 3, 5000);
	rec_end(r);
}

static inline void rec_programs(struct recording *r)
{
	rec_begin(r, TRACE_PROGRAM_STATS, 5);
	for (unsigned int k = 0; k < 4; k++) {
		for (int i = 0; i < PROGRAMS; i++)
			r->program[k][i] += rnd(5000);
		trace_writer_uints(r->w, 1 + k, r->program[k], PROGRAMS);
	}
	trace_writer_uint(r->w, TRACE_PROGRAM_STATS_COUNTED_NS, r->counted += rnd(TICK));
	rec_end(r);
}

static inline void rec_tick(struct recording *r, uint64_t at_ns)
{
	uint64_t exact_ns[CPUS] = { at_ns + 100, at_ns + 200 };

	trace_writer_time(r->w, at_ns);
	trace_writer_time(r->w, at_ns + 1000);
	rec_begin(r, TRACE_TICK, 3);
	trace_writer_uint(r->w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(r->w, TRACE_TICK_CPU, U(0, 1));
	trace_writer_uints(r->w, TRACE_TICK_EXACT_NS, exact_ns, CPUS);
	rec_end(r);
	rec_counters(r);
	rec_begin(r, TRACE_NETDEV_STATS, 9);
	trace_writer_uints(r->w, TRACE_NETDEV_STATS_ID, U(1));
	for (unsigned int k = 0; k < 8; k++)
		trace_writer_uints(r->w, 2 + k, U(r->netdev[k] += rnd(1000)));
	rec_end(r);
	rec_begin(r, TRACE_ENERGY, 2);
	trace_writer_uints(r->w, TRACE_ENERGY_READ_NS, U(at_ns + 500));
	trace_writer_uints(r->w, TRACE_ENERGY_RAW, U(r->raw = (r->raw + rnd(3000)) % 10000));
	rec_end(r);
	rec_programs(r);
	rec_begin(r, TRACE_SELF, 4);
	trace_writer_uint(r->w, TRACE_SELF_USER_US, r->self[0] += rnd(1000));
	trace_writer_uint(r->w, TRACE_SELF_SYSTEM_US, r->self[1] += rnd(1000));
	trace_writer_uint(r->w, TRACE_SELF_MAXRSS_KIB, 5000);
	trace_writer_uint(r->w, TRACE_SELF_WRITTEN, trace_writer_bytes(r->w));
	rec_end(r);
}

static inline void rec_clock(struct recording *r, uint64_t at_ns)
{
	trace_writer_time(r->w, at_ns);
	rec_begin(r, TRACE_CLOCK, 2);
	trace_writer_uint(r->w, TRACE_CLOCK_MONO_NS, at_ns);
	trace_writer_uint(r->w, TRACE_CLOCK_REAL_NS, at_ns + 5 * SECOND);
	rec_end(r);
}

static inline void rec_define(struct recording *r)
{
	char path[32];
	static const char *const known[] = { "udp_sendmsg", "net_rx_action", "do_idle",
					     "__x64_sys_sendto" };
	char name[2][32];

	rec_begin(r, TRACE_MODULE, 2);
	trace_writer_uint(r->w, TRACE_MODULE_ID, ++r->module);
	trace_writer_str(r->w, TRACE_MODULE_NAME, "module");
	rec_end(r);
	snprintf(name[0], sizeof(name[0]), "%s", known[rnd(4)]);
	snprintf(name[1], sizeof(name[1]), "function_%" PRIu64, r->symbols);
	rec_begin(r, TRACE_SYMBOLS, 4);
	trace_writer_uint(r->w, TRACE_SYMBOLS_FIRST, r->symbols + 1);
	trace_writer_strs(r->w, TRACE_SYMBOLS_NAME, S(name[0], name[1]));
	trace_writer_uints(r->w, TRACE_SYMBOLS_MODULE, U(rnd(r->module + 1), 0));
	trace_writer_ints(r->w, TRACE_SYMBOLS_OFFSET, I(-(int64_t)rnd(1000), 70000));
	rec_end(r);
	r->symbols += 2;
	for (int i = 0; i < 6; i++, r->stacks++) { /* not as deep as they may get */
		uint64_t id = r->stacks + 1, up = rnd(3) ? 1 + rnd(id) : id;

		maker_stacks(&(struct maker){ .w = r->w }, id, U(up), U(rnd(r->symbols + 1)));
	}
	rec_begin(r, TRACE_TASKS, 4);
	trace_writer_uint(r->w, TRACE_TASKS_FIRST, ++r->tasks);
	trace_writer_uints(r->w, TRACE_TASKS_TID, U(100 + r->tasks));
	trace_writer_uints(r->w, TRACE_TASKS_TGID, U(100));
	trace_writer_strs(r->w, TRACE_TASKS_COMM, S("a task"));
	rec_end(r);
	snprintf(path, sizeof(path), "/a/%" PRIu64, ++r->cgroups);
	rec_begin(r, TRACE_CGROUPS, 2);
	trace_writer_uint(r->w, TRACE_CGROUPS_FIRST, r->cgroups);
	trace_writer_strs(r->w, TRACE_CGROUPS_PATH, S(path));
	rec_end(r);
}

/* A second of them; now and then one comes late, behind later ones. */
static inline void rec_samples(struct recording *r, uint64_t cpu, uint64_t from_ns)
{
	enum { N = 200 };
	uint64_t stack[N], task[N], cgroup[N], end_us = from_ns / 1000 + N * (STEP + 4000);
	uint64_t base_ns = from_ns / 1000 * 1000;
	uint64_t tick_us = (from_ns / TICK + 1) * TICK / 1000, t = from_ns / 1000;
	int64_t dt[N];

	for (int i = 0; i < N; i++) {
		int64_t late = rnd(20) ? (int64_t)rnd(300) : (int64_t)rnd(20000);

		dt[i] = 3990 + late - r->late;
		r->late = late;
		if (i == N / 2) /* one at the very moment of a tick */
			dt[i] = (int64_t)(tick_us - t) - STEP;
		t += STEP + (uint64_t)dt[i];
		stack[i] = rnd(r->stacks + 1);
		task[i] = rnd(r->tasks + 1);
		cgroup[i] = rnd(r->cgroups + 1);
	}
	r->late = 0;
	trace_writer_time(r->w, from_ns);
	trace_writer_time(r->w, end_us * 1000 + 20000000);
	rec_begin(r, TRACE_SAMPLES, 7 + !cpu);
	trace_writer_uint(r->w, TRACE_SAMPLES_CPU, cpu);
	trace_writer_uint(r->w, TRACE_SAMPLES_BASE_NS, base_ns);
	trace_writer_uint(r->w, TRACE_SAMPLES_UNIT_NS, 1000);
	trace_writer_uint(r->w, TRACE_SAMPLES_STEP, STEP);
	trace_writer_ints(r->w, TRACE_SAMPLES_DT, dt, N);
	trace_writer_uints(r->w, TRACE_SAMPLES_STACK, stack, N);
	trace_writer_uints(r->w, TRACE_SAMPLES_TASK, task, N);
	if (!cpu) /* a recorder writes them of all CPUs or of none */
		trace_writer_uints(r->w, TRACE_SAMPLES_CGROUP, cgroup, N);
	rec_end(r);
	r->samples += N;
}

static inline void rec_start(struct recording *r)
{
	rec_begin(r, TRACE_HEADER, 6);
	trace_writer_uint(r->w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	trace_writer_uint(r->w, TRACE_HEADER_MINOR, TRACE_MINOR);
	trace_writer_uints(r->w, TRACE_HEADER_CPUS, U(1, 0));
	trace_writer_uint(r->w, TRACE_HEADER_SAMPLE_HZ, 200);
	trace_writer_uint(r->w, TRACE_HEADER_TICK_MS, 500);
	trace_writer_uint(r->w, TRACE_HEADER_START_NS, START);
	rec_end(r);
	rec_clock(r, START);
	rec_begin(r, TRACE_SOURCE, 2);
	trace_writer_str(r->w, TRACE_SOURCE_NAME, "samples");
	trace_writer_str(r->w, TRACE_SOURCE_STATE, "measured");
	rec_end(r);
	rec_begin(r, TRACE_NETDEV, 2);
	trace_writer_uint(r->w, TRACE_NETDEV_ID, 1);
	trace_writer_str(r->w, TRACE_NETDEV_NAME, "eth0");
	rec_end(r);
	rec_begin(r, TRACE_ENERGY_ZONE, 4);
	trace_writer_uint(r->w, TRACE_ENERGY_ZONE_ID, 1);
	trace_writer_str(r->w, TRACE_ENERGY_ZONE_NAME, "package-0");
	trace_writer_uint(r->w, TRACE_ENERGY_ZONE_UNIT_NJ, 1000);
	trace_writer_uint(r->w, TRACE_ENERGY_ZONE_WRAP, 9999);
	rec_end(r);
	for (uint64_t i = 1; i <= PROGRAMS; i++) {
		rec_begin(r, TRACE_PROGRAM, 2);
		trace_writer_uint(r->w, TRACE_PROGRAM_ID, i);
		trace_writer_str(r->w, TRACE_PROGRAM_NAME, i == 1 ? "fentry_0" : "fexit_0");
		rec_end(r);
	}
	CU_ASSERT_EQUAL(trace_writer_flush(r->w), 0);
}

/* As the recorder writes it: the ticks of a second, what is new, its samples. A file at its beginning. */
static inline int record(unsigned int seconds, bool ticks)
{
	struct recording r = { 0 };
	struct trace_totals t = { .at_ns = START + seconds * SECOND + 1000, .why = "over" };
	int fd = empty_file();

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&r.w, fd, CPUS), 0);
	rec_start(&r);
	for (unsigned int s = 0; s < seconds; s++) {
		uint64_t at = START + s * SECOND;

		for (uint64_t k = 1; ticks && k <= 2; k++)
			rec_tick(&r, at + k * TICK);
		for (unsigned int i = 0; !ticks && i < CPUS; i++)
			trace_writer_lost(r.w, i, r.lost[i] += rnd(4));
		for (int i = s ? 0 : 2; i < 3 && (s < 4 || !rnd(3)); i++)
			rec_define(&r);
		if (s % 3 == 2)
			rec_clock(&r, at + SECOND - 1);
		if (s % 4 == 1)
			put_mark(r.w, at + 300000000, s == 1 ? "first" : "again");
		for (uint64_t i = 0; i < CPUS; i++)
			rec_samples(&r, i, at - (s ? rnd(10000000) : 0));
		CU_ASSERT_EQUAL(trace_writer_flush(r.w), 0);
	}
	t.samples = r.samples;
	t.symbols = r.symbols;
	t.stacks = r.stacks;
	t.tasks = r.tasks;
	CU_ASSERT_EQUAL(trace_writer_finish(r.w, &t), 0);
	trace_writer_free(r.w);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* ---- what a report finds ----------------------------------------------------------------- */

static inline struct model *model_of(int fd)
{
	static struct classifier *k; /* for all, until the end */
	struct trace_reader *r;
	struct model *m;

	if (!k)
		k = classifier_new(rules_load(NULL));
	m = model_new(MODEL_TASKS | MODEL_CGROUPS, k);
	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_FATAL(k && m && !trace_reader_new(&r, fd));
	trace_reader_set_recover(r, true);
	CU_ASSERT_EQUAL(model_read(m, r), 0);
	CU_ASSERT_STRING_EQUAL(m->note, "");
	trace_reader_free(r);
	return m;
}

/* Each sample on a line: time, CPU, task, cgroup, functions. */
struct lines {
	const struct model *m;
	FILE *f;
	const struct trace_record *rec;
	struct trace_column stack, task, cgroup;
	uint64_t from_ns, to_ns;
};

static inline bool add_line(void *ctx, uint64_t time_ns)
{
	struct lines *l = ctx;
	uint64_t stack, task, cgroup = 0;

	trace_column_uint(&l->cgroup, &cgroup);
	trace_column_uint(&l->stack, &stack);
	trace_column_uint(&l->task, &task);
	if (time_ns < l->from_ns || time_ns >= l->to_ns)
		return true;
	fprintf(l->f, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s", time_ns,
		trace_record_uint(l->rec, TRACE_SAMPLES_CPU, 0), (uint64_t)l->m->task[task].tid,
		model_string(l->m, l->m->task[task].comm), model_cgroup(l->m, cgroup));
	for (uint32_t id = (uint32_t)stack; id; id = l->m->stack[id].parent)
		fprintf(l->f, ";%s", model_string(l->m, l->m->symbol[l->m->stack[id].symbol]));
	fputc('\n', l->f);
	return true;
}

static inline int compare_lines(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Sorted in place, and put into one text. */
static inline char *sorted(char *text, size_t len)
{
	size_t n = 0, size;
	char **line = calloc(len + 1, sizeof(*line)), *out;
	FILE *f = open_memstream(&out, &size);

	for (char *s = strtok(text, "\n"); s; s = strtok(NULL, "\n"))
		line[n++] = s;
	qsort(line, n, sizeof(*line), compare_lines);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%s\n", line[i]);
	fclose(f);
	free(line);
	return out;
}

/* The samples of from_ns .. to_ns as sorted lines. */
static inline char *sample_lines(int fd, uint64_t from_ns, uint64_t to_ns)
{
	struct lines l = { .m = model_of(fd), .from_ns = from_ns, .to_ns = to_ns };
	struct trace_reader *r;
	struct trace_record rec;
	size_t len;
	char *text, *out;

	l.f = open_memstream(&text, &len);
	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_FATAL(l.f && !trace_reader_new(&r, fd));
	while (trace_reader_next(r, &rec) > 0) {
		l.rec = &rec;
		l.stack = trace_record_column(&rec, TRACE_SAMPLES_STACK);
		l.task = trace_record_column(&rec, TRACE_SAMPLES_TASK);
		l.cgroup = trace_record_column(&rec, TRACE_SAMPLES_CGROUP);
		if (rec.type == TRACE_SAMPLES)
			check_sample_times(&rec, add_line, &l);
	}
	trace_reader_free(r);
	fclose(l.f);
	out = sorted(text, len);
	free(text);
	model_free((struct model *)l.m);
	return out;
}

/* All that a report sums, in one row. */
struct sums {
	uint64_t v[4096];
	size_t n;
};

static inline void add_counters(struct sums *s, const struct counter *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->v[s->n++] = c[i].sum;
}

/* What is told as it stood last: 0 when the part began. */
static inline void add_lasts(struct sums *s, const struct counter *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->v[s->n++] = c[i].last;
}

static inline struct sums sums_of(int fd)
{
	struct model *m = model_of(fd);
	const struct model_cpu *c;
	struct sums s = { 0 };
	uint64_t leaf[LEAF_COUNT];

	model_for_each_cpu(m, c)
	{
		add_counters(&s, &c->exact_at_ns, 1);
		add_counters(&s, c->ns, NETCOST_EV_COUNT);
		add_counters(&s, c->calls, NETCOST_EV_COUNT);
		add_counters(&s, c->failed, NETCOST_EV_COUNT);
		add_counters(&s, c->bytes, NETCOST_EV_COUNT);
		add_counters(&s, c->stat, STAT_COUNT);
		add_counters(&s, &c->processed, 1);
		add_counters(&s, &c->dropped, 1);
		add_counters(&s, &c->squeezed, 1);
		add_lasts(&s, &c->untracked, 1);
		add_lasts(&s, &c->sends_outside, 1);
		add_lasts(&s, &c->recvs_outside, 1);
		add_lasts(&s, &c->sends_inside, 1);
		add_lasts(&s, &c->recvs_inside, 1);
		add_lasts(&s, &c->throttled, 1);
		s.v[s.n++] = model_lost(c);
		s.v[s.n++] = c->samples;
		model_leaves(m, c, leaf);
		for (int l = 0; l < LEAF_COUNT; l++)
			s.v[s.n++] = leaf[l];
	}
	add_counters(&s, &m->at_ns, 1);
	add_counters(&s, &m->self_user_us, 1);
	add_counters(&s, &m->self_system_us, 1);
	add_lasts(&s, &m->torn, 1);
	for (size_t i = 0; i < m->nnetdevs; i++)
		add_counters(&s, m->netdev[i].counter, NETDEV_KEYS);
	for (size_t i = 0; i < m->nzones; i++)
		add_counters(&s, &m->zone[i].raw, 1);
	for (size_t i = 0; i < m->nprograms; i++) {
		add_counters(&s, &m->program[i].runs, 1);
		add_counters(&s, &m->program[i].run_ns, 1);
		add_lasts(&s, &m->program[i].recursion, 1);
		add_lasts(&s, &m->program[i].missed, 1);
	}
	add_counters(&s, &m->counted_ns, 1);
	model_free(m);
	return s;
}

/* The summary but for the file's name and what was done to it. */
static inline char *summary_of(int fd)
{
	struct model *m = model_of(fd);
	struct part part = { .file = "file", .alone = true, .first = true };
	struct summary s;
	size_t len;
	char *text;
	FILE *f = open_memstream(&text, &len);

	m->header.derived = (struct model_strs){ 0 };
	CU_ASSERT_FATAL(f && !summary_make(&s, m, &part));
	summary_json(f, &s, &(struct summary_json_options){ .flat = false });
	fclose(f);
	summary_free(&s);
	model_free(m);
	return text;
}

/* ---- cutting ----------------------------------------------------------------------------- */

struct part_cut {
	int err, fd; /* fd: the part */
	struct cut_plan plan;
	struct copy_result result;
	uint64_t ticks, samples;
};

static inline struct part_cut cut_part(int fd, const char *from, const char *to, bool recover)
{
	struct cut_time open = { .when = CUT_OPEN }, begin = open, end = open;
	struct cut_source source = { .fd = fd, .part = 1, .recover = recover };
	struct part_cut p = { .fd = empty_file() };
	struct copy_options options = { .edit = cut_edit, .derived = "cut" };
	struct trace_reader *r = NULL;
	struct cut *c = NULL;
	char why[400];

	CU_ASSERT(!from || cut_parse_time(from, &begin));
	CU_ASSERT(!to || cut_parse_time(to, &end));
	p.err = cut_plan_make(&p.plan, &source, &begin, &end);
	if (!p.err)
		p.err = cut_reader(&r, &source, p.plan.begin_ns, p.plan.end_ns);
	if (!p.err) {
		options.ctx = c = cut_new(&p.plan);
		CU_ASSERT_PTR_NOT_NULL_FATAL(c);
		p.err = copy_trace(r, p.fd, &options, &p.result);
		p.ticks = cut_ticks(c);
		p.samples = cut_samples(c);
	}
	if (!p.err && !verified(p.fd, why, sizeof(why))) {
		printf("  cut %s to %s: %s\n", from ? from : "-", to ? to : "-", why);
		CU_FAIL("the part breaks a rule");
	}
	trace_reader_free(r);
	cut_free(c);
	return p;
}

static inline void part_free(struct part_cut *p)
{
	cut_plan_free(&p->plan);
	close(p->fd);
}

#endif
