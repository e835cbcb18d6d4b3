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

struct table {
	FILE *out;
	const struct summary *s;
	const struct inside *in;
	bool all, exact; /* show all; there are exact times */
	unsigned int hidden;
};

/* inclusive: NULL where it would be the same. exact: NULL where there is nothing to stand beside. */
static void row(const struct table *t, const char *title, unsigned int depth,
		const struct inside_value *exclusive, const struct inside_value *inclusive,
		const struct summary_rx_part *exact)
{
	char text[2][64] = { "", "" };
	double wall_ns = t->s->split.all.wall_ns;

	value_text(text[0], sizeof(text[0]), exclusive);
	if (inclusive)
		value_text(text[1], sizeof(text[1]), inclusive);
	fprintf(t->out, "  %*s%-*s %17s", (int)(2 * depth), "", (int)(42 - 2 * depth), title,
		text[0]);
	if (inclusive || exact)
		fprintf(t->out, " %17s", text[1]);
	if (exact)
		fprintf(t->out, " %8s %8s", PERCENT(exact->ns / wall_ns, 2),
			PERCENT(exact->total_ns / wall_ns, 2));
	fputc('\n', t->out);
}

/* The exact part of the RX softirq that has the category's key, or NULL. */
static const struct summary_rx_part *exact_part(const struct table *t, unsigned int category)
{
	const struct rules_category *c = &t->in->rules->category[category];

	if (!t->exact || c->leaf != LEAF_RX_SOFTIRQ)
		return NULL;
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		if (!strcmp(model_part_key(p), c->key))
			return &t->s->rx.part[p];
	return NULL;
}

static bool is_shown(const struct table *t, unsigned int category)
{
	const struct rules_category *c = &t->in->rules->category[category];
	const struct summary_rx_part *exact = exact_part(t, category);

	if (t->all || (double)t->in->row[category].inclusive.samples >
			      LEAST * (double)t->in->row[c->leaf].exclusive.samples)
		return true;
	return exact && exact->total_ns > LEAST * t->s->rx.ns;
}

/* What of a category is in nothing that lies in it. */
static void self_row(const struct table *t, unsigned int category, unsigned int depth)
{
	bool other = category == LEAF_OTHER_NETWORK || category == LEAF_OTHER_KERNEL;
	struct summary_rx_part rx = { .ns = t->s->rx.self_ns, .total_ns = NAN };

	if (!t->all && !t->in->row[category].self.samples)
		return;
	row(t, other ? "none of these" : "self", depth, &t->in->row[category].self, NULL,
	    t->exact && category == LEAF_RX_SOFTIRQ ? &rx : NULL);
}

/* What lies in `top`, and what of it does not. */
static void parts(struct table *t, unsigned int top)
{
	const struct rules *r = t->in->rules;
	unsigned int depth = r->category[top].depth + 1;
	bool any = false;

	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++) {
		const struct inside_row *part = &t->in->row[i];

		if (r->category[i].parent != top)
			continue;
		if (!is_shown(t, i)) {
			t->hidden++;
			continue;
		}
		any = true;
		row(t, r->category[i].title, depth, &part->exclusive, &part->inclusive,
		    exact_part(t, i));
		parts(t, i);
	}
	if (any)
		self_row(t, top, depth);
}

static void leaf_rows(struct table *t, const char *title, unsigned int leaf)
{
	struct summary_rx_part rx = { .ns = t->s->rx.ns, .total_ns = t->s->rx.ns };

	row(t, title, 0, &t->in->row[leaf].exclusive, NULL,
	    t->exact && leaf == LEAF_RX_SOFTIRQ ? &rx : NULL);
	parts(t, leaf);
}

static unsigned int leaf_of_node(const struct leaf_node *node)
{
	unsigned int l = 0;

	while (l < LEAF_COUNT && node->leaves != 1u << l)
		l++;
	return l;
}

static void notes(const struct table *t)
{
	if (t->in->rules->file)
		fprintf(t->out, "Sorted by the rules in %s.\n", SAFE(t->in->rules->file));
	if (t->hidden)
		fprintf(t->out,
			"%u categories with less than %g %% of their leaf; --all shows them.\n",
			t->hidden, 100 * LEAST);
	if (t->s->m->classes->full)
		fprintf(t->out, "More than %u kinds of stacks: inclusive figures are not known.\n",
			CLASSES_MAX);
}

void text_inside(FILE *out, const struct summary *s, bool all)
{
	struct table t = {
		.out = out, .s = s, .in = &s->inside, .all = all, .exact = !isnan(s->rx.self_ns)
	};

	if (!t.in->rules)
		return;
	fprintf(out, "\n%-44s %17s %17s%s\n", "Where it goes inside, % of time by samples",
		"exclusive", "inclusive", t.exact ? "    exact    incl." : "");
	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		unsigned int l = leaf_of_node(&leaf_node[i]);

		if (l < LEAF_COUNT && inside_has_parts(t.in->rules, l) &&
		    (all || t.in->row[l].exclusive.samples))
			leaf_rows(&t, leaf_node[i].title, l);
	}
	notes(&t);
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
