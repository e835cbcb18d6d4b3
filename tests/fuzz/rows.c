// SPDX-License-Identifier: BSD-2-Clause
#include "tests/fuzz/rows.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "report/model/filter.h"
#include "report/page/page.h"
#include "report/analysis/latency.h"
#include "report/model/model_stages.h"
#include "report/tables/tables.h"
#include "report/analysis/functions.h"
#include "report/analysis/view.h"
#include "tests/fuzz/demand.h"

/* Makes a filter of names and ids, some of which the seeds have. */
static struct filter filter_of(uint8_t bits)
{
	static uint32_t cpu[] = { 0, 2 };

	return (struct filter){
		.cpus = { .cpu = cpu, .n = bits & 1 ? 2 : 0, .text = "0,2" },
		.tasks = bits & 2 ? "1,2,100,swapper" : NULL,
		.cgroup = bits & 4 ? "/" : NULL,
		.idle_watts = bits & 8 ? 10 : 0,
		.per = bits & 16 ? "requests=12" : NULL,
		.per_count = 12,
	};
}

static uint64_t samples_of(const struct breakdown *b)
{
	uint64_t sum = b->others.samples + b->samples_outside;

	for (size_t i = 0; i < b->n; i++)
		sum += b->row[i].samples;
	return sum;
}

static void print_by(FILE *out, const struct model *m, enum breakdown_kind kind, size_t n,
		     const struct intervals *iv)
{
	const struct part part = { .file = "in", .number = 1, .name = "part 1", .first = true };
	static const struct doc_renderer *const renderer[] = { &doc_text, &doc_html, &doc_json,
							       &doc_csv };
	struct summary s;
	struct breakdown b;

	DEMAND(!summary_make(&s, m, &part), "no summary");
	DEMAND(!breakdown_make(&b, &s, kind, n, iv), "no rows");
	for (size_t i = 0; i < sizeof(renderer) / sizeof(*renderer); i++) {
		struct doc d = doc_begin(renderer[i], out, &part);

		d.csv_table = "rows";
		breakdown_doc(&d, &b);
		doc_end(&d);
	}
	if (kind == BREAKDOWN_INTERVAL)
		DEMAND(samples_of(&b) == m->samples, "the samples of rows do not sum to the total");
	breakdown_free(&b);
	summary_free(&s);
}

static void print_page(FILE *out, const struct model *m, const struct intervals *iv,
		       const struct accuracy_bins *bins)
{
	const struct part part = { .file = "in", .number = 1, .name = "part 1", .first = true };
	struct summary s;
	struct page page = {
		.out = out, .s = &s, .m = m, .part = &part, .intervals = iv, .bins = bins
	};

	DEMAND(!summary_make(&s, m, &part), "no summary");
	DEMAND(page_write(&page), "no page");
	summary_free(&s);
}

static void print_latency(const struct doc_renderer *renderer, FILE *out, const struct model *m,
			  const struct latency_view *v)
{
	const struct part part = { .file = "in", .number = 1, .name = "part 1", .first = true };
	struct doc d = doc_begin(renderer, out, &part);

	DEMAND(!latency_doc(&d, m, v), "no rows");
	doc_end(&d);
}

/*
 * Checks that the packets of all intervals sum to those of the trace, except those before its first
 * tick.
 */
static void check_latency(FILE *out, const struct model *m, const struct intervals *iv,
			  const struct latency_times *t, const struct tail_seen *seen)
{
	const struct part part = { .file = "in", .number = 1, .name = "part 1", .first = true };
	struct latency_view v = { .by = LATENCY_ALL, .iv = iv, .times = t };
	double packets[NETCOST_LATENCY_COUNT] = { 0 };
	struct doc d;

	for (size_t i = 0; i < t->n; i++) {
		DEMAND(t->row[i].piece < iv->n, "a row without an interval");
		packets[t->row[i].hook] += t->row[i].r.count;
	}
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		struct dist_summary r;
		struct tail slow;
		double first = 0;

		tail_of(&slow, m, h);
		for (size_t i = 0; i < slow.n; i++)
			first += (double)slow.row[i].first;
		DEMAND(first <= slow.packets, "more packets have a culprit than exist");
		dist_summarize(&r, model_latency_dist(m, h));
		/* Sums of all packets and of each interval saturate at different values. */
		DEMAND(r.count > 1e15 || packets[h] <= r.count,
		       "more packets in the intervals than in total");
	}
	print_latency(&doc_json, out, m, &v);
	v = (struct latency_view){ .by = LATENCY_ALL,
				   .histogram = m->samples % (NETCOST_LATENCY_COUNT + 1) };
	print_latency(&doc_json, out, m, &v);
	v.histogram = NETCOST_LATENCY_UDP_READ;
	print_latency(&doc_text, out, m, &v);
	v.by = m->samples % NETCOST_LATENCY_BY_COUNT;
	print_latency(&doc_text, out, m, &v);
	d = doc_begin(&doc_text, out, &part);
	DEMAND(!latency_tail_doc(&d, m, seen), "no tail");
	doc_end(&d);
}

/* Checks the same sum for each interface, cgroup or process. Both results must have the same rows. */
static void check_latency_by(FILE *out, const struct model *m, const struct intervals *iv,
			     const struct latency_times *t)
{
	const struct latency_view v = { .by = t->by, .iv = iv, .times = t };
	size_t n = model_latency_bys(m);
	double *packets = calloc(n + 1, sizeof(*packets));

	DEMAND(packets, "no memory");
	for (size_t i = 0; i < t->n; i++) {
		DEMAND(t->row[i].piece < iv->n, "a row without an interval");
		DEMAND(t->row[i].key < n, "a row without a known key");
		packets[t->row[i].key] += t->row[i].r.count;
	}
	for (size_t key = 0; t->n && key < n; key++) {
		double of = (double)dist_count(
			model_latency_by(m->store[MODEL_STORE_LATENCY_BY], key).dist);

		DEMAND(of > 1e15 || packets[key] <= of,
		       "more packets in the intervals than in total");
	}
	free(packets);
	print_latency(&doc_json, out, m, &v);
	print_latency(&doc_text, out, m, &v);
}

/*
 * Checks that the finished packets and the others sum to the packets that began, and that steps sum
 * to the whole, unless sums are saturated.
 */
static void check_stages(FILE *out, const struct model *m)
{
	const struct part part = { .file = "in", .number = 1, .name = "part 1", .first = true };
	const struct doc_renderer *const renderer[] = { &doc_json, &doc_text };
	const struct model_stages *s = m->stages;
	struct stages_rows rows;

	if (s)
		DEMAND(stages_finished(s) + stages_unfinished(s) + (double)s->impossible +
				       (double)s->too_long ==
			       (double)s->begun,
		       "a packet is missing");
	DEMAND(!stages_rows_make(&rows, m), "no rows");
	for (enum stages_path p = 0; s && p < STAGES_PATH_COUNT; p++) {
		ptrdiff_t row = stages_whole_row(m, p);

		DEMAND(row < 0 ||
			       store_dist(m->store[MODEL_STORE_STEPS], (size_t)row)->ns >=
				       TRACE_NIL / 2 ||
			       stages_add_up(&rows, p),
		       "steps are not the whole");
	}
	stages_rows_free(&rows);
	for (int i = 0; i < 2; i++) {
		struct doc d = doc_begin(renderer[i], out, &part);

		DEMAND(!stages_doc(&d, m, STAGES_BY_COUNT), "no stages");
		doc_end(&d);
		if (!s || !s->nkeys)
			continue;
		d = doc_begin(renderer[i], out, &part);
		DEMAND(!stages_doc(&d, m, s->by), "no stages");
		doc_end(&d);
	}
}

/* Returns one of the types that can be summed. */
static uint8_t view_type(unsigned int which)
{
	struct view v;
	uint8_t types[TRACE_TYPES_MAX];
	unsigned int n = 0;

	for (unsigned int type = 1; type < TRACE_TYPES_MAX; type++)
		if (view_make(&v, type))
			types[n++] = (uint8_t)type;
	return types[which % n];
}

static double sum_of(const struct view_rows *r, size_t value)
{
	double sum = 0;

	for (size_t i = 0; i < r->n; i++)
		sum += isnan(r->row[i].value[value]) ? 0 : r->row[i].value[value];
	return sum;
}

/*
 * Checks for every counter that the increases in intervals sum to no more than the whole, and that
 * the rows shown sum to the total.
 */
static void check_view(FILE *out, const struct model *m, const struct intervals *iv,
		       const struct view_times *t)
{
	const struct part part = { .file = "in", .number = 1, .name = "part 1", .first = true };
	const struct doc_renderer *const renderer[] = { &doc_json, &doc_text, &doc_html };
	struct view_order all = t->order, few = t->order;
	struct view_rows whole, cut;

	few.rows = 2;
	all.rows = 0;
	DEMAND(!t->no_memory, "no memory");
	DEMAND(!view_rows_make(&whole, &t->view, &all, m, model_answer(m, t->view.type), false) &&
		       !view_rows_make(&cut, &t->view, &few, m, model_answer(m, t->view.type),
				       false),
	       "no rows");
	for (size_t k = 0; k < t->view.nvalues; k++) {
		double sum = sum_of(&whole, k), pieces = 0;

		for (size_t i = 0; i < t->n; i++)
			pieces += sum_of(&t->piece[i], k);
		DEMAND(fabs(sum) > 1e15 || sum == sum_of(&cut, k), "rows do not sum to the total");
		DEMAND(t->view.value[k]->kind == TRACE_INTS || sum > 1e15 || pieces <= sum ||
			       isnan(sum),
		       "more in pieces");
	}
	for (size_t i = 0; i < sizeof(renderer) / sizeof(*renderer); i++) {
		struct doc d = doc_begin(renderer[i], out, &part);
		bool by_time = i == 1;

		view_doc(&d, &(struct view_shown){ .view = &t->view,
						   .order = &few,
						   .rows = by_time ? NULL : &cut,
						   .times = by_time ? t : NULL,
						   .intervals = iv,
						   .m = m });
		doc_end(&d);
	}
	view_rows_free(&whole);
	view_rows_free(&cut);
}

static void check_top(const struct model *m, unsigned int leaves, size_t n)
{
	struct top t;

	DEMAND(!top_make(&t, m, &(struct model_choice){ leaves, NULL }, n), "no functions");
	for (size_t i = 0; i < t.n; i++)
		t.samples -= t.row[i].self.samples;
	DEMAND(t.samples == t.rest, "functions do not sum to the total");
	top_free(&t);
}

static int see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

static struct trace_reader *reader_on(int fd, bool recover)
{
	struct trace_reader *r;

	lseek(fd, 0, SEEK_SET);
	DEMAND(!trace_reader_new(&r, fd), "no reader");
	trace_reader_set_recover(r, recover);
	return r;
}

static const unsigned int keep[BREAKDOWN_KINDS] = {
	[BREAKDOWN_TASK] = MODEL_TASKS | MODEL_CPU_TASKS,
	[BREAKDOWN_PROCESS] = MODEL_TASKS | MODEL_CPU_TASKS,
	[BREAKDOWN_CGROUP] = MODEL_CGROUPS | MODEL_CPU_CGROUPS,
};

void fuzz_rows(int fd, FILE *out, const struct classifier *classifier, const uint8_t *options)
{
	const struct filter filter = filter_of(options[1]);
	enum breakdown_kind kind = options[2] % BREAKDOWN_KINDS;
	bool recover = options[0] & 16, page = options[3] & 32;
	struct trace_reader *r = reader_on(fd, recover);
	struct model *m = model_new(MODEL_LATENCY | MODEL_LATENCY_BY | MODEL_STAGES |
					    (unsigned int)MODEL_STAGES_BY
						    << (options[2] >> 4 & 3) % STAGES_BY_COUNT |
					    keep[kind] | (page ? PAGE_KEEP : MODEL_MODULES),
				    classifier);
	struct intervals iv;
	struct accuracy_bins bins;
	struct latency_times latency, by;
	struct tail_seen *seen = malloc(sizeof(*seen));
	const uint8_t asked[] = { view_type(options[1] ^ options[2] >> 4), 0 };
	struct view_order order = { .rows = 3 };
	struct view_times view_times;
	struct view view;
	bool tail = options[3] & 64, keys = options[3] & 128;

	DEMAND(seen, "no memory");
	intervals_init(&iv, (uint64_t)(options[2] >> 4) << 28);
	accuracy_bins_init(&bins);
	latency_times_init(&latency, LATENCY_ALL);
	latency_times_init(&by, options[2] % NETCOST_LATENCY_BY_COUNT);
	tail_seen_init(seen);
	DEMAND(view_make(&view, asked[0]) && view_order_parse(&order, &view, NULL, NULL, NULL, 0),
	       "no view");
	order.nby = order.nby > 1 ? 1 + options[0] % order.nby : order.nby;
	view_times_init(&view_times, &view, &order);
	latency.pieces.watch.more = by.pieces.watch.more = seen->watch.more =
		&view_times.pieces.watch;
	iv.watch = page ? &bins.watch : NULL;
	iv.second = tail ? &seen->watch : keys ? &by.pieces.watch : &latency.pieces.watch;
	DEMAND(intervals_find(&iv, r), "no intervals");
	trace_reader_free(r);
	r = reader_on(fd, recover);
	model_set_filter(m, options[1] ? &filter : NULL);
	DEMAND(!model_ask(m, asked), "no memory");
	model_set_see(m, see, &iv);
	if (!model_read(m, r)) {
		print_by(out, m, kind, options[3] & 15, &iv);
		check_latency(out, m, &iv, &latency, tail ? seen : NULL);
		check_latency_by(out, m, &iv, &by);
		check_stages(out, m);
		check_view(out, m, &iv, &view_times);
		check_top(m, options[3] & 16 ? LEAF_ALL : LEAF_NETWORK, options[3] & 15);
		if (page)
			print_page(out, m, &iv, &bins);
	}
	model_free(m);
	trace_reader_free(r);
	intervals_free(&iv);
	accuracy_bins_free(&bins);
	latency_times_free(&latency);
	latency_times_free(&by);
	view_times_free(&view_times);
	tail_seen_free(seen);
	free(seen);
}
