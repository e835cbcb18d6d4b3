// SPDX-License-Identifier: BSD-2-Clause
/* The contents of leaves: categories by samples, and parts of the RX softirq, which are exact. */
#include "tables.h"

#include <math.h>
#include <string.h>

#include "report/analysis/functions.h"
#include <netcost/text_append.h>
#include "report/base/text.h"
#include "report/rules/rules.h"

#define FUNCTIONS 15 /* largest number of functions without a category that a leaf shows */
/* share of the leaf; smaller categories are hidden unless all are shown */
#define INSIDE_LEAST 0.01

/* ---- the tree, as text -------------------------------------------------------------- */

struct inside_tree {
	struct doc *d;
	const struct summary *s;
	const struct inside *in;
	bool all, exact; /* all: all categories are shown; exact: the trace has exact times */
	unsigned int hidden;
};

/*
 * Adds a line. inclusive: NULL if it equals exclusive. exact: the exact time of the line; NULL for
 * none.
 */
static void tree_line(const struct inside_tree *t, unsigned int depth, const char *title,
		      unsigned int leaf, const struct inside_value *exclusive,
		      const struct inside_value *inclusive, const struct summary_rx_part *exact)
{
	struct doc *d = t->d;
	double wall_ns = t->s->split.all.wall_ns;

	doc_row(d, depth, DOC_PEOPLE);
	doc_string(d, title);
	doc_bar(d, exclusive->share, leaf_color[leaf]);
	doc_interval(d, 100 * exclusive->share, 100 * exclusive->ci95);
	if (inclusive)
		doc_interval(d, 100 * inclusive->share, 100 * inclusive->ci95);
	else
		doc_blank(d);
	if (exact) {
		doc_number(d, 100 * (exact->ns / wall_ns));
		doc_number(d, 100 * (exact->total_ns / wall_ns));
	} else {
		doc_blanks(d, 2);
	}
	doc_row_end(d);
}

/* Returns the exact part of the RX softirq that has the key of a category, or NULL. */
static const struct summary_rx_part *exact_part(const struct inside_tree *t, unsigned int category)
{
	const struct rules_category *c = &t->in->rules->category[category];

	if (!t->exact || c->leaf != LEAF_RX_SOFTIRQ)
		return NULL;
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		if (!strcmp(model_part_key(p), c->key))
			return &t->s->rx.part[p];
	return NULL;
}

static bool is_shown(const struct inside_tree *t, unsigned int category)
{
	const struct rules_category *c = &t->in->rules->category[category];
	const struct summary_rx_part *exact = exact_part(t, category);

	if (t->all || (double)t->in->row[category].inclusive.samples >
			      INSIDE_LEAST * (double)t->in->row[c->leaf].exclusive.samples)
		return true;
	return exact && exact->total_ns > INSIDE_LEAST * t->s->rx.ns;
}

/* Adds a line for the time of a category that is in none of its subcategories. */
static void self_line(const struct inside_tree *t, unsigned int category, unsigned int depth)
{
	bool other = category == LEAF_OTHER_NETWORK || category == LEAF_OTHER_KERNEL;
	const struct summary_rx_part rx = { .ns = t->s->rx.self_ns, .total_ns = NAN };

	if (t->all || t->in->row[category].self.samples)
		tree_line(t, depth, other ? "none of these" : "self",
			  t->in->rules->category[category].leaf, &t->in->row[category].self, NULL,
			  t->exact && category == LEAF_RX_SOFTIRQ ? &rx : NULL);
}

/*
 * Adds the lines below a category. Categories that are too small to be shown are counted in
 * t->hidden.
 */
static void lines_below(struct inside_tree *t, unsigned int top)
{
	const struct rules *r = t->in->rules;
	unsigned int depth = r->category[top].depth + 1;
	bool any = false;

	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++) {
		if (r->category[i].parent != top)
			continue;
		if (!is_shown(t, i)) {
			t->hidden++;
			continue;
		}
		any = true;
		tree_line(t, depth, r->category[i].title, r->category[i].leaf,
			  &t->in->row[i].exclusive, &t->in->row[i].inclusive, exact_part(t, i));
		lines_below(t, i);
	}
	if (any)
		self_line(t, top, depth);
}

static bool has_parts(const struct rules *r, unsigned int category)
{
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++)
		if (r->category[i].parent == category)
			return true;
	return false;
}

static void leaf_lines(struct inside_tree *t, const char *title, unsigned int leaf)
{
	const struct summary_rx_part rx = { .ns = t->s->rx.ns, .total_ns = t->s->rx.ns };

	if (!has_parts(t->in->rules, leaf) || (leaf == LEAF_USER && !t->s->m->has_user) ||
	    !(t->all || t->in->row[leaf].exclusive.samples))
		return;
	tree_line(t, 0, title, leaf, &t->in->row[leaf].exclusive, NULL,
		  t->exact && leaf == LEAF_RX_SOFTIRQ ? &rx : NULL);
	lines_below(t, leaf);
}

#define SEEN 0.0001 /* share of the time; the table has two digits of percentages */

/* Says that leaves with an exact time have another figure here. Gives the leaf that differs most as an example. */
static void exact_note(struct doc *d, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;
	unsigned int most = LEAF_COUNT;
	double apart = SEEN;

	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		double exact = all->leaf[l].ns / all->wall_ns;
		double differs = fabs(exact - s->inside.row[l].exclusive.share);

		if (all->leaf[l].how != SPLIT_EXACT || !has_parts(s->inside.rules, l) ||
		    !s->inside.row[l].exclusive.samples || !(differs >= apart))
			continue;
		apart = differs;
		most = l;
	}
	if (most < LEAF_COUNT)
		doc_note(d, "These are shares by samples. By exact counters: %s %s %%.",
			 leaf_desc[most].title,
			 SHARE_OF(all->leaf[most].ns / all->wall_ns,
				  all->leaf[most].ci95_ns / all->wall_ns));
}

static void tree_notes(struct doc *d, const struct summary *s, unsigned int hidden)
{
	if (s->inside.rules->file)
		doc_note(d, "Classified by the rules in %s.", SAFE(s->inside.rules->file));
	exact_note(d, s);
	if (hidden)
		doc_note(d, "%u categories have less than %g %% of their leaf; --all shows them.",
			 hidden, 100 * INSIDE_LEAST);
	if (s->m->classes->full)
		doc_note(d, "More than %u different stacks: inclusive figures are unknown.",
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
	const struct doc_table table = {
		.title = s->m->has_user ? "Inside user mode and the network, % of time by samples" :
					  "Inside the network, % of time by samples",
		DOC_COLUMNS_OF(column),
		.only = DOC_PEOPLE
	};
	struct inside_tree t = { .d = d, .s = s, .in = &s->inside, .all = all, .exact = exact };

	doc_table(d, &table);
	for (unsigned int i = 0; i < LEAF_NODES; i++)
		if (__builtin_popcount(leaf_node[i].leaves) == 1)
			leaf_lines(&t, leaf_node[i].title,
				   (unsigned int)__builtin_ctz(leaf_node[i].leaves));
	doc_table_end(d);
	tree_notes(d, s, t.hidden);
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

/* Adds a category for programs. cpu: NULL in JSON if the values are sums over all CPUs. */
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

static void categories(struct doc *d, const struct model *m, const struct inside *in,
		       const char *cpu)
{
	for (unsigned int i = 0; in->rules && i < in->rules->ncategories; i++)
		if (leaf_is_sampled(i) && inside_known(m, &in->rules->category[i]))
			category(d, in, i, cpu);
}

static const struct doc_column category_column[] = {
	{ .key = "key", .kind = DOC_STRING, .known = true },
	{ .key = "title", .kind = DOC_STRING, .known = true },
	{ .key = "parent", .kind = DOC_STRING },
	{ .key = "leaf", .kind = DOC_STRING, .known = true, .choices = leaf_keys },
	{ .key = "cpu", .kind = DOC_STRING, .only = DOC_CSV },
	VALUE("", "share of CPU time, including nested categories"),
	VALUE("self_", NULL),
	VALUE("inclusive_", NULL),
};

void inside_categories(struct doc *d, const struct summary *s, bool all)
{
	static const struct doc_table table = { .key = "sampled_categories",
						DOC_COLUMNS_OF(category_column),
						.only = DOC_JSON };

	doc_about(d, "file of the rules; null: the built-in rules");
	doc_field_string(d, "rules", s->inside.rules ? s->inside.rules->file : NULL);
	doc_table(d, &table);
	categories(d, s->m, &s->inside, NULL);
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
	categories(d, s->m, &s->inside, "all");
	for (size_t c = 0; s->inside.rules && c < s->split.ncpus; c++) {
		snprintf(cpu, sizeof(cpu), "%u", s->split.cpu[c].cpu);
		inside_cpu(&in, s->m, &s->split, c);
		categories(d, s->m, &in, cpu);
	}
	doc_table_end(d);
}

/* ---- functions in no category ------------------------------------------------------------ */

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

	snprintf(title, sizeof(title), "In %s, without a category: %s %% of time",
		 leaf_desc[o->leaf].title, PERCENT(all->share, 0));
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
			"with --other: innermost functions without a category, sorted by samples within each leaf; null: without --other",
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

/* ---- parts of the RX softirq, exact ------------------------------------------------------ */

static const struct doc_column rx_columns[] = {
	{ .key = "part", .kind = DOC_STRING },
	{ .title = "part", .kind = DOC_STRING, .width = 22 },
	{ .kind = DOC_BAR },
	{ .key = "ns",
	  .title = "own time",
	  .unit = TEXT_NS,
	  .width = 12,
	  .about = "time of the part itself, in ns, without nested parts" },
	{ .title = "% of RX", .decimals = 1, .width = 9 },
	{ .key = "inclusive_ns", .title = "with all", .unit = TEXT_NS, .width = 12 },
	{ .title = "% of RX", .decimals = 1, .width = 9 },
	{ .key = "calls", .title = "calls", .width = 12 },
	{ .title = "per call", .unit = TEXT_NS, .width = 9 },
};

/* Adds the cell of a number, or an empty cell if the row does not have the number. */
static void rx_number(struct doc *d, bool has, double v)
{
	if (has)
		doc_number(d, v);
	else
		doc_blank(d);
}

/*
 * Adds a row. own: the row has the part's own time. all: the row has the number of calls, and the time including
 * everything inside the part.
 */
static void rx_row(struct doc *d, const struct summary_rx *rx, const char *key, const char *title,
		   const struct summary_rx_part *p, bool own, bool all, unsigned int only)
{
	doc_row(d, 0, only);
	doc_string(d, key);
	doc_string(d, title);
	doc_bar(d, own ? p->ns / rx->ns : 0, leaf_color[LEAF_RX_SOFTIRQ]);
	rx_number(d, own, p->ns);
	rx_number(d, own, 100 * (p->ns / rx->ns));
	rx_number(d, all, p->total_ns);
	rx_number(d, all, 100 * (p->total_ns / rx->ns));
	rx_number(d, all, p->calls);
	rx_number(d, own && all, p->total_ns / p->calls);
	doc_row_end(d);
}

/* Adds rows for the contexts in which the code ran, unless all of it ran in softirqs. */
static void where_rows(struct doc *d, const struct summary *s)
{
	const struct summary_rx *rx = &s->rx;
	const struct {
		const char *title;
		double ns;
		enum netcost_event event;
	} where[] = {
		{ "in softirqs", rx->softirq_ns, NETCOST_EV_RX_SOFTIRQ },
		{ "in NAPI threads", rx->thread_ns, NETCOST_EV_RX_THREAD },
		{ "in busy polling", rx->busy_ns, NETCOST_EV_RX_BUSY_POLL },
	};

	if (!(rx->thread_ns > 0) && !(rx->busy_ns > 0))
		return;
	for (size_t i = 0; i < sizeof(where) / sizeof(*where); i++) {
		const struct summary_rx_part p = { .total_ns = where[i].ns,
						   .calls = s->event[where[i].event].calls };

		if (where[i].ns > 0)
			rx_row(d, rx, NULL, where[i].title, &p, false, true, DOC_PEOPLE);
	}
}

static bool ran(const struct summary_rx_part *p)
{
	return !isnan(p->ns) && (p->calls > 0 || p->total_ns > 0);
}

static void part_rows(struct doc *d, const struct summary_rx *rx)
{
	const struct summary_rx_part outside = { .ns = rx->self_ns };

	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		rx_row(d, rx, model_part_key(p), model_part_title(p), &rx->part[p], true, true,
		       ran(&rx->part[p]) && !isnan(rx->self_ns) ? DOC_ALL : DOC_PROGRAMS);
	if (!isnan(rx->self_ns))
		rx_row(d, rx, NULL, "outside these parts", &outside, true, false, DOC_PEOPLE);
}

/* Lists the parts without a row, because they were measured but never entered, or because they were not measured. */
static void list_parts(struct doc *d, const struct summary_rx *rx, bool measured, const char *what)
{
	char line[400] = "";

	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++) {
		bool known = !isnan(rx->part[p].ns);

		if (measured ? known && !ran(&rx->part[p]) : !known)
			text_append(line, sizeof(line), ", ", "%s", model_part_title(p));
	}
	if (*line)
		doc_note(d, "  %s: %s", what, line);
}

static void rx_notes(struct doc *d, const struct summary_rx *rx)
{
	if (isnan(rx->self_ns))
		return;
	list_parts(d, rx, true, "never entered");
	list_parts(d, rx, false, "not measured separately, included in the enclosing parts");
	if (rx->missed > 0)
		doc_note(d,
			 "  %s ends of parts were missed: the times of these parts may be too long",
			 NUM(rx->missed, 0));
}

void inside_rx(struct doc *d, const struct summary *s)
{
	const struct summary_rx *rx = &s->rx;
	bool any = rx->ns > 0 && (!isnan(rx->self_ns) || rx->thread_ns > 0 || rx->busy_ns > 0);
	const struct doc_table table = { .key = "parts",
					 .title = "Inside RX softirq, exact",
					 DOC_COLUMNS_OF(rx_columns),
					 .keyed = true,
					 .only = any ? DOC_ALL : DOC_PROGRAMS };

	doc_object(d, "rx_exact");
	doc_field(d, "ns", rx->ns, 0);
	doc_field(d, "softirq_ns", rx->softirq_ns, 0);
	doc_field(d, "thread_ns", rx->thread_ns, 0);
	doc_field(d, "busy_poll_ns", rx->busy_ns, 0);
	doc_table(d, &table);
	where_rows(d, s);
	part_rows(d, rx);
	doc_table_end(d);
	if (any)
		rx_notes(d, rx);
	if (any && s->split.all.leaf[LEAF_OWN].ns > 0)
		doc_note(d, "  times include netcost's own part");
	doc_about(d, "outside all parts");
	doc_field(d, "self_ns", rx->self_ns, 0);
	doc_field(d, "missed_ends", rx->missed, 0);
	doc_field(d, "polls_outside", rx->polls_outside, 0);
	doc_object_end(d);
}
