// SPDX-License-Identifier: BSD-2-Clause
#include "top.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "functions.h"
#include "report/base/stats.h"
#include "report/rules/stack_class.h"

/* What a function has. */
struct tally {
	const struct function *f;
	uint32_t row; /* of the table, from 1 on; 0: none */
	double self, inclusive;
};

struct count {
	const struct model *m;
	unsigned int leaves;
	struct functions f;
	struct tally *of;	/* by function */
	double *weight, *below; /* by stack: see functions_sum() */
	double *self, *inclusive;
};

static void count_free(struct count *c)
{
	functions_free(&c->f);
	free(c->of);
	free(c->weight);
	free(c->below);
	free(c->self);
	free(c->inclusive);
}

/* ---- counts ------------------------------------------------------------------------------ */

static int count_alloc(struct count *c)
{
	int err = functions_make(&c->f, c->m);

	if (err)
		return err;
	c->of = calloc(c->f.n, sizeof(*c->of));
	c->self = calloc(c->f.n, sizeof(*c->self));
	c->inclusive = calloc(c->f.n, sizeof(*c->inclusive));
	c->weight = calloc(c->m->nstacks + 1u, sizeof(*c->weight));
	c->below = calloc(c->m->nstacks + 1u, sizeof(*c->below));
	return c->of && c->self && c->inclusive && c->weight && c->below ? 0 : -ENOMEM;
}

static void count_samples(struct count *c, struct top *t)
{
	const struct model *m = c->m;

	for (uint32_t i = 0; i <= m->nstacks; i++) {
		t->of += m->count[i];
		if (!(c->leaves & 1u << model_leaf(m, m->class[i])))
			continue;
		c->weight[i] = (double)m->count[i];
		t->samples += m->count[i];
	}
	functions_sum(&c->f, c->weight, c->below, c->self, c->inclusive);
	for (uint32_t i = 0; i < c->f.n; i++)
		c->of[i] = (struct tally){ .f = &c->f.at[i],
					   .self = c->self[i],
					   .inclusive = c->inclusive[i] };
}

/* ---- rows -------------------------------------------------------------------------------- */

static int by_weight(const void *pa, const void *pb)
{
	const struct tally *a = *(struct tally *const *)pa;
	const struct tally *b = *(struct tally *const *)pb;

	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	if (a->inclusive != b->inclusive)
		return a->inclusive < b->inclusive ? 1 : -1;
	return function_compare(a->f, b->f);
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
	struct tally **order = calloc(c->f.n, sizeof(struct tally *));

	t->rest = t->samples;
	for (uint32_t i = 0; order && i < c->f.n; i++)
		if (c->of[i].inclusive > 0)
			order[t->functions++] = &c->of[i];
	t->n = t->functions < n ? t->functions : n;
	t->row = calloc(t->n + 1, sizeof(*t->row));
	if (!order || !t->row) {
		free(order);
		return -ENOMEM;
	}
	qsort(order, t->functions, sizeof(*order), by_weight);
	for (size_t i = 0; i < t->n; i++) {
		struct tally *of = order[i];

		of->row = (uint32_t)i + 1;
		t->row[i] = (struct top_row){
			.name = of->f->name,
			.module = of->f->module,
			.self = share_of(t, of->self),
			.inclusive = share_of(t, of->inclusive),
		};
		t->rest -= (uint64_t)of->self;
	}
	free(order);
	return 0;
}

/* ---- where they are met ------------------------------------------------------------------ */

/* A stack that ends with the function says where the function is, whatever it calls from there. */
static int find_categories(struct count *c, struct top *t)
{
	const struct model *m = c->m;
	const struct rules *r = classifier_rules(m->classes->classifier);
	uint64_t *met = calloc(t->n + 1, RULES_MAX_CATEGORIES * sizeof(*met));

	if (!met)
		return -ENOMEM;
	for (uint32_t i = 0; i <= m->nstacks; i++) {
		uint32_t row = c->of[functions_of_stack(&c->f, i)].row;

		if (c->below[i] > 0 && row && !functions_is_nested(&c->f, i))
			met[(row - 1) * RULES_MAX_CATEGORIES +
			    m->classes->at[m->class[i]].category] += (uint64_t)c->below[i];
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
	struct count c = { .m = m, .leaves = leaves };
	int err;

	*t = (struct top){ .m = m };
	err = count_alloc(&c);
	if (!err) {
		count_samples(&c, t);
		err = make_rows(&c, t, n);
	}
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
