// SPDX-License-Identifier: BSD-2-Clause
/* Measures a recording, and compares its CPU time by category, by function and as unit costs. */
#include "diff.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "report/base/stats.h"
#include "report/rules/rules.h"

const struct diff_value diff_nothing = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, SPLIT_NOT_MEASURED };

/* ---- rows of a side ---------------------------------------------------------------------- */

int diff_add(struct diff_table *t, enum diff_side_number side, const struct diff_row *r)
{
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 64;

		if (array_resize(&t->row, room, sizeof(*t->row)))
			return -ENOMEM;
		t->room = room;
	}
	t->row[t->n] = *r;
	t->row[t->n++].seen = 1u << side;
	return 0;
}

void diff_value_add(struct diff_value *to, const struct diff_value *v)
{
	known_add(&to->value, v->value);
	known_add(&to->ci95, v->ci95);
	known_add(&to->low, v->low);
	known_add(&to->high, v->high);
}

int diff_larger_first(double a, double b)
{
	return (a < b) - (a > b);
}

int diff_strings(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

int diff_numbers(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

int diff_by_name(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	int order = diff_strings(a->name, b->name);

	return order ? order : diff_strings(a->of, b->of);
}

int diff_by_place(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;

	if (a->group != b->group)
		return diff_numbers(a->group, b->group);
	return a->kind != b->kind ? diff_numbers(a->kind, b->kind) :
				    diff_numbers(a->place, b->place);
}

/* ---- significant changes ---- */

bool diff_is_apart(const struct diff_change *c)
{
	return c->verdict == DIFF_MORE || c->verdict == DIFF_LESS;
}

bool diff_row_is_apart(const struct diff_row *r)
{
	for (size_t i = 0; i < DIFF_MEASURES; i++)
		if (diff_is_apart(&r->m[i]))
			return true;
	return false;
}

/* at most this number of functions is compared: the functions with the most samples */
#define MOST_FUNCTIONS 2000

_Static_assert(DIFF_PIECES <= STATS_PIECES_MAX, "");

/* ---- divisors of times ---- */

static double base_of(enum diff_per per, double packets, double bytes, double seconds,
		      double wall_ns)
{
	return per == DIFF_PER_PACKET ? packets :
	       per == DIFF_PER_GB     ? bytes * 1e-3 :
	       per == DIFF_PER_SECOND ? seconds * 1e6 :
					wall_ns / 100;
}

static double base_of_piece(const struct diff_side *s, size_t i)
{
	const struct interval *row = &s->iv->row[i];
	const struct interval_traffic *traffic = interval_traffic(s->iv, i);

	return base_of(s->per, traffic->packets, traffic->bytes,
		       (double)(row->end_ns - row->begin_ns) * 1e-9, s->piece[i].split.wall_ns);
}

static double base_of_all(const struct diff_side *s)
{
	double base = base_of(s->per, s->summary.packets, s->summary.bytes, s->summary.ticks_s,
			      s->summary.split.all.wall_ns);

	return base > 0 ? base : NAN;
}

/* ---- intervals --------------------------------------------------------------------------- */

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

/* ---- how unit costs vary ----------------------------------------------------------------- */

/* For each unit cost, the time or energy spent in each interval, and the number of units. NaN: unknown. */
struct unit_sums {
	double spent[UNIT_COSTS][DIFF_PIECES], done[UNIT_COSTS][DIFF_PIECES];
};

/* Adds a cell to the sums. Costs of calls refer only to the time that was counted, so pauses are left out. */
static int add_cell(struct unit_sums *to, const struct diff_side *s, size_t piece, size_t cell)
{
	struct split_input in = interval_input(s->iv, cell, s->m);
	struct split split = { 0 };

	in.paused_ns = 0;
	if (in.wall_ns > 0 && split_compute(&split, &in, 1))
		return -ENOMEM;
	for (unsigned int i = 0; i < UNIT_COSTS; i++) {
		if (unit_cost_is_of_counted(i) && in.wall_ns > 0)
			known_add(&to->spent[i][piece],
				  split_sum(&split.all, unit_cost[i].leaves).ns);
	}
	split_free(&split);
	return 0;
}

/* Returns the network's energy in uJ: its share of the busy time, applied to the energy above idle power. */
static double energy_in(const struct diff_side *s, size_t piece)
{
	const struct interval_host *h = &s->iv->row[piece].host;
	const struct split_cpu *c = &s->piece[piece].split;
	double above_j = h->joules - s->summary.energy.idle_w * h->energy_ns * 1e-9;

	return 1e6 * above_j *
	       known_ratio(split_sum(c, LEAF_NETWORK).ns,
			   split_sum(c, LEAF_ALL & ~LEAF_BIT(IDLE)).ns);
}

static int add_piece(struct unit_sums *to, const struct diff_side *s, size_t piece)
{
	size_t ncpus = s->iv->ncpus;
	int err = 0;

	for (unsigned int i = 0; i < UNIT_COSTS; i++) {
		const struct unit_cost_desc *u = &unit_cost[i];

		to->done[i][piece] = interval_units(s->iv, piece, i) / u->parts;
		to->spent[i][piece] = NAN;
		if (unit_cost_is_of_counted(i))
			continue;
		to->spent[i][piece] = u->leaves ? split_sum(&s->piece[piece].split, u->leaves).ns :
						  energy_in(s, piece);
	}
	for (size_t c = 0; !err && c < ncpus; c++)
		err = add_cell(to, s, piece, piece * ncpus + c);
	return err;
}

/*
 * Returns a unit cost. Its variance is the larger of two values: the error of measuring, and the variance of the cost
 * between intervals. For energy, the variance is the sum of these values, because the error of idle power is the same
 * in all intervals. NaN: the variance between intervals is unknown.
 */
static struct stats_value unit_value(const struct diff_side *s, const struct unit_sums *sums,
				     enum unit_cost_id i)
{
	double error = s->summary.unit[i].ci95 / STATS_Z95, variance, df;
	struct stats_value v = { s->summary.unit[i].value, error * error, INFINITY };

	if (isnan(v.value))
		return v;
	variance = stats_ratio_variance(sums->spent[i], sums->done[i], s->npieces, &df);
	/* NaN if `variance` is NaN */
	v.variance = variance + (unit_cost[i].leaves ? fmax(v.variance - variance, 0) : v.variance);
	v.df = df;
	return v;
}

static int make_units(struct diff_side *s)
{
	struct unit_sums sums;
	int err = 0;

	for (size_t i = 0; !err && i < s->npieces; i++)
		err = add_piece(&sums, s, i);
	for (unsigned int i = 0; !err && i < UNIT_COSTS; i++)
		s->unit[i] = unit_value(s, &sums, i);
	return err;
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

/* Sets the weights of all stacks. All samples of a CPU represent the same time. */
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

/*
 * Returns the time in ns of each function in interval i, or in the whole recording if i is s->npieces. Returns NULL if
 * out of memory.
 */
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

/* ---- a side ------------------------------------------------------------------------------ */

int diff_side_make(struct diff_side *s, const struct model *m, const struct part *part,
		   const struct intervals *iv, enum diff_per per, unsigned int leaves)
{
	int err;

	*s = (struct diff_side){ .m = m, .part = part, .iv = iv, .per = per, .leaves = leaves };
	err = summary_make_with(&s->summary, m, part, iv->basis);
	if (err)
		return err;
	s->base = base_of_all(s);
	err = make_pieces(s);
	if (!err)
		err = make_units(s);
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

bool diff_side_has_samples(const struct diff_side *s)
{
	return s->summary.split.all.samples > 0;
}

/* ---- values ------------------------------------------------------------------------------ */

/*
 * Makes a value. error_ns is the standard error of sampling (0: exact); y[] contains the time in ns in each interval.
 */
static struct diff_value make_value(const struct diff_side *s, double ns, double error_ns,
				    const double *y)
{
	struct diff_value v = diff_nothing;
	double x[DIFF_PIECES], sampling = error_ns / s->base;

	v.value = ns / s->base;
	v.ci95 = STATS_Z95 * sampling;
	for (size_t i = 0; i < s->npieces; i++)
		x[i] = s->piece[i].base;
	v.variance = stats_ratio_variance(y, x, s->npieces, &v.df);
	if (sampling * sampling > v.variance)
		v.variance = sampling * sampling;
	return isnan(v.value) ? diff_nothing : v;
}

/* Returns the number of samples of equal weight that represent the given share of CPU time. */
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

/* Returns the standard error of the sum of the leaves. Leaves that were not measured are left out. */
static double error_of(const struct split_cpu *c, unsigned int leaves)
{
	return split_sum(c, measured(c, leaves)).ci95_ns / STATS_Z95;
}

/*
 * Returns the value of a sum of leaves. If `sampled` is set, the value is from samples alone, even if the sum is exact.
 */
static struct diff_value leaves_value(const struct diff_side *s, unsigned int leaves, bool sampled)
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
		return isnan(sum.sampled) ? diff_nothing :
					    sampled_value(s, sum.sampled, sum.sampled_ci95, y);
	if (isnan(sum.ns))
		return diff_nothing;
	v = make_value(s, sum.ns, error_of(all, leaves), y);
	v.how = isnan(v.value) ? SPLIT_NOT_MEASURED : sum.how;
	if (!isnan(v.value) && split_by_samples(&sum))
		v.samples = samples_of(s, sum.sampled);
	return v;
}

static struct diff_value category_value(const struct diff_side *s, unsigned int category)
{
	const struct inside *in = &s->summary.inside;
	double y[DIFF_PIECES];

	if (!in->rules || isnan(in->row[category].exclusive.share))
		return diff_nothing;
	for (size_t i = 0; i < s->npieces; i++)
		y[i] = isnan(s->piece[i].ns_per_sample) ?
			       NAN :
			       s->category_ns[i * rules_of(s)->ncategories + category];
	return sampled_value(s, in->row[category].exclusive.share, in->row[category].exclusive.ci95,
			     y);
}

static struct diff_value part_value(const struct diff_side *s, unsigned int part)
{
	double ns = s->summary.rx.part[part].ns, y[DIFF_PIECES];
	struct diff_value v;

	if (isnan(ns))
		return diff_nothing;
	for (size_t i = 0; i < s->npieces; i++)
		y[i] = s->iv->row[i].host.part_ns[part];
	v = make_value(s, ns, 0, y);
	v.how = isnan(v.value) ? SPLIT_NOT_MEASURED : SPLIT_EXACT;
	return v;
}

/* ---- categories -------------------------------------------------------------------------- */

static bool is_same_how(const struct split_cpu *a, const struct split_cpu *b, unsigned int leaves)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && l != LEAF_TASK && a->leaf[l].how != b->leaf[l].how)
			return false;
	return true;
}

static const struct split *split_of_side(const struct diff_table *t, enum diff_side_number side)
{
	return &t->side[side]->summary.split;
}

static bool is_counted_in_same_way(const struct diff_table *t, unsigned int leaves)
{
	return is_same_how(&split_of_side(t, DIFF_BEFORE)->counted,
			   &split_of_side(t, DIFF_AFTER)->counted, leaves & ~LEAF_BIT(OWN));
}

/*
 * Returns whether both sides measured the leaves in the same way. Samples may be wrong by more than their interval, so
 * exact times, or windows of exact times, must not be compared with samples.
 */
static bool is_same_way(const struct diff_table *t, unsigned int leaves)
{
	return is_same_how(&split_of_side(t, DIFF_BEFORE)->all, &split_of_side(t, DIFF_AFTER)->all,
			   leaves) &&
	       is_counted_in_same_way(t, leaves);
}

static bool is_measured(const struct diff_table *t, unsigned int leaves, bool sampled)
{
	return !isnan(leaves_value(t->side[DIFF_BEFORE], leaves, sampled).value) &&
	       !isnan(leaves_value(t->side[DIFF_AFTER], leaves, sampled).value);
}

/*
 * Adds the rows of leaves. If a leaf is exact on one side only, and both sides have samples, the leaf is compared by
 * samples.
 */
static int add_leaves(struct diff_table *t, enum diff_side_number side, unsigned int i)
{
	const struct leaf_node *n = &leaf_node[i];
	bool other_way = is_measured(t, n->leaves, false) && !is_same_way(t, n->leaves);
	/* most of the recorder's own cost is known from its runs, not from samples */
	bool sampled = other_way && n->leaves != LEAF_BIT(OWN) && is_measured(t, n->leaves, true);
	struct diff_row r = { .group = DIFF_MAIN,
			      .name = n->key,
			      .title = n->title,
			      .depth = n->depth - 1,
			      .place = i,
			      .not_alike = other_way && !sampled,
			      .by_samples = sampled };

	r.m[0].side[side] = leaves_value(t->side[side], n->leaves, sampled);
	return n->leaves & ~LEAF_NOT_SAMPLED || !isnan(r.m[0].side[side].value) ?
		       diff_add(t, side, &r) :
		       0;
}

/*
 * Adds the child categories of a parent. Each category is followed by its own children. A category that has samples
 * on neither side gets no row.
 */
static int add_categories(struct diff_table *t, enum diff_side_number side, unsigned int parent,
			  unsigned int depth)
{
	const struct rules *r = rules_of(t->side[DIFF_BEFORE]);
	int err = 0;

	for (unsigned int i = LEAF_COUNT; !err && i < r->ncategories; i++) {
		struct diff_row row = { .group = DIFF_CATEGORY,
					.name = r->category[i].key,
					.of = r->category[r->category[i].leaf].key,
					.title = r->category[i].title,
					.depth = depth,
					.place = t->n };

		if (r->category[i].parent != parent ||
		    (!(category_value(t->side[DIFF_BEFORE], i).samples > 0) &&
		     !(category_value(t->side[DIFF_AFTER], i).samples > 0)))
			continue;
		row.m[0].side[side] = category_value(t->side[side], i);
		err = diff_add(t, side, &row);
		if (!err)
			err = add_categories(t, side, i, depth + 1);
	}
	return err;
}

static int add_part(struct diff_table *t, enum diff_side_number side, unsigned int part)
{
	struct diff_row r = { .group = DIFF_PART,
			      .name = model_part_key(part),
			      .title = model_part_title(part),
			      .place = part };

	r.m[0].side[side] = part_value(t->side[side], part);
	return isnan(r.m[0].side[side].value) ? 0 : diff_add(t, side, &r);
}

static int walk_costs(struct diff_table *t, enum diff_side_number side)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < LEAF_NODES; i++)
		if (leaf_node[i].leaves != LEAF_ALL) /* the whole time never changes */
			err = add_leaves(t, side, i);
	for (unsigned int l = 0; !err && l < LEAF_COUNT; l++)
		err = add_categories(t, side, l, 1);
	for (unsigned int p = 0; !err && p < NETCOST_PART_COUNT; p++)
		err = add_part(t, side, p);
	return err;
}

const struct diff_subject_desc diff_costs = { .walk = walk_costs, .measures = 1, .families = 2 };

/* ---- functions --------------------------------------------------------------------------- */

enum { SELF, INCLUSIVE, FUNCTION_MEASURES };

static double samples_in(const struct diff_side *s, uint32_t function)
{
	return samples_of(s,
			  s->function[function].inclusive / s->summary.split.all.sampled_wall_ns);
}

static int compare_functions(const void *a, const void *b)
{
	return function_compare(a, b);
}

/*
 * Returns the number of samples of the side's function that has the same name and module as f. User mode is the last
 * function of a side; all other functions are sorted.
 */
static double samples_of_same(const struct diff_side *s, const struct function *f, bool is_user)
{
	const struct functions *all = &s->functions;
	const struct function *found = &all->at[all->n - 1];

	if (!is_user)
		found = bsearch(f, all->at, all->n - 1, sizeof(*f), compare_functions);
	return found ? samples_in(s, (uint32_t)(found - all->at)) : 0;
}

/* The time of a function in each interval. */
struct pieces_of {
	double ns[FUNCTION_MEASURES][DIFF_PIECES];
};

static int fill_pieces(const struct diff_side *s, const uint32_t *function, size_t n,
		       struct pieces_of *of)
{
	for (size_t i = 0; i < s->npieces; i++) {
		struct functions_sum *sum = sum_functions(s, i);

		if (!sum)
			return -ENOMEM;
		for (size_t k = 0; k < n; k++) {
			of[k].ns[SELF][i] = sum[function[k]].self;
			of[k].ns[INCLUSIVE][i] = sum[function[k]].inclusive;
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

static int add_function(struct diff_table *t, enum diff_side_number side, uint32_t number,
			const struct pieces_of *of)
{
	const struct diff_side *s = t->side[side];
	const struct function *f = &s->functions.at[number];
	const struct functions_sum *sum = &s->function[number];
	struct diff_row r = { .name = f->name,
			      .of = f->module,
			      .title = *f->name ? f->name : "[unknown]",
			      .id = { number + 1 == s->functions.n } };

	r.m[SELF].side[side] = function_value(s, sum->self, of->ns[SELF]);
	r.m[INCLUSIVE].side[side] = function_value(s, sum->inclusive, of->ns[INCLUSIVE]);
	return diff_add(t, side, &r);
}

/* Chooses the functions that have enough samples on both sides together. Returns the number of functions. */
static size_t choose_functions(const struct diff_table *t, enum diff_side_number side,
			       uint32_t *function)
{
	const struct functions *all = &t->side[side]->functions;
	size_t n = 0;

	for (uint32_t i = 0; i < all->n; i++)
		if (samples_in(t->side[side], i) +
			    samples_of_same(t->side[!side], &all->at[i], i + 1 == all->n) >=
		    DIFF_LEAST_SAMPLES)
			function[n++] = i;
	return n;
}

static int walk_functions(struct diff_table *t, enum diff_side_number side)
{
	static const struct pieces_of none;
	const struct diff_side *s = t->side[side];
	uint32_t *function = calloc(s->functions.n + (size_t)1, sizeof(*function));
	size_t n = function ? choose_functions(t, side, function) : 0;
	struct pieces_of *of = calloc(n + 1, sizeof(*of));
	int err = function && of ? fill_pieces(s, function, n, of) : -ENOMEM;

	for (size_t i = 0; i < FUNCTION_MEASURES; i++)
		t->absent[side][i] = function_value(s, 0, none.ns[i]);
	for (size_t i = 0; !err && i < n; i++)
		err = add_function(t, side, function[i], &of[i]);
	free(function);
	free(of);
	return err;
}

static double samples_of_row(const struct diff_row *r)
{
	const struct diff_change *c = &r->m[INCLUSIVE];

	return known_or_0(c->side[DIFF_BEFORE].samples) + known_or_0(c->side[DIFF_AFTER].samples);
}

static int by_samples(const void *a, const void *b)
{
	int order = diff_larger_first(samples_of_row(a), samples_of_row(b));

	return order ? order : diff_by_name(a, b);
}

static void finish_functions(struct diff_table *t)
{
	if (t->n <= MOST_FUNCTIONS)
		return;
	qsort(t->row, t->n, sizeof(*t->row), by_samples);
	t->n = MOST_FUNCTIONS;
}

static int by_change(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	int order = diff_row_is_apart(b) - diff_row_is_apart(a);

	if (!order)
		order = diff_larger_first(known_or_0(fabs(a->m[SELF].change)),
					  known_or_0(fabs(b->m[SELF].change)));
	return order ? order : diff_by_name(a, b);
}

const struct diff_subject_desc diff_functions = { .has = diff_side_has_samples,
						  .walk = walk_functions,
						  .finish = finish_functions,
						  .order = by_change,
						  .measures = FUNCTION_MEASURES,
						  .families = 2,
						  .cut = true };

/* ---- unit costs -------------------------------------------------------------------------- */

static int walk_units(struct diff_table *t, enum diff_side_number side)
{
	const struct diff_side *s = t->side[side];
	int err = 0;

	for (unsigned int i = 0; !err && i < UNIT_COSTS; i++) {
		unsigned int leaves = unit_cost[i].leaves;
		struct diff_row r = { .name = unit_cost[i].key,
				      .title = unit_cost[i].title,
				      .of = unit_cost[i].unit,
				      .place = i,
				      .not_alike = unit_cost_is_of_counted(i) ?
							   !is_counted_in_same_way(t, leaves) :
							   !is_same_way(t, leaves) };
		struct diff_value *v = &r.m[0].side[side];

		*v = diff_nothing;
		v->value = s->summary.unit[i].value;
		v->ci95 = s->summary.unit[i].ci95;
		v->variance = s->unit[i].variance;
		v->df = s->unit[i].df;
		err = diff_add(t, side, &r);
	}
	return err;
}

/* Hides unit costs that neither side has. */
static void finish_units(struct diff_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->row[i].hidden = isnan(t->row[i].m[0].side[DIFF_BEFORE].value) &&
				   isnan(t->row[i].m[0].side[DIFF_AFTER].value);
}

/* The errors of unit costs are correlated, which Holm's method allows. */
const struct diff_subject_desc diff_units = { .walk = walk_units,
					      .finish = finish_units,
					      .measures = 1,
					      .families = 1 };
