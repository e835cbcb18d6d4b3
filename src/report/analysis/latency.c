// SPDX-License-Identifier: BSD-2-Clause
#include "latency.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "functions.h"
#include "report/base/stats.h"
#include "report/base/text.h"
#include "report/rules/rules.h"

/* ---- names ------------------------------------------------------------------------------- */

#define KEY_OF(id, name, key, from, to) [id] = key,
#define FROM_OF(id, name, key, from, to) [id] = from,
#define TO_OF(id, name, key, from, to) [id] = to,
#define BY_OF(id, name, key) [id] = key,
#define LOSS_KEY_OF(id, name, key, title) [id] = key,
#define LOSS_TITLE_OF(id, name, key, title) [id] = title,

const char *const latency_keys[] = { NETCOST_LATENCIES(KEY_OF) NULL };
const char *const latency_from[] = { NETCOST_LATENCIES(FROM_OF) NULL };
const char *const latency_to[] = { NETCOST_LATENCIES(TO_OF) NULL };
const char *const latency_by_keys[] = { NETCOST_LATENCY_BYS(BY_OF) NULL };
const char *const latency_which_keys[] = { NETCOST_LATENCY_WHICHES(BY_OF) NULL };
const char *const latency_loss_keys[] = { NETCOST_LATENCY_LOSSES(LOSS_KEY_OF) NULL };
const char *const latency_loss_titles[] = { NETCOST_LATENCY_LOSSES(LOSS_TITLE_OF) NULL };

/* ---- rows of a table --------------------------------------------------------------------- */

/* Compares two rows: by descending number of packets, then by the order in the trace. */
static int times_compare(const void *va, const void *vb)
{
	const struct latency_times_row *a = va, *b = vb;

	if (a->hook != b->hook)
		return a->hook < b->hook ? -1 : 1;
	if (a->which != b->which)
		return a->which < b->which ? -1 : 1;
	if (a->r.count != b->r.count)
		return a->r.count > b->r.count ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* Makes a row of the table. Returns false if the row of the store has another kind of key. */
static bool times_row(struct latency_times_row *to, const struct store *s, uint32_t key,
		      enum netcost_latency_by by)
{
	*to = (struct latency_times_row){ .key = key };
	if (by == LATENCY_ALL) {
		to->hook = (uint32_t)store_dim(s, key, TRACE_LATENCY_HOOK);
	} else {
		struct model_latency_by b = model_latency_by(s, key);

		to->hook = b.hook;
		to->which = b.which;
		if (b.by != by)
			return false;
	}
	dist_summarize(&to->r, store_dist(s, key));
	return true;
}

static void times_add(struct latency_times *t, const struct latency_times_row *row)
{
	if (t->too_many || t->no_memory)
		return;
	t->too_many = t->n == LATENCY_TIMES_MOST;
	t->no_memory = array_reserve(&t->row, &t->cap, t->n + 1, sizeof(*t->row));
	if (!t->too_many && !t->no_memory)
		t->row[t->n++] = *row;
}

static bool times_has(const struct latency_times *t, uint64_t hook)
{
	if (strcmp(t->merged, LATENCY_READ) != 0)
		return !strcmp(t->merged, latency_keys[hook]);
	return hook == NETCOST_LATENCY_TCP_READ || hook == NETCOST_LATENCY_TCP_READ_BLOCKED ||
	       hook == NETCOST_LATENCY_UDP_READ;
}

static void times_merge(struct latency_times *t, uint32_t piece, const struct store *s)
{
	struct latency_times_row row = { .piece = piece };
	struct dist sum = { .bucket = NULL };
	const uint32_t *touched;
	size_t n = store_touched(s, &touched);

	for (size_t i = 0; i < n; i++)
		if (times_has(t, store_dim(s, touched[i], TRACE_LATENCY_HOOK)) &&
		    dist_merge(&sum, store_dist(s, touched[i])))
			t->no_memory = true;
	dist_summarize(&row.r, &sum);
	times_add(t, &row);
	dist_free(&sum);
}

static void times_take(void *ctx, uint32_t piece, const struct store *s)
{
	struct latency_times *t = ctx;
	size_t before = t->n;
	const uint32_t *touched;
	size_t n = store_touched(s, &touched);

	if (t->merged) {
		times_merge(t, piece, s);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct latency_times_row row;

		if (!times_row(&row, s, touched[i], t->by) || !(row.r.count > 0))
			continue;
		row.piece = piece;
		times_add(t, &row);
	}
	if (t->n > before)
		qsort(&t->row[before], t->n - before, sizeof(*t->row), times_compare);
}

size_t latency_by_sorted(struct latency_times_row *to, const struct store *s,
			 enum netcost_latency_by by)
{
	size_t n = 0;

	for (uint32_t i = 0; s && i < store_rows(s); i++)
		n += times_row(&to[n], s, i, by);
	qsort(to, n, sizeof(*to), times_compare);
	return n;
}

static void times_forget(struct latency_times *t)
{
	free(t->row);
	t->row = NULL;
	t->n = t->cap = 0;
	t->no_memory = t->too_many = false;
}

static void times_begin(void *ctx, const struct intervals *iv)
{
	(void)iv;
	times_forget(ctx);
}

void latency_times_init(struct latency_times *t, enum netcost_latency_by by)
{
	*t = (struct latency_times){
		.pieces = { .ctx = t, .begin = times_begin, .take = times_take }, .by = by
	};
	pieces_init(&t->pieces, by == LATENCY_ALL ? &model_latency_query : &model_latency_by_query);
}

void latency_times_free(struct latency_times *t)
{
	pieces_free(&t->pieces);
	times_forget(t);
}

void latency_times_init_merged(struct latency_times *t, const char *hook)
{
	latency_times_init(t, LATENCY_ALL);
	t->merged = hook ? hook : LATENCY_READ;
}

struct dist_summary latency_times_merged(const struct latency_times *t, size_t piece)
{
	struct dist_summary none;

	if (piece < t->n)
		return t->row[piece].r;
	dist_summarize(&none, &(struct dist){ .bucket = NULL });
	none.count = NAN;
	return none;
}

bool latency_is_measured(const struct latency_times *t, const struct model *m)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (times_has(t, h) && model_is_measured(m, NETCOST_OF_LATENCY, h))
			return true;
	return false;
}

/* ---- histograms -------------------------------------------------------------------------- */

static size_t history_column(const struct latency_history *h, size_t piece)
{
	return piece * h->ncolumns / h->pieces;
}

static size_t history_width(const struct latency_history *h)
{
	return NETCOST_LATENCY_BUCKETS / h->each;
}

/* Adds the counts since the previous edge to the interval that ends at this edge. */
static void history_take(struct latency_history *h, size_t row, size_t edge, const struct dist *d)
{
	uint64_t *count;

	if (!h->count[row])
		h->count[row] = calloc(h->ncolumns * history_width(h), sizeof(*count));
	if (!h->before[row])
		h->before[row] = calloc(NETCOST_LATENCY_BUCKETS, sizeof(*count));
	if (!h->count[row] || !h->before[row]) {
		h->no_memory = true;
		return;
	}
	count = h->count[row] + (edge ? history_column(h, edge - 1) * history_width(h) : 0);
	for (size_t b = 0; edge && b < NETCOST_LATENCY_BUCKETS; b++)
		count[b / h->each] += d->bucket[b] - h->before[row][b];
	memcpy(h->before[row], d->bucket, NETCOST_LATENCY_BUCKETS * sizeof(*count));
}

static void history_edge(void *ctx, const struct model *m, size_t edge)
{
	struct latency_history *h = ctx;
	const struct store *s = m->store[h->of];

	for (size_t i = 0; s && edge <= h->pieces && h->pieces && i < store_rows(s); i++)
		if (i < LATENCY_HISTORY_ROWS && store_dist(s, i)->bucket)
			history_take(h, i, edge, store_dist(s, i));
}

static void history_sample(void *ctx, const struct model *m, const struct intervals_sample *s)
{
	(void)ctx;
	(void)m;
	(void)s;
}

void latency_history_free(struct latency_history *h)
{
	for (size_t i = 0; i < LATENCY_HISTORY_ROWS; i++) {
		free(h->count[i]);
		free(h->before[i]);
		h->count[i] = h->before[i] = NULL;
	}
	h->pieces = h->ncolumns = 0;
	h->no_memory = false;
}

static bool history_begin(void *ctx, const struct intervals *iv)
{
	struct latency_history *h = ctx;

	latency_history_free(h);
	if (!iv->n)
		return true;
	h->pieces = iv->n;
	h->ncolumns = iv->n < LATENCY_HISTORY_COLUMNS ? iv->n : LATENCY_HISTORY_COLUMNS;
	for (size_t i = iv->n; iv->edge && i-- > 0;)
		h->begin_ns[history_column(h, i)] = iv->edge[i];
	h->begin_ns[h->ncolumns] = iv->edge ? iv->edge[iv->n] : 0;
	return true;
}

void latency_history_init(struct latency_history *h, enum model_store of, unsigned int each)
{
	*h = (struct latency_history){ .of = of, .each = each };
	h->watch = (struct intervals_watch){
		.ctx = h, .begin = history_begin, .edge = history_edge, .sample = history_sample
	};
}

const uint64_t *latency_history_row(const struct latency_history *h, ptrdiff_t row)
{
	return row >= 0 && row < LATENCY_HISTORY_ROWS ? h->count[row] : NULL;
}

/* ---- the slowest packets --------------------------------------------------------------- */

/* ---- shares ------------------------------------------------------------------------- */

const char *const tail_keys[] = {
#define X(id, name, key, what) [id] = key,
	NETCOST_CULPRITS(X)
#undef X
		NULL
};

static int by_ns(const void *a, const void *b)
{
	const struct model_culprit *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Returns the number of values in the buckets that lie below ns. */
static double shorter_than(const struct dist *d, double ns)
{
	unsigned int b = 0;

	while (d->bucket && b < NETCOST_LATENCY_BUCKETS && (double)netcost_latency_upper(b) <= ns)
		b++;
	return b ? dist_upto(d->bucket, b - 1) : 0;
}

void tail_of(struct tail *t, const struct model *m, enum netcost_latency hook)
{
	const struct store *s = m->store[MODEL_STORE_CULPRITS];
	const struct model_tail *sums = &m->tail[hook];
	struct dist_summary r;

	*t = (struct tail){ .packets = (double)sums->packets };
	t->mean_ns = known_ratio((double)sums->ns, t->packets);
	t->before_mean = known_ratio((double)sums->before, (double)sums->queue_packets);
	t->before_most = sums->queue_packets ? (double)sums->before_most : NAN;
	dist_summarize(&r, model_latency_dist(m, hook));
	t->p99_9_ns = r.ns[DIST_P99_9];
	t->all = r.count;
	t->shorter = shorter_than(model_latency_dist(m, hook), t->mean_ns);
	for (size_t i = 0; s && i < store_rows(s); i++) {
		const struct model_culprit c = model_culprit(s, i);

		if (c.hook != hook || !c.packets)
			continue;
		t->row[t->n++] = c;
		t->ns += (double)c.ns;
	}
	qsort(t->row, t->n, sizeof(t->row[0]), by_ns);
}

bool tail_next_step(struct tail_step *s, const struct model *m, enum netcost_latency hook)
{
	const struct store *steps = m->store[MODEL_STORE_TAIL_STEPS];
	ptrdiff_t row = -1;

	for (s->hook = hook; steps && row < 0; s->next++) {
		s->to = s->next / (MODEL_ENTRY + 1);
		s->from = s->next % (MODEL_ENTRY + 1);
		if (s->to == NETCOST_LATENCY_COUNT)
			return false;
		row = store_find(steps, (uint64_t[]){ hook, s->from, s->to });
	}
	if (row < 0)
		return false;
	s->packets = (double)store_value(steps, (size_t)row, TAIL_STEP_PACKETS);
	s->ns = (double)store_value(steps, (size_t)row, TAIL_STEP_NS);
	s->share_percent = 100 * known_ratio(s->ns, (double)m->tail[hook].path_ns);
	return true;
}

/* ---- text --------------------------------------------------------------------------- */

/* Names of the kernel's softirq vectors. */
static const char *const softirqs[] = { "HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
					"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU" };

/* Names of a task's scheduling policies. */
static const char *const policies[] = { "", " (FIFO)", " (RR)",	      " (BATCH)",
					"", " (IDLE)", " (DEADLINE)", " (EXT)" };

static const char *const queues[NETCOST_QUEUE_COUNT] = {
	[NETCOST_QUEUE_BACKLOG] = "the backlog of softirq NET_RX",
	[NETCOST_QUEUE_QDISC] = "the device's queue (qdisc)",
	[NETCOST_QUEUE_SOCKET] = "the socket's queue, and were read",
};

#define POLICIES (sizeof(policies) / sizeof(policies[0]))

/* The activity of each culprit, as the end of a sentence. */
static const struct tail_words {
	/* text for a culprit without a number, or with a number that has no name */
	const char *plain;
	const char *before,
		/* text that follows the name or, without names, the number; NULL: the culprit has no number */
		*after;
	const char *const *names;
	size_t nnames;
	bool reader; /* the text mentions the reader */
} words[NETCOST_CULPRIT_COUNT] = {
	[NETCOST_CULPRIT_UNKNOWN] = { "the CPU's activity is unknown" },
	[NETCOST_CULPRIT_SOFTIRQ] = { "a softirq ran", "softirq ", " ran", softirqs,
				      sizeof(softirqs) / sizeof(softirqs[0]) },
	[NETCOST_CULPRIT_INTERRUPT] = { "a hard interrupt was handled", "hard interrupt ",
					" was handled" },
	[NETCOST_CULPRIT_IDLE] = { "the CPU was idle, or was waking up" },
	[NETCOST_CULPRIT_MASKED] = { "interrupts were disabled, or the hypervisor ran another guest" },
	[NETCOST_CULPRIT_READER] = { "the reader ran, and did something else", .reader = true },
	[NETCOST_CULPRIT_LATE] = { "the reader slept, or was on another CPU", .reader = true },
	[NETCOST_CULPRIT_WAKE] = { "the CPU was idle and had to wake up",
				   "the CPU was idle and had to wake up from idle state ", "" },
	[NETCOST_CULPRIT_QUEUE] = { "other packets were ahead in a queue",
				    "other packets were ahead in ", "", queues, NETCOST_QUEUE_COUNT,
				    .reader = true },
};

const char *const tail_causes[TAIL_CAUSES] = {
	[TAIL_READER_WAITED] = "the reader waited for a CPU",
	[TAIL_READER_AWAY] = "the reader slept, or did something else",
	[TAIL_QUEUED] = "other packets were ahead in a queue",
	[TAIL_ON_ITS_WAY] = "the CPU that processed the packet did something else",
	[TAIL_UNKNOWN] = "unknown",
};

const char *const tail_cause_keys[] = {
	[TAIL_READER_WAITED] = "reader-waited",
	[TAIL_READER_AWAY] = "reader-away",
	[TAIL_QUEUED] = "queued",
	[TAIL_ON_ITS_WAY] = "on-its-way",
	[TAIL_UNKNOWN] = "unknown",
	[TAIL_CAUSES] = NULL,
};

enum tail_cause tail_cause_of(const struct model_culprit *c, bool sampled)
{
	if (c->what == NETCOST_CULPRIT_QUEUE)
		return TAIL_QUEUED;
	if (c->what == NETCOST_CULPRIT_READER || c->what == NETCOST_CULPRIT_LATE)
		return TAIL_READER_AWAY;
	if (c->what == NETCOST_CULPRIT_UNKNOWN && !sampled)
		return TAIL_UNKNOWN;
	return c->reader ? TAIL_READER_WAITED : TAIL_ON_ITS_WAY;
}

char *tail_text(char *buf, size_t size, const struct model_culprit *c, bool sampled)
{
	const struct tail_words *w = &words[c->what];
	const char *who = c->reader && !w->reader ? "the reader waited: " : "";
	char name[64];

	if (c->what == NETCOST_CULPRIT_UNKNOWN && sampled)
		snprintf(buf, size, "%sthe CPU's activity is known from samples", who);
	else if (c->what == NETCOST_CULPRIT_TASK)
		snprintf(buf, size, "%stask %s%s ran", who,
			 escape_text(name, sizeof(name), c->name),
			 c->number < POLICIES ? policies[c->number] : "");
	else if (w->names && c->number < w->nnames)
		snprintf(buf, size, "%s%s%s%s", who, w->before, w->names[c->number], w->after);
	else if (w->before && !w->names && c->number != TRACE_NIL)
		snprintf(buf, size, "%s%s%llu%s", who, w->before, (unsigned long long)c->number,
			 w->after);
	else
		snprintf(buf, size, "%s%s", who, w->plain);
	return buf;
}

/* ---- samples: culprits ------------------------------------------------------------------- */

/* Maximum number of shares in a record. */
#define SHARES 64
/*
 * Time by which spans with disabled interrupts are extended, because a sample that such a span delays is taken just
 * after interrupts are enabled.
 */
#define LATE_NS 100000
/*
 * Maximum number of spans that are searched for a sample. The search goes back in time until it finds the span that
 * contains the sample. On the way it may pass spans that ended before the sample.
 */
#define WALK 256

const struct tail_seen_row *tail_seen_row(const struct tail_seen *t, const struct model *m,
					  const struct model_culprit *c)
{
	ptrdiff_t row = t && t->culprits ? store_find_like(t->culprits,
							   m->store[MODEL_STORE_CULPRITS], c->at) :
					   -1;

	return row < 0 ? NULL : &t->row[row];
}

/*
 * Returns true if activity of the CPU delayed the packet. This is not the case if the packet's reader slept, or if a
 * device was busy sending other packets.
 */
static bool is_looked_at(const struct model_culprit *c)
{
	return c->what != NETCOST_CULPRIT_IDLE && c->what != NETCOST_CULPRIT_LATE &&
	       c->what != NETCOST_CULPRIT_WAKE &&
	       !(c->what == NETCOST_CULPRIT_QUEUE && c->number == NETCOST_QUEUE_QDISC);
}

/* ---- the first pass: times of delays ------------------------------------------------ */

/* One of the slowest packets. */
struct slow {
	const struct trace_record *rec;
	uint64_t from_ns, to_ns;
	/* CPU that queued the packet; CPU on which the packet waited for its reader to run */
	uint32_t cpu[2];
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

/* Reads the shares of a packet. Returns 0 or -ENOMEM. */
static int read_shares(struct tail_seen *t, struct slow *s)
{
	struct model_shares c;
	uint64_t ns;
	int more = 1;

	model_shares_begin(&c, s->rec);
	while (s->n < SHARES && (more = model_shares_next(&c, t->culprits, &s->row[s->n], &ns)) > 0)
		s->n++;
	return more < 0 ? more : 0;
}

/* Adds a span. Returns 0 or -ENOMEM. */
static int add_span(struct tail_seen *t, const struct slow *s, size_t row, uint64_t from_ns,
		    uint64_t to_ns)
{
	const struct model_culprit c = model_culprit(t->culprits, row);

	if (!is_looked_at(&c))
		return 0;
	t->row[row].spans = true;
	t->too_many |= t->nspans == TAIL_SEEN_SPANS;
	if (t->too_many)
		return 0;
	if (array_reserve(&t->span, &t->cap, t->nspans + 1, sizeof(*t->span)))
		return -ENOMEM;
	t->span[t->nspans++] = (struct tail_span){
		.begin_ns = from_ns,
		.end_ns = to_ns + (c.what == NETCOST_CULPRIT_MASKED ? LATE_NS : 0),
		.cpu = s->cpu[c.reader],
		.row = (uint32_t)row,
	};
	return 0;
}

/* Reads the spans from the last to the first. */
static int read_spans(struct tail_seen *t, const struct slow *s)
{
	struct trace_column shares = trace_record_column(s->rec, TRACE_LATENCY_TAIL_SPAN_SHARE);
	struct trace_column times = trace_record_column(s->rec, TRACE_LATENCY_TAIL_SPAN_NS);
	uint64_t share, ns, end = s->to_ns;
	int err = 0;

	while (!err && trace_column_uint(&shares, &share) && trace_column_uint(&times, &ns) &&
	       ns <= end - s->from_ns) {
		if (share < s->n)
			err = add_span(t, s, s->row[share], end - ns, end);
		end -= ns;
	}
	return err;
}

static void forget(struct tail_seen *t)
{
	for (size_t i = 0; i < MODEL_CULPRITS; i++)
		countmap_free(&t->row[i].stacks);
	memset(t->row, 0, sizeof(t->row));
	store_free(t->culprits);
	t->culprits = NULL;
	t->nspans = t->nstacks = 0;
	t->too_many = t->sampled = false;
}

static bool first(void *ctx, const struct trace_record *rec)
{
	struct tail_seen *t = ctx;
	struct slow s;

	if (rec->type == TRACE_HEADER)
		forget(t); /* the records belong to a previous part */
	if (rec->type != TRACE_LATENCY_TAIL ||
	    trace_record_uint(rec, TRACE_LATENCY_TAIL_HOOK, UINT64_MAX) >= NETCOST_LATENCY_COUNT ||
	    !read_slow(&s, rec))
		return true;
	if (!t->culprits && store_new(&t->culprits, &model_culprits_query))
		return false;
	return !read_shares(t, &s) && !read_spans(t, &s);
}

/* ---- between the passes ------------------------------------------------------------- */

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

/*
 * Returns the number of spans on CPUs with a lower number, plus the number of spans on this CPU that begin at `ns` or
 * earlier.
 */
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

/* Counts the samples of a record in the second pass. The model reports errors in the record. */
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

/* Merges stacks that end in the same function. The result has the category of the stack with the most samples. */
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
							    .samples = e->count,
							    .own = model_own_function(m, e->id) };
	}
	if (*n)
		*n = join(f, *n);
	return 0;
}
