// SPDX-License-Identifier: BSD-2-Clause
/*
 * pprof: stacks with what samples stand for, as gzipped protocol buffers: one profile of all, or one of each piece of time.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "export.h"
#include "pprof_write.h"
#include "real_time.h"
#include "report/analysis/summary.h"
#include "report/analysis/timeline.h"
#include "report/base/part.h"

struct pprof {
	struct exporter e;
	struct sample_counts counts;
	const struct intervals *iv;
	bool too_many;
};

#define COUNTS_MOST 4000000 /* different samples */

/* ---- while the trace is read ------------------------------------------------------------- */

static bool begin(void *ctx, const struct intervals *iv)
{
	struct pprof *p = ctx;

	sample_counts_free(&p->counts);
	p->iv = iv;
	return true;
}

static void edge(void *ctx, const struct model *m, size_t at)
{
	(void)ctx;
	(void)m;
	(void)at;
}

static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct pprof *p = ctx;

	const struct sample_apart apart = { .tasks = true,
					    .rows = p->e.wanted.every ? p->iv : NULL };

	p->too_many = p->counts.n > COUNTS_MOST;
	if (rec->type != TRACE_SAMPLES || p->too_many)
		return 0;
	return sample_counts_add(&p->counts, m, rec, &apart);
}

static struct exporter *make(void)
{
	struct pprof *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->e.watch = (struct intervals_watch){
		.ctx = p, .begin = begin, .edge = edge, .record = record
	};
	return &p->e;
}

static void end(struct exporter *e)
{
	struct pprof *p = (struct pprof *)e;

	sample_counts_free(&p->counts);
	free(p);
}

/* ---- profiles ---------------------------------------------------------------------------- */

struct job {
	const struct pprof *p;
	const struct export_source *from;
	const struct export_target *to;
	struct functions functions;
	bool moved; /* an energy counter has */
};

static void weigh(struct weights *w, const struct model *m, const struct pprof_profile *profile)
{
	for (size_t i = 0; i < profile->n; i++) {
		const struct sample_count *c = &profile->count[i];

		weights_add(w, c->cpu, model_leaf(m, c->class), c->samples);
	}
	weights_complete(w, m);
}

/* What is in the profile is set, but what it weighs: split, and the energy of all samples. */
static int write_file(const struct job *job, struct pprof_profile *profile, size_t number,
		      const struct split *split, double joules)
{
	const struct model *m = job->from->m;
	double uj = model_is_of_all(m) ? round(1e6 * joules) : NAN;
	struct weights weights;
	FILE *out;
	unsigned int cpu_end = sample_counts_cpus(&job->p->counts, m);
	int err = weights_make(&weights, cpu_end, split, uj);

	if (err)
		return err;
	weigh(&weights, m, profile);
	profile->m = m;
	profile->functions = &job->functions;
	profile->weights = &weights;
	profile->idle = job->p->e.wanted.idle;
	out = job->to->open(job->to->ctx, number);
	err = out ? pprof_write(out, profile) : -ECANCELED;
	if (out && !job->to->close(job->to->ctx, out, number, !err) && !err)
		err = -ECANCELED;
	weights_free(&weights);
	return err;
}

static int write_all(const struct job *job)
{
	const struct sample_counts *c = &job->p->counts;
	struct pprof_profile profile = { .count = c->n ? c->at + 1 : NULL, .n = c->n };
	struct summary s;
	int err = summary_make(&s, job->from->m, job->from->part);

	if (err)
		return err;
	profile.begin_real_ns = s.start_real_ns;
	profile.seconds = s.duration_s;
	err = write_file(job, &profile, 1, &s.split, energy_joules(job->from->m));
	summary_free(&s);
	return err;
}

static int write_piece(const struct job *job, size_t piece)
{
	const struct sample_counts *c = &job->p->counts;
	const struct interval *row = &job->from->iv->row[piece];
	size_t first = sample_counts_first(c, (uint32_t)piece);
	struct pprof_profile profile = {
		.count = c->n ? c->at + first : NULL,
		.n = sample_counts_first(c, (uint32_t)piece + 1) - first,
		.seconds = (double)(row->end_ns - row->begin_ns) * 1e-9,
	};
	struct split split;
	int err = interval_split_cpus(job->from->iv, piece, job->from->m, &split);

	if (err)
		return err;
	if (!real_time_ns(job->from->m, row->begin_ns, &profile.begin_real_ns))
		profile.begin_real_ns = 0;
	err = write_file(job, &profile, piece + 1, &split, timeline_joules(row, job->moved));
	split_free(&split);
	return err;
}

static int write_profiles(struct job *job)
{
	int err = 0;

	if (!job->p->e.wanted.every)
		return write_all(job);
	job->moved = timeline_energy_moved(job->from->iv);
	for (size_t i = 0; !err && i < job->from->iv->n; i++)
		err = write_piece(job, i);
	return err;
}

static int write(struct exporter *e, const struct export_source *from,
		 const struct export_target *to)
{
	struct pprof *p = (struct pprof *)e;
	struct job job = { .p = p, .from = from, .to = to };
	int err;

	if (p->too_many) {
		tell(PART_TITLE(from->part),
		     "has too many different samples for a profile; choose less of it with --from, --to "
		     "or --cpu");
		return -ECANCELED;
	}
	if (!from->m->header.sample_hz && !from->m->samples)
		tell(PART_TITLE(from->part),
		     "was recorded without samples (-F 0): there are no stacks");
	sample_counts_sort(&p->counts, false);
	err = functions_make(&job.functions, from->m);
	if (err)
		return err;
	err = write_profiles(&job);
	functions_free(&job.functions);
	return err;
}

const struct export_format export_pprof = {
	.name = "pprof",
	.help = "stacks for go tool pprof, Pyroscope, Parca and their like, gzipped",
	.ending = ".pb.gz",
	.keep = MODEL_TASKS | MODEL_CGROUPS | MODEL_MODULES,
	.takes = EXPORT_TAKES_IDLE,
	.several = true,
	.binary = true,
	.make = make,
	.write = write,
	.free = end,
};
