// SPDX-License-Identifier: BSD-2-Clause
#include "functions.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/stats.h"
#include "report/rules/stack_class.h"

int function_compare(const struct function *a, const struct function *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->module, b->module);
}

static int by_name(const void *a, const void *b)
{
	return function_compare(a, b);
}

/* Symbols of the same name become one function. n: symbols, the unknown one among them. */
static void join_symbols(struct functions *f, uint32_t n)
{
	qsort(f->at, n, sizeof(*f->at), by_name);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t symbol = f->at[i].symbol;

		if (!f->n || function_compare(&f->at[f->n - 1], &f->at[i]))
			f->at[f->n++] = f->at[i];
		f->of[symbol] = f->n - 1;
	}
	f->at[f->n++] = (struct function){ .name = FUNCTION_USER, .module = "" };
}

/*
 * Sets f->of to 1 for symbols on stacks of samples, and for the unknown one. Returns how many these
 * are; 0: no memory. Callers have lower ids than what they call.
 */
static uint32_t find_met(struct functions *f)
{
	const struct model *m = f->m;
	bool *met = calloc(m->nstacks + 1u, sizeof(*met));
	uint32_t n = 1;

	f->of[0] = 1;
	for (uint32_t i = m->nstacks; met && i; i--) {
		if (!m->count[i] && !met[i])
			continue;
		met[m->stack[i].parent] = true;
		n += !f->of[m->stack[i].symbol];
		f->of[m->stack[i].symbol] = 1;
	}
	free(met);
	return met ? n : 0;
}

static void fill(struct functions *f)
{
	const struct model *m = f->m;
	bool modules = m->keep & MODEL_MODULES;
	uint32_t n = 0;

	for (uint32_t i = 0; i <= m->nsymbols; i++) {
		model_str module = modules ? m->module_name[m->module[i]] : 0;

		if (f->of[i])
			f->at[n++] = (struct function){
				.name = model_string(m, m->symbol[i]),
				.module = model_string(m, module),
				.symbol = i,
			};
	}
}

int functions_make(struct functions *f, const struct model *m)
{
	uint32_t n = 0;

	*f = (struct functions){ .m = m };
	f->of = calloc(m->nsymbols + 1u, sizeof(*f->of));
	if (f->of)
		n = find_met(f);
	if (n)
		f->at = calloc(n + 1u, sizeof(*f->at));
	if (!f->at) {
		functions_free(f);
		return -ENOMEM;
	}
	fill(f);
	join_symbols(f, n);
	return 0;
}

void functions_free(struct functions *f)
{
	free(f->at);
	free(f->of);
	*f = (struct functions){ 0 };
}

uint32_t functions_of_stack(const struct functions *f, uint32_t stack)
{
	return stack ? f->of[f->m->stack[stack].symbol] : f->n - 1;
}

bool functions_is_nested(const struct functions *f, uint32_t stack)
{
	uint32_t function = functions_of_stack(f, stack);

	while ((stack = f->m->stack[stack].parent))
		if (functions_of_stack(f, stack) == function)
			return true;
	return false;
}

/* Callers have lower ids than what they call. */
struct functions_sum *functions_add_up(const struct functions *f, struct functions_stack *stack)
{
	const struct model *m = f->m;
	struct functions_sum *sum = calloc(f->n, sizeof(*sum));

	if (!sum)
		return NULL;
	for (uint32_t i = 0; i <= m->nstacks; i++)
		stack[i].below = 0;
	for (uint32_t i = m->nstacks + 1; i--;) {
		uint32_t function = functions_of_stack(f, i);

		sum[function].self += stack[i].own;
		stack[i].below += stack[i].own;
		if (i && m->stack[i].parent)
			stack[m->stack[i].parent].below += stack[i].below;
		if (stack[i].below > 0 && !functions_is_nested(f, i))
			sum[function].inclusive += stack[i].below;
	}
	return sum;
}

/* ---- those that take the time -------------------------------------------------------------------- */

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

/* ---- those that no category takes ---------------------------------------------------------------- */

const unsigned int uncategorized_leaf[UNCATEGORIZED_LEAVES] = { LEAF_OTHER_NETWORK,
								LEAF_OTHER_KERNEL };

static int by_samples(const void *pa, const void *pb)
{
	const struct uncategorized_function *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(a->name, b->name);
}

int uncategorized_make(struct uncategorized *u, const struct model *m, unsigned int leaf)
{
	struct functions f;
	struct uncategorized_function *at;
	size_t n = 0;
	int err = functions_make(&f, m);

	if (err)
		return err;
	at = calloc(f.n, sizeof(*at));
	for (uint32_t i = 1; at && i <= m->nstacks; i++)
		if (m->classes->at[m->class[i]].category == leaf)
			at[functions_of_stack(&f, i)].samples += m->count[i];
	/* In the order of names: those of one name, in several modules, become one. */
	for (uint32_t i = 0; at && i < f.n; i++) {
		uint64_t samples = at[i].samples;

		if (samples && n && !strcmp(at[n - 1].name, f.at[i].name))
			at[n - 1].samples += samples;
		else if (samples)
			at[n++] = (struct uncategorized_function){ f.at[i].name, samples };
	}
	functions_free(&f);
	if (!at)
		return -ENOMEM;
	qsort(at, n, sizeof(*at), by_samples);
	*u = (struct uncategorized){ .leaf = leaf, .function = at, .n = n };
	return 0;
}

void uncategorized_free(struct uncategorized *u)
{
	free(u->function);
}
