// SPDX-License-Identifier: BSD-2-Clause
/*
 * firefox: stacks over time for the Firefox Profiler, in its "processed profile" format. Samples of a CPU that are alike,
 * and near each other, are one with a weight: a page of the profiler takes a hundred times the file's size.
 */
#include <errno.h>
#include <stdlib.h>

#include "export.h"
#include "firefox_write.h"
#include "report/analysis/summary.h"
#include "report/base/part.h"

#define SAMPLES_MOST 200000 /* where there are more, those of longer times become one */
#define MS 1000000ull

struct firefox {
	struct exporter e;
	struct sample_counts counts;
	struct sample_apart apart;
	bool begun;
};

/* ---- while the trace is read ------------------------------------------------------------- */

static bool begin(void *ctx, const struct intervals *iv)
{
	struct firefox *f = ctx;

	sample_counts_free(&f->counts);
	f->apart = (struct sample_apart){ .origin_ns = iv->nedges ? iv->edge[0] : 0 };
	f->begun = iv->nedges;
	return true;
}

static void edge(void *ctx, const struct model *m, size_t at)
{
	(void)ctx;
	(void)m;
	(void)at;
}

/* Pieces as long as the time between two samples, for now. */
static void find_times(struct firefox *f, const struct model *m)
{
	if (!f->begun)
		f->apart.origin_ns = m->header.start_ns;
	f->begun = true;
	f->apart.each_ns = m->header.sample_hz && m->header.sample_hz < 1000 * MS ?
				   1000 * MS / m->header.sample_hz :
				   MS;
}

static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct firefox *f = ctx;
	int err;

	if (rec->type != TRACE_SAMPLES)
		return 0;
	if (!f->apart.each_ns)
		find_times(f, m);
	err = sample_counts_add(&f->counts, m, rec, &f->apart);
	while (!err && f->counts.n > SAMPLES_MOST && f->apart.each_ns < UINT64_MAX / 2) {
		err = sample_counts_join(&f->counts);
		f->apart.each_ns *= 2;
	}
	return err;
}

static struct exporter *make(void)
{
	struct firefox *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->e.watch = (struct intervals_watch){
		.ctx = f, .begin = begin, .edge = edge, .record = record
	};
	return &f->e;
}

static void end(struct exporter *e)
{
	struct firefox *f = (struct firefox *)e;

	sample_counts_free(&f->counts);
	free(f);
}

/* ---- the profile ------------------------------------------------------------------------- */

static int weigh(struct weights *w, const struct model *m, const struct summary *s,
		 const struct sample_counts *c)
{
	int err = weights_make(w, sample_counts_cpus(c, m), &s->split, 0);

	for (size_t i = 1; !err && i <= c->n; i++)
		weights_add(w, c->at[i].cpu, model_leaf(m, c->at[i].class), c->at[i].samples);
	if (!err)
		weights_complete(w, m);
	return err;
}

static int write_profile(struct firefox *f, const struct export_source *from,
			 const struct export_target *to, const struct functions *functions)
{
	struct firefox_profile profile = { .m = from->m,
					   .iv = from->iv,
					   .functions = functions,
					   .counts = &f->counts,
					   .apart = &f->apart,
					   .idle = f->e.wanted.idle };
	struct weights weights = { 0 };
	struct summary s;
	FILE *out = NULL;
	int err = summary_make(&s, from->m, from->part);

	if (err)
		return err;
	err = weigh(&weights, from->m, &s, &f->counts);
	profile.weights = &weights;
	if (!err) {
		out = to->open(to->ctx, 1);
		err = out ? firefox_write(out, &profile) : -ECANCELED;
	}
	if (out && !to->close(to->ctx, out, 1, !err) && !err)
		err = -ECANCELED;
	weights_free(&weights);
	summary_free(&s);
	return err;
}

static int write(struct exporter *e, const struct export_source *from,
		 const struct export_target *to)
{
	struct firefox *f = (struct firefox *)e;
	struct functions functions;
	int err;

	if (!from->m->header.sample_hz && !from->m->samples)
		tell(PART_TITLE(from->part),
		     "was recorded without samples (-F 0): there are no stacks");
	if (!f->apart.each_ns)
		find_times(f, from->m);
	sample_counts_sort(&f->counts, true);
	err = functions_make(&functions, from->m);
	if (err)
		return err;
	err = write_profile(f, from, to, &functions);
	functions_free(&functions);
	return err;
}

const struct export_format export_firefox = {
	.name = "firefox",
	.help = "stacks over time for the Firefox Profiler (profiler.firefox.com), as JSON",
	.keep = MODEL_MODULES,
	.takes = EXPORT_TAKES_IDLE,
	.make = make,
	.write = write,
	.free = end,
};
