// SPDX-License-Identifier: BSD-2-Clause
/* Rows of the split. */
#include "breakdown.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <netcost/idmap.h>

#define TASK_ROWS 20

const char *const breakdown_names[BREAKDOWN_KINDS + 1] = {
	[BREAKDOWN_CPU] = "cpu",	   [BREAKDOWN_TASK] = "task",
	[BREAKDOWN_PROCESS] = "process",   [BREAKDOWN_CGROUP] = "cgroup",
	[BREAKDOWN_INTERVAL] = "interval",
};

bool breakdown_is_sampled(enum breakdown_kind kind)
{
	return kind == BREAKDOWN_TASK || kind == BREAKDOWN_PROCESS || kind == BREAKDOWN_CGROUP;
}

static double network_ns(const struct breakdown_row *r)
{
	return split_sum(&r->split, LEAF_NETWORK).ns;
}

/* Not known comes last. */
static int by_network(const void *pa, const void *pb)
{
	const struct breakdown_row *a = pa, *b = pb;
	double na = network_ns(a), nb = network_ns(b);

	na = isnan(na) ? -INFINITY : na;
	nb = isnan(nb) ? -INFINITY : nb;
	if (na != nb)
		return na < nb ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static int sum_rows(struct breakdown_row *sum, const struct breakdown_row *row, size_t n)
{
	struct split_cpu *cpu = calloc(n + 1, sizeof(*cpu));

	*sum = (struct breakdown_row){ .begin_s = NAN, .end_s = NAN };
	if (!cpu)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		cpu[i] = row[i].split;
		sum->samples += row[i].samples;
	}
	split_sum_cpus(&sum->split, cpu, n);
	if (!n)
		sum->split.wall_ns = NAN;
	free(cpu);
	return 0;
}

/* ---- CPUs -------------------------------------------------------------------------------- */

static void cpu_rows(struct breakdown *b)
{
	const struct summary *s = b->s;

	for (size_t i = 0; i < s->split.ncpus; i++) {
		const struct model_cpu *c = model_next_cpu(s->m, s->split.cpu[i].cpu);

		b->row[i] = (struct breakdown_row){ .id = c->cpu,
						    .samples = c->samples,
						    .split = s->split.cpu[i] };
	}
	qsort(b->row, s->split.ncpus, sizeof(*b->row), by_network);
}

/* ---- pieces of time ---------------------------------------------------------------------- */

static int interval_rows(struct breakdown *b, const struct intervals *iv)
{
	int err = 0;

	b->samples_outside = iv->outside;
	for (size_t i = 0; !err && i < iv->n; i++) {
		const struct interval *from = &iv->row[i];
		struct breakdown_row *r = &b->row[i];

		*r = (struct breakdown_row){ .id = i,
					     .begin_s = model_seconds(b->s->m, from->begin_ns),
					     .end_s = model_seconds(b->s->m, from->end_ns),
					     .samples = from->samples };
		err = interval_split(iv, i, b->s->m, &r->split);
	}
	return err;
}

/* ---- tasks, processes, cgroups: by samples alone, as exact counters are per CPU --------------- */

/* One task, process or cgroup. There may be very many, of which few become rows. */
struct tally {
	uint64_t id;
	model_str name;
	uint64_t samples; /* with a time */
	double ns[LEAF_COUNT];
};

struct tallies {
	const struct breakdown *b;
	uint32_t *of; /* task or cgroup to its tally, from 1 on; 0: it has no samples */
	struct idmap of_id;
	struct tally *tally;
	size_t n;
};

static void tallies_free(struct tallies *t)
{
	free(t->of);
	idmap_free(&t->of_id);
	free(t->tally);
}

/* Without TASKS, or CGROUPS, it is not known whose any of the samples are: id 0. */
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

/* Sets t->of of those with samples to 1. Returns how many they are. */
static size_t find_owners(struct tallies *t)
{
	const struct model_cpu *c;
	size_t n = 0;

	model_for_each_cpu(t->b->s->m, c)
	{
		const struct countmap *of = owners_of(t->b, c);

		for (size_t i = 0; i < countmap_places(of); i++) {
			uint32_t owner = of->entry[i].id / LEAF_COUNT;

			if (!of->entry[i].count || t->of[owner])
				continue;
			t->of[owner] = 1;
			n++;
		}
	}
	return n;
}

static model_str name_of(const struct breakdown *b, uint32_t owner)
{
	const struct model *m = b->s->m;

	if (!owner)
		return 0;
	return b->kind == BREAKDOWN_CGROUP ? m->cgroup[owner] : m->task[owner].comm;
}

/* A process is named after its first thread, sampled or not, by that thread's last name. */
static void name_processes(struct tallies *t)
{
	const struct model *m = t->b->s->m;

	for (uint32_t i = 1; i <= m->ntasks; i++) {
		const struct model_task *task = &m->task[i];
		uint32_t tally = task->tid == task->tgid ? idmap_get(&t->of_id, task->tgid) : 0;

		if (tally && task->comm)
			t->tally[tally - 1].name = task->comm;
	}
}

/* It has the last of its names that was sampled; a process that of its first thread, if that is known. */
static int add_owner(struct tallies *t, uint32_t owner)
{
	uint64_t id = id_of(t->b, owner);
	uint32_t number = idmap_get(&t->of_id, id);
	struct tally *tally;

	if (!number) {
		t->tally[t->n] = (struct tally){ .id = id };
		number = (uint32_t)++t->n;
		if (idmap_set(&t->of_id, id, number))
			return -ENOMEM;
	}
	tally = &t->tally[number - 1];
	if (t->b->kind != BREAKDOWN_PROCESS || !tally->name)
		tally->name = name_of(t->b, owner);
	t->of[owner] = number;
	return 0;
}

static int make_tallies(struct tallies *t)
{
	const struct model *m = t->b->s->m;
	uint32_t owners = t->b->kind == BREAKDOWN_CGROUP ? m->ncgroups : m->ntasks;
	int err = 0;

	t->of = calloc(owners + 1u, sizeof(*t->of));
	if (!t->of)
		return -ENOMEM;
	t->tally = calloc(find_owners(t) + 1, sizeof(*t->tally));
	if (!t->tally)
		return -ENOMEM;
	for (uint32_t i = 0; !err && i <= owners; i++)
		if (t->of[i])
			err = add_owner(t, i);
	if (!err && t->b->kind == BREAKDOWN_PROCESS)
		name_processes(t);
	return err;
}

/* ---- what they had ----------------------------------------------------------------------- */

/* Samples stand for as much time as in the summary: idle ones for none where idle time is exact. */
static void add_cpu(struct tallies *t, const struct split_cpu *split)
{
	const struct model_cpu *c = model_next_cpu(t->b->s->m, split->cpu);
	const struct countmap *of = owners_of(t->b, c);
	double ns = split->sampled_wall_ns * split->basis / split->counted;

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

static double sum_ns(const struct tally *t, unsigned int leaves)
{
	double ns = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l)
			ns += t->ns[l];
	return ns;
}

static int by_tally(const void *pa, const void *pb)
{
	const struct tally *a = pa, *b = pb;
	double na = sum_ns(a, LEAF_NETWORK), nb = sum_ns(b, LEAF_NETWORK);

	if (na == nb) {
		na = sum_ns(a, LEAF_ALL);
		nb = sum_ns(b, LEAF_ALL);
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

static int make_tasks(struct breakdown *b, size_t n)
{
	struct tallies t = { .b = b };
	int err = make_tallies(&t);

	for (size_t i = 0; !err && i < b->s->split.ncpus; i++)
		add_cpu(&t, &b->s->split.cpu[i]);
	if (!err) {
		qsort(t.tally, t.n, sizeof(*t.tally), by_tally);
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

/* ---- all of them ------------------------------------------------------------------------- */

/* Those after the first n become one. */
static int cut_rows(struct breakdown *b, size_t all, size_t n)
{
	int err = sum_rows(&b->all, b->row, all);

	b->n = n && n < all ? n : all;
	b->nothers = all - b->n;
	if (!err)
		err = sum_rows(&b->others, b->row + b->n, b->nothers);
	return err;
}

int breakdown_make(struct breakdown *b, const struct summary *s, enum breakdown_kind kind, size_t n,
		   const struct intervals *iv)
{
	size_t all = kind == BREAKDOWN_INTERVAL ? iv->n : s->split.ncpus;
	int err = 0;

	*b = (struct breakdown){ .kind = kind, .s = s };
	if (breakdown_is_sampled(kind)) {
		err = make_tasks(b, n ? n : TASK_ROWS);
	} else {
		b->row = calloc(all + 1, sizeof(*b->row));
		if (!b->row)
			err = -ENOMEM;
		else if (kind == BREAKDOWN_INTERVAL)
			err = interval_rows(b, iv);
		else
			cpu_rows(b);
		if (!err)
			err = cut_rows(b, all, n);
	}
	if (err)
		breakdown_free(b);
	return err;
}

void breakdown_free(struct breakdown *b)
{
	free(b->row);
	b->row = NULL;
}
