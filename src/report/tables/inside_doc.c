// SPDX-License-Identifier: BSD-2-Clause
#include "inside_doc.h"

#include <math.h>

#include "report/analysis/inside_walk.h"
#include "report/analysis/functions.h"
#include "report/base/text.h"
#include "report/rules/stack_class.h"
#include "colors.h"
#include "split_columns.h"

#define FUNCTIONS 15 /* of a leaf, that are in no category */

/* ---- the tree, for people ---------------------------------------------------------------- */

struct shown {
	struct doc *d;
	double wall_ns;
};

static void line(void *ctx, const struct inside_line *l)
{
	const struct shown *shown = ctx;
	struct doc *d = shown->d;

	doc_row(d, l->depth, DOC_PEOPLE);
	doc_string(d, l->title);
	doc_bar(d, l->exclusive->share, leaf_color[l->leaf]);
	doc_interval(d, 100 * l->exclusive->share, 100 * l->exclusive->ci95);
	if (l->inclusive)
		doc_interval(d, 100 * l->inclusive->share, 100 * l->inclusive->ci95);
	else
		doc_blank(d);
	if (l->has_exact) {
		doc_number(d, 100 * (l->exact.ns / shown->wall_ns));
		doc_number(d, 100 * (l->exact.total_ns / shown->wall_ns));
	} else {
		doc_blanks(d, 2);
	}
	doc_row_end(d);
}

static void notes(struct doc *d, const struct summary *s, unsigned int hidden)
{
	if (s->inside.rules->file)
		doc_note(d, "Sorted by the rules in %s.", SAFE(s->inside.rules->file));
	if (hidden)
		doc_note(d, "%u categories have less than %g %% of their leaf; --all shows them.",
			 hidden, 100 * INSIDE_LEAST);
	if (s->m->classes->full)
		doc_note(d, "More than %u kinds of stacks: inclusive figures are not known.",
			 STACK_CLASSES_MAX);
}

static void tree(struct doc *d, const struct summary *s, bool all)
{
	bool exact = !isnan(s->rx.self_ns);
	const struct doc_column column[] = {
		{ .title = "category", .kind = DOC_STRING, .width = 42 },
		{ .kind = DOC_BAR },
		{ .title = "exclusive", .kind = DOC_INTERVAL, .decimals = 2, .width = 17 },
		{ .title = "inclusive", .kind = DOC_INTERVAL, .decimals = 2, .width = 17 },
		{ .title = exact ? "exact" : NULL, .decimals = 2, .width = 8 },
		{ .title = exact ? "incl." : NULL, .decimals = 2, .width = 8 },
	};
	const struct doc_table table = { .title = "Where it goes inside, % of time by samples",
					 DOC_COLUMNS_OF(column),
					 .only = DOC_PEOPLE };
	struct shown shown = { .d = d, .wall_ns = s->split.all.wall_ns };
	unsigned int hidden;

	doc_table(d, &table);
	hidden = inside_walk(s, all, line, &shown);
	doc_table_end(d);
	notes(d, s, hidden);
}

/* ---- all categories, for programs -------------------------------------------------------- */

#define VALUE(prefix, about_)                                                                      \
	{ .key = prefix "samples", .known = true },                                                \
	{                                                                                          \
		.key = prefix "percent", .ci_key = prefix "ci95_percent", .kind = DOC_INTERVAL,    \
		.precision = 4, .about = about_                                                    \
	}

static void value(struct doc *d, const struct inside_value *v)
{
	doc_number(d, (double)v->samples);
	doc_interval(d, 100 * v->share, 100 * v->ci95);
}

/* cpu: NULL: in JSON it is of all */
static void category(struct doc *d, const struct inside *in, unsigned int i, const char *cpu)
{
	const struct rules_category *c = &in->rules->category[i];

	doc_row(d, 0, DOC_PROGRAMS);
	doc_string(d, c->key);
	doc_string(d, c->title);
	doc_string(d, i < LEAF_COUNT ? NULL : in->rules->category[c->parent].key);
	doc_string(d, leaf_desc[c->leaf].key);
	doc_string(d, cpu);
	value(d, &in->row[i].exclusive);
	value(d, &in->row[i].self);
	value(d, &in->row[i].inclusive);
	doc_row_end(d);
}

static void categories(struct doc *d, const struct inside *in, const char *cpu)
{
	for (unsigned int i = 0; in->rules && i < in->rules->ncategories; i++)
		if (leaf_is_sampled(i))
			category(d, in, i, cpu);
}

static const struct doc_column category_column[] = {
	{ .key = "key", .kind = DOC_STRING, .known = true },
	{ .key = "title", .kind = DOC_STRING, .known = true },
	{ .key = "parent", .kind = DOC_STRING },
	{ .key = "leaf", .kind = DOC_STRING, .known = true, .choices = leaf_keys },
	{ .key = "cpu", .kind = DOC_STRING, .only = DOC_CSV },
	VALUE("", "of CPU time, including the categories in it"),
	VALUE("self_", NULL),
	VALUE("inclusive_", NULL),
};

void inside_categories(struct doc *d, const struct summary *s, bool all)
{
	static const struct doc_table table = { .key = "sampled_categories",
						DOC_COLUMNS_OF(category_column),
						.only = DOC_JSON };

	doc_about(d, "the file; null: the built-in ones");
	doc_field_string(d, "rules", s->inside.rules ? s->inside.rules->file : NULL);
	doc_table(d, &table);
	categories(d, &s->inside, NULL);
	doc_table_end(d);
	if (s->inside.rules && doc_is_for(d, DOC_PEOPLE))
		tree(d, s, all);
}

void inside_leaves(struct doc *d, const struct summary *s)
{
	static const struct doc_table table = { .key = "inside",
						DOC_COLUMNS_OF(category_column),
						.only = DOC_CSV };
	struct inside in;
	char cpu[16];

	if (!doc_is_for(d, DOC_CSV))
		return;
	doc_table(d, &table);
	categories(d, &s->inside, "all");
	for (size_t c = 0; s->inside.rules && c < s->split.ncpus; c++) {
		snprintf(cpu, sizeof(cpu), "%u", s->split.cpu[c].cpu);
		inside_cpu(&in, s->m, &s->split, c);
		categories(d, &in, cpu);
	}
	doc_table_end(d);
}

/* ---- what no category takes -------------------------------------------------------------- */

static void function_row(struct doc *d, unsigned int leaf, const char *name, uint64_t samples,
			 uint64_t all, unsigned int only)
{
	doc_row(d, 0, only);
	doc_string(d, leaf_desc[leaf].key);
	doc_string(d, name);
	doc_number(d, (double)samples);
	doc_number(d, 100 * ((double)samples / (double)all));
	doc_row_end(d);
}

static void functions(struct doc *d, const struct summary *s, const struct uncategorized *o)
{
	const struct inside_value *all = &s->inside.row[o->leaf].self;
	uint64_t rest = all->samples;
	char title[120];

	snprintf(title, sizeof(title), "In %s, in none of its categories: %s %% of time",
		 leaf_desc[o->leaf].title, PERCENT(all->share, 2));
	doc_section(d, title);
	for (size_t i = 0; i < o->n; i++) {
		const char *name = *o->function[i].name ? o->function[i].name : "[unknown]";

		function_row(d, o->leaf, name, o->function[i].samples, all->samples,
			     i < FUNCTIONS ? DOC_ALL : DOC_PROGRAMS);
		rest -= i < FUNCTIONS ? o->function[i].samples : 0;
	}
	if (o->n > FUNCTIONS)
		function_row(d, o->leaf, "others", rest, all->samples, DOC_PEOPLE);
}

int inside_other(struct doc *d, const struct summary *s)
{
	static const struct doc_column column[] = {
		{ .key = "leaf", .kind = DOC_STRING, .known = true, .choices = leaf_keys },
		{ .key = "function",
		  .title = "function",
		  .kind = DOC_STRING,
		  .width = 44,
		  .known = true },
		{ .key = "samples", .known = true },
		{ .title = "% of it", .decimals = 2, .width = 9 },
	};
	static const struct doc_table table = {
		.key = "uncategorized",
		.about =
			"with --other: the innermost functions that are in no category, the heaviest of each leaf first",
		.sections = true,
		DOC_COLUMNS_OF(column)
	};
	struct uncategorized u;
	int err = 0;

	doc_table(d, &table);
	for (size_t i = 0; s->inside.rules && !err && i < UNCATEGORIZED_LEAVES; i++) {
		err = uncategorized_make(&u, s->m, uncategorized_leaf[i]);
		if (err)
			break;
		functions(d, s, &u);
		uncategorized_free(&u);
	}
	doc_table_end(d);
	return err;
}
