// SPDX-License-Identifier: BSD-2-Clause
#include "diff_processes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff_side.h"
#include "report/analysis/known.h"
#include "report/analysis/processes_energy.h"
#include "report/analysis/owners.h"

const char *const diff_processes_names[DIFF_BYS + 1] = { "name", "cgroup", "user", NULL };

static const enum processes_by by_of[DIFF_BYS] = { PROCESSES_BY_NAME, PROCESSES_BY_CGROUP,
						   PROCESSES_BY_USER };

/* ---- a side ------------------------------------------------------------------------------ */

/* What rows of a side are divided by. */
struct scale {
	double base;	/* of the time that was counted */
	double w_per_j; /* NaN: energy was not measured */
	bool network;	/* times of sends and receives were measured */
	struct processes_energy energy;
	struct owners owners;
};

static void make_scale(struct scale *scale, const struct diff_side *s, const struct processes *p)
{
	*scale = (struct scale){ .base = diff_side_counted_base(s),
				 .network = !isnan(p->all.network_ns) };
	processes_energy_make(&scale->energy, p);
	scale->w_per_j = known_ratio(s->summary.energy.total_w, scale->energy.total_j);
	owners_make(&scale->owners, s->m);
}

static void set_received(struct diff_process_side *side, const struct scale *s,
			 const struct processes_values *v)
{
	struct owners_paid paid = owners_paid(&s->owners, v);

	side->received = side->received_ci95 = NAN;
	if (!s->owners.any)
		return;
	side->received = (paid.received_ns + paid.dealt_ns) / s->base;
	side->received_ci95 = owners_ci95(paid.received_ns, paid.ci95_ns, paid.dealt_ns) / s->base;
}

static struct diff_process_side side_of(const struct scale *s, const struct processes_values *v)
{
	double on_cpu_ns = known_or_0(v->on_cpu_ns);
	struct energy_range joules = processes_energy_of(&s->energy, on_cpu_ns);
	struct diff_process_side side = {
		.on_cpu = on_cpu_ns / s->base,
		.network = s->network ? known_or_0(v->network_ns) / s->base : NAN,
		.watts = { joules.low * s->w_per_j, joules.high * s->w_per_j }
	};

	set_received(&side, s, v);
	return side;
}

/* Nothing, but energy only where that was measured. */
static struct diff_process_side nothing_of(const struct scale *s)
{
	return side_of(s, &(struct processes_values){ .on_cpu_ns = 0 });
}

/* Of what all received: it is known as one, and better than by adding it up. */
static double all_ci95(const struct scale *s)
{
	for (size_t i = 0; i < s->owners.nrows; i++) {
		const struct owners_row *r = &s->owners.row[i];

		if (r->fate == NETCOST_FATE_DIRECT)
			return owners_ci95(r->ns, r->ci95_ns, r->dealt_ns) / s->base;
	}
	return s->owners.any ? 0 : NAN;
}

/* ---- both -------------------------------------------------------------------------------- */

/* Packets of several come in the same softirqs: errors of what they received are taken to be in step. */
static void add_side(struct diff_process_side *to, const struct diff_process_side *s)
{
	to->on_cpu += s->on_cpu;
	to->network += s->network;
	to->received += s->received;
	to->received_ci95 += s->received_ci95;
	to->watts.low += s->watts.low;
	to->watts.high += s->watts.high;
}

static void add(struct diff_process *to, const struct diff_process *p)
{
	add_side(&to->before, &p->before);
	add_side(&to->after, &p->after);
}

double diff_process_received_ci95(const struct diff_process *p)
{
	return hypot(p->before.received_ci95, p->after.received_ci95);
}

static int by_name(const void *pa, const void *pb)
{
	const struct diff_process *a = pa, *b = pb;
	int order = strcmp(a->name, b->name);

	return order ? order : a->kernel - b->kernel;
}

static double change_of(const struct diff_process *p)
{
	double own = fmax(fabs(p->after.on_cpu - p->before.on_cpu),
			  fabs(p->after.network - p->before.network));

	/* fmax() takes what is known of the two. */
	return fmax(own, fabs(p->after.received - p->before.received));
}

static int by_change(const void *pa, const void *pb)
{
	double a = change_of(pa), b = change_of(pb);

	return a != b ? (a < b) - (a > b) : by_name(pa, pb);
}

/* Rows of one side, each with nothing on the other; those that are not one go to the others. */
static void take(struct diff_process_table *t, const struct processes *p, bool after,
		 const struct scale scale[2])
{
	for (size_t i = 0; i < p->nrows; i++) {
		const struct processes_row *r = &p->row[i];
		struct diff_process one = { .name = r->name,
					    .kernel = r->kernel && p->by != PROCESSES_BY_CGROUP,
					    .before = nothing_of(&scale[0]),
					    .after = nothing_of(&scale[1]) };

		*(after ? &one.after : &one.before) = side_of(&scale[after], &r->v);
		if (r->kind == PROCESSES_ONE)
			t->row[t->n++] = one;
		else
			add(&t->others, &one);
		add(&t->all, &one);
	}
}

static void merge(struct diff_process_table *t)
{
	size_t n = 0;

	qsort(t->row, t->n, sizeof(*t->row), by_name);
	for (size_t i = 0; i < t->n; i++) {
		if (n && !by_name(&t->row[n - 1], &t->row[i]))
			add(&t->row[n - 1], &t->row[i]);
		else
			t->row[n++] = t->row[i];
	}
	t->n = n;
}

/* Of those that changed the first ones stay. */
static void choose(struct diff_process_table *t, size_t most)
{
	qsort(t->row, t->n, sizeof(*t->row), by_change);
	while (t->n && (t->n > most || !(change_of(&t->row[t->n - 1]) > 0))) {
		add(&t->others, &t->row[--t->n]);
		t->nothers++;
	}
}

/* Several are not less certain than all. */
static void cap_ci95(struct diff_process_side *others, struct diff_process_side *all, double ci95)
{
	all->received_ci95 = ci95;
	if (others->received_ci95 > ci95)
		others->received_ci95 = ci95;
}

static int make_table(struct diff_process_table *t, const struct processes p[2],
		      const struct diff_side *const side[2], size_t most)
{
	struct scale scale[2];

	for (unsigned int after = 0; after < 2; after++)
		make_scale(&scale[after], side[after], &p[after]);
	t->others.name = t->all.name = "";
	t->others.before = t->all.before = nothing_of(&scale[0]);
	t->others.after = t->all.after = nothing_of(&scale[1]);
	t->row = calloc(p[0].nrows + p[1].nrows + 1, sizeof(*t->row));
	if (!t->row)
		return -ENOMEM;
	for (unsigned int after = 0; after < 2; after++)
		take(t, &p[after], after, scale);
	merge(t);
	choose(t, most);
	cap_ci95(&t->others.before, &t->all.before, all_ci95(&scale[0]));
	cap_ci95(&t->others.after, &t->all.after, all_ci95(&scale[1]));
	return 0;
}

/* Names are the models', or kept with the table. */
static int make(struct diff_process_table *t, enum processes_by by,
		const struct diff_side *const side[2], size_t most)
{
	struct processes p[2];
	int err = processes_make(&p[0], side[0]->m, by, PROCESSES_SORT_CPU, SIZE_MAX);

	if (err)
		return err;
	err = processes_make(&p[1], side[1]->m, by, PROCESSES_SORT_CPU, SIZE_MAX);
	if (!err) {
		err = make_table(t, p, side, most);
		t->there = !err;
		t->names[1] = p[1].user_name;
		p[1].user_name = NULL;
		processes_free(&p[1]);
	}
	t->names[0] = p[0].user_name;
	p[0].user_name = NULL;
	processes_free(&p[0]);
	return err;
}

static bool knows_users(const struct model *m)
{
	for (uint32_t id = 1; id <= m->nprocesses; id++)
		if (m->process[id].user != TRACE_NIL)
			return true;
	return false;
}

static bool has(const struct diff_side *s)
{
	return s->m->records[TRACE_PROCESS_STATS] && model_is_of_all(s->m);
}

int diff_processes_make(struct diff_processes *d, const struct diff_side *before,
			const struct diff_side *after, size_t n)
{
	const struct diff_side *const side[2] = { before, after };
	int err = 0;

	*d = (struct diff_processes){ .there = has(before) && has(after) };
	for (unsigned int by = 0; d->there && !err && by < DIFF_BYS; by++)
		if (by != DIFF_BY_USER || (knows_users(before->m) && knows_users(after->m)))
			err = make(&d->table[by], by_of[by], side, n);
	if (err)
		diff_processes_free(d);
	return err;
}

void diff_processes_free(struct diff_processes *d)
{
	for (unsigned int by = 0; by < DIFF_BYS; by++) {
		free(d->table[by].row);
		free(d->table[by].names[0]);
		free(d->table[by].names[1]);
	}
	*d = (struct diff_processes){ 0 };
}
