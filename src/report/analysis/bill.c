// SPDX-License-Identifier: BSD-2-Clause
#include "bill.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/bpf_types.h>

#include "known.h"
#include "report/base/stats.h"
#include "report/rules/rules.h"

static bool is_on_the_way(const char *kind)
{
	static const struct {
		const char *name;
		bool network;
	} types[] = {
#define X(number, name, network) { name, network },
		NETCOST_BPF_TYPES(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(types[i].name, kind))
			return types[i].network;
	return false;
}

/* Of the host's CPUs, not only of those that were recorded. */
static double host_cpus(const struct model *m)
{
	return (double)(m->header.cpus_online ? m->header.cpus_online : m->recorded_cpus);
}

/* The network's share of the CPUs' time; NaN also where that is of some CPUs, or of tasks. */
static double network_share(const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	if (model_is_of_some_cpus(s->m) || isnan(s->networking_cost))
		return NAN;
	return known_ratio(split_sum(all, LEAF_NETWORK).ns, all->wall_ns);
}

/* What a program did in each piece of the time that was counted. */
struct pieces {
	double runs[MODEL_PIECES], run_ns[MODEL_PIECES], seen_ns[MODEL_PIECES];
};

_Static_assert(MODEL_PIECES <= STATS_PIECES_MAX, "");

static void make_pieces(struct pieces *p, const struct model *m, const struct model_other *o)
{
	struct model_other_piece before = { 0 };
	uint64_t before_ns = 0;

	for (size_t i = 0; i < m->others_pieces; i++) {
		const struct model_other_piece *now = &o->piece[i];
		double seen_ns = (double)(m->others_piece_ns[i] - before_ns) -
				 (double)(now->unseen_ns - before.unseen_ns);

		p->runs[i] = (double)(now->runs - before.runs);
		p->run_ns[i] = (double)(now->run_ns - before.run_ns);
		p->seen_ns[i] = seen_ns > 0 ? seen_ns : NAN;
		before = *now;
		before_ns = m->others_piece_ns[i];
	}
}

static double ratio_ci95(const double *y, const double *x, size_t n)
{
	double df, variance = stats_ratio_variance(y, x, n, &df);

	return sqrt(variance) * stats_t95(df);
}

/* Only the time that was not counted is estimated: the error of a sample of a finite population. */
static double estimated(const struct model *m)
{
	double counted =
		known_ratio(counter_moved(&m->others_counted_ns), counter_moved(&m->at_ns));

	return isnan(counted) ? 1 : sqrt(fmax(1 - counted, 0));
}

static void add_intervals(struct bill_row *r, const struct model *m, const struct model_other *o)
{
	double rest = estimated(m);
	struct pieces p;

	if (!(rest > 0)) {
		r->ns_ci95 = r->share_ci95 = 0;
		return;
	}
	make_pieces(&p, m, o);
	r->ns_ci95 = rest * ratio_ci95(p.run_ns, p.runs, m->others_pieces);
	r->share_ci95 = rest * ratio_ci95(p.run_ns, p.seen_ns, m->others_pieces) / host_cpus(m);
	if (r->ns_ci95 > r->ns_per_run)
		r->ns_per_run = r->ns_ci95 = NAN;
}

static struct bill_row make_row(const struct summary *s, const struct model_other *o,
				double counted_ns)
{
	const struct model *m = s->m;
	double unseen_ns = counter_moved(&o->unseen_ns), known_ns = counted_ns - unseen_ns;
	bool known = known_ns > 0;
	struct bill_row r = {
		.name = model_string(m, o->name),
		.kind = model_string(m, o->kind),
		.attached = model_string(m, o->attached),
		.runs = known ? counter_moved(&o->runs) : NAN,
		.run_ns = known ? counter_moved(&o->run_ns) : NAN,
		.unseen_s = unseen_ns * 1e-9,
	};

	r.on_the_way = is_on_the_way(r.kind);
	r.runs_per_s = known_ratio(r.runs, known_ns * 1e-9);
	r.ns_per_run = known_ratio(r.run_ns, r.runs);
	r.share = known_ratio(r.run_ns, known_ns * host_cpus(m));
	add_intervals(&r, m, o);
	r.network_share = r.on_the_way ? known_ratio(r.share, network_share(s)) : NAN;
	return r;
}

/* What is not known comes last. Never by name, which scrub changes. */
static int by_share(const void *pa, const void *pb)
{
	const struct bill_row *a = pa, *b = pb;
	double x = isnan(a->share) ? -1 : a->share, y = isnan(b->share) ? -1 : b->share;

	if (x != y)
		return x < y ? 1 : -1;
	return a->place < b->place ? -1 : 1;
}

static void add(struct bill *b, const struct bill_row *r)
{
	known_add(r->on_the_way ? &b->on_the_way : &b->elsewhere, r->share);
	known_add(&b->network_share, r->network_share);
	b->ended += r->unseen_s > 0;
	if (r->runs > 0)
		(*(r->on_the_way ? &b->ran_on_the_way : &b->ran_elsewhere))++;
}

/* More than all of it is no share: while they were counted there was another load. */
static void drop_impossible(struct bill *b)
{
	if (!(b->network_share > 1))
		return;
	b->network_share = NAN;
	for (size_t i = 0; i < b->n; i++)
		b->row[i].network_share = NAN;
}

int bill_make(struct bill *b, const struct summary *s)
{
	const struct model *m = s->m;
	double counted_ns = counter_moved(&m->others_counted_ns);
	/* None is known to cost nothing; not measured is not known. */
	double none = counted_ns > 0 ? 0 : NAN;

	*b = (struct bill){ .on_the_way = none,
			    .elsewhere = none,
			    .network_share = isnan(network_share(s)) ? NAN : none,
			    .counted_s = counted_ns * 1e-9,
			    .of_s = counter_moved(&m->at_ns) * 1e-9 };
	b->row = malloc((m->nothers + 1) * sizeof(*b->row));
	if (!b->row)
		return -ENOMEM;
	for (size_t i = 0; i < m->nothers; i++) {
		b->row[b->n] = make_row(s, &m->other[i], counted_ns);
		b->row[b->n].place = i;
		add(b, &b->row[b->n++]);
	}
	drop_impossible(b);
	qsort(b->row, b->n, sizeof(*b->row), by_share);
	return 0;
}

void bill_free(struct bill *b)
{
	free(b->row);
}
