// SPDX-License-Identifier: BSD-2-Clause
#include "top.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "classes.h"
#include "stats.h"

/* A function: all symbols of one name and module. */
struct function {
	const char *name, *module;
	uint32_t symbol; /* one of them */
	uint32_t row;	 /* of the table, from 1 on; 0: none */
	uint64_t self, inclusive;
};

struct count {
	const struct model *m;
	unsigned int leaves;
	struct function *f; /* by number; the last one is user mode */
	uint32_t n;
	uint32_t *of;	 /* symbol to function */
	uint64_t *below; /* by stack: its samples, and those of the stacks it begins */
};

static void count_free(struct count *c)
{
	free(c->f);
	free(c->of);
	free(c->below);
}

/* ---- names ------------------------------------------------------------------------------- */

static int by_name(const void *pa, const void *pb)
{
	const struct function *a = pa, *b = pb;
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->module, b->module);
}

/* The functions that the symbols are: those of one name in one module are one. */
static int find_functions(struct count *c)
{
	const struct model *m = c->m;
	uint32_t n = m->nsymbols + 1;

	c->f = calloc(n + 1u, sizeof(*c->f));
	c->of = calloc(n, sizeof(*c->of));
	c->below = calloc(m->nstacks + 1u, sizeof(*c->below));
	if (!c->f || !c->of || !c->below)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		c->f[i] = (struct function){
			.name = model_string(m, m->symbol[i]),
			.module = model_string(m, m->module_name[m->module[i]]),
			.symbol = i,
		};
	qsort(c->f, n, sizeof(*c->f), by_name);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t symbol = c->f[i].symbol;

		if (!c->n || by_name(&c->f[c->n - 1], &c->f[i]))
			c->f[c->n++] = c->f[i];
		c->of[symbol] = c->n - 1;
	}
	c->f[c->n++] = (struct function){ .name = TOP_USER, .module = "" };
	return 0;
}

/* ---- counts ------------------------------------------------------------------------------ */

static struct function *function_of(const struct count *c, uint32_t stack)
{
	return &c->f[stack ? c->of[c->m->stack[stack].symbol] : c->n - 1];
}

/* Did the function call itself on the way here? Then its caller's samples hold these, too. */
static bool is_nested(const struct count *c, uint32_t stack)
{
	const struct function *f = function_of(c, stack);

	while ((stack = c->m->stack[stack].parent))
		if (function_of(c, stack) == f)
			return true;
	return false;
}

/* Callers have lower ids than what they call. */
static void count_samples(struct count *c, struct top *t)
{
	const struct model *m = c->m;

	for (uint32_t i = m->nstacks + 1; i--;) {
		t->of += m->count[i];
		if (c->leaves & 1u << model_leaf(m, m->class[i])) {
			function_of(c, i)->self += m->count[i];
			c->below[i] += m->count[i];
			t->samples += m->count[i];
		}
		if (i && m->stack[i].parent)
			c->below[m->stack[i].parent] += c->below[i];
		if (c->below[i] && !is_nested(c, i))
			function_of(c, i)->inclusive += c->below[i];
	}
}

/* ---- rows -------------------------------------------------------------------------------- */

static int by_weight(const void *pa, const void *pb)
{
	const struct function *a = *(struct function *const *)pa;
	const struct function *b = *(struct function *const *)pb;

	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	if (a->inclusive != b->inclusive)
		return a->inclusive < b->inclusive ? 1 : -1;
	return by_name(a, b);
}

static struct top_share share_of(const struct top *t, uint64_t samples)
{
	double share = t->samples ? (double)samples / (double)t->samples : NAN;

	return (struct top_share){
		.samples = samples,
		.share = share,
		.ci95 = stats_share_ci95(share, (double)t->samples),
	};
}

static int make_rows(struct count *c, struct top *t, size_t n)
{
	struct function **order = calloc(c->n, sizeof(struct function *));

	t->rest = t->samples;
	for (uint32_t i = 0; order && i < c->n; i++)
		if (c->f[i].inclusive)
			order[t->functions++] = &c->f[i];
	t->n = t->functions < n ? t->functions : n;
	t->row = calloc(t->n + 1, sizeof(*t->row));
	if (!order || !t->row) {
		free(order);
		return -ENOMEM;
	}
	qsort(order, t->functions, sizeof(*order), by_weight);
	for (size_t i = 0; i < t->n; i++) {
		struct function *f = order[i];

		f->row = (uint32_t)i + 1;
		t->row[i] = (struct top_row){
			.name = f->name,
			.module = f->module,
			.self = share_of(t, f->self),
			.inclusive = share_of(t, f->inclusive),
		};
		t->rest -= f->self;
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
		const struct function *f = c->below[i] ? function_of(c, i) : NULL;

		if (f && f->row && !is_nested(c, i))
			met[(f->row - 1) * RULES_MAX_CATEGORIES +
			    m->classes->at[m->class[i]].category] += c->below[i];
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
	err = find_functions(&c);
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
