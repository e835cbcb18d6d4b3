// SPDX-License-Identifier: BSD-2-Clause
#include "tests/fuzz/by.h"

#include <stdlib.h>
#include <unistd.h>

#include "report/analysis/diff/diff.h"
#include "report/analysis/latency.h"
#include "report/analysis/processes.h"
#include "report/analysis/breakdown.h"
#include "report/model/filter.h"
#include "report/plot/plot.h"
#include "report/tables/tables.h"
#include "tests/fuzz/demand.h"

#define RENDERERS 4

static const struct part part = { .file = "in", .number = 1, .name = "part 1", .first = true };

/* Results made from a trace. */
struct job {
	FILE *out;
	const struct model *m;
	const struct intervals *iv;
	const struct process_times *times; /* NULL if the data is in a map instead */
	const struct latency_history *map;
	const uint8_t *options;
};

static struct doc doc_of(const struct job *j, unsigned int i)
{
	static const struct doc_renderer *const renderer[RENDERERS] = { &doc_text, &doc_html,
									&doc_json, &doc_csv };
	struct doc d = doc_begin(renderer[i], j->out, &part);

	d.csv_table = "rows";
	return d;
}

static enum processes_by by_of(const struct job *j)
{
	unsigned int n = 0;

	while (processes_by_names[n])
		n++;
	return j->options[4] % n;
}

static void print_timeline(const struct job *j)
{
	size_t top = 1 + j->options[5] % TIMELINE_BY_MOST;
	struct processes p;
	struct timeline_by t;

	DEMAND(!processes_make(&p, j->m, by_of(j), PROCESSES_SORT_CPU, top), "no processes");
	DEMAND(!timeline_by_make(&t, j->iv, &p, j->times, top), "no timeline");
	for (unsigned int i = 0; i < RENDERERS; i++) {
		struct doc d = doc_of(j, i);

		timeline_by_doc(&d, &t);
		doc_end(&d);
	}
	timeline_by_free(&t);
	processes_free(&p);
}

static void print_charts(const struct job *j)
{
	for (size_t i = 0; i < PLOT_CHARTS; i++) {
		struct plot p = { .m = j->m,
				  .part = &part,
				  .intervals = j->iv,
				  .times = j->times,
				  .map = j->map,
				  .by = by_of(j),
				  .top = j->options[5] % (PLOT_PROCESSES_MOST + 1),
				  .out = j->out };

		if (!plot_chart[i].bins && (!plot_chart[i].intervals || j->iv->n) &&
		    (!plot_chart[i].times || j->times) && !plot_script(&p, &plot_chart[i]))
			DEMAND(*p.why, "no chart, without a reason");
	}
}

/* Prints the comparison of the trace with itself. */
static void print_diff(const struct job *j)
{
	struct diff_side *side = malloc(sizeof(*side));
	struct diff *diff = malloc(sizeof(*diff));
	const struct diff_options asked = { .rows = 1 + (j->options[5] & 15) };
	enum diff_per per = j->options[6] % DIFF_PERS;

	DEMAND(side && diff, "no memory");
	DEMAND(!diff_side_make(side, j->m, &part, j->iv, per, LEAF_ALL), "no side");
	DEMAND(!diff_make(diff, side, side, &asked), "no difference");
	for (unsigned int i = 0; i < RENDERERS; i++) {
		struct doc d = doc_of(j, i);

		diff_doc(&d, diff);
		doc_end(&d);
	}
	diff_free(diff);
	diff_side_free(side);
	free(diff);
	free(side);
}

/* ---- the trace --------------------------------------------------------------------------- */

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

static void print(const struct job *j)
{
	if (j->times && !j->times->too_many)
		print_timeline(j);
	print_charts(j);
	if (j->options[6] & 128)
		print_diff(j);
}

void fuzz_by(int fd, FILE *out, const struct classifier *classifier, const uint8_t *options)
{
	const struct filter filter = { .idle_watts = options[7] & 1 ? 10 : 0 };
	bool recover = options[0] & 16, diff = options[6] & 128, maps = options[7] & 2;
	struct model *m = model_new(DIFF_SIDE_KEEP | MODEL_LATENCY, classifier);
	struct trace_reader *r = reader_on(fd, recover);
	struct intervals iv;
	struct process_times times;
	struct latency_history map;

	intervals_init(&iv, (uint64_t)(options[7] >> 4) << 28);
	process_times_init(&times);
	latency_history_init(&map, MODEL_STORE_LATENCY, LATENCY_MAP_EACH);
	iv.second = maps ? &map.watch : &times.pieces.watch;
	iv.wants_stacks = diff;
	if (diff)
		iv.most = DIFF_PIECES;
	DEMAND(intervals_find(&iv, r), "no intervals");
	trace_reader_free(r);
	r = reader_on(fd, recover);
	model_set_filter(m, &filter);
	model_set_see(m, see, &iv);
	if (!model_read(m, r))
		print(&(struct job){ out, m, &iv, maps ? NULL : &times, maps ? &map : NULL,
				     options });
	model_free(m);
	trace_reader_free(r);
	intervals_free(&iv);
	process_times_free(&times);
	latency_history_free(&map);
}
