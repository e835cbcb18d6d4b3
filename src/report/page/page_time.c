// SPDX-License-Identifier: BSD-2-Clause
/* The page: where the CPU time went. */
#include <inttypes.h>
#include <math.h>

#include "page.h"
#include "report/analysis/inside_walk.h"
#include "report/base/html.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/rules/classes.h"
#include "report/stacks/colors.h"
#include "report/tables/summary_text.h"

/* ---- at a glance ------------------------------------------------------------------------- */

/* A number with its unit; at_least: a part of it was not measured. */
static void figure(const struct page *p, const char *name, bool at_least, double v, int decimals,
		   const char *unit)
{
	bool known = !isnan(v);

	html_item(p->out, name, "%s%s%s%s", known && at_least ? "at least " : "", NUM(v, decimals),
		  known ? " " : "", known ? unit : "");
}

static void figures(const struct page *p)
{
	const struct split_cpu *all = &p->s->split.all;
	const struct summary_unit_costs *u = &p->s->unit;
	struct split_value network = split_sum(all, LEAF_NETWORK);
	bool at_least = network.how == SPLIT_AT_LEAST;

	html_list(p->out, "figures");
	figure(p, "network, of CPU time", at_least, 100 * network.ns / all->wall_ns, 2, "%");
	figure(p, "normalized networking cost: network / (all - idle)", at_least,
	       100 * p->s->networking_cost, 2, "%");
	figure(p, "idle", false, 100 * all->leaf[LEAF_IDLE].ns / all->wall_ns, 2, "%");
	figure(p, "network, a packet", at_least, u->network_ns_per_packet, 0, "ns");
	figure(p, "network, a GB", at_least, u->network_ms_per_gb, 0, "ms");
	if (!isnan(p->s->network_w))
		figure(p, "power of the network", at_least, p->s->network_w, 2, "W");
	html_list_end(p->out);
}

static bool is_in_bar(const struct split_cpu *c, unsigned int leaf)
{
	return c->leaf[leaf].ns > 0 && c->wall_ns > 0;
}

/* All leaves side by side. What there is more than time, by samples, is beyond its end. */
static void bar(const struct page *p)
{
	const struct split_cpu *all = &p->s->split.all;
	double x = 0;

	fputs("<svg class=\"stack\" viewBox=\"0 0 1000 30\" preserveAspectRatio=\"none\" role=\"img\" "
	      "aria-label=\"CPU time by leaf; the table below has the numbers\">\n",
	      p->out);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		double width = 1000 * all->leaf[l].ns / all->wall_ns;

		if (!is_in_bar(all, l))
			continue;
		fprintf(p->out,
			"<rect x=\"%.2f\" width=\"%.2f\" height=\"30\" fill=\"%s\"><title>%s: %s %%</title></rect>\n",
			x, width, leaf_color[l], leaf_desc[l].title, PERCENT(width / 1000, 2));
		x += width;
	}
	fputs("</svg>\n<ul class=\"legend\">\n", p->out);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		if (!is_in_bar(all, l))
			continue;
		fputs("<li>", p->out);
		html_chip(p->out, leaf_color[l]);
		html_printf(p->out, "%s %s %%", leaf_desc[l].title,
			    PERCENT(all->leaf[l].ns / all->wall_ns, 2));
		fputs("</li>\n", p->out);
	}
	fputs("</ul>\n", p->out);
}

/* ---- the split --------------------------------------------------------------------------- */

static bool is_leaf(unsigned int leaves)
{
	return !(leaves & (leaves - 1));
}

static void node_row(const struct page *p, const struct leaf_node *node)
{
	const struct split_cpu *c = &p->s->split.all;
	struct split_value v = split_sum(c, node->leaves);
	char how[64] = "";

	html_row(p->out, node->depth, node->title);
	html_cell_bar(p->out, v.ns / c->wall_ns, color_of(node->leaves));
	html_cell(p->out, NUM(v.ns / 1e6, 1));
	html_cell(p->out, PERCENT(v.ns / c->wall_ns, 2));
	html_cell_share(p->out, v.sampled, v.sampled_ci95);
	if (v.how == SPLIT_REMAINDER)
		snprintf(how, sizeof(how), "%s, good to %s", split_how_name(v.how),
			 PERCENT(v.ci95_ns / c->wall_ns, 2));
	else if (is_leaf(node->leaves) || v.how == SPLIT_AT_LEAST)
		snprintf(how, sizeof(how), "%s", split_how_name(v.how));
	html_cell_text(p->out, how);
	html_row_end(p->out);
}

static void notes(const struct page *p)
{
	const struct split_cpu *all = &p->s->split.all;
	bool at_least = split_sum(all, LEAF_NETWORK).how == SPLIT_AT_LEAST;

	if (!isnan(p->s->networking_cost)) {
		fputs("<p>Normalized networking cost, network / (all − idle): <strong>", p->out);
		fprintf(p->out, "%s%s %%</strong>", at_least ? "at least " : "",
			PERCENT(p->s->networking_cost, 2));
		if (p->s->networking_cost_ci95 > 0)
			fprintf(p->out, " ± %s", PERCENT(p->s->networking_cost_ci95, 2));
		fputs("</p>\n", p->out);
	}
	if (filter_has_tasks(p->m->filter))
		html_paragraph(
			p->out, "note",
			"By samples of these tasks alone, which had %s %% of the CPUs' time; exact times are per CPU.",
			PERCENT(all->sum_ns / all->wall_ns, 2));
	else if (fabs(all->sum_ns / all->wall_ns - 1) > 0.01)
		html_paragraph(
			p->out, "note",
			"These are %s %% of the wall time; the rest has no samples: idle CPUs, as a rule, or the kernel left some out.",
			PERCENT(all->sum_ns / all->wall_ns, 1));
	if (all->samples > 0 && all->leaf[LEAF_IDLE].how == SPLIT_EXACT)
		html_paragraph(
			p->out, "note",
			"Samples stand for the time that was not idle, which is known exactly.");
}

bool page_time(const struct page *p)
{
	static const struct html_column columns[] = {
		{ "leaf", true },	{ NULL, false },	   { "ms", false },
		{ "% of time", false }, { "% by samples", false }, { "how", true },
	};
	bool task = p->s->split.all.leaf[LEAF_TASK].how != SPLIT_NOT_MEASURED;

	figures(p);
	bar(p);
	html_table(p->out, "CPU time of all CPUs, exact beside sampled", columns,
		   sizeof(columns) / sizeof(*columns));
	for (unsigned int i = 0; i < LEAF_NODES; i++)
		if (leaf_node[i].leaves != LEAF_BIT(TASK) || task)
			node_row(p, &leaf_node[i]);
	html_table_end(p->out);
	notes(p);
	return true;
}

/* ---- what the leaves are made of --------------------------------------------------------- */

static void inside_row(void *ctx, const struct inside_line *l)
{
	const struct page *p = ctx;
	double wall_ns = p->s->split.all.wall_ns;

	html_row(p->out, l->depth, l->title);
	html_cell_bar(p->out, l->exclusive->share, leaf_color[l->leaf]);
	html_cell_share(p->out, l->exclusive->share, l->exclusive->ci95);
	if (l->inclusive)
		html_cell_share(p->out, l->inclusive->share, l->inclusive->ci95);
	else
		html_cell(p->out, "");
	if (!isnan(p->s->rx.self_ns)) {
		html_cell(p->out, l->has_exact ? PERCENT(l->exact.ns / wall_ns, 2) : "");
		html_cell(p->out, l->has_exact ? PERCENT(l->exact.total_ns / wall_ns, 2) : "");
	}
	html_row_end(p->out);
}

bool page_inside(const struct page *p)
{
	static const struct html_column columns[] = {
		{ "category", true },	{ NULL, false },    { "exclusive", false },
		{ "inclusive", false }, { "exact", false }, { "exact, inclusive", false },
	};
	struct page copy = *p;
	unsigned int hidden;

	if (!p->s->inside.rules || !p->m->samples) {
		html_paragraph(p->out, "note", "There are no samples to sort.");
		return true;
	}
	html_table(p->out, "Categories of the leaves, % of CPU time by samples", columns,
		   isnan(p->s->rx.self_ns) ? 4 : 6);
	hidden = inside_walk(p->s, false, inside_row, &copy);
	html_table_end(p->out);
	if (p->s->inside.rules->file)
		html_paragraph(p->out, "note", "Sorted by the rules in %s.",
			       p->s->inside.rules->file);
	if (p->m->classes->full)
		html_paragraph(p->out, "note",
			       "More than %u kinds of stacks: inclusive figures are not known.",
			       CLASSES_MAX);
	if (hidden)
		html_paragraph(p->out, "note",
			       "%u categories with less than %g %% of their leaf are not shown.",
			       hidden, 100 * INSIDE_LEAST);
	return true;
}

/* ---- inside the RX softirq, exactly ------------------------------------------------------ */

static void rx_row(const struct page *p, const char *title, const struct summary_rx_part *part)
{
	double rx_ns = p->s->rx.ns;

	html_row(p->out, 0, title);
	html_cell_bar(p->out, part->ns / rx_ns, leaf_color[LEAF_RX_SOFTIRQ]);
	html_cell(p->out, NUM(part->ns / 1e6, 1));
	html_cell(p->out, PERCENT(part->ns / rx_ns, 1));
	html_cell(p->out, NUM(part->total_ns / 1e6, 1));
	html_cell(p->out, PERCENT(part->total_ns / rx_ns, 1));
	html_cell(p->out, NUM(part->calls, 0));
	html_cell(p->out, part->calls > 0 ? NUM(part->total_ns / part->calls, 0) : "-");
	html_row_end(p->out);
}

/* Where it ran is of interest where it was not in softirqs alone. */
static void rx_where(const struct page *p)
{
	const struct summary_rx *rx = &p->s->rx;
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
	for (size_t i = 0; i < sizeof(where) / sizeof(*where); i++)
		if (where[i].ns > 0)
			rx_row(p, where[i].title,
			       &(struct summary_rx_part){
				       .ns = NAN,
				       .total_ns = where[i].ns,
				       .calls = p->s->event[where[i].event].calls });
}

static void rx_quiet(const struct page *p)
{
	char line[400];

	if (isnan(p->s->rx.self_ns))
		return;
	rx_quiet_parts(line, sizeof(line), &p->s->rx, true);
	if (*line)
		html_paragraph(p->out, "note", "Never entered: %s.", line);
	rx_quiet_parts(line, sizeof(line), &p->s->rx, false);
	if (*line)
		html_paragraph(p->out, "note",
			       "Not told apart, in the time of what is around them: %s.", line);
}

bool page_rx(const struct page *p)
{
	static const struct html_column columns[] = {
		{ "part", true },     { NULL, false },		{ "own ms", false },
		{ "% of RX", false }, { "with all ms", false }, { "% of RX", false },
		{ "calls", false },   { "ns a call", false },
	};
	const struct summary_rx *rx = &p->s->rx;

	if (!(rx->ns > 0) || (isnan(rx->self_ns) && !(rx->thread_ns > 0) && !(rx->busy_ns > 0))) {
		html_paragraph(p->out, "note", "%s",
			       rx->ns > 0 ?
				       "Its parts were not counted exactly: --exact=full does." :
				       "No exact time in the RX softirq.");
		return true;
	}
	html_table(p->out, "Parts of the RX softirq's exact time", columns,
		   sizeof(columns) / sizeof(*columns));
	rx_where(p);
	for (unsigned int i = 0; i < NETCOST_PART_COUNT; i++)
		if (rx->part[i].calls > 0 || rx->part[i].total_ns > 0)
			rx_row(p, model_part_title(i), &rx->part[i]);
	if (!isnan(rx->self_ns))
		rx_row(p, "outside of these",
		       &(struct summary_rx_part){
			       .ns = rx->self_ns, .total_ns = NAN, .calls = NAN });
	html_table_end(p->out);
	rx_quiet(p);
	if (rx->missed > 0)
		html_paragraph(p->out, "note",
			       "%s ends were missed: those calls' times may be too long.",
			       NUM(rx->missed, 0));
	return true;
}
