// SPDX-License-Identifier: BSD-2-Clause
/* The page: where the CPU time went, at a glance. */
#include <math.h>

#include "page.h"
#include "report/analysis/unit_costs.h"
#include "report/base/html.h"
#include "report/base/text.h"
#include "report/tables/colors.h"

/* A number and its unit. at_least: a part of it was not measured. */
static void figure(const struct page *p, const char *name, bool at_least, double v, int decimals,
		   const char *unit)
{
	bool known = !isnan(v);

	html_item(p->out, name, "%s%s%s%s", known && at_least ? "at least " : "", NUM(v, decimals),
		  known ? " " : "", known ? unit : "");
}

/* Likewise, with its interval; of energy only if there is any. */
static void unit_figure(const struct page *p, const char *name, bool at_least, enum unit_cost_id i,
			int decimals, const char *unit)
{
	double v = p->s->unit[i].value, ci95 = p->s->unit[i].ci95;

	if (!(ci95 > 0) && (!isnan(v) || i < UNIT_ENERGY_PACKET))
		figure(p, name, at_least, v, decimals, unit);
	else if (!isnan(v))
		html_item(p->out, name, "%s%s +- %s %s", at_least ? "at least " : "",
			  NUM(v, decimals), NUM(ci95, decimals), unit);
}

static void figures(const struct page *p)
{
	const struct split_cpu *all = &p->s->split.all;
	struct split_value network = split_sum(all, LEAF_NETWORK);
	bool at_least = network.how == SPLIT_AT_LEAST;

	html_list(p->out, "figures");
	figure(p, "network, of CPU time", at_least, 100 * network.ns / all->wall_ns, 2, "%");
	figure(p, "normalized networking cost: network / (all - idle)", at_least,
	       100 * p->s->networking_cost, 2, "%");
	figure(p, "idle", false, 100 * all->leaf[LEAF_IDLE].ns / all->wall_ns, 2, "%");
	unit_figure(p, "network, an interface packet", at_least, UNIT_NETWORK_PACKET, 0, "ns");
	unit_figure(p, "network, an interface GB", at_least, UNIT_NETWORK_GB, 0, "ms");
	unit_figure(p, "energy of the network, an interface packet", at_least, UNIT_ENERGY_PACKET,
		    3, "uJ");
	unit_figure(p, "energy of the network, an interface GB", at_least, UNIT_ENERGY_GB, 3, "J");
	if (!isnan(p->s->energy.network_w.low))
		figure(p, "power of the network, at least", at_least, p->s->energy.network_w.low, 2,
		       "W");
	if (!isnan(p->s->energy.network_w.high))
		figure(p, "power of the network, at most", at_least, p->s->energy.network_w.high, 2,
		       "W");
	html_list_end(p->out);
}

static bool is_in_bar(const struct split_cpu *c, unsigned int leaf)
{
	return c->leaf[leaf].ns > 0 && c->wall_ns > 0;
}

/* All leaves side by side. If samples say more than the time, the rest is beyond the end. */
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
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (is_in_bar(all, l))
			html_legend(p->out, leaf_color[l], "%s %s %%", leaf_desc[l].title,
				    PERCENT(all->leaf[l].ns / all->wall_ns, 2));
	fputs("</ul>\n", p->out);
}

void page_glance(const struct page *p)
{
	figures(p);
	bar(p);
}
