// SPDX-License-Identifier: BSD-2-Clause
#include "diff_side.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "report/analysis/known.h"
#include "report/analysis/unit_costs.h"
#include "report/base/stats.h"
#include "report/rules/stack_class.h"

_Static_assert(DIFF_PIECES <= STATS_PIECES_MAX, "");

/* ---- what times are divided by ----------------------------------------------------------- */

static double base_of(enum diff_per per, double packets, double seconds, double wall_ns)
{
	return per == DIFF_PER_PACKET ? packets :
	       per == DIFF_PER_SECOND ? seconds * 1e6 :
					wall_ns / 100;
}

static double base_of_piece(const struct diff_side *s, size_t i)
{
	const struct interval *row = &s->iv->row[i];

	return base_of(s->per, row->host.packets, (double)(row->end_ns - row->begin_ns) * 1e-9,
		       s->piece[i].split.wall_ns);
}

static double base_of_all(const struct diff_side *s)
{
	double base = base_of(s->per, s->summary.packets, s->summary.ticks_s,
			      s->summary.split.all.wall_ns);

	return base > 0 ? base : NAN;
}

/* ---- pieces ------------------------------------------------------------------------------ */

static const struct rules *rules_of(const struct diff_side *s)
{
	return classifier_rules(s->m->classes->classifier);
}

static void count_categories(const struct diff_side *s, size_t i)
{
	const struct rules *r = rules_of(s);
	const struct countmap *stacks = &s->iv->row[i].stacks;
	double *ns = &s->category_ns[i * r->ncategories];

	for (size_t k = 0; k < countmap_places(stacks); k++) {
		const struct countmap_entry *e = &stacks->entry[k];
		unsigned int category;

		if (!e->count)
			continue;
		category = s->m->classes->at[s->m->class[e->id]].category;
		for (; category >= LEAF_COUNT; category = r->category[category].parent)
			ns[category] += (double)e->count * s->piece[i].ns_per_sample;
	}
}

static int make_pieces(struct diff_side *s)
{
	size_t n = intervals_closed(s->iv);

	s->category_ns = calloc(n * rules_of(s)->ncategories + 1, sizeof(*s->category_ns));
	if (!s->category_ns)
		return -ENOMEM;
	for (size_t i = 0; i < n && i < DIFF_PIECES; i++) {
		struct diff_piece *p = &s->piece[i];
		const struct split_cpu *all = &p->split;

		if (interval_split(s->iv, i, s->m, &p->split))
			return -ENOMEM;
		p->ns_per_sample = known_ratio(all->basis * all->sampled_wall_ns, all->counted);
		p->base = base_of_piece(s, i);
		s->npieces = i + 1;
		count_categories(s, i);
	}
	return 0;
}

/* ---- functions --------------------------------------------------------------------------- */

static bool is_wanted(const struct diff_side *s, uint32_t stack)
{
	return s->leaves & 1u << model_leaf(s->m, s->m->class[stack]);
}

static void weigh_stacks(const struct diff_side *s, const struct countmap *stacks,
			 double ns_per_sample, struct functions_stack *stack)
{
	for (size_t k = 0; k < countmap_places(stacks); k++) {
		const struct countmap_entry *e = &stacks->entry[k];

		if (e->count && is_wanted(s, e->id))
			stack[e->id].own += (double)e->count * ns_per_sample;
	}
}

/* Each sample of a CPU stands for the same part of its time. */
static void weigh_all(const struct diff_side *s, struct functions_stack *stack)
{
	const struct split *split = &s->summary.split;

	for (size_t i = 0; i < split->ncpus; i++) {
		const struct split_cpu *c = &split->cpu[i];

		if (c->samples > 0)
			weigh_stacks(s, &model_next_cpu(s->m, c->cpu)->stacks,
				     c->basis * c->sampled_wall_ns / c->counted, stack);
	}
}

/* ns of each function, in piece i; s->npieces: in all of it. NULL: no memory. */
static struct functions_sum *sum_functions(const struct diff_side *s, size_t i)
{
	struct functions_stack *stack = calloc(s->m->nstacks + 1u, sizeof(*stack));
	struct functions_sum *sum;

	if (!stack)
		return NULL;
	if (i < s->npieces)
		weigh_stacks(s, &s->iv->row[i].stacks, s->piece[i].ns_per_sample, stack);
	else
		weigh_all(s, stack);
	sum = functions_add_up(&s->functions, stack);
	free(stack);
	return sum;
}

static int make_functions(struct diff_side *s)
{
	int err = functions_make(&s->functions, s->m);

	if (err)
		return err;
	s->function = sum_functions(s, s->npieces);
	return s->function ? 0 : -ENOMEM;
}

/* ---- all of it --------------------------------------------------------------------------- */

int diff_side_make(struct diff_side *s, const struct model *m, const struct part *part,
		   const struct intervals *iv, enum diff_per per, unsigned int leaves)
{
	int err;

	*s = (struct diff_side){ .m = m, .part = part, .iv = iv, .per = per, .leaves = leaves };
	err = summary_make(&s->summary, m, part);
	if (err)
		return err;
	s->base = base_of_all(s);
	err = unit_costs_spread(s->unit, &s->summary, iv);
	if (!err)
		err = make_pieces(s);
	if (!err)
		err = make_functions(s);
	if (err)
		diff_side_free(s);
	return err;
}

void diff_side_free(struct diff_side *s)
{
	summary_free(&s->summary);
	functions_free(&s->functions);
	free(s->category_ns);
	free(s->function);
	s->category_ns = NULL;
	s->function = NULL;
}

double diff_side_counted_base(const struct diff_side *s)
{
	const struct split *split = &s->summary.split;

	return s->m->npauses ? s->base * known_ratio(split->counted.wall_ns, split->all.wall_ns) :
			       s->base;
}

bool diff_side_has_samples(const struct diff_side *s)
{
	return s->summary.split.all.samples > 0;
}

/* ---- values ------------------------------------------------------------------------------ */

static const struct diff_value not_measured = { .value = NAN,
						.ci95 = NAN,
						.variance = NAN,
						.df = NAN,
						.samples = NAN,
						.how = SPLIT_NOT_MEASURED };

/* error_ns: the standard error by sampling; 0: exact. y: ns in each piece. */
static struct diff_value make_value(const struct diff_side *s, double ns, double error_ns,
				    const double *y)
{
	struct diff_value v = { .value = ns / s->base, .samples = NAN };
	double x[DIFF_PIECES], sampling = error_ns / s->base;

	v.ci95 = STATS_Z95 * sampling;

	for (size_t i = 0; i < s->npieces; i++)
		x[i] = s->piece[i].base;
	v.variance = stats_ratio_variance(y, x, s->npieces, &v.df);
	if (sampling * sampling > v.variance)
		v.variance = sampling * sampling;
	return isnan(v.value) ? not_measured : v;
}

/* How many samples of equal weight make up that share of CPU time. */
static double samples_of(const struct diff_side *s, double share)
{
	const struct split_cpu *all = &s->summary.split.all;

	return share / all->basis * all->samples;
}

static struct diff_value sampled_value(const struct diff_side *s, double share, double ci95,
				       const double *y)
{
	const struct split_cpu *all = &s->summary.split.all;
	double error = ci95 / STATS_Z95;
	struct diff_value v =
		make_value(s, share * all->sampled_wall_ns, error * all->sampled_wall_ns, y);

	if (isnan(v.value))
		return v;
	v.how = SPLIT_SAMPLES;
	v.samples = samples_of(s, share);
	return v;
}

static unsigned int measured(const struct split_cpu *c, unsigned int leaves)
{
	unsigned int set = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && c->leaf[l].how != SPLIT_NOT_MEASURED)
			set |= 1u << l;
	return set;
}

/* Of an incomplete sum, the error of the part that is measured. */
static double error_of(const struct split_cpu *c, unsigned int leaves)
{
	return split_sum(c, measured(c, leaves)).ci95_ns / STATS_Z95;
}

struct diff_value diff_side_leaves(const struct diff_side *s, unsigned int leaves, bool sampled)
{
	const struct split_cpu *all = &s->summary.split.all;
	struct split_value sum = split_sum(all, leaves);
	struct diff_value v;
	double y[DIFF_PIECES];

	for (size_t i = 0; i < s->npieces; i++) {
		const struct split_cpu *c = &s->piece[i].split;
		struct split_value of = split_sum(c, leaves);

		y[i] = sampled ? of.sampled * c->sampled_wall_ns : of.ns;
	}
	if (sampled)
		return isnan(sum.sampled) ? not_measured :
					    sampled_value(s, sum.sampled, sum.sampled_ci95, y);
	if (isnan(sum.ns))
		return not_measured;
	v = make_value(s, sum.ns, error_of(all, leaves), y);
	v.how = isnan(v.value) ? SPLIT_NOT_MEASURED : sum.how;
	if (v.how == SPLIT_SAMPLES)
		v.samples = samples_of(s, sum.sampled);
	return v;
}

struct diff_value diff_side_category(const struct diff_side *s, unsigned int category)
{
	const struct inside *in = &s->summary.inside;
	double y[DIFF_PIECES];

	if (!in->rules || isnan(in->row[category].exclusive.share))
		return not_measured;
	for (size_t i = 0; i < s->npieces; i++)
		y[i] = isnan(s->piece[i].ns_per_sample) ?
			       NAN :
			       s->category_ns[i * rules_of(s)->ncategories + category];
	return sampled_value(s, in->row[category].exclusive.share, in->row[category].exclusive.ci95,
			     y);
}

struct diff_value diff_side_part(const struct diff_side *s, unsigned int part)
{
	double ns = s->summary.rx.part[part].ns, y[DIFF_PIECES];
	struct diff_value v;

	if (isnan(ns))
		return not_measured;
	for (size_t i = 0; i < s->npieces; i++)
		y[i] = s->iv->row[i].host.part_ns[part];
	v = make_value(s, ns, 0, y);
	v.how = isnan(v.value) ? SPLIT_NOT_MEASURED : SPLIT_EXACT;
	return v;
}

/* ---- values of functions ----------------------------------------------------------------- */

double diff_side_samples(const struct diff_side *s, uint32_t function)
{
	return samples_of(s,
			  s->function[function].inclusive / s->summary.split.all.sampled_wall_ns);
}

/* What a function has in each piece. */
struct pieces_of {
	double self[DIFF_PIECES], inclusive[DIFF_PIECES];
};

static int fill_pieces(const struct diff_side *s, const uint32_t *function, size_t n,
		       struct pieces_of *of)
{
	for (size_t i = 0; i < s->npieces; i++) {
		struct functions_sum *sum = sum_functions(s, i);

		if (!sum)
			return -ENOMEM;
		for (size_t k = 0; k < n; k++) {
			if (function[k] == DIFF_NO_FUNCTION)
				continue;
			of[k].self[i] = sum[function[k]].self;
			of[k].inclusive[i] = sum[function[k]].inclusive;
		}
		free(sum);
	}
	return 0;
}

static struct diff_value function_value(const struct diff_side *s, double ns, const double *y)
{
	const struct split_cpu *all = &s->summary.split.all;
	double share = ns / all->sampled_wall_ns;

	return sampled_value(s, share, split_share_ci95(all, share), y);
}

int diff_side_functions(const struct diff_side *s, const uint32_t *function, size_t n,
			struct diff_function_value *value)
{
	static const struct functions_sum nothing;
	struct pieces_of *of = calloc(n + 1, sizeof(*of));
	int err = of ? fill_pieces(s, function, n, of) : -ENOMEM;

	for (size_t k = 0; !err && k < n; k++) {
		const struct functions_sum *all =
			function[k] == DIFF_NO_FUNCTION ? &nothing : &s->function[function[k]];

		value[k].self = function_value(s, all->self, of[k].self);
		value[k].inclusive = function_value(s, all->inclusive, of[k].inclusive);
	}
	free(of);
	return err;
}
