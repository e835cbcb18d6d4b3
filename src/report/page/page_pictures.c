// SPDX-License-Identifier: BSD-2-Clause
/* The page: figures and a bar at a glance, charts, the flame graph and its controls. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "page.h"
#include "report/base/html.h"
#include "report/base/part.h"
#include "report/base/text.h"
#include "report/plot/plot.h"
#include "report/stacks/flamegraph.h"
#include "report/tables/colors.h"

/* ---- at a glance ------------------------------------------------------------------------- */

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

/* ---- charts ------------------------------------------------------------------------------ */

/* Each chart is an image inside the page, which runs nothing and shares no names with the others. */

/* Characters that need no escape in a URL between quotes. */
static bool is_plain(int c)
{
	return isalnum(c) || (c && strchr(" -_.,:;=/()", c));
}

static void put_image(FILE *out, const char *help, FILE *picture)
{
	int c;

	fputs("<figure class=\"chart\" tabindex=\"0\"><img alt=\"", out);
	html_printf(out, "chart: %s", help);
	fputs("\" src=\"data:image/svg+xml,", out);
	while ((c = fgetc(picture)) != EOF)
		fprintf(out, is_plain(c) ? "%c" : "%%%02X", c);
	fputs("\"></figure>\n", out);
}

/* False: gnuplot cannot draw, so there are no charts at all. */
static bool chart(const struct page *p, const struct plot_chart *chart)
{
	struct plot plot = { .m = p->m,
			     .part = p->part,
			     .intervals = p->intervals,
			     .bins = p->bins,
			     .times = p->times,
			     .format = PLOT_SVG };
	FILE *picture = plot_picture(&plot, chart);

	if (picture) {
		put_image(p->out, chart->help, picture);
		fclose(picture);
	} else if (plot.no_script) {
		html_paragraph(p->out, "note", "%s: %s.", chart->name, plot.why);
	} else {
		html_paragraph(p->out, "alert note", "No charts: %s.", plot.why);
		tell(PART_TITLE(p->part), "the page is without charts: %s", plot.why);
		return false;
	}
	return true;
}

void page_charts(const struct page *p, struct doc *d)
{
	if (!p->charts)
		doc_note(d, "Left out.");
	for (size_t i = 0; p->charts && i < PLOT_CHARTS; i++) {
		/* A map would be larger than all of the others. */
		if (plot_chart[i].map || (plot_chart[i].times && !p->m->nprocesses) ||
		    (plot_chart[i].latency && !p->m->records[TRACE_LATENCY]) ||
		    (plot_chart[i].stages && !p->m->records[TRACE_STAGES]))
			continue;
		if (plot_chart[i].intervals && !p->intervals->n)
			doc_note(d, "%s: there are no pieces of time.", plot_chart[i].name);
		else if (!chart(p, &plot_chart[i]))
			break;
	}
}

/* ---- flame graph ------------------------------------------------------------------------- */

/* Samples of the leaves that are drawn. Returns how many there are in all. */
static uint64_t count(const struct page *p, unsigned int drop, uint64_t samples[LEAF_COUNT])
{
	const struct model_cpu *c;
	uint64_t all = 0;

	model_for_each_cpu(p->m, c)
	{
		uint64_t leaf[LEAF_COUNT];

		model_leaves(p->m, c, leaf);
		for (unsigned int l = 0; l < LEAF_COUNT; l++) {
			samples[l] += drop & 1u << l ? 0 : leaf[l];
			all += drop & 1u << l ? 0 : leaf[l];
		}
	}
	return all;
}

static void legend(const struct page *p, const uint64_t samples[LEAF_COUNT])
{
	fputs("<ul class=\"legend\">\n", p->out);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (samples[l])
			html_legend(p->out, leaf_color[l], "%s", leaf_desc[l].title);
	fputs("</ul>\n", p->out);
}

int page_flamegraph(const struct page *p, struct doc *d)
{
	const struct flamegraph_options options = {
		.title = "",
		.drop = p->idle ? 0 : LEAF_BIT(IDLE),
		.icicle = p->icicle,
		.in_page = true,
	};
	uint64_t samples[LEAF_COUNT] = { 0 };
	int err;

	if (!count(p, options.drop, samples)) {
		doc_note(d, "There are no samples%s: there are no stacks to draw.",
			 p->m->samples ? " but idle ones" : "");
		return 0;
	}
	doc_note(
		d,
		"Kernel stacks; widths are %s%s. A click, or Enter, zooms; arrow keys go from frame to frame.",
		flamegraph_widths(p->m), p->idle ? "" : ", idle time left out");
	legend(p, samples);
	fputs("<div class=\"flame\">\n<p class=\"controls\" hidden>"
	      "<label>search <input class=\"search\" name=\"search\" type=\"search\" spellcheck=\"false\" "
	      "placeholder=\"a regular expression\"></label> "
	      "<button class=\"reset\" type=\"button\">zoom out</button> "
	      "<output class=\"status\"></output></p>\n<p class=\"details\">&nbsp;</p>\n",
	      p->out);
	err = flamegraph_write(p->out, p->m, NULL, &options);
	fputs("</div>\n", p->out);
	return err;
}
