// SPDX-License-Identifier: BSD-2-Clause
#include "tail_seen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "functions.h"
#include "report/rules/stack_class.h"

/* Of a record: there are no more of them. */
#define SHARES 64
/* A sample that was late for disabled interrupts itself is taken just after these were. */
#define LATE_NS 100000
/* Pieces that end before a sample may stand between it and one that it is in. */
#define WALK 256

/* ---- culprits ---------------------------------------------------------------------------- */

static bool is_same(const struct tail_seen_row *a, const struct tail_seen_row *b)
{
	return a->hook == b->hook && a->what == b->what && a->reader == b->reader &&
	       a->number == b->number && !strcmp(a->name, b->name);
}

static void set_name(struct tail_seen_row *r, const char *name, size_t len)
{
	if (len >= TAIL_SEEN_NAME)
		len = TAIL_SEEN_NAME - 1;
	memcpy(r->name, name, len);
	r->name[len] = '\0';
}

/* MODEL_CULPRITS: there is no room for it. */
static size_t find_row(const struct tail_seen *t, const struct tail_seen_row *is)
{
	for (size_t i = 0; i < t->nrows; i++)
		if (is_same(&t->row[i], is))
			return i;
	return MODEL_CULPRITS;
}

static size_t row_of(struct tail_seen *t, const struct tail_seen_row *is)
{
	size_t i = find_row(t, is);

	if (i < MODEL_CULPRITS || t->nrows == MODEL_CULPRITS)
		return i;
	t->row[t->nrows] = *is;
	return t->nrows++;
}

/* As the model has it. */
static void make_plain(struct tail_seen_row *r)
{
	if (r->what >= NETCOST_CULPRIT_COUNT)
		r->what = NETCOST_CULPRIT_UNKNOWN;
	if (r->what != NETCOST_CULPRIT_UNKNOWN)
		return;
	r->number = TRACE_NIL;
	r->name[0] = '\0';
}

const struct tail_seen_row *tail_seen_row(const struct tail_seen *t, const struct model *m,
					  const struct model_culprit *c)
{
	struct tail_seen_row is = {
		.hook = c->hook, .what = c->what, .reader = c->reader, .number = c->number
	};
	const char *name = model_string(m, c->name);
	size_t i;

	if (!t)
		return NULL;
	set_name(&is, name, strlen(name));
	i = find_row(t, &is);
	return i < MODEL_CULPRITS ? &t->row[i] : NULL;
}

/* What the CPU did is what kept the packet waiting: not so where its reader slept, or a device had to send others. */
static bool is_looked_at(const struct tail_seen_row *r)
{
	return r->what != NETCOST_CULPRIT_IDLE && r->what != NETCOST_CULPRIT_LATE &&
	       r->what != NETCOST_CULPRIT_WAKE &&
	       !(r->what == NETCOST_CULPRIT_QUEUE && r->number == NETCOST_QUEUE_QDISC);
}

/* ---- the first pass: pieces of time ------------------------------------------------------- */

/* One of the slowest packets. */
struct slow {
	const struct trace_record *rec;
	uint64_t from_ns, to_ns;
	uint32_t cpu[2]; /* without and with its reader: there it waited */
	size_t n, row[SHARES];
};

static bool read_slow(struct slow *s, const struct trace_record *rec)
{
	uint64_t to = trace_record_uint(rec, TRACE_LATENCY_TAIL_END_NS, TRACE_NIL);
	uint64_t ns = trace_record_uint(rec, TRACE_LATENCY_TAIL_NS, TRACE_NIL);
	uint64_t cpu = trace_record_uint(rec, TRACE_LATENCY_TAIL_CPU, TRACE_NIL);
	uint64_t queued = trace_record_uint(rec, TRACE_LATENCY_TAIL_QUEUED_CPU, cpu);

	if (to > INT64_MAX || ns > to || cpu >= TRACE_MAX_CPU || queued >= TRACE_MAX_CPU)
		return false;
	*s = (struct slow){ .rec = rec,
			    .from_ns = to - ns,
			    .to_ns = to,
			    .cpu = { (uint32_t)queued, (uint32_t)cpu } };
	return true;
}

static void read_shares(struct tail_seen *t, struct slow *s)
{
	const struct trace_record *rec = s->rec;
	struct trace_column whats = trace_record_column(rec, TRACE_LATENCY_TAIL_WHAT);
	struct trace_column readers = trace_record_column(rec, TRACE_LATENCY_TAIL_READER);
	struct trace_column numbers = trace_record_column(rec, TRACE_LATENCY_TAIL_NUMBER);
	struct trace_column names = trace_record_column(rec, TRACE_LATENCY_TAIL_NAME);
	struct trace_column times = trace_record_column(rec, TRACE_LATENCY_TAIL_TOOK_NS);
	uint64_t what, reader, ns;
	const char *name;
	uint32_t len;

	while (s->n < SHARES && trace_column_uint(&whats, &what) &&
	       trace_column_uint(&readers, &reader) && trace_column_str(&names, &name, &len) &&
	       trace_column_uint(&times, &ns)) {
		struct tail_seen_row is = {
			.hook = (unsigned int)trace_record_uint(rec, TRACE_LATENCY_TAIL_HOOK, 0),
			.what = what < NETCOST_CULPRIT_COUNT ? (unsigned int)what :
							       NETCOST_CULPRIT_UNKNOWN,
			.reader = reader == 1,
		};

		if (!trace_column_uint(&numbers, &is.number))
			return;
		set_name(&is, name, strnlen(name, len));
		make_plain(&is);
		s->row[s->n++] = row_of(t, &is);
	}
}

/* -ENOMEM. */
static int add_span(struct tail_seen *t, const struct slow *s, size_t row, uint64_t from_ns,
		    uint64_t to_ns)
{
	struct tail_seen_row *r = &t->row[row];

	r->spans = true;
	t->too_many |= t->nspans == TAIL_SEEN_SPANS;
	if (t->too_many)
		return 0;
	if (array_reserve(&t->span, &t->cap, t->nspans + 1, sizeof(*t->span)))
		return -ENOMEM;
	t->span[t->nspans++] = (struct tail_span){
		.begin_ns = from_ns,
		.end_ns = to_ns + (r->what == NETCOST_CULPRIT_MASKED ? LATE_NS : 0),
		.cpu = s->cpu[r->reader],
		.row = (uint32_t)row,
	};
	return 0;
}

/* From the end back. */
static int read_spans(struct tail_seen *t, const struct slow *s)
{
	struct trace_column shares = trace_record_column(s->rec, TRACE_LATENCY_TAIL_SPAN_SHARE);
	struct trace_column times = trace_record_column(s->rec, TRACE_LATENCY_TAIL_SPAN_NS);
	uint64_t share, ns, end = s->to_ns;
	int err = 0;

	while (!err && trace_column_uint(&shares, &share) && trace_column_uint(&times, &ns) &&
	       ns <= end - s->from_ns) {
		size_t row = share < s->n ? s->row[share] : MODEL_CULPRITS;

		if (row < MODEL_CULPRITS && is_looked_at(&t->row[row]))
			err = add_span(t, s, row, end - ns, end);
		end -= ns;
	}
	return err;
}

static void forget(struct tail_seen *t)
{
	for (size_t i = 0; i < t->nrows; i++)
		countmap_free(&t->row[i].stacks);
	memset(t->row, 0, t->nrows * sizeof(*t->row));
	t->nrows = t->nspans = t->nstacks = 0;
	t->too_many = t->sampled = false;
}

static bool first(void *ctx, const struct trace_record *rec)
{
	struct tail_seen *t = ctx;
	struct slow s;

	if (rec->type == TRACE_HEADER)
		forget(t); /* of the part before */
	if (rec->type != TRACE_LATENCY_TAIL ||
	    trace_record_uint(rec, TRACE_LATENCY_TAIL_HOOK, UINT64_MAX) >= NETCOST_LATENCY_COUNT ||
	    !read_slow(&s, rec))
		return true;
	read_shares(t, &s);
	return !read_spans(t, &s);
}

/* ---- in between -------------------------------------------------------------------------- */

static int by_time(const void *pa, const void *pb)
{
	const struct tail_span *a = pa, *b = pb;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->begin_ns < b->begin_ns ? -1 : a->begin_ns > b->begin_ns;
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct tail_seen *t = ctx;

	(void)iv;
	if (t->nspans)
		qsort(t->span, t->nspans, sizeof(*t->span), by_time);
	for (size_t i = 0; i < t->nspans; i++) {
		struct tail_span *s = &t->span[i];

		s->latest_ns = s->end_ns;
		if (i && s[-1].cpu == s->cpu && s[-1].latest_ns > s->latest_ns)
			s->latest_ns = s[-1].latest_ns;
	}
	return true;
}

/* ---- the second pass: samples ------------------------------------------------------------- */

/* How many of the spans are of an earlier CPU, or of that one and begin by then. */
static size_t spans_upto(const struct tail_seen *t, uint64_t cpu, uint64_t ns)
{
	size_t low = 0, high = t->nspans;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct tail_span *s = &t->span[middle];

		if (s->cpu < cpu || (s->cpu == cpu && s->begin_ns <= ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int count(struct tail_seen *t, struct tail_seen_row *r, uint32_t stack)
{
	size_t before = r->stacks.n;

	r->samples++;
	if (t->nstacks >= TAIL_SEEN_STACKS)
		return 0;
	if (!countmap_add(&r->stacks, stack, 1))
		return -ENOMEM;
	t->nstacks += r->stacks.n - before;
	return 0;
}

static int count_sample(struct tail_seen *t, uint64_t cpu, uint64_t at_ns, uint32_t stack)
{
	size_t i = spans_upto(t, cpu, at_ns);
	int err = 0;

	for (unsigned int n = 0; !err && i && n < WALK; n++) {
		const struct tail_span *s = &t->span[--i];

		if (s->cpu != cpu || s->latest_ns <= at_ns)
			return 0;
		if (s->end_ns > at_ns)
			err = count(t, &t->row[s->row], stack);
	}
	return err;
}

/* What is wrong with the record the model will say. */
static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct tail_seen *t = ctx;
	struct trace_samples s;
	uint64_t cpu;
	int err = 0;

	if (rec->type != TRACE_SAMPLES)
		return 0;
	s = trace_record_samples(rec);
	cpu = trace_record_uint(rec, TRACE_SAMPLES_CPU, UINT64_MAX);
	t->sampled |= s.stacks.n > 0;
	while (!err && t->nspans && trace_samples_next(&s))
		if (s.stack <= m->nstacks)
			err = count_sample(t, cpu, s.time_ns, (uint32_t)s.stack);
	return err;
}

void tail_seen_init(struct tail_seen *t)
{
	*t = (struct tail_seen){
		.watch = { .ctx = t, .first = first, .begin = begin, .record = record }
	};
}

void tail_seen_free(struct tail_seen *t)
{
	forget(t);
	free(t->span);
	t->span = NULL;
	t->cap = 0;
}

/* ---- functions --------------------------------------------------------------------------- */

static const char *name_of(const struct model *m, uint32_t stack)
{
	return stack ? model_string(m, m->symbol[m->stack[stack].symbol]) : FUNCTION_USER;
}

static const char *category_of(const struct model *m, uint32_t stack)
{
	unsigned int class = m->class[stack];

	if (!m->classes)
		return NULL;
	return classifier_rules(m->classes->classifier)
		->category[m->classes->at[class].category]
		.key;
}

static int by_name(const void *pa, const void *pb)
{
	const struct tail_function *a = pa, *b = pb;
	int order = strcmp(a->name, b->name);

	return order ? order : a->samples < b->samples ? 1 : a->samples > b->samples ? -1 : 0;
}

static int by_samples(const void *pa, const void *pb)
{
	const struct tail_function *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* Stacks that end in the same function become one, in the category of the one with most samples. */
static size_t join(struct tail_function *f, size_t n)
{
	size_t joined = 0;

	qsort(f, n, sizeof(*f), by_name);
	for (size_t i = 0; i < n; i++)
		if (joined && !strcmp(f[joined - 1].name, f[i].name))
			f[joined - 1].samples += f[i].samples;
		else
			f[joined++] = f[i];
	qsort(f, joined, sizeof(*f), by_samples);
	return joined;
}

int tail_seen_functions(const struct tail_seen_row *r, const struct model *m,
			struct tail_function **function, size_t *n)
{
	struct tail_function *f = calloc(r->stacks.n + 1, sizeof(*f));

	*n = 0;
	*function = f;
	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < countmap_places(&r->stacks); i++) {
		const struct countmap_entry *e = &r->stacks.entry[i];

		if (e->count && e->id <= m->nstacks)
			f[(*n)++] = (struct tail_function){ .name = name_of(m, e->id),
							    .category = category_of(m, e->id),
							    .samples = e->count };
	}
	if (*n)
		*n = join(f, *n);
	return 0;
}
