// SPDX-License-Identifier: BSD-2-Clause
#include "plot_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/filter.h"
#include "report/tables/colors.h"

/* If less than this share of the CPU time is missing, that is not mentioned. */
#define MISSING 0.005
/* Of the RX softirq: if a smaller part has no exact time, the others are still shown exactly. */
#define LEAST 0.01

/* What is not a finite number is not known, whatever a file says. */
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

const char *plot_parts_none(const struct plot_parts *parts)
{
	return parts->share > 0 ? "not told apart" : isnan(parts->share) ? "not measured" : "none";
}

/* A title that is too long ends in dots. */
static struct plot_part make_part(const char *title, const char *color)
{
	struct plot_part part = { .color = color, .share = NAN, .ci95 = NAN };

	snprintf(part.title, sizeof(part.title), "%s", title);
	if (strlen(title) >= sizeof(part.title))
		memcpy(part.title + sizeof(part.title) - 4, "...", 4);
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
	struct plot_part *part = &parts->part[parts->n++];

	*part = make_part(node->title, color_of_node(node->leaves));
	part->share = share_of(v.ns, s);
	part->ci95 = share_of(v.ci95_ns, s);
	part->how = v.how;
	if (isnan(part->share))
		part->color = NULL;
}

/* What is shown only if it was measured; where tasks are chosen idle time is nobody's. */
static bool is_hidden(const struct summary *s, unsigned int leaves)
{
	bool unknown = isnan(split_sum(&s->split.all, leaves).ns);

	return unknown && (!(leaves & ~LEAF_NOT_SAMPLED) ||
			   (leaves == LEAF_BIT(IDLE) && filter_has_tasks(s->m->filter)));
}

/* Nodes of the tree inside some leaves: those of a depth; 0: those that are leaves. */
static void add_nodes(struct plot_parts *parts, const struct summary *s, unsigned int within,
		      unsigned int depth, unsigned int larger)
{
	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		const struct leaf_node *node = &leaf_node[i];

		if (node->leaves & ~within ||
		    (depth ? node->depth != depth : !is_leaf(node->leaves)))
			continue;
		if (is_hidden(s, node->leaves))
			continue;
		add_node(parts, s, node);
		parts->part[parts->n - 1].larger = node->leaves == larger;
	}
}

/* What no leaf has. */
static void add_missing(struct plot_parts *parts, const struct summary *s)
{
	double missing = 1 - plot_parts_sum(parts);
	bool tasks = filter_has_tasks(s->m->filter);

	parts->how = "";
	if (isnan(parts->share) || !(missing > MISSING))
		return;
	parts->part[parts->n] =
		make_part(tasks ? "other tasks, idle" : "not known (no samples)", NULL);
	parts->part[parts->n++].share = missing;
	parts->share = 1;
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

/* Which category right below the RX softirq it is. */
static size_t place_of(const struct rules *r, size_t category)
{
	size_t n = 0;

	for (size_t i = LEAF_COUNT; i < category; i++)
		n += r->category[i].parent == LEAF_RX_SOFTIRQ;
	return n;
}

struct plot_look plot_rx_look(const struct rules *r, size_t number)
{
	if (number == (r ? LEAF_RX_SOFTIRQ : NETCOST_PART_COUNT))
		return (struct plot_look){ "self", COLOR_SELF };
	if (!r)
		return (struct plot_look){ model_part_title(number),
					   category_color(model_part_key(number), number) };
	return (struct plot_look){ r->category[number].title,
				   category_color(r->category[number].key, place_of(r, number)) };
}

static struct plot_part rx_part(const struct rules *r, size_t number)
{
	struct plot_look look = plot_rx_look(r, number);

	return make_part(look.title, look.color);
}

static void rx_exact(struct plot_parts *parts, const struct summary *s)
{
	struct plot_part all[NETCOST_PART_COUNT + 1];

	for (unsigned int p = 0; p <= NETCOST_PART_COUNT; p++) {
		double ns = p < NETCOST_PART_COUNT ? s->rx.part[p].ns : s->rx.self_ns;

		all[p] = rx_part(NULL, p);
		all[p].share = isnan(ns) ? 0 : share_of(ns, s);
		all[p].how = SPLIT_EXACT;
	}
	parts->how = s->split.all.leaf[LEAF_OWN].ns > 0 ? "exact, with netcost's own: " : "exact: ";
	parts->share = share_of(s->rx.ns, s);
	take_heaviest(parts, all, NETCOST_PART_COUNT + 1);
}

static void rx_sampled(struct plot_parts *parts, const struct summary *s)
{
	const struct rules *r = s->inside.rules;
	struct plot_part all[RULES_MAX_CATEGORIES];
	size_t n = 0;

	for (unsigned int i = LEAF_RX_SOFTIRQ; i < r->ncategories; i++) {
		const struct inside_value *v = i == LEAF_RX_SOFTIRQ ? &s->inside.row[i].self :
								      &s->inside.row[i].exclusive;

		if (r->category[i].parent != LEAF_RX_SOFTIRQ)
			continue;
		all[n] = rx_part(r, i);
		all[n].share = v->share;
		all[n].ci95 = v->ci95;
		all[n++].how = SPLIT_SAMPLES;
	}
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

/* Where a part has no probe its time is in that of another part: then samples say more. */
bool plot_rx_is_exact(const struct summary *s)
{
	if (isnan(s->rx.self_ns))
		return false;
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		if (isnan(s->rx.part[p].ns) && sampled_share(s, model_part_key(p)) > LEAST)
			return false;
	return true;
}

/* ---- all of them ------------------------------------------------------------------------- */

static const struct {
	const char *title;
	unsigned int leaves, depth; /* see add_nodes() */
	unsigned int larger;	    /* leaves of the part that is shown next */
} times[] = {
	[PLOT_CPU] = { "CPU time", LEAF_ALL, 1, LEAF_KERNEL },
	[PLOT_KERNEL] = { "Kernel", LEAF_KERNEL, 2, LEAF_NETWORK },
	[PLOT_KERNEL_EVENTS] = { "Kernel", LEAF_KERNEL, 0, LEAF_BIT(RX_SOFTIRQ) },
	[PLOT_NETWORK] = { "Network", LEAF_NETWORK, 3, LEAF_BIT(RX_SOFTIRQ) },
	[PLOT_RX] = { "RX softirq", LEAF_BIT(RX_SOFTIRQ), 0, 0 },
};

static void make(struct plot_parts *parts, const struct summary *s, enum plot_time time)
{
	struct split_value v = split_sum(&s->split.all, times[time].leaves);

	*parts = (struct plot_parts){ .title = times[time].title,
				      .how = v.how == SPLIT_AT_LEAST ? "at least " : "",
				      .share = share_of(v.ns, s) };
	if (time != PLOT_RX)
		add_nodes(parts, s, times[time].leaves, times[time].depth, times[time].larger);
	else if (plot_rx_is_exact(s))
		rx_exact(parts, s);
	else if (s->inside.rules)
		rx_sampled(parts, s);
	if (time == PLOT_CPU)
		add_missing(parts, s);
}

bool plot_parts_make(struct plot *p, struct plot_parts *parts, const enum plot_time *time, size_t n)
{
	struct summary s;

	if (summary_make(&s, p->m, p->part))
		return plot_no_memory(p);
	for (size_t i = 0; i < n; i++)
		make(&parts[i], &s, time[i]);
	summary_free(&s);
	return plot_parts_sum(&parts[0]) > 0 ||
	       plot_fail(p, "has neither exact times nor samples: there is nothing to draw");
}
