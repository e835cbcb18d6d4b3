// SPDX-License-Identifier: BSD-2-Clause
/* What samples tell: categories, functions, stacks. */
#include <errno.h>
#include <stdlib.h>

#include "report/analysis/top.h"
#include "report/rules/stack_class.h"
#include "report/stacks/folded.h"
#include "tables_impl.h"

/* ---- categories -------------------------------------------------------------------------- */

#define VALUE(prefix, about_)                                                                      \
	{ prefix "samples", NULL, TABLE_UINT, true, about_ },                                      \
		{ prefix "share", NULL, TABLE_NUMBER, false, "of CPU time" },                      \
	{                                                                                          \
		prefix "share_ci95", NULL, TABLE_NUMBER, false,                                    \
			"half the width of its 95 % interval"                                      \
	}

static const struct table_column category_column[] = {
	{ "category", NULL, TABLE_TEXT, true, "as the rules have it" },
	{ "parent", NULL, TABLE_TEXT, false, "the category that it lies in; null: it is a leaf" },
	{ "leaf", NULL, TABLE_TEXT, true, NULL },
	VALUE("", "with the categories that lie in it"),
	VALUE("self_", "it is the innermost one"),
	VALUE("inclusive_", "what of its leaf has passed it, wherever that ends"),
};

static void value(struct rows *r, const struct inside_value *v)
{
	rows_uint(r, v->samples);
	rows_number(r, v->share);
	rows_number(r, v->ci95);
}

static int categories(struct rows *r, const struct tables_source *from)
{
	const struct inside *in = &from->summary.inside;
	const struct rules *rules = in->rules;

	for (unsigned int i = 0; rules && i < rules->ncategories; i++) {
		const struct rules_category *c = &rules->category[i];

		if (!leaf_is_sampled(i))
			continue;
		rows_begin(r);
		rows_text(r, c->key);
		rows_text(r, i < LEAF_COUNT ? NULL : rules->category[c->parent].key);
		rows_text(r, leaf_desc[c->leaf].key);
		value(r, &in->row[i].exclusive);
		value(r, &in->row[i].self);
		value(r, &in->row[i].inclusive);
		rows_end(r);
	}
	return 0;
}

const struct table table_categories = {
	.name = "categories",
	.about = "What leaves are made of, by samples: a row for each category of the rules",
	TABLE_COLUMNS(category_column),
	.order = "category",
	.fill = categories,
};

/* ---- functions --------------------------------------------------------------------------- */

static const struct table_column function_column[] = {
	{ "function", NULL, TABLE_TEXT, true, "[user]: user mode; [unknown]: it has no name" },
	{ "module", NULL, TABLE_TEXT, true, "'': the kernel itself" },
	{ "self_samples", NULL, TABLE_UINT, true, "it is the innermost one" },
	{ "inclusive_samples", NULL, TABLE_UINT, true, "with all that it calls" },
	{ "category", NULL, TABLE_TEXT, true, "that most of its samples are in" },
	{ "category_share", NULL, TABLE_NUMBER, false, "so much of them" },
};

static int functions(struct rows *r, const struct tables_source *from)
{
	struct top top;
	int err = top_make(&top, from->m, LEAF_ALL, (size_t)from->m->nsymbols + 2);

	if (err)
		return err;
	for (size_t i = 0; i < top.n; i++) {
		const struct top_row *f = &top.row[i];

		rows_begin(r);
		rows_text(r, *f->name ? f->name : "[unknown]");
		rows_text(r, f->module);
		rows_uint(r, f->self.samples);
		rows_uint(r, f->inclusive.samples);
		rows_text(r, f->category->key);
		rows_number(r, f->category_share);
		rows_end(r);
	}
	top_free(&top);
	return 0;
}

const struct table table_functions = {
	.name = "functions",
	.about = "Functions of the kernel, by samples of all CPUs, idle ones among them",
	TABLE_COLUMNS(function_column),
	.order = "function, module",
	.fill = functions,
};

/* ---- stacks ------------------------------------------------------------------------------ */

static const struct table_column stack_column[] = {
	{ "id", NULL, TABLE_UINT, true, "of the stack, in this recording alone" },
	{ "stack", NULL, TABLE_TEXT, true, "functions with ';' between them, the outermost first" },
	{ "leaf", NULL, TABLE_TEXT, true, NULL },
	{ "category", NULL, TABLE_TEXT, true, NULL },
	{ "samples", NULL, TABLE_UINT, true, NULL },
};

static int stack(struct rows *r, const struct model *m, uint32_t id)
{
	unsigned int class = m->class[id], category = m->classes->at[class].category;
	const struct rules *rules = classifier_rules(m->classes->classifier);
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	if (out)
		folded_stack(out, m, id);
	if (!out || fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	rows_begin(r);
	rows_uint(r, id);
	rows_text(r, text);
	rows_text(r, leaf_desc[model_leaf(m, class)].key);
	rows_text(r, rules->category[category].key);
	rows_uint(r, m->count[id]);
	rows_end(r);
	free(text);
	return 0;
}

static int stacks(struct rows *r, const struct tables_source *from)
{
	const struct model *m = from->m;
	int err = 0;

	for (uint32_t i = 0; !err && i <= m->nstacks; i++)
		if (m->count[i])
			err = stack(r, m, i);
	return err;
}

const struct table table_stacks = {
	.name = "stacks",
	.about = "Stacks, and how many samples were taken in each",
	TABLE_COLUMNS(stack_column),
	.order = "id",
	.fill = stacks,
};
