// SPDX-License-Identifier: BSD-2-Clause
/*
 * The tables of a thread: samples refer to stacks, these to frames, and those to functions. A stack has a frame of its own,
 * which says its category.
 */
#include <errno.h>
#include <stdlib.h>

#include "firefox_impl.h"
#include "report/rules/stack_class.h"

#define UNKNOWN "[unknown]"

/* A stack, and the class of samples in it: not always the stack's own (socket_family.h). */
struct node {
	uint32_t stack, class, prefix, func;
};

struct tables {
	const struct firefox_profile *p;
	struct node *
		node; /* first those of all stacks that are met, by id; then those of another class */
	size_t n, cap;
	uint32_t *node_of; /* of each stack */
	uint32_t *func_of; /* of each function; FIREFOX_NONE: not met */
	uint32_t *func;	   /* those that are met */
	size_t nfuncs;
	uint32_t *sample_node; /* of each sample */
	bool *met;
};

static void tables_free(struct tables *t)
{
	free(t->node);
	free(t->node_of);
	free(t->func_of);
	free(t->func);
	free(t->sample_node);
	free(t->met);
}

static int tables_make(struct tables *t, const struct firefox_profile *p, size_t samples)
{
	size_t stacks = p->m->nstacks + (size_t)1, functions = p->functions->n;

	*t = (struct tables){ .p = p,
			      .node = calloc(stacks + samples + 1, sizeof(*t->node)),
			      .node_of = calloc(stacks, sizeof(*t->node_of)),
			      .func_of = malloc(functions * sizeof(*t->func_of)),
			      .func = calloc(functions, sizeof(*t->func)),
			      .sample_node = calloc(samples + 1, sizeof(*t->sample_node)),
			      .met = calloc(stacks, sizeof(*t->met)) };
	for (size_t i = 0; t->func_of && i < functions; i++)
		t->func_of[i] = FIREFOX_NONE;
	return t->node && t->node_of && t->func_of && t->func && t->sample_node && t->met ? 0 :
											    -ENOMEM;
}

/* ---- nodes ------------------------------------------------------------------------------- */

static uint32_t func_of(struct tables *t, uint32_t stack)
{
	uint32_t f = functions_of_stack(t->p->functions, stack);

	if (t->func_of[f] == FIREFOX_NONE) {
		t->func_of[f] = (uint32_t)t->nfuncs;
		t->func[t->nfuncs++] = f;
	}
	return t->func_of[f];
}

static uint32_t add_node(struct tables *t, uint32_t stack, uint32_t class)
{
	uint32_t parent = stack ? t->p->m->stack[stack].parent : 0;

	t->node[t->n] = (struct node){ .stack = stack,
				       .class = class,
				       .prefix = parent ? t->node_of[parent] : FIREFOX_NONE,
				       .func = func_of(t, stack) };
	return (uint32_t)t->n++;
}

/* Callers have lower ids than what they call. */
static void add_stacks(struct tables *t, const struct sample_count *count, size_t n)
{
	const struct model *m = t->p->m;

	for (size_t i = 0; i < n; i++)
		t->met[count[i].stack] = true;
	for (uint32_t i = m->nstacks; i; i--)
		if (t->met[i] && m->stack[i].parent)
			t->met[m->stack[i].parent] = true;
	for (uint32_t i = 0; i <= m->nstacks; i++)
		if (t->met[i])
			t->node_of[i] = add_node(t, i, m->class[i]);
}

/* The last one that was added is often the one: samples are sorted by class and stack. */
static uint32_t node_of(struct tables *t, size_t stacks, const struct sample_count *c)
{
	if (c->class == t->p->m->class[c->stack])
		return t->node_of[c->stack];
	for (size_t i = t->n; i > stacks && i + 64 > t->n; i--)
		if (t->node[i - 1].stack == c->stack && t->node[i - 1].class == c->class)
			return (uint32_t)i - 1;
	return add_node(t, c->stack, c->class);
}

static void fill(struct tables *t, const struct sample_count *count, size_t n)
{
	size_t stacks;

	add_stacks(t, count, n);
	stacks = t->n;
	for (size_t i = 0; i < n; i++)
		t->sample_node[i] = node_of(t, stacks, &count[i]);
}

/* ---- tables ------------------------------------------------------------------------------ */

static void stack_table(struct json *j, const struct tables *t)
{
	json_object(j, "stackTable");
	json_uint(j, "length", t->n);
	json_array(j, "frame");
	for (size_t i = 0; i < t->n; i++)
		json_uint(j, NULL, i);
	json_array_end(j);
	json_array(j, "prefix");
	for (size_t i = 0; i < t->n; i++)
		if (t->node[i].prefix == FIREFOX_NONE)
			json_null(j, NULL);
		else
			json_uint(j, NULL, t->node[i].prefix);
	json_array_end(j);
}

/* In the order of firefox_write.c. */
static unsigned int subcategory(const struct model *m, unsigned int class)
{
	const struct rules *r = m->classes ? classifier_rules(m->classes->classifier) : NULL;
	unsigned int category = r ? m->classes->at[class].category : 0, n = 0;

	if (category < LEAF_COUNT)
		return 0;
	for (unsigned int i = LEAF_COUNT; i <= category; i++)
		n += r->category[i].leaf == r->category[category].leaf;
	return n;
}

/* Of nodes: those of stacks, and of their frames. */
static void category_columns(struct json *j, const struct tables *t)
{
	const struct model *m = t->p->m;

	json_array(j, "category");
	for (size_t i = 0; i < t->n; i++)
		json_uint(j, NULL, model_leaf(m, t->node[i].class));
	json_array_end(j);
	json_array(j, "subcategory");
	for (size_t i = 0; i < t->n; i++)
		json_uint(j, NULL, subcategory(m, t->node[i].class));
	json_array_end(j);
}

static void frame_table(struct json *j, const struct tables *t)
{
	json_object(j, "frameTable");
	json_uint(j, "length", t->n);
	firefox_ints(j, "address", t->n, -1);
	firefox_ints(j, "inlineDepth", t->n, 0);
	category_columns(j, t);
	json_array(j, "func");
	for (size_t i = 0; i < t->n; i++)
		json_uint(j, NULL, t->node[i].func);
	json_array_end(j);
	firefox_nulls(j, "nativeSymbol", t->n);
	firefox_nulls(j, "innerWindowID", t->n);
	firefox_nulls(j, "implementation", t->n);
	firefox_nulls(j, "line", t->n);
	firefox_nulls(j, "column", t->n);
	json_object_end(j);
}

/* A function's file is its module. */
static void func_table(struct json *j, struct strings *s, const struct tables *t)
{
	const struct function *at = t->p->functions->at;

	json_object(j, "funcTable");
	json_uint(j, "length", t->nfuncs);
	json_array(j, "name");
	for (size_t i = 0; i < t->nfuncs; i++) {
		const char *name = at[t->func[i]].name;

		json_uint(j, NULL, strings_id(s, *name ? name : UNKNOWN));
	}
	json_array_end(j);
	firefox_falses(j, "isJS", t->nfuncs);
	firefox_falses(j, "relevantForJS", t->nfuncs);
	firefox_ints(j, "resource", t->nfuncs, -1);
	json_array(j, "fileName");
	for (size_t i = 0; i < t->nfuncs; i++)
		if (*at[t->func[i]].module)
			json_uint(j, NULL, strings_id(s, at[t->func[i]].module));
		else
			json_null(j, NULL);
	json_array_end(j);
	firefox_nulls(j, "lineNumber", t->nfuncs);
	firefox_nulls(j, "columnNumber", t->nfuncs);
	json_object_end(j);
}

static void empty_tables(struct json *j)
{
	static const char *const resource[] = { "lib", "name", "host", "type", NULL };
	static const char *const symbol[] = { "libIndex", "address", "name", "functionSize", NULL };

	json_object(j, "resourceTable");
	json_uint(j, "length", 0);
	for (size_t i = 0; resource[i]; i++)
		firefox_nulls(j, resource[i], 0);
	json_object_end(j);
	json_object(j, "nativeSymbols");
	json_uint(j, "length", 0);
	for (size_t i = 0; symbol[i]; i++)
		firefox_nulls(j, symbol[i], 0);
	json_object_end(j);
}

/* ---- samples ----------------------------------------------------------------------------- */

static bool is_shown(const struct tables *t, const struct sample_count *c)
{
	return t->p->idle || model_leaf(t->p->m, c->class) != LEAF_IDLE;
}

/* Those of a piece are spread over it, in whatever order. */
static void times(struct json *j, const struct tables *t, const struct sample_count *count,
		  size_t n)
{
	const struct sample_apart *apart = t->p->apart;
	size_t end;

	json_array(j, "time");
	for (size_t i = 0; i < n; i = end) {
		double begin_ms = (double)count[i].piece * (double)apart->each_ns * 1e-6;

		for (end = i; end < n && count[end].piece == count[i].piece;)
			end++;
		for (size_t k = i; k < end; k++)
			if (is_shown(t, &count[k]))
				json_num(j, NULL,
					 begin_ms + (double)(k - i) / (double)(end - i) *
							    (double)apart->each_ns * 1e-6,
					 6);
	}
	json_array_end(j);
}

/* Weights are taken in the order of the samples; those that are not shown have theirs, too. */
static void samples(struct json *j, const struct tables *t, const struct sample_count *count,
		    size_t n)
{
	size_t shown = 0;

	json_object(j, "samples");
	json_array(j, "stack");
	for (size_t i = 0; i < n; i++)
		if (is_shown(t, &count[i])) {
			json_uint(j, NULL, t->sample_node[i]);
			shown++;
		}
	json_array_end(j);
	json_uint(j, "length", shown);
	times(j, t, count, n);
	json_str(j, "weightType", "tracing-ms");
	json_array(j, "weight");
	for (size_t i = 0; i < n; i++) {
		enum leaf leaf = model_leaf(t->p->m, count[i].class);
		int64_t ns = weight_take(&t->p->weights->cpu[count[i].cpu][leaf], count[i].samples);

		if (is_shown(t, &count[i]))
			json_num(j, NULL, (double)ns * 1e-6, 6);
	}
	json_array_end(j);
	json_object_end(j);
}

int firefox_stacks(struct json *j, struct strings *s, const struct firefox_profile *p,
		   const struct sample_count *count, size_t n)
{
	struct tables t;
	int err = tables_make(&t, p, n);

	if (!err) {
		fill(&t, count, n);
		samples(j, &t, count, n);
		stack_table(j, &t);
		category_columns(j, &t);
		json_object_end(j);
		frame_table(j, &t);
		func_table(j, s, &t);
		empty_tables(j);
	}
	tables_free(&t);
	return err;
}
