// SPDX-License-Identifier: BSD-2-Clause
#include "functions.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/stats.h"
#include "report/rules/rules.h"

/* ---- categories ------------------------------------------------------------------------ */

/* ---- samples ----------------------------------------------------------------------------- */

static void count_class(struct inside *to, const struct stack_class *class, uint64_t samples)
{
	const struct rules *r = to->rules;
	unsigned int leaf = r->category[class->category].leaf;

	to->row[class->category].self.samples += samples;
	for (unsigned int i = class->category; i != leaf; i = r->category[i].parent)
		to->row[i].exclusive.samples += samples;
	to->row[leaf].exclusive.samples += samples;
	for (unsigned int i = 0; i < r->ncategories; i++)
		if (stack_class_is_in(class, i))
			to->row[i].inclusive.samples += samples;
}

static void count_cpu(struct inside *to, const struct model *m, unsigned int cpu)
{
	const struct model_cpu *from = model_next_cpu(m, cpu);

	for (size_t i = 0; from && from->cpu == cpu && i < from->nclasses; i++)
		if (from->class[i])
			count_class(to, &m->classes->at[i], from->class[i]);
}

/* ---- shares ------------------------------------------------------------------------------ */

/*
 * Returns the share of CPU time that a sample in the leaf represents, or NaN if it is unknown. The shares of all
 * samples sum to the leaf's share in the split.
 */
static double share_of_sample(const struct split_value *leaf, uint64_t samples)
{
	return !samples && !isnan(leaf->sampled) ? 0 : leaf->sampled / (double)samples;
}

static void set_share(struct inside_value *v, const struct split_cpu *c, double share)
{
	v->share = share;
	v->ci95 = isnan(share) ? NAN : split_share_ci95(c, share);
}

/* Copies the leaves and their confidence intervals from the split. */
static void take_leaves(struct inside *in, const struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		in->row[l].exclusive.ci95 = c->leaf[l].sampled_ci95;
}

bool inside_known(const struct model *m, const struct rules_category *c)
{
	return m->has_user || c->leaf != LEAF_USER || !c->depth;
}

/* If a leaf has no samples, its categories are unknown. The categories of exact idle time are unknown, too. */
void inside_cpu(struct inside *in, const struct model *m, const struct split *s, size_t i)
{
	const struct split_cpu *c = &s->cpu[i];

	*in = (struct inside){ .rules = m->classes ? classifier_rules(m->classes->classifier) :
						     NULL };
	if (!in->rules)
		return;
	count_cpu(in, m, c->cpu);
	for (unsigned int j = 0; j < in->rules->ncategories; j++) {
		unsigned int leaf = in->rules->category[j].leaf;
		double of_sample = share_of_sample(&c->leaf[leaf], in->row[leaf].exclusive.samples);
		struct inside_row *r = &in->row[j];

		if (!inside_known(m, &in->rules->category[j]))
			of_sample = NAN;
		set_share(&r->self, c, (double)r->self.samples * of_sample);
		set_share(&r->exclusive, c, (double)r->exclusive.samples * of_sample);
		set_share(&r->inclusive, c,
			  m->classes->full ? NAN : (double)r->inclusive.samples * of_sample);
	}
	take_leaves(in, c);
}

/* Adds a CPU's value. `weight` is the time of the CPU. */
static void add_value(struct inside_value *to, const struct inside_value *v, double weight)
{
	to->samples += v->samples;
	known_add(&to->share, v->share * weight);
}

static void add_cpu(struct inside *to, const struct inside *cpu, double weight)
{
	for (unsigned int i = 0; i < to->rules->ncategories; i++) {
		add_value(&to->row[i].self, &cpu->row[i].self, weight);
		add_value(&to->row[i].exclusive, &cpu->row[i].exclusive, weight);
		add_value(&to->row[i].inclusive, &cpu->row[i].inclusive, weight);
	}
}

int inside_make(struct inside *in, const struct model *m, const struct split *s)
{
	static const struct inside_value none = { .share = NAN, .ci95 = NAN };
	struct inside *cpu;

	*in = (struct inside){ 0 };
	if (!m->classes || !(s->all.samples > 0))
		return 0;
	cpu = malloc(sizeof(*cpu));
	if (!cpu)
		return -ENOMEM;
	in->rules = classifier_rules(m->classes->classifier);
	for (unsigned int i = 0; i < in->rules->ncategories; i++)
		in->row[i] = (struct inside_row){ none, none, none };
	for (size_t i = 0; i < s->ncpus; i++) {
		inside_cpu(cpu, m, s, i);
		add_cpu(in, cpu, s->cpu[i].wall_ns / s->all.sampled_wall_ns);
	}
	free(cpu);
	for (unsigned int i = 0; i < in->rules->ncategories; i++) {
		struct inside_row *r = &in->row[i];

		set_share(&r->self, &s->all, r->self.share);
		set_share(&r->exclusive, &s->all, r->exclusive.share);
		set_share(&r->inclusive, &s->all, r->inclusive.share);
	}
	take_leaves(in, &s->all);
	return 0;
}

double inside_share(const struct inside *in, const struct split_cpu *all, const bool *categories)
{
	unsigned int n = in->rules ? in->rules->ncategories : 0, whole = n ? LEAF_ALL : 0;
	double share;

	for (unsigned int i = 0; i < n; i++)
		if (!categories[i])
			whole &= ~(1u << in->rules->category[i].leaf);
	share = whole ? split_sum(all, whole).ns / all->wall_ns : NAN;
	for (unsigned int i = 0; i < n; i++)
		if (categories[i] && !(whole >> in->rules->category[i].leaf & 1))
			known_add(&share, in->row[i].self.share);
	return share;
}

/* ---- functions ------------------------------------------------------------------------- */

int function_compare(const struct function *a, const struct function *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->module, b->module);
}

static int by_name(const void *a, const void *b)
{
	return function_compare(a, b);
}

/* Merges symbols of the same name into one function. n is the number of symbols, including the unknown symbol. */
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
 * Sets f->of to 1 for symbols on stacks of samples, and for the unknown symbol. Returns the number of these symbols, or
 * 0 if out of memory. Relies on the order of ids: callers have lower ids than the functions that they call.
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

/*
 * Returns true if the innermost function of the stack occurs more than once. If so, its outer call already includes the
 * time.
 */
static bool functions_is_nested(const struct functions *f, uint32_t stack)
{
	uint32_t function = functions_of_stack(f, stack);

	while ((stack = f->m->stack[stack].parent))
		if (functions_of_stack(f, stack) == function)
			return true;
	return false;
}

/* Relies on the order of ids: callers have lower ids than the functions that they call. */
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

/* ---- top functions ----------------------------------------------------------------------- */

struct count {
	const struct model *m;
	struct functions f;
	struct functions_stack *stack;
	struct functions_sum *sum;
	uint32_t *order; /* functions with samples, in descending order of self samples */
	uint32_t *row;	 /* index of each function in the table, from 1 on; 0: not in the table */
};

static void count_free(struct count *c)
{
	functions_free(&c->f);
	free(c->stack);
	free(c->sum);
	free(c->order);
	free(c->row);
}

static int count_samples(struct count *c, struct top *t, const struct model_choice *of)
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
		if (!model_is_chosen(m, i, of))
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

/*
 * Finds, for each function, the most frequent category of its samples. A sample has the category of its stack up to the
 * function; functions called by the function do not matter.
 */
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

int top_make(struct top *t, const struct model *m, const struct model_choice *of, size_t n)
{
	struct count c = { .m = m };
	int err;

	*t = (struct top){ .m = m };
	err = count_samples(&c, t, of);
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

/* ---- functions without a category ---------------------------------------------------------- */

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
	/* Sort by name, so that functions with the same name in several modules can be merged. */
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
