// SPDX-License-Identifier: BSD-2-Clause
#include "top.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "functions.h"
#include "report/base/stats.h"
#include "report/rules/stack_class.h"

struct count {
	const struct model *m;
	struct functions f;
	struct functions_stack *stack;
	struct functions_sum *sum;
	uint32_t *order; /* functions with samples, the largest self first */
	uint32_t *row;	 /* of a function in the table, from 1 on; 0: none */
};

static void count_free(struct count *c)
{
	functions_free(&c->f);
	free(c->stack);
	free(c->sum);
	free(c->order);
	free(c->row);
}

/* ---- counts ------------------------------------------------------------------------------ */

static int count_samples(struct count *c, struct top *t, unsigned int leaves)
{
	const struct model *m = c->m;
	int err = functions_make(&c->f, m);

	if (err)
		return err;
	c->order = calloc(c->f.n, sizeof(*c->order));
	c->row = calloc(c->f.n, sizeof(*c->row));
	c->stack = calloc(m->nstacks + 1u, sizeof(*c->stack));
	for (uint32_t i = 0; c->stack && i <= m->nstacks; i++) {
		t->of += m->count[i];
		if (!(leaves & 1u << model_leaf(m, m->class[i])))
			continue;
		c->stack[i].own = (double)m->count[i];
		t->samples += m->count[i];
	}
	if (c->stack)
		c->sum = functions_add_up(&c->f, c->stack);
	return c->order && c->row && c->sum ? 0 : -ENOMEM;
}

/* ---- rows -------------------------------------------------------------------------------- */

static int by_weight(const void *pa, const void *pb, void *count)
{
	const struct count *c = count;
	uint32_t fa = *(const uint32_t *)pa, fb = *(const uint32_t *)pb;
	const struct functions_sum *a = &c->sum[fa], *b = &c->sum[fb];

	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	if (a->inclusive != b->inclusive)
		return a->inclusive < b->inclusive ? 1 : -1;
	return function_compare(&c->f.at[fa], &c->f.at[fb]);
}

static struct top_share share_of(const struct top *t, double samples)
{
	double share = t->samples ? samples / (double)t->samples : NAN;

	return (struct top_share){
		.samples = (uint64_t)samples,
		.share = share,
		.ci95 = stats_share_ci95(share, (double)t->samples),
	};
}

static int make_rows(struct count *c, struct top *t, size_t n)
{
	t->rest = t->samples;
	for (uint32_t i = 0; i < c->f.n; i++)
		if (c->sum[i].inclusive > 0)
			c->order[t->functions++] = i;
	qsort_r(c->order, t->functions, sizeof(*c->order), by_weight, c);
	t->n = t->functions < n ? t->functions : n;
	t->row = calloc(t->n + 1, sizeof(*t->row));
	if (!t->row)
		return -ENOMEM;
	for (size_t i = 0; i < t->n; i++) {
		uint32_t f = c->order[i];

		c->row[f] = (uint32_t)i + 1;
		t->row[i] = (struct top_row){
			.name = c->f.at[f].name,
			.module = c->f.at[f].module,
			.self = share_of(t, c->sum[f].self),
			.inclusive = share_of(t, c->sum[f].inclusive),
		};
		t->rest -= (uint64_t)c->sum[f].self;
	}
	return 0;
}

/* ---- where they are met ------------------------------------------------------------------ */

/* The category of a stack that ends with the function is the function's there, whatever it calls. */
static int find_categories(struct count *c, struct top *t)
{
	const struct model *m = c->m;
	const struct rules *r = classifier_rules(m->classes->classifier);
	uint64_t *met = calloc(t->n + 1, RULES_MAX_CATEGORIES * sizeof(*met));

	if (!met)
		return -ENOMEM;
	for (uint32_t i = 0; i <= m->nstacks; i++) {
		uint32_t row = c->row[functions_of_stack(&c->f, i)];

		if (c->stack[i].below > 0 && row && !functions_is_nested(&c->f, i))
			met[(row - 1) * RULES_MAX_CATEGORIES +
			    m->classes->at[m->class[i]].category] += (uint64_t)c->stack[i].below;
	}
	for (size_t i = 0; i < t->n; i++) {
		const uint64_t *of = &met[i * RULES_MAX_CATEGORIES];
		unsigned int most = 0;

		for (unsigned int j = 1; j < r->ncategories; j++)
			if (of[j] > of[most])
				most = j;
		t->row[i].category = &r->category[most];
		t->row[i].category_share = (double)of[most] / (double)t->row[i].inclusive.samples;
	}
	free(met);
	return 0;
}

int top_make(struct top *t, const struct model *m, unsigned int leaves, size_t n)
{
	struct count c = { .m = m };
	int err;

	*t = (struct top){ .m = m };
	err = count_samples(&c, t, leaves);
	if (!err)
		err = make_rows(&c, t, n);
	if (!err)
		err = find_categories(&c, t);
	count_free(&c);
	if (err)
		top_free(t);
	return err;
}

void top_free(struct top *t)
{
	free(t->row);
	t->row = NULL;
}
