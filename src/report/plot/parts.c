// SPDX-License-Identifier: BSD-2-Clause
/*
 * Charts of CPU time and its parts. `breakdown`: three bars below each other. Each bar enlarges a
 * part of the bar above it, and has its legend on the right. `pies`: from left to right, each pie
 * is a part of the previous one: all CPU time, the kernel's, the network's, the RX softirq's.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "report/analysis/summary.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/tables/tables.h"

/* largest number of parts; with more, the smallest become one part named "others" */
#define PARTS_MAX 16
#define PART_TITLE_MAX 32
/* Share of CPU time. A smaller missing share is not mentioned. */
#define MISSING 0.005
/*
 * Share of the RX softirq's time. Parts with a smaller share may lack an exact time while the
 * others are shown as exact.
 */
#define LEAST 0.01
#define SHOWN 0.00005 /* share of CPU time; smaller shares would be printed as 0.00 % */

struct part_of_time {
	char title[PART_TITLE_MAX];
	const char *color;  /* colour; NULL if the part was not measured, or is unknown */
	double share, ci95; /* shares of CPU time; NaN if the part was not measured */
	enum split_how how;
	bool larger; /* the next bar or pie shows the parts of this part */
};

struct parts {
	/* how: text before the share; if `how` is empty, the text is derived from the parts */
	const char *title, *how;
	double share; /* share of CPU time; NaN if it was not measured */
	struct part_of_time part[PARTS_MAX];
	size_t n;
};

const char *plot_leaf_title(unsigned int leaves)
{
	for (unsigned int i = 0; i < LEAF_NODES; i++)
		if (leaf_node[i].leaves == leaves)
			return leaves == LEAF_BIT(OTHER_KERNEL) ? "other kernel" :
			       leaf_node[i].brief		? leaf_node[i].brief :
								  leaf_node[i].title;
	return "";
}

/*
 * Returns the share of a time, or NaN for values that are not finite, which only a hostile file
 * has.
 */
static double share_of(double ns, const struct summary *s)
{
	double share = ns / s->split.all.wall_ns;

	return isfinite(share) ? share : NAN;
}

static double part_length(const struct part_of_time *part)
{
	return part->share > 0 ? part->share : 0;
}

static double parts_sum(const struct parts *parts)
{
	double sum = 0;

	for (size_t i = 0; i < parts->n; i++)
		sum += part_length(&parts->part[i]);
	return sum;
}

static const char *parts_none(const struct parts *parts)
{
	return parts->share > 0 ? "not separated" : isnan(parts->share) ? "not measured" : "none";
}

/* Makes a part. A long title is truncated and ends in dots. */
static struct part_of_time make_part(const char *title, const char *color)
{
	struct part_of_time part = { .color = color, .share = NAN, .ci95 = NAN };

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

static void add_node(struct parts *parts, const struct summary *s, const struct leaf_node *node)
{
	struct split_value v = split_sum(&s->split.all, node->leaves);
	struct part_of_time *part = &parts->part[parts->n++];

	*part = make_part(plot_leaf_title(node->leaves), color_of_node(node->leaves));
	part->share = share_of(v.ns, s);
	part->ci95 = share_of(v.ci95_ns, s);
	part->how = v.how;
	if (isnan(part->share))
		part->color = NULL;
}

/*
 * Returns true for negligible leaves, for leaves that are shown only if they were measured, and for
 * idle time if tasks are selected.
 */
static bool is_hidden(const struct summary *s, unsigned int leaves)
{
	double ns = split_sum(&s->split.all, leaves).ns;
	bool unknown = isnan(ns);

	return (is_leaf(leaves) && fabs(ns) < SHOWN * s->split.all.wall_ns) ||
	       (unknown && (!(leaves & ~LEAF_NOT_SAMPLED) ||
			    (leaves == LEAF_BIT(IDLE) && filter_has_tasks(s->m->filter))));
}

static bool is_part(unsigned int leaves, unsigned int larger)
{
	return leaves == larger || (is_leaf(leaves) && !(leaves & larger));
}

/*
 * Adds the nodes of the tree that have the given depth and whose leaves are all in `within`. At depth 0 the nodes are
 * the leaves, and the leaves in `larger` become one part.
 */
static void add_nodes(struct parts *parts, const struct summary *s, unsigned int within,
		      unsigned int depth, unsigned int larger)
{
	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		const struct leaf_node *node = &leaf_node[i];

		if (node->leaves & ~within ||
		    (depth ? node->depth != depth : !is_part(node->leaves, larger)))
			continue;
		if (is_hidden(s, node->leaves))
			continue;
		add_node(parts, s, node);
		parts->part[parts->n - 1].larger = node->leaves == larger;
	}
}

/* Adds the time that belongs to no leaf. */
static void add_missing(struct parts *parts, const struct summary *s)
{
	double missing = 1 - parts_sum(parts);
	bool tasks = filter_has_tasks(s->m->filter);

	parts->how = "";
	if (isnan(parts->share) || !(missing > MISSING))
		return;
	parts->part[parts->n] =
		make_part(tasks ? "other tasks, idle" : "unknown (no samples)", NULL);
	parts->part[parts->n++].share = missing;
	parts->share = 1;
}

/* ---- the RX softirq ---------------------------------------------------------------------- */

static int by_share(const void *pa, const void *pb)
{
	const struct part_of_time *a = pa, *b = pb;

	if (a->share != b->share)
		return a->share < b->share ? 1 : -1;
	return strcmp(a->title, b->title);
}

/* Adds as many of the heaviest parts as fit. Parts without time are left out. */
static void take_heaviest(struct parts *parts, struct part_of_time *all, size_t n)
{
	struct part_of_time others = { .title = "others", .color = COLOR_SELF, .share = 0 };

	qsort(all, n, sizeof(*all), by_share);
	while (n && !(all[n - 1].share >= SHOWN))
		n--;
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < PARTS_MAX || n == PARTS_MAX)
			parts->part[parts->n++] = all[i];
		else
			others.share += all[i].share;
	}
	others.how = n ? all[0].how : SPLIT_NOT_MEASURED;
	others.ci95 = NAN;
	if (n > PARTS_MAX)
		parts->part[parts->n++] = others;
}

/* Returns the index of the RX softirq's child that contains the category. */
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

static struct part_of_time rx_part(const struct rules *r, size_t number)
{
	struct plot_look look = plot_rx_look(r, number);

	return make_part(look.title, look.color);
}

static const struct inside_value *rx_inside(const struct summary *s, size_t number)
{
	const struct inside_row *row = &s->inside.row[number];

	return number == LEAF_RX_SOFTIRQ ? &row->self : &row->exclusive;
}

double plot_rx_share(const struct summary *s, bool exact, size_t number, double *ci95)
{
	double ns;

	*ci95 = exact ? NAN : rx_inside(s, number)->ci95;
	if (!exact)
		return rx_inside(s, number)->share;
	ns = number < NETCOST_PART_COUNT ? s->rx.part[number].ns : s->rx.self_ns;
	return isnan(ns) ? 0 : share_of(ns, s);
}

static void rx_exact(struct parts *parts, const struct summary *s)
{
	struct part_of_time all[NETCOST_PART_COUNT + 1];

	for (unsigned int p = 0; p <= NETCOST_PART_COUNT; p++) {
		all[p] = rx_part(NULL, p);
		all[p].share = plot_rx_share(s, true, p, &all[p].ci95);
		all[p].how = SPLIT_EXACT;
	}
	parts->how = "exact: ";
	parts->share = share_of(s->rx.ns, s);
	take_heaviest(parts, all, NETCOST_PART_COUNT + 1);
}

static void rx_sampled(struct parts *parts, const struct summary *s)
{
	const struct rules *r = s->inside.rules;
	struct part_of_time all[RULES_MAX_CATEGORIES];
	size_t n = 0;

	for (unsigned int i = LEAF_RX_SOFTIRQ; i < r->ncategories; i++) {
		if (r->category[i].parent != LEAF_RX_SOFTIRQ)
			continue;
		all[n] = rx_part(r, i);
		all[n].share = plot_rx_share(s, false, i, &all[n].ci95);
		all[n++].how = SPLIT_SAMPLES;
	}
	parts->how = "by samples: ";
	parts->share = s->inside.row[LEAF_RX_SOFTIRQ].exclusive.share;
	take_heaviest(parts, all, n);
}

/* Returns the share of a part in the samples of the RX softirq. */
static double sampled_share(const struct summary *s, const char *key)
{
	const struct rules *r = s->inside.rules;

	for (unsigned int i = LEAF_COUNT; r && i < r->ncategories; i++)
		if (r->category[i].parent == LEAF_RX_SOFTIRQ && !strcmp(r->category[i].key, key))
			return (double)s->inside.row[i].exclusive.samples /
			       (double)s->inside.row[LEAF_RX_SOFTIRQ].exclusive.samples;
	return 0;
}

/*
 * Samples are more specific if a part has no probe, because exact times then include the time of that part in another
 * part.
 */
bool plot_rx_is_exact(const struct summary *s)
{
	if (isnan(s->rx.self_ns))
		return false;
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		if (isnan(s->rx.part[p].ns) && sampled_share(s, model_part_key(p)) > LEAST)
			return false;
	return true;
}

/* ---- kinds of time ------------------------------------------------------------------ */

/* Kinds of time. */
enum time {
	TIME_CPU, /* all CPU time: idle, user, kernel */
	/* all CPU time, with the network and the rest of the kernel as one part each */
	TIME_CPU_NETWORK,
	TIME_KERNEL,
	TIME_NETWORK,
	TIME_RX, /* RX softirq: exact if known, otherwise by samples; n is 0 if neither is known */
};

static const struct {
	const char *title;
	unsigned int leaves, depth; /* parameters of add_nodes() */
	unsigned int larger;	    /* the leaves whose parts the next bar or pie shows */
} times[] = {
	[TIME_CPU] = { "CPU time", LEAF_ALL, 1, LEAF_KERNEL },
	[TIME_CPU_NETWORK] = { "CPU time", LEAF_ALL, 0, LEAF_NETWORK },
	[TIME_KERNEL] = { "Kernel", LEAF_KERNEL, 2, LEAF_NETWORK },
	[TIME_NETWORK] = { "Network", LEAF_NETWORK, 3, LEAF_BIT(RX_SOFTIRQ) },
	[TIME_RX] = { "RX softirq", LEAF_BIT(RX_SOFTIRQ), 0, 0 },
};

static void make(struct parts *parts, const struct summary *s, enum time time)
{
	struct split_value v = split_sum(&s->split.all, times[time].leaves);

	*parts = (struct parts){ .title = times[time].title,
				 .how = v.how == SPLIT_AT_LEAST ? "at least " : "",
				 .share = share_of(v.ns, s) };
	if (time != TIME_RX)
		add_nodes(parts, s, times[time].leaves, times[time].depth, times[time].larger);
	else if (plot_rx_is_exact(s))
		rx_exact(parts, s);
	else if (s->inside.rules)
		rx_sampled(parts, s);
	if (time == TIME_CPU || time == TIME_CPU_NETWORK)
		add_missing(parts, s);
}

/*
 * Makes the parts of n kinds of time. Returns false if there is nothing to draw, with the reason in
 * p->why.
 */
static bool parts_make(struct plot *p, struct parts *parts, const enum time *time, size_t n)
{
	struct summary s;

	if (summary_make(&s, p->m, p->part))
		return plot_no_memory(p);
	for (size_t i = 0; i < n; i++)
		make(&parts[i], &s, time[i]);
	summary_free(&s);
	return parts_sum(&parts[0]) > 0 ||
	       plot_fail(p, "has neither exact times nor samples: there is nothing to draw");
}

/* ---- breakdown --------------------------------------------------------------------------- */

#define BAR_WIDTH 560.0
#define BAR_HEIGHT 54.0
#define BAR_HEADING 24.0 /* height above a bar, for its heading */
#define BAR_GAP 34.0	 /* height from a bar to the next heading */
#define BARS 3

static const double bar_end = PLOT_MARGIN + BAR_WIDTH, bar_legend = PLOT_MARGIN + BAR_WIDTH + 28,
		    bar_value = 905, bar_error = 1000;

/* Writes the name and share of a part inside the bar, as far as they fit. */
static void bar_label(struct plot *p, const struct part_of_time *part, double x, double width,
		      double y)
{
	double middle = x + width / 2;
	const char *share = SHARE_OF(part->share, part->ci95);
	bool named = width > PLOT_CHAR * (double)strlen(part->title) + 6,
	     shared = width > PLOT_CHAR * (double)(strlen(share) + 2) + 4;
	double apart = named && shared ? 9 : 0;

	if (named)
		plot_text(p, middle, y - apart, PLOT_CENTER, "%s", part->title);
	if (shared)
		plot_text(p, middle, y + apart, PLOT_CENTER, "%s %%", share);
}

/* Draws the parts of a bar. larger: set to the position of the part that the next bar enlarges. */
static void bar_parts(struct plot *p, const struct parts *parts, double y, double larger[2])
{
	double sum = parts_sum(parts), x = PLOT_MARGIN;

	for (size_t i = 0; i < parts->n; i++) {
		const struct part_of_time *part = &parts->part[i];
		double width = part_length(part) / sum * BAR_WIDTH;

		if (part->larger) {
			larger[0] = x;
			larger[1] = x + width;
		}
		if (width > 0)
			plot_rect(p, x, y, width, BAR_HEIGHT, part->color);
		if (part->color)
			bar_label(p, part, x, width, y + BAR_HEIGHT / 2);
		x += width;
	}
}

/* Writes a line of the legend: the share, and its confidence interval or source. */
static void bar_line(struct plot *p, const struct part_of_time *part, double y)
{
	char value[TEXT_SIZE], *half;

	plot_legend(p, bar_legend, y, part->color, part->title);
	if (isnan(part->share)) {
		plot_text(p, bar_error, y, PLOT_RIGHT, "not measured");
		return;
	}
	text_percent(value, sizeof(value), part->share, part->ci95, false);
	half = text_half(value);
	plot_text(p, bar_value, y, PLOT_RIGHT, "%s %%", value);
	if (part->how == SPLIT_EXACT || part->how == SPLIT_AT_LEAST)
		plot_text(p, bar_error, y, PLOT_RIGHT | PLOT_GREY, "%s", split_how_name(part->how));
	else if (half)
		plot_text(p, bar_error, y, PLOT_RIGHT | PLOT_GREY, "\u00b1 %s", half);
}

/* Draws a bar. y: the y position of its heading. Returns the y position of the next heading. */
static double bar_draw(struct plot *p, const struct parts *parts, double y, double larger[2])
{
	double top = y + BAR_HEADING;

	plot_text(p, PLOT_MARGIN, y + BAR_HEADING / 2, PLOT_BOLD, "%s", parts->title);
	plot_text(p, bar_end, y + BAR_HEADING / 2, PLOT_RIGHT,
		  isnan(parts->share) ? "%s" : "%s%s %% of CPU time", parts->how,
		  PERCENT(parts->share, 0));
	if (parts_sum(parts) > 0)
		bar_parts(p, parts, top, larger);
	else
		plot_text(p, PLOT_MARGIN, top + 8, PLOT_GREY, "%s%s", parts_none(parts),
			  parts->share > 0 ? ": neither samples nor --exact=full" : "");
	for (size_t i = 0; i < parts->n; i++)
		bar_line(p, &parts->part[i], top + 8 + PLOT_ROW * (double)i);
	return top + fmax(BAR_HEIGHT, PLOT_ROW * (double)parts->n) + BAR_GAP;
}

bool plot_breakdown(struct plot *p)
{
	static const enum time times[BARS] = { TIME_CPU_NETWORK, TIME_NETWORK, TIME_RX };
	static const double full[2] = { PLOT_MARGIN, PLOT_MARGIN + BAR_WIDTH };
	struct parts parts[BARS];
	double y = PLOT_TOP;

	if (!parts_make(p, parts, times, BARS))
		return false;
	for (size_t i = 0; i < BARS; i++) {
		double bottom = y + BAR_HEADING + BAR_HEIGHT, larger[2] = { 0 };

		y = bar_draw(p, &parts[i], y, larger);
		if (i + 1 < BARS && larger[1] > larger[0] && parts_sum(&parts[i + 1]) > 0)
			plot_zoom(p, larger, bottom, full, y);
	}
	p->height = y - BAR_GAP + PLOT_MARGIN;
	return true;
}

/* ---- pies -------------------------------------------------------------------------------- */

#define PIES 4
#define PIE_WIDTH 295.0
#define PIE_LEGEND (PIE_WIDTH - 35)
#define PIE_RADIUS 92.0
#define PIE_MIDDLE (PLOT_TOP + 46 + PIE_RADIUS) /* y of the middle, which is below the heading */
#define PIE_BOTTOM (PIE_MIDDLE + PIE_RADIUS + 26)

static void pie_wedges(struct plot *p, const struct parts *parts, double x)
{
	double sum = parts_sum(parts), at = 0;

	for (size_t i = 0; i < parts->n && sum > 0; i++) {
		double to = at + part_length(&parts->part[i]) / sum;

		if (to > at)
			plot_wedge(p, x, PIE_MIDDLE, PIE_RADIUS, at, fmin(to, 1),
				   parts->part[i].color);
		at = to;
	}
	if (!(sum > 0))
		plot_text(p, x, PIE_MIDDLE, PLOT_CENTER | PLOT_GREY, "%s", parts_none(parts));
}

static void pie_line(struct plot *p, const struct part_of_time *part, double x, double y)
{
	plot_legend(p, x, y, part->color, part->title);
	if (isnan(part->share))
		plot_text(p, x + PIE_LEGEND, y, PLOT_RIGHT | PLOT_GREY, "not measured");
	else
		plot_text(p, x + PIE_LEGEND, y, PLOT_RIGHT, "%s%s %%",
			  part->how == SPLIT_AT_LEAST ? "at least " : "",
			  SHARE_OF(part->share, part->ci95));
}

static void pie_draw(struct plot *p, const struct parts *parts, double left)
{
	double x = left + PIE_LEGEND / 2, y = PIE_BOTTOM;

	plot_text(p, x, PLOT_TOP + 12, PLOT_CENTER | PLOT_BOLD, "%s", parts->title);
	if (!isnan(parts->share))
		plot_text(p, x, PLOT_TOP + 30, PLOT_CENTER, "%s%s %% of CPU time", parts->how,
			  PERCENT(parts->share, 0));
	pie_wedges(p, parts, x);
	for (size_t i = 0; i < parts->n; i++, y += PLOT_ROW)
		pie_line(p, &parts->part[i], left, y);
	p->height = fmax(p->height, y + PLOT_MARGIN);
}

bool plot_pies(struct plot *p)
{
	static const enum time times[PIES] = { TIME_CPU, TIME_KERNEL, TIME_NETWORK, TIME_RX };
	struct parts parts[PIES];

	if (!parts_make(p, parts, times, PIES))
		return false;
	for (size_t i = 0; i < PIES; i++)
		pie_draw(p, &parts[i], PLOT_MARGIN + (double)i * PIE_WIDTH);
	return true;
}
