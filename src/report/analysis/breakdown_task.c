// SPDX-License-Identifier: BSD-2-Clause
/* Rows of the split by task or process: by samples alone, as exact counters are per CPU. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "breakdown_impl.h"

/* One task or process. There may be very many, of which few become rows. */
struct tally {
	uint64_t id;
	model_str name;
	uint64_t samples; /* with a time */
	double ns[LEAF_COUNT];
};

/* A task of the trace, and whom it belongs to. */
struct ref {
	uint64_t id; /* thread or process */
	uint32_t task;
};

struct tallies {
	const struct breakdown *b;
	uint32_t *of; /* task to its tally, from 1 on; 0: it has no samples */
	struct ref *ref;
	size_t nrefs;
	struct tally *tally;
	size_t n;
};

static void tallies_free(struct tallies *t)
{
	free(t->of);
	free(t->ref);
	free(t->tally);
}

/* Without TASKS, or CGROUPS, there are samples of nobody knows whom alone: id 0. */
static uint64_t id_of(const struct breakdown *b, uint32_t owner)
{
	const struct model_task *task = b->s->m->task;

	if (!owner)
		return TRACE_NIL;
	return b->kind == BREAKDOWN_CGROUP  ? owner :
	       b->kind == BREAKDOWN_PROCESS ? task[owner].tgid :
					      task[owner].tid;
}

/* The CPU's samples by task, or by cgroup, and leaf. */
static const struct countmap *owners_of(const struct breakdown *b, const struct model_cpu *c)
{
	return b->kind == BREAKDOWN_CGROUP ? &c->cgroups : &c->tasks;
}

/* ---- who there is ------------------------------------------------------------------------ */

static int by_id(const void *pa, const void *pb)
{
	const struct ref *a = pa, *b = pb;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->task > b->task) - (a->task < b->task);
}

/* Tasks that have samples. */
static int find_tasks(struct tallies *t)
{
	const struct model *m = t->b->s->m;
	uint32_t owners = t->b->kind == BREAKDOWN_CGROUP ? m->ncgroups : m->ntasks;
	const struct model_cpu *c;

	t->of = calloc(owners + 1u, sizeof(*t->of));
	if (!t->of)
		return -ENOMEM;
	model_for_each_cpu(m, c)
	{
		const struct countmap *of = owners_of(t->b, c);

		for (size_t i = 0; i < countmap_places(of); i++) {
			uint32_t task = of->entry[i].id / LEAF_COUNT;

			if (!of->entry[i].count || t->of[task])
				continue;
			t->of[task] = 1;
			t->nrefs++;
		}
	}
	t->ref = calloc(t->nrefs + 1, sizeof(*t->ref));
	if (!t->ref)
		return -ENOMEM;
	t->nrefs = 0;
	for (uint32_t i = 0; i <= owners; i++)
		if (t->of[i])
			t->ref[t->nrefs++] = (struct ref){ id_of(t->b, i), i };
	qsort(t->ref, t->nrefs, sizeof(*t->ref), by_id);
	return 0;
}

static model_str name_of(const struct breakdown *b, uint32_t owner)
{
	const struct model *m = b->s->m;

	if (!owner)
		return 0;
	return b->kind == BREAKDOWN_CGROUP ? m->cgroup[owner] : m->task[owner].comm;
}

static int by_tally_id(const void *pa, const void *pb)
{
	const struct tally *a = pa, *b = pb;

	return (a->id > b->id) - (a->id < b->id);
}

/* After its first thread, sampled or not, by the last name of that. */
static void name_processes(struct tallies *t)
{
	const struct model *m = t->b->s->m;

	for (uint32_t i = 1; i <= m->ntasks; i++) {
		const struct tally key = { .id = m->task[i].tgid };
		struct tally *tally = NULL;

		if (m->task[i].tid == key.id && m->task[i].comm)
			tally = bsearch(&key, t->tally, t->n, sizeof(key), by_tally_id);
		if (tally)
			tally->name = m->task[i].comm;
	}
}

/* Called as the last of its names that was sampled; a process as its first thread, if that is known. */
static int make_tallies(struct tallies *t)
{
	t->tally = calloc(t->nrefs + 1, sizeof(*t->tally));
	if (!t->tally)
		return -ENOMEM;
	for (size_t i = 0; i < t->nrefs; i++) {
		const struct ref *r = &t->ref[i];
		struct tally *tally;

		if (!i || r[-1].id != r->id)
			t->tally[t->n++] = (struct tally){ .id = r->id };
		tally = &t->tally[t->n - 1];
		if (t->b->kind != BREAKDOWN_PROCESS || !tally->name)
			tally->name = name_of(t->b, r->task);
		t->of[r->task] = (uint32_t)t->n;
	}
	if (t->b->kind == BREAKDOWN_PROCESS)
		name_processes(t);
	return 0;
}

/* ---- what they had ----------------------------------------------------------------------- */

/* Samples stand for what they do in the summary: idle ones for nothing, where idle time is exact. */
static void add_cpu(struct tallies *t, const struct split_cpu *split)
{
	const struct model_cpu *c = model_next_cpu(t->b->s->m, split->cpu);
	const struct countmap *of = owners_of(t->b, c);
	double ns = split->wall_ns * split->basis / split->samples;

	if (!(split->samples > 0))
		return;
	for (size_t i = 0; i < countmap_places(of); i++) {
		const struct countmap_entry *e = &of->entry[i];
		unsigned int leaf = e->id % LEAF_COUNT;
		struct tally *tally;

		if (!e->count || isnan(split->leaf[leaf].sampled))
			continue;
		tally = &t->tally[t->of[e->id / LEAF_COUNT] - 1];
		tally->ns[leaf] += (double)e->count * ns;
		tally->samples += e->count;
	}
}

static double network_ns(const struct tally *t)
{
	double ns = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (LEAF_NETWORK & 1u << l)
			ns += t->ns[l];
	return ns;
}

static double all_ns(const struct tally *t)
{
	double ns = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		ns += t->ns[l];
	return ns;
}

static int by_network(const void *pa, const void *pb)
{
	const struct tally *a = pa, *b = pb;
	double na = network_ns(a), nb = network_ns(b);

	if (na == nb) {
		na = all_ns(a);
		nb = all_ns(b);
	}
	if (na != nb)
		return na < nb ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

/* ---- rows -------------------------------------------------------------------------------- */

static void make_row(struct breakdown_row *r, const struct breakdown *b, const struct tally *t)
{
	const struct split_cpu *all = &b->s->split.all;
	double ns[LEAF_COUNT];

	*r = (struct breakdown_row){
		.id = t->id,
		.name = model_string(b->s->m, t->name),
		.begin_s = NAN,
		.end_s = NAN,
		.samples = t->samples,
	};
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		ns[l] = isnan(all->leaf[l].sampled) ? NAN : t->ns[l];
	split_from_samples(&r->split, ns, (double)t->samples);
}

/* Of the tallies from i on. */
static void make_sum(struct breakdown_row *r, const struct tallies *t, size_t i)
{
	struct tally sum = { 0 };

	for (; i < t->n; i++) {
		sum.samples += t->tally[i].samples;
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			sum.ns[l] += t->tally[i].ns[l];
	}
	make_row(r, t->b, &sum);
}

int breakdown_make_tasks(struct breakdown *b, size_t n)
{
	struct tallies t = { .b = b };
	int err = find_tasks(&t);

	if (!err)
		err = make_tallies(&t);
	for (size_t i = 0; !err && i < b->s->split.ncpus; i++)
		add_cpu(&t, &b->s->split.cpu[i]);
	if (!err) {
		qsort(t.tally, t.n, sizeof(*t.tally), by_network);
		b->n = n < t.n ? n : t.n;
		b->nothers = t.n - b->n;
		b->row = calloc(b->n + 1, sizeof(*b->row));
		err = b->row ? 0 : -ENOMEM;
	}
	for (size_t i = 0; !err && i < b->n; i++)
		make_row(&b->row[i], b, &t.tally[i]);
	if (!err) {
		make_sum(&b->others, &t, b->n);
		make_sum(&b->all, &t, 0);
	}
	tallies_free(&t);
	return err;
}
