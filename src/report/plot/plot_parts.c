// SPDX-License-Identifier: BSD-2-Clause
#include "plot_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/filter.h"
#include "report/tables/colors.h"

/* Less than that of the CPU time may be missing without a word. */
#define MISSING 0.005
/* Of the RX softirq: a part that is less is not worth giving exactness up. */
#define LEAST 0.01

/* What is no number is not known, whatever a file says. */
static double share_of(double ns, const struct summary *s)
{
	double share = ns / s->split.all.wall_ns;

	return isfinite(share) ? share : NAN;
}

double plot_part_length(const struct plot_part *part)
{
	return part->share > 0 ? part->share : 0;
}

double plot_parts_sum(const struct plot_parts *parts)
{
	double sum = 0;

	for (size_t i = 0; i < parts->n; i++)
		sum += plot_part_length(&parts->part[i]);
	return sum;
}

static struct plot_part *add(struct plot_parts *parts, const char *title, const char *color)
{
	struct plot_part *part = &parts->part[parts->n++];
	size_t n = strlen(title);

	*part = (struct plot_part){ .color = color, .share = NAN, .ci95 = NAN };
	snprintf(part->title, sizeof(part->title), "%s", title);
	if (n >= sizeof(part->title))
		memcpy(part->title + sizeof(part->title) - 4, "...", 4);
	return part;
}

/* ---- leaves ------------------------------------------------------------------------------ */

static bool is_leaf(unsigned int leaves)
{
	return !(leaves & (leaves - 1));
}

static const char *color_of_node(unsigned int leaves)
{
	return leaves == LEAF_KERNEL ? COLOR_KERNEL : color_of(leaves);
}

static void add_node(struct plot_parts *parts, const struct summary *s,
		     const struct leaf_node *node)
{
	struct split_value v = split_sum(&s->split.all, node->leaves);
	struct plot_part *part = add(parts, node->title, color_of_node(node->leaves));

	part->share = share_of(v.ns, s);
	part->ci95 = share_of(v.ci95_ns, s);
	part->how = v.how;
	if (isnan(part->share))
		part->color = NULL;
}

/* Where user mode is told from the kernel there is no TASK; where tasks are chosen idle time is nobody's. */
static bool is_hidden(const struct summary *s, unsigned int leaves)
{
	bool unknown = isnan(split_sum(&s->split.all, leaves).ns);

	return unknown && (leaves == LEAF_BIT(TASK) ||
			   (leaves == LEAF_BIT(IDLE) && filter_has_tasks(s->m->filter)));
}

/* Nodes of the tree inside some leaves: those of a depth; 0: those that are leaves. */
static void add_nodes(struct plot_parts *parts, const struct summary *s, unsigned int within,
		      unsigned int depth)
{
	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		const struct leaf_node *node = &leaf_node[i];

		if (node->leaves & ~within ||
		    (depth ? node->depth != depth : !is_leaf(node->leaves)))
			continue;
		if (!is_hidden(s, node->leaves))
			add_node(parts, s, node);
	}
}

static void begin(struct plot_parts *parts, const struct summary *s, const char *title,
		  unsigned int leaves)
{
	struct split_value v = split_sum(&s->split.all, leaves);

	*parts = (struct plot_parts){ .title = title,
				      .how = v.how == SPLIT_AT_LEAST ? "at least " : "" };
	parts->share = share_of(v.ns, s);
}

static void mark_larger(struct plot_parts *parts, const char *title)
{
	for (size_t i = 0; i < parts->n; i++)
		if (!strcmp(parts->part[i].title, title))
			parts->part[i].larger = true;
}

void plot_parts_cpu(struct plot_parts *parts, const struct summary *s)
{
	double missing;

	begin(parts, s, "CPU time", LEAF_ALL);
	add_nodes(parts, s, LEAF_ALL, 1);
	mark_larger(parts, "kernel");
	missing = 1 - plot_parts_sum(parts);
	if (!isnan(parts->share) && missing > MISSING) {
		bool tasks = filter_has_tasks(s->m->filter);

		add(parts, tasks ? "other tasks, idle" : "not known (no samples)", NULL)->share =
			missing;
		parts->share = 1;
	}
	parts->how = "";
}

void plot_parts_kernel(struct plot_parts *parts, const struct summary *s, bool events)
{
	begin(parts, s, "Kernel", LEAF_KERNEL);
	add_nodes(parts, s, LEAF_KERNEL, events ? 0 : 2);
	mark_larger(parts, events ? "RX softirq" : "network");
}

void plot_parts_network(struct plot_parts *parts, const struct summary *s)
{
	begin(parts, s, "Network", LEAF_NETWORK);
	add_nodes(parts, s, LEAF_NETWORK, 3);
	mark_larger(parts, "RX softirq");
}

/* ---- the RX softirq ---------------------------------------------------------------------- */

static int by_share(const void *pa, const void *pb)
{
	const struct plot_part *a = pa, *b = pb;

	if (a->share != b->share)
		return a->share < b->share ? 1 : -1;
	return strcmp(a->title, b->title);
}

/* Of all parts those that fit, the heaviest first; those with nothing are left out. */
static void take_heaviest(struct plot_parts *parts, struct plot_part *all, size_t n)
{
	struct plot_part others = { .title = "others", .color = COLOR_SELF, .share = 0 };

	qsort(all, n, sizeof(*all), by_share);
	while (n && !(all[n - 1].share > 0))
		n--;
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < PLOT_PARTS_MAX || n == PLOT_PARTS_MAX)
			parts->part[parts->n++] = all[i];
		else
			others.share += all[i].share;
	}
	others.how = n ? all[0].how : SPLIT_NOT_MEASURED;
	others.ci95 = NAN;
	if (n > PLOT_PARTS_MAX)
		parts->part[parts->n++] = others;
}

static void set_part(struct plot_part *part, const char *title, const char *color, double share,
		     enum split_how how)
{
	struct plot_parts one = { .n = 0 };

	*part = *add(&one, title, color);
	part->share = share;
	part->how = how;
}

static void rx_exact(struct plot_parts *parts, const struct summary *s)
{
	struct plot_part all[NETCOST_PART_COUNT + 1];
	size_t n = 0;

	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		if (!isnan(s->rx.part[p].ns))
			set_part(&all[n++], model_part_title(p),
				 category_color(model_part_key(p), p),
				 share_of(s->rx.part[p].ns, s), SPLIT_EXACT);
	set_part(&all[n++], "self", COLOR_SELF, share_of(s->rx.self_ns, s), SPLIT_EXACT);
	parts->how = "exact: ";
	parts->share = share_of(s->rx.ns, s);
	take_heaviest(parts, all, n);
}

static void rx_sampled(struct plot_parts *parts, const struct summary *s)
{
	const struct rules *r = s->inside.rules;
	struct plot_part all[RULES_MAX_CATEGORIES + 1];
	const struct inside_value *v = &s->inside.row[LEAF_RX_SOFTIRQ].self;
	size_t n = 0;

	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++) {
		if (r->category[i].parent != LEAF_RX_SOFTIRQ)
			continue;
		v = &s->inside.row[i].exclusive;
		set_part(&all[n], r->category[i].title, category_color(r->category[i].key, n),
			 v->share, SPLIT_SAMPLES);
		all[n++].ci95 = v->ci95;
	}
	v = &s->inside.row[LEAF_RX_SOFTIRQ].self;
	set_part(&all[n], "self", COLOR_SELF, v->share, SPLIT_SAMPLES);
	all[n++].ci95 = v->ci95;
	parts->how = "by samples: ";
	parts->share = s->inside.row[LEAF_RX_SOFTIRQ].exclusive.share;
	take_heaviest(parts, all, n);
}

/* Of the samples of the RX softirq, those of a part. */
static double sampled_share(const struct summary *s, const char *key)
{
	const struct rules *r = s->inside.rules;

	for (unsigned int i = LEAF_COUNT; r && i < r->ncategories; i++)
		if (r->category[i].parent == LEAF_RX_SOFTIRQ && !strcmp(r->category[i].key, key))
			return (double)s->inside.row[i].exclusive.samples /
			       (double)s->inside.row[LEAF_RX_SOFTIRQ].exclusive.samples;
	return 0;
}

/* Where a part has no probe its time is in that of another one: samples say more then. */
bool plot_rx_is_exact(const struct summary *s)
{
	if (isnan(s->rx.self_ns))
		return false;
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		if (isnan(s->rx.part[p].ns) && sampled_share(s, model_part_key(p)) > LEAST)
			return false;
	return true;
}

void plot_parts_rx(struct plot_parts *parts, const struct summary *s)
{
	begin(parts, s, "RX softirq", LEAF_BIT(RX_SOFTIRQ));
	if (plot_rx_is_exact(s))
		rx_exact(parts, s);
	else if (s->inside.rules)
		rx_sampled(parts, s);
}
