// SPDX-License-Identifier: BSD-2-Clause
#include "cut_util.h"

#include "report/tables/tables.h"

/* ---- the content of a report ------------------------------------------------------------- */

struct model *model_of(int fd)
{
	static struct classifier *k; /* kept until the program ends */
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

/* Each sample as a line: time, CPU, task, cgroup, functions. */
struct lines {
	const struct model *m;
	FILE *f;
	uint64_t from_ns, to_ns;
};

static void add_lines(const struct lines *l, const struct trace_record *rec)
{
	struct trace_samples s = trace_record_samples(rec);

	while (trace_samples_next(&s)) {
		if (s.time_ns < l->from_ns || s.time_ns >= l->to_ns)
			continue;
		fprintf(l->f, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s", s.time_ns,
			trace_record_uint(rec, TRACE_SAMPLES_CPU, 0),
			(uint64_t)l->m->task[s.task].tid,
			model_string(l->m, l->m->task[s.task].comm), model_cgroup(l->m, s.cgroup));
		for (uint32_t id = (uint32_t)s.stack; id; id = l->m->stack[id].parent)
			fprintf(l->f, ";%s",
				model_string(l->m, l->m->symbol[l->m->stack[id].symbol]));
		fputc('\n', l->f);
	}
}

static int compare_lines(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Sorts the lines and joins them to one text. */
static char *sorted(char *text, size_t len)
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

char *sample_lines(int fd, uint64_t from_ns, uint64_t to_ns)
{
	struct lines l = { .m = model_of(fd), .from_ns = from_ns, .to_ns = to_ns };
	struct trace_reader *r;
	struct trace_record rec;
	size_t len;
	char *text, *out;

	l.f = open_memstream(&text, &len);
	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_FATAL(l.f && !trace_reader_new(&r, fd));
	while (trace_reader_next(r, &rec) > 0)
		if (rec.type == TRACE_SAMPLES)
			add_lines(&l, &rec);
	trace_reader_free(r);
	fclose(l.f);
	out = sorted(text, len);
	free(text);
	model_free((struct model *)l.m);
	return out;
}

static void add_counters(struct sums *s, const struct counter *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->v[s->n++] = c[i].sum;
}

/* Adds counters of which a report shows the last reading. They start at 0 in a cut part. */
static void add_lasts(struct sums *s, const struct counter *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->v[s->n++] = c[i].last;
}

static void add_cpu(struct sums *s, const struct model *m, const struct model_cpu *c)
{
	uint64_t leaf[LEAF_COUNT];

	add_counters(s, &c->exact_at_ns, 1);
	add_counters(s, c->ns, NETCOST_EV_COUNT);
	add_counters(s, c->calls, NETCOST_EV_COUNT);
	add_counters(s, c->failed, NETCOST_EV_COUNT);
	add_counters(s, c->bytes, NETCOST_EV_COUNT);
	add_counters(s, c->stat, STAT_COUNT);
	add_counters(s, &c->processed, 1);
	add_counters(s, &c->dropped, 1);
	add_counters(s, &c->squeezed, 1);
	add_lasts(s, &c->untracked, 1);
	add_lasts(s, &c->sends_outside, 1);
	add_lasts(s, &c->recvs_outside, 1);
	add_lasts(s, &c->sends_inside, 1);
	add_lasts(s, &c->recvs_inside, 1);
	add_lasts(s, &c->throttled, 1);
	s->v[s->n++] = model_lost(c);
	s->v[s->n++] = c->samples;
	model_leaves(m, c, leaf);
	for (int l = 0; l < LEAF_COUNT; l++)
		s->v[s->n++] = leaf[l];
}

/* Adds the sum over all drop reasons, because the parts of a trace need not have the same reasons. */
static void add_drops(struct sums *s, const struct model *m)
{
	s->v[s->n] = 0;
	for (size_t i = 0; i < m->ndrops; i++)
		s->v[s->n] += m->drop[i].packets.sum;
	s->n++;
}

struct sums sums_of(int fd)
{
	struct model *m = model_of(fd);
	const struct model_cpu *c;
	struct sums s = { 0 };

	model_for_each_cpu(m, c) add_cpu(&s, m, c);
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
	add_drops(&s, m);
	model_free(m);
	return s;
}

char *summary_of(int fd)
{
	struct model *m = model_of(fd);
	struct part part = { .file = "file", .alone = true, .first = true };
	struct summary s;
	struct doc d;
	size_t len;
	char *text;
	FILE *f = open_memstream(&text, &len);

	m->header.derived = (struct model_strs){ 0 };
	CU_ASSERT_FATAL(f && !summary_make(&s, m, &part));
	d = doc_begin(&doc_json, f, &part);
	CU_ASSERT_FATAL(!summary_doc(&d, &s, &(struct summary_shown){ .all = false }));
	doc_end(&d);
	fclose(f);
	summary_free(&s);
	model_free(m);
	return text;
}

/* ---- cutting ----------------------------------------------------------------------------- */

struct part_cut cut_part(int fd, const char *from, const char *to, bool recover)
{
	struct time_arg open = { .anchor = TIME_OPEN }, begin = open, end = open;
	struct cut_source source = { .fd = fd, .part = 1, .recover = recover };
	struct part_cut p = { .fd = empty_file() };
	struct copy_options options = { .edit = cut_edit };
	struct trace_reader *r = NULL;
	struct cut *c = NULL;
	char why[400];

	CU_ASSERT_EQUAL_FATAL(trace_index_new(&source.index), 0);
	CU_ASSERT(!from || time_arg_parse(from, &begin));
	CU_ASSERT(!to || time_arg_parse(to, &end));
	p.err = cut_plan_make(&p.plan, &source, &begin, &end);
	if (!p.err)
		p.err = cut_reader(&r, &source, p.plan.begin_ns, p.plan.end_ns, false);
	if (!p.err) {
		options.ctx = c = cut_new(&p.plan);
		CU_ASSERT_PTR_NOT_NULL_FATAL(c);
		p.err = copy_trace(r, p.fd, &options, &p.result);
		p.ticks = cut_ticks(c);
	}
	if (!p.err && !verified(p.fd, why, sizeof(why))) {
		printf("  cut %s to %s: %s\n", from ? from : "-", to ? to : "-", why);
		CU_FAIL("the part breaks a rule");
	}
	trace_reader_free(r);
	trace_index_free(source.index);
	cut_free(c);
	return p;
}

void part_free(struct part_cut *p)
{
	cut_plan_free(&p->plan);
	close(p->fd);
}
