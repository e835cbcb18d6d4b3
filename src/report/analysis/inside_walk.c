// SPDX-License-Identifier: BSD-2-Clause
#include "inside_walk.h"

#include <math.h>
#include <string.h>

struct walk {
	const struct summary *s;
	const struct inside *in;
	bool all, exact; /* show all; there are exact times */
	unsigned int hidden;
	inside_line_fn *fn;
	void *ctx;
};

static void line(const struct walk *w, struct inside_line l, const struct summary_rx_part *exact)
{
	if (exact) {
		l.has_exact = true;
		l.exact = *exact;
	}
	w->fn(w->ctx, &l);
}

/* The exact part of the RX softirq that has the category's key, or NULL. */
static const struct summary_rx_part *exact_part(const struct walk *w, unsigned int category)
{
	const struct rules_category *c = &w->in->rules->category[category];

	if (!w->exact || c->leaf != LEAF_RX_SOFTIRQ)
		return NULL;
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		if (!strcmp(model_part_key(p), c->key))
			return &w->s->rx.part[p];
	return NULL;
}

static bool is_shown(const struct walk *w, unsigned int category)
{
	const struct rules_category *c = &w->in->rules->category[category];
	const struct summary_rx_part *exact = exact_part(w, category);

	if (w->all || (double)w->in->row[category].inclusive.samples >
			      INSIDE_LEAST * (double)w->in->row[c->leaf].exclusive.samples)
		return true;
	return exact && exact->total_ns > INSIDE_LEAST * w->s->rx.ns;
}

/* What of a category is in none of its parts. */
static void self_line(const struct walk *w, unsigned int category, unsigned int depth)
{
	bool other = category == LEAF_OTHER_NETWORK || category == LEAF_OTHER_KERNEL;
	struct summary_rx_part rx = { .ns = w->s->rx.self_ns, .total_ns = NAN };
	const struct inside_line self = { .title = other ? "none of these" : "self",
					  .depth = depth,
					  .leaf = w->in->rules->category[category].leaf,
					  .exclusive = &w->in->row[category].self };

	if (w->all || w->in->row[category].self.samples)
		line(w, self, w->exact && category == LEAF_RX_SOFTIRQ ? &rx : NULL);
}

/* The parts of `top`, and what of it is in none of them. */
static void parts(struct walk *w, unsigned int top)
{
	const struct rules *r = w->in->rules;
	unsigned int depth = r->category[top].depth + 1;
	bool any = false;

	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++) {
		const struct inside_row *part = &w->in->row[i];

		if (r->category[i].parent != top)
			continue;
		if (!is_shown(w, i)) {
			w->hidden++;
			continue;
		}
		any = true;
		line(w,
		     (struct inside_line){ .title = r->category[i].title,
					   .depth = depth,
					   .leaf = r->category[i].leaf,
					   .exclusive = &part->exclusive,
					   .inclusive = &part->inclusive },
		     exact_part(w, i));
		parts(w, i);
	}
	if (any)
		self_line(w, top, depth);
}

static bool has_parts(const struct rules *r, unsigned int category)
{
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++)
		if (r->category[i].parent == category)
			return true;
	return false;
}

static void leaf_lines(struct walk *w, const char *title, unsigned int leaf)
{
	struct summary_rx_part rx = { .ns = w->s->rx.ns, .total_ns = w->s->rx.ns };

	line(w,
	     (struct inside_line){
		     .title = title, .leaf = leaf, .exclusive = &w->in->row[leaf].exclusive },
	     w->exact && leaf == LEAF_RX_SOFTIRQ ? &rx : NULL);
	parts(w, leaf);
}

static unsigned int leaf_of_node(const struct leaf_node *node)
{
	unsigned int l = 0;

	while (l < LEAF_COUNT && node->leaves != 1u << l)
		l++;
	return l;
}

unsigned int inside_walk(const struct summary *s, bool all, inside_line_fn *fn, void *ctx)
{
	struct walk w = { .s = s,
			  .in = &s->inside,
			  .all = all,
			  .exact = !isnan(s->rx.self_ns),
			  .fn = fn,
			  .ctx = ctx };

	for (unsigned int i = 0; w.in->rules && i < LEAF_NODES; i++) {
		unsigned int l = leaf_of_node(&leaf_node[i]);

		if (l < LEAF_COUNT && has_parts(w.in->rules, l) &&
		    (all || w.in->row[l].exclusive.samples))
			leaf_lines(&w, leaf_node[i].title, l);
	}
	return w.hidden;
}
