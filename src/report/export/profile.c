// SPDX-License-Identifier: BSD-2-Clause
#include "profile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <netcost/array.h>

#include "report/analysis/summary.h"
#include "report/base/text.h"
#include "report/model/filter.h"

/* ---- samples ----------------------------------------------------------------------------- */

void sample_counts_free(struct sample_counts *c)
{
	free(c->at);
	idmap_free(&c->by_hash);
	*c = (struct sample_counts){ 0 };
}

#define KEY_WORDS 3

/* What samples are told apart by, as numbers: in their order samples are written. */
static void make_key(uint64_t key[KEY_WORDS], const struct sample_count *p)
{
	key[0] = (uint64_t)p->piece << 32 | (uint64_t)p->cpu << 16 | p->class;
	key[1] = (uint64_t)p->stack << 32 | p->task;
	key[2] = p->cgroup;
}

static uint64_t hash_of(const uint64_t key[KEY_WORDS])
{
	uint64_t hash = 0;

	for (size_t i = 0; i < KEY_WORDS; i++) {
		hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

static int compare(const void *pa, const void *pb)
{
	uint64_t a[KEY_WORDS], b[KEY_WORDS];

	make_key(a, pa);
	make_key(b, pb);
	for (size_t i = 0; i < KEY_WORDS; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int compare_by_cpu(const void *pa, const void *pb)
{
	const struct sample_count *a = pa, *b = pb;

	return a->cpu == b->cpu ? compare(a, b) : a->cpu < b->cpu ? -1 : 1;
}

/* p->samples more. */
static int count(struct sample_counts *c, struct sample_count *p)
{
	uint64_t key[KEY_WORDS], hash;
	uint32_t i;

	make_key(key, p);
	hash = hash_of(key);
	p->next = i = idmap_get(&c->by_hash, hash);
	for (; i; i = c->at[i].next)
		if (!compare(&c->at[i], p)) {
			c->at[i].samples += p->samples;
			return 0;
		}
	if (array_reserve(&c->at, &c->cap, c->n + 2, sizeof(*c->at)) ||
	    idmap_set(&c->by_hash, hash, (uint32_t)c->n + 1))
		return -ENOMEM;
	c->at[++c->n] = *p;
	if (p->cpu >= c->cpu_end)
		c->cpu_end = p->cpu + 1u;
	return 0;
}

/* False: it is in none. What was before the first piece of a given length is in that. */
static bool find_piece(const struct sample_apart *apart, uint64_t time_ns, uint32_t *piece)
{
	uint64_t at;

	if (apart->rows) {
		size_t row = 0;

		if (!interval_at(apart->rows, &row, time_ns))
			return false;
		*piece = (uint32_t)row;
		return true;
	}
	at = apart->each_ns && time_ns > apart->origin_ns ?
		     (time_ns - apart->origin_ns) / apart->each_ns :
		     0;
	*piece = at < UINT32_MAX ? (uint32_t)at : UINT32_MAX;
	return true;
}

/* The model reports errors in the record. */
int sample_counts_add(struct sample_counts *c, const struct model *m,
		      const struct trace_record *rec, const struct sample_apart *apart)
{
	struct trace_samples s = trace_record_samples(rec);
	uint64_t cpu = trace_record_uint(rec, TRACE_SAMPLES_CPU, UINT64_MAX);
	int err = 0;

	if (cpu >= TRACE_MAX_CPU || !filter_takes_cpu(m->filter, cpu))
		return 0;
	for (size_t n = 0; !err && trace_samples_next(&s); n++) {
		struct sample_count p = { .stack = (uint32_t)s.stack,
					  .cpu = (uint16_t)cpu,
					  .samples = 1 };

		if (s.stack > m->nstacks || s.task > UINT32_MAX || s.cgroup > UINT32_MAX)
			return 0;
		p.class = (uint16_t)model_class(m, n, s.stack);
		p.task = apart->tasks ? (uint32_t)s.task : 0;
		p.cgroup = apart->tasks ? (uint32_t)s.cgroup : 0;
		if (model_is_selected(m, s.task, s.cgroup) &&
		    find_piece(apart, s.time_ns, &p.piece))
			err = count(c, &p);
	}
	return err;
}

int sample_counts_join(struct sample_counts *c)
{
	struct sample_counts joined = { 0 };
	int err = 0;

	for (size_t i = 1; !err && i <= c->n; i++) {
		struct sample_count p = c->at[i];

		p.piece /= 2;
		err = count(&joined, &p);
	}
	sample_counts_free(err ? &joined : c);
	if (!err)
		*c = joined;
	return err;
}

void sample_counts_sort(struct sample_counts *c, bool by_cpu)
{
	c->by_cpu = by_cpu;
	if (c->n)
		qsort(c->at + 1, c->n, sizeof(*c->at), by_cpu ? compare_by_cpu : compare);
}

size_t sample_counts_next(const struct sample_counts *c, size_t i, uint32_t v)
{
	while (i <= c->n && (c->by_cpu ? c->at[i].cpu : c->at[i].piece) < v)
		i++;
	return i;
}

/* ---- weights ----------------------------------------------------------------------------- */

#define MOST 9e18 /* of an int64_t: more is nothing that was measured */

int64_t weight_take(struct weight *w, uint64_t n)
{
	double each = w->samples ? w->whole / (double)w->samples : w->whole;
	double before = round((double)w->weighed * each), after;

	w->weighed += n;
	after = w->samples ? round((double)w->weighed * each) : round(w->whole);
	return fabs(after - before) < MOST ? (int64_t)(after - before) : 0;
}

/* The times of all CPUs that samples, or the model, know. -ENOMEM. */
static int weights_make(struct weights *w, const struct profile *p, const struct split *split,
			double uj)
{
	unsigned int seen = p->from->counts.cpu_end, known = p->m->cpu_end;

	*w = (struct weights){ .ncpus = seen > known ? seen : known, .energy = { .whole = uj } };
	w->cpu = calloc(w->ncpus + 1u, sizeof(*w->cpu));
	if (!w->cpu)
		return -ENOMEM;
	for (unsigned int c = 0; c < w->ncpus; c++)
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			w->cpu[c][l].whole = NAN;
	for (size_t i = 0; i < split->ncpus; i++)
		for (unsigned int l = 0; split->cpu[i].cpu < w->ncpus && l < LEAF_COUNT; l++)
			w->cpu[split->cpu[i].cpu][l].whole = split->cpu[i].leaf[l].ns;
	return 0;
}

/* All samples are counted before any weight is taken. */
static void weights_add(struct weights *w, const struct profile *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct sample_count *c = &p->count[i];
		enum leaf leaf = model_leaf(p->m, c->class);

		w->cpu[c->cpu][leaf].samples += c->samples;
		w->energy.samples += leaf != LEAF_IDLE ? c->samples : 0;
	}
}

/* Of what no time is known, samples weigh as much as the time between two. */
static void weights_complete(struct weights *w, const struct model *m)
{
	double each = m->header.sample_hz ? 1e9 / (double)m->header.sample_hz : 0;

	for (unsigned int c = 0; c < w->ncpus; c++)
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			if (!isfinite(w->cpu[c][l].whole))
				w->cpu[c][l].whole = each * (double)w->cpu[c][l].samples;
}

/* ---- profiles ---------------------------------------------------------------------------- */

int profile_write(struct profile *p, const struct split *split, double uj,
		  const struct export_target *to, size_t number, profile_write_fn *write)
{
	FILE *out;
	int err = weights_make(&p->weights, p, split, uj);

	if (err)
		return err;
	weights_add(&p->weights, p);
	weights_complete(&p->weights, p->m);
	out = to->open(to->ctx, number);
	err = out ? write(out, p) : -ECANCELED;
	if (out && !to->close(to->ctx, out, number, !err) && !err)
		err = -ECANCELED;
	free(p->weights.cpu);
	return err;
}

int profile_write_all(struct profile *p, double uj, const struct export_target *to,
		      profile_write_fn *write)
{
	const struct sample_counts *c = &p->from->counts;
	struct summary s;
	int err = summary_make(&s, p->m, p->source->part);

	if (err)
		return err;
	p->count = c->n ? c->at + 1 : NULL;
	p->n = c->n;
	p->begin_real_ns = s.start_real_ns;
	p->seconds = s.duration_s;
	err = profile_write(p, &s.split, uj, to, 1, write);
	summary_free(&s);
	return err;
}

int profiler_write(struct profiler *p, const struct export_source *from,
		   const struct export_target *to, bool by_cpu,
		   int (*write)(struct profile *p, const struct export_target *to))
{
	struct functions functions;
	struct profile profile = { .from = p,
				   .source = from,
				   .m = from->m,
				   .functions = &functions,
				   .idle = p->e.wanted.idle };
	int err;

	if (!from->m->header.sample_hz && !from->m->samples)
		tell(PART_TITLE(from->part),
		     "was recorded without samples (-F 0): there are no stacks");
	sample_counts_sort(&p->counts, by_cpu);
	err = functions_make(&functions, from->m);
	if (err)
		return err;
	err = write(&profile, to);
	functions_free(&functions);
	return err;
}

void profiler_free(struct exporter *e)
{
	sample_counts_free(&((struct profiler *)e)->counts);
}
