// SPDX-License-Identifier: BSD-2-Clause
/* The rows of a comparison, and what can be said of each. */
#include "diff.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff_side.h"
#include "report/base/stats.h"
#include "report/rules/stack_class.h"
#include "diff_impl.h"

#define FAMILIES 2 /* of rows, for each of which p is corrected separately: categories, functions */
#define WRONG_AT_MOST 0.05

const struct diff_per_desc diff_per[DIFF_PERS] = {
	[DIFF_PER_CPU] = { "cpu", "percent_of_cpu_time", "CPU time, % of that of all CPUs", "%",
			   "% of CPU time", 3 },
	[DIFF_PER_PACKET] = { "packet", "ns_per_packet",
			      "CPU time, ns an interface packet, rx + tx", "ns",
			      "ns an interface packet", 1 },
	[DIFF_PER_SECOND] = { "second", "cpu_ms_per_second", "CPU time, ms a second", "ms",
			      "ms a second", 3 },
};

const char *const diff_per_names[DIFF_PERS + 1] = { "cpu", "packet", "second", NULL };

const char *const diff_table_names[DIFF_TABLES] = {
	[DIFF_MAIN] = "main",
	[DIFF_CATEGORY] = "category",
	[DIFF_PART] = "part",
};

const struct diff_verdict_desc diff_verdict[DIFF_VERDICTS] = {
	[DIFF_NOT_MEASURED] = { "not_measured", " ", "not measured in one of the two", 0 },
	[DIFF_NOT_COMPARABLE] = { "not_comparable", " ", "not measured in the same way", 0 },
	[DIFF_NOT_TESTED] = { "not_tested", "~", "too little to tell", 2 },
	[DIFF_SAME] = { "not_told_apart", "~", "", 2 },
	[DIFF_MORE] = { "more", "+", "more", 31 },
	[DIFF_LESS] = { "less", "-", "less", 32 },
};

/* ---- one comparison ---------------------------------------------------------------------- */

static struct stats_value stats_value(const struct diff_value *v)
{
	return (struct stats_value){ .value = v->value, .variance = v->variance, .df = v->df };
}

/* What is exactly 0 on both sides needs no test, and does not count in the correction of others. */
static bool is_nothing(const struct diff_change *c)
{
	return c->change == 0 && c->before.variance == 0 && c->after.variance == 0;
}

static bool has_few_samples(const struct diff_change *c)
{
	return c->before.samples + c->after.samples < DIFF_LEAST_SAMPLES;
}

static struct diff_change compare(const struct diff_value *before, const struct diff_value *after)
{
	const struct stats_value a = stats_value(before), b = stats_value(after);
	const struct stats_change s = stats_compare(&a, &b);
	struct diff_change c = {
		.before = *before,
		.after = *after,
		.change = s.change,
		.ci95 = s.ci95,
		.relative = before->value > 0 ? s.relative : NAN,
		.relative_ci95 = before->value > 0 ? s.relative_ci95 : NAN,
		.p = s.p,
		.p_adjusted = NAN,
		.verdict = DIFF_SAME,
	};

	if (isnan(before->value) || isnan(after->value))
		c.verdict = DIFF_NOT_MEASURED;
	else if (is_nothing(&c))
		c.p = NAN;
	else if (isnan(c.p) || has_few_samples(&c))
		c.verdict = DIFF_NOT_TESTED;
	if (c.verdict != DIFF_SAME)
		c.p = NAN;
	return c;
}

static bool in_neither(const struct diff_change *c)
{
	return isnan(c->before.value) && isnan(c->after.value);
}

/* ---- rows -------------------------------------------------------------------------------- */

static bool is_same_way(const struct split_cpu *a, const struct split_cpu *b, unsigned int leaves)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && l != LEAF_TASK && a->leaf[l].how != b->leaf[l].how)
			return false;
	return true;
}

/* What is exact on one side only is compared by samples, if both have them. */
static struct diff_change compare_leaves(const struct diff *d, unsigned int leaves)
{
	struct diff_value before = diff_side_leaves(d->before, leaves, false);
	struct diff_value after = diff_side_leaves(d->after, leaves, false);
	struct diff_change c = compare(&before, &after);

	if (c.verdict == DIFF_NOT_MEASURED ||
	    is_same_way(&d->before->summary.split.all, &d->after->summary.split.all, leaves))
		return c;
	before = diff_side_leaves(d->before, leaves, true);
	after = diff_side_leaves(d->after, leaves, true);
	if (!isnan(before.value) && !isnan(after.value))
		return compare(&before, &after);
	c.change = c.ci95 = c.relative = c.relative_ci95 = c.p = NAN;
	c.verdict = DIFF_NOT_COMPARABLE;
	return c;
}

static void add_main(struct diff *d)
{
	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		const struct leaf_node *n = &leaf_node[i];
		struct diff_change c;

		if (n->leaves == LEAF_ALL) /* all of the time is all of the time */
			continue;
		c = compare_leaves(d, n->leaves);
		if (n->leaves & ~LEAF_NOT_SAMPLED || !in_neither(&c))
			d->row[d->nrows++] = (struct diff_row){ .table = DIFF_MAIN,
								.key = n->key,
								.title = n->title,
								.depth = n->depth - 1,
								.c = c };
	}
}

/* Those below the parent, each followed by those below it. */
static void add_categories(struct diff *d, const struct rules *r, unsigned int parent,
			   unsigned int depth)
{
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++) {
		struct diff_value before, after;

		if (r->category[i].parent != parent)
			continue;
		before = diff_side_category(d->before, i);
		after = diff_side_category(d->after, i);
		if (!(before.samples > 0) && !(after.samples > 0))
			continue;
		d->row[d->nrows++] =
			(struct diff_row){ .table = DIFF_CATEGORY,
					   .key = r->category[i].key,
					   .title = r->category[i].title,
					   .depth = depth,
					   .leaf = r->category[r->category[i].leaf].key,
					   .c = compare(&before, &after) };
		add_categories(d, r, i, depth + 1);
	}
}

static void add_parts(struct diff *d)
{
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++) {
		struct diff_value before = diff_side_part(d->before, p);
		struct diff_value after = diff_side_part(d->after, p);
		struct diff_change c = compare(&before, &after);

		if (!in_neither(&c))
			d->row[d->nrows++] = (struct diff_row){ .table = DIFF_PART,
								.key = model_part_key(p),
								.title = model_part_title(p),
								.c = c };
	}
}

static int add_rows(struct diff *d)
{
	const struct rules *r = classifier_rules(d->before->m->classes->classifier);

	d->row = calloc(LEAF_NODES + r->ncategories + NETCOST_PART_COUNT, sizeof(*d->row));
	if (!d->row)
		return -ENOMEM;
	add_main(d);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		add_categories(d, r, l, 1);
	add_parts(d);
	return 0;
}

/* ---- functions --------------------------------------------------------------------------- */

enum side { BEFORE, AFTER, SIDES };

/* A function of either side. */
struct pair {
	uint32_t number[SIDES]; /* DIFF_NO_FUNCTION: it is not there */
	const struct function *f;
	double samples;
};

struct pairs {
	const struct diff_side *side[SIDES];
	struct pair *at;
	size_t n;
};

static void add_pair(struct pairs *all, uint32_t before, uint32_t after)
{
	struct pair p = { .number = { before, after } };

	for (unsigned int i = 0; i < SIDES; i++) {
		if (p.number[i] == DIFF_NO_FUNCTION)
			continue;
		p.f = &all->side[i]->functions.at[p.number[i]];
		p.samples += diff_side_samples(all->side[i], p.number[i]);
	}
	if (p.samples >= DIFF_LEAST_SAMPLES)
		all->at[all->n++] = p;
}

/* Both are in the same order, except for user mode, which is the last of both. */
static void join(struct pairs *all)
{
	const struct functions *a = &all->side[BEFORE]->functions;
	const struct functions *b = &all->side[AFTER]->functions;
	uint32_t i = 0, k = 0;

	while (i + 1 < a->n || k + 1 < b->n) {
		int order = i + 1 == a->n ? 1 :
			    k + 1 == b->n ? -1 :
					    function_compare(&a->at[i], &b->at[k]);

		add_pair(all, order <= 0 ? i : DIFF_NO_FUNCTION, order >= 0 ? k : DIFF_NO_FUNCTION);
		i += order <= 0;
		k += order >= 0;
	}
	add_pair(all, a->n - 1, b->n - 1);
}

static int by_samples(const void *pa, const void *pb)
{
	const struct pair *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return function_compare(a->f, b->f);
}

/* -ENOMEM. */
static int measure(const struct pairs *all, enum side side, struct diff_function_value *value)
{
	uint32_t *number = calloc(all->n + 1, sizeof(*number));
	int err;

	if (!number)
		return -ENOMEM;
	for (size_t i = 0; i < all->n; i++)
		number[i] = all->at[i].number[side];
	err = diff_side_functions(all->side[side], number, all->n, value);
	free(number);
	return err;
}

static int add_functions(struct diff *d, const struct pairs *all)
{
	struct diff_function_value *before = calloc(all->n + 1, sizeof(*before));
	struct diff_function_value *after = calloc(all->n + 1, sizeof(*after));
	int err;

	d->function = calloc(all->n + 1, sizeof(*d->function));
	err = before && after && d->function ? measure(all, BEFORE, before) : -ENOMEM;
	if (!err)
		err = measure(all, AFTER, after);
	for (size_t i = 0; !err && i < all->n; i++)
		d->function[d->nfunctions++] = (struct diff_function){
			.name = all->at[i].f->name,
			.module = all->at[i].f->module,
			.self = compare(&before[i].self, &after[i].self),
			.inclusive = compare(&before[i].inclusive, &after[i].inclusive),
		};
	free(before);
	free(after);
	return err;
}

static int make_functions(struct diff *d)
{
	struct pairs all = { .side = { d->before, d->after } };
	int err;

	if (!diff_side_has_samples(d->before) || !diff_side_has_samples(d->after))
		return 0;
	all.at = calloc(d->before->functions.n + (size_t)d->after->functions.n, sizeof(*all.at));
	if (!all.at)
		return -ENOMEM;
	join(&all);
	qsort(all.at, all.n, sizeof(*all.at), by_samples);
	if (all.n > DIFF_MOST_FUNCTIONS)
		all.n = DIFF_MOST_FUNCTIONS;
	err = add_functions(d, &all);
	free(all.at);
	return err;
}

/* ---- what is more than noise ------------------------------------------------------------- */

static struct diff_change *nth(struct diff *d, bool functions, size_t i)
{
	if (!functions)
		return &d->row[i].c;
	return i % 2 ? &d->function[i / 2].inclusive : &d->function[i / 2].self;
}

static void judge(struct diff_change *c, double p)
{
	c->p_adjusted = fmin(1, p * FAMILIES);
	if (c->p_adjusted < WRONG_AT_MOST)
		c->verdict = c->change > 0 ? DIFF_MORE : DIFF_LESS;
}

/* tested: set to how many were. */
static int correct(struct diff *d, bool functions, size_t *tested)
{
	size_t n = functions ? 2 * d->nfunctions : d->nrows, k = 0;
	double *p = calloc(n + 1, sizeof(*p));
	int err = p ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < n; i++)
		if (!isnan(nth(d, functions, i)->p))
			p[k++] = nth(d, functions, i)->p;
	if (!err)
		err = stats_holm(p, k);
	*tested = k;
	k = 0;
	for (size_t i = 0; !err && i < n; i++)
		if (!isnan(nth(d, functions, i)->p))
			judge(nth(d, functions, i), p[k++]);
	free(p);
	return err;
}

static bool is_told_apart(const struct diff_change *c)
{
	return c->verdict == DIFF_MORE || c->verdict == DIFF_LESS;
}

static int by_change(const void *pa, const void *pb)
{
	const struct diff_function *a = pa, *b = pb;
	bool apart = is_told_apart(&a->self) || is_told_apart(&a->inclusive);
	double ca = fabs(a->self.change), cb = fabs(b->self.change);
	int order;

	if (apart != (is_told_apart(&b->self) || is_told_apart(&b->inclusive)))
		return apart ? -1 : 1;
	if (ca != cb)
		return ca < cb ? 1 : -1;
	order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->module, b->module);
}

int diff_make(struct diff *d, const struct diff_side *before, const struct diff_side *after,
	      size_t shown)
{
	int err;

	*d = (struct diff){ .per = before->per, .before = before, .after = after };
	err = add_rows(d);
	if (!err)
		err = make_functions(d);
	if (!err)
		err = correct(d, false, &d->tested_rows);
	if (!err)
		err = correct(d, true, &d->tested_functions);
	if (!err)
		err = diff_take_settings(d);
	if (!err)
		err = bill_pairs_make(&d->programs, &before->summary, &after->summary);
	if (!err)
		diff_units_make(&d->units, before, after);
	if (!err)
		err = diff_processes_make(&d->processes, before, after, shown);
	if (!err)
		err = diff_latency_make(&d->latency, before, after);
	if (!err)
		err = diff_stages_make(&d->stages, before, after);
	if (!err)
		diff_fates_make(&d->fates, before, after);
	if (err) {
		diff_free(d);
		return err;
	}
	if (d->nfunctions)
		qsort(d->function, d->nfunctions, sizeof(*d->function), by_change);
	d->nshown = d->nfunctions < shown ? d->nfunctions : shown;
	diff_take_notes(d);
	return 0;
}

void diff_free(struct diff *d)
{
	free(d->row);
	free(d->function);
	free(d->setting);
	bill_pairs_free(&d->programs);
	diff_processes_free(&d->processes);
	diff_stages_free(&d->stages);
	d->programs = (struct bill_pairs){ 0 };
	d->row = NULL;
	d->setting = NULL;
	d->function = NULL;
}

/* ---- for CI ------------------------------------------------------------------------------ */

bool diff_is_compared(const struct diff_change *c)
{
	return c->verdict >= DIFF_SAME;
}

bool diff_is_worse(const struct diff_change *c, double above)
{
	return c->verdict == DIFF_MORE && (isnan(c->relative) || c->relative > above);
}

static bool is_named(const char *key, const char *list)
{
	size_t n = strlen(key);

	for (;; list++) {
		size_t len = strcspn(list, ",");

		if (len == n && !memcmp(list, key, n))
			return true;
		list += len;
		if (!*list)
			return false;
	}
}

bool diff_is_watched(const struct diff_row *r, const char *only)
{
	if (only)
		return is_named(r->key, only);
	return r->table == DIFF_MAIN &&
	       is_named(r->key, "network,sock_send,sock_recv,rx_softirq,tx_softirq,hardirq_net,"
				"other_network");
}
