// SPDX-License-Identifier: BSD-2-Clause
/* The summary as text: what the leaves are made of, and what no category takes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classes.h"
#include "escape.h"
#include "summary_text.h"
#include "text.h"

#define LEAST 0.01   /* of its leaf: categories with less are not shown unless all are */
#define FUNCTIONS 15 /* of a leaf, that no category takes */

/* "50.02 +- 0.97", or "-" */
static void value_text(char *buf, size_t size, const struct inside_value *v)
{
	if (isnan(v->share))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%s +- %5s", PERCENT(v->share, 2), PERCENT(v->ci95, 2));
}

/* inclusive: NULL where it would be the same. */
static void row(FILE *out, const char *title, unsigned int depth,
		const struct inside_value *exclusive, const struct inside_value *inclusive)
{
	char text[2][64] = { "", "" };

	value_text(text[0], sizeof(text[0]), exclusive);
	if (inclusive)
		value_text(text[1], sizeof(text[1]), inclusive);
	fprintf(out, inclusive ? "  %*s%-*s %17s %17s\n" : "  %*s%-*s %17s\n", (int)(2 * depth), "",
		(int)(42 - 2 * depth), title, text[0], text[1]);
}

static bool is_shown(const struct inside_row *row, const struct inside_row *leaf, bool all)
{
	return all || (double)row->inclusive.samples > LEAST * (double)leaf->exclusive.samples;
}

/* What of a category is in nothing that lies in it. */
static const char *self_title(unsigned int category)
{
	return category == LEAF_OTHER_NETWORK || category == LEAF_OTHER_KERNEL ? "none of these" :
										 "self";
}

/* What lies in `top`, and what of it does not. Returns how many categories are left out. */
static unsigned int parts(FILE *out, const struct inside *in, unsigned int top, bool all)
{
	const struct rules *r = in->rules;
	unsigned int leaf = r->category[top].leaf, depth = r->category[top].depth + 1, hidden = 0;
	bool any = false;

	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++) {
		const struct inside_row *part = &in->row[i];

		if (r->category[i].parent != top)
			continue;
		if (!is_shown(part, &in->row[leaf], all)) {
			hidden++;
			continue;
		}
		any = true;
		row(out, r->category[i].title, depth, &part->exclusive, &part->inclusive);
		hidden += parts(out, in, i, all);
	}
	if (any && (all || in->row[top].self.samples))
		row(out, self_title(top), depth, &in->row[top].self, NULL);
	return hidden;
}

void text_inside(FILE *out, const struct summary *s, bool all)
{
	const struct inside *in = &s->inside;
	unsigned int hidden = 0;

	if (!in->rules)
		return;
	fprintf(out, "\n%-44s %17s %17s\n", "Where it goes inside, % of time by samples",
		"exclusive", "inclusive");
	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		unsigned int l = 0;

		while (l < LEAF_COUNT && leaf_node[i].leaves != 1u << l)
			l++;
		if (l == LEAF_COUNT || !inside_has_parts(in->rules, l) ||
		    (!all && !in->row[l].exclusive.samples))
			continue;
		row(out, leaf_node[i].title, 0, &in->row[l].exclusive, NULL);
		hidden += parts(out, in, l, all);
	}
	if (in->rules->file)
		fprintf(out, "Sorted by the rules in %s.\n", SAFE(in->rules->file));
	if (hidden)
		fprintf(out,
			"%u categories with less than %g %% of their leaf; --all shows them.\n",
			hidden, 100 * LEAST);
	if (s->m->classes->full)
		fprintf(out, "More than %u kinds of stacks: inclusive figures are not known.\n",
			CLASSES_MAX);
}

/* ---- what no category takes -------------------------------------------------------------- */

struct function {
	const char *name;
	uint64_t samples;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct function *)a)->name, ((const struct function *)b)->name);
}

static int by_samples(const void *pa, const void *pb)
{
	const struct function *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* The innermost functions of a leaf's own stacks, those of one name as one. Returns how many. */
static size_t count_functions(const struct model *m, unsigned int leaf, struct function *f)
{
	size_t n = 0, names = 0;

	for (uint32_t i = 0; i <= m->nsymbols; i++)
		f[i] = (struct function){ .name = model_string(m, m->symbol[i]) };
	for (uint32_t i = 1; i <= m->nstacks; i++)
		if (m->classes->at[m->class[i]].category == leaf)
			f[m->stack[i].symbol].samples += m->count[i];
	for (uint32_t i = 0; i <= m->nsymbols; i++)
		if (f[i].samples)
			f[n++] = f[i];
	qsort(f, n, sizeof(*f), by_name);
	for (size_t i = 0; i < n; i++) {
		if (names && !strcmp(f[names - 1].name, f[i].name))
			f[names - 1].samples += f[i].samples;
		else
			f[names++] = f[i];
	}
	qsort(f, names, sizeof(*f), by_samples);
	return names;
}

static void functions(FILE *out, const struct summary *s, unsigned int leaf, struct function *f)
{
	const struct inside_value *all = &s->inside.row[leaf].self;
	size_t n = count_functions(s->m, leaf, f);
	uint64_t rest = all->samples;

	fprintf(out, "\nIn %s, in none of its categories: %s %% of time\n", leaf_desc[leaf].title,
		PERCENT(all->share, 2));
	for (size_t i = 0; i < n && i < FUNCTIONS; i++) {
		fprintf(out, "  %-44s %9s %% of it\n", *f[i].name ? SAFE(f[i].name) : "[unknown]",
			PERCENT((double)f[i].samples / (double)all->samples, 2));
		rest -= f[i].samples;
	}
	if (n > FUNCTIONS)
		fprintf(out, "  %-44s %9s %% of it\n", "others",
			PERCENT((double)rest / (double)all->samples, 2));
}

bool text_other(FILE *out, const struct summary *s)
{
	struct function *f;

	if (!s->inside.rules)
		return true;
	f = calloc(s->m->nsymbols + 1u, sizeof(*f));
	if (!f)
		return false;
	functions(out, s, LEAF_OTHER_NETWORK, f);
	functions(out, s, LEAF_OTHER_KERNEL, f);
	free(f);
	return true;
}
