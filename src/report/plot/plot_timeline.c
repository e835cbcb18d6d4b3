// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `timeline`: areas over time, below each other: all CPU time, the network's, the RX softirq's; and
 * power, where there is any. As in figure 6.9 of the thesis.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_panel.h"
#include "plot_parts.h"
#include "report/analysis/known.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/rules/stack_class.h"
#include "report/tables/colors.h"

#define WIDTH 1060
#define PANELS 4
#define GAP 56.0    /* between panels: for tics and headings */
#define ABOVE 30.0  /* the first one: for its heading */
#define MARKS 16.0  /* and for the marks, if there are some */
#define MISSING 0.5 /* %: if less of the CPU time is missing, that is not mentioned */

enum { PANEL_CPU, PANEL_NETWORK, PANEL_RX, PANEL_POWER };

struct timeline_chart {
	struct plot *p;
	struct plot_columns *columns;
	struct panel *panel; /* PANELS of them; those without series are not drawn */
	const char *no_rx, *no_power;
};

static void begin_panel(struct timeline_chart *c, unsigned int i, const char *title,
			const char *unit)
{
	c->panel[i].title = title;
	c->panel[i].unit = unit;
	c->panel[i].columns = c->columns;
	c->panel[i].of_time = i != PANEL_POWER;
}

/* ---- leaves ------------------------------------------------------------------------------ */

/* Of CPU time, in percent; NaN: none of them is known. */
static double percent_of(const struct plot_column *c, unsigned int leaves)
{
	double sum = NAN;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l)
			known_add(&sum, 100 * c->leaf_ns[l] / c->wall_ns);
	return isfinite(sum) ? sum : NAN;
}

static bool is_partly(const struct plot_columns *c, unsigned int leaves)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && leaf_is_sampled(l) && c->partly[l])
			return true;
	return false;
}

static void add_leaves(const struct timeline_chart *c, struct panel *panel, const char *title,
		       unsigned int leaves)
{
	struct panel_series *s = panel_add(panel, title, color_of(leaves));
	/* Of tasks: idle time is nobody's. */
	unsigned int hidden = filter_has_tasks(c->p->m->filter) ? LEAF_BIT(IDLE) : 0;
	bool optional = !(leaves & ~LEAF_NOT_SAMPLED), any = false;

	for (size_t i = 0; i < c->columns->n; i++) {
		s->value[i] = percent_of(&c->columns->column[i], leaves);
		any |= !isnan(s->value[i]);
		/* Where user mode is told from the kernel there is no TASK, so none of it is missing; likewise others. */
		if (optional && isnan(s->value[i]))
			s->value[i] = 0;
	}
	s->partly = !optional && is_partly(c->columns, leaves);
	if (!any && (optional || leaves == hidden))
		panel->n--;
}

/* What no leaf has of a column. */
static void add_missing(struct panel *panel, const char *title)
{
	struct panel_series *s = panel_add(panel, title, NULL);

	for (size_t i = 0; i < panel->columns->n; i++) {
		double missing = 100 - percent_of(&panel->columns->column[i], LEAF_ALL);

		s->value[i] = isnan(missing) ? 100 : missing > MISSING ? missing : 0;
	}
}

_Static_assert(LEAF_COUNT + 1 <= PANEL_SERIES, "there is room for all leaves, and what none has");

static void make_cpu(struct timeline_chart *c)
{
	static const struct {
		const char *title;
		unsigned int leaves;
	} series[] = {
		{ "network", LEAF_NETWORK },
		{ "local sockets", LEAF_BIT(SOCK_LOCAL) },
		{ "io_uring workers", LEAF_BIT(IO_WORKER) },
		{ "other kernel", LEAF_BIT(OTHER_KERNEL) },
		{ "user + other kernel", LEAF_BIT(TASK) },
		{ "user", LEAF_BIT(USER) },
		{ "idle", LEAF_BIT(IDLE) },
	};
	struct panel *panel = &c->panel[PANEL_CPU];
	bool tasks = filter_has_tasks(c->p->m->filter);

	begin_panel(c, PANEL_CPU, "CPU time, %", "%");
	for (size_t i = 0; i < sizeof(series) / sizeof(*series); i++)
		add_leaves(c, panel, series[i].title, series[i].leaves);
	add_missing(panel, tasks ? "other tasks, idle" : "not known (no samples)");
	panel->most = 100;
	panel_finish(panel, true);
}

static void make_network(struct timeline_chart *c)
{
	struct panel *panel = &c->panel[PANEL_NETWORK];

	begin_panel(c, PANEL_NETWORK, "Network, % of CPU time", "%");
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (LEAF_NETWORK & 1u << l)
			add_leaves(c, panel, leaf_desc[l].title, 1u << l);
	panel_finish(panel, false);
}

/* ---- the RX softirq ---------------------------------------------------------------------- */

static double rx_sum(const struct plot_columns *c, size_t part)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->rx[i * c->nrx + part];
	return sum;
}

static int by_sum(const void *pa, const void *pb, void *columns)
{
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	double sa = rx_sum(columns, a), sb = rx_sum(columns, b);

	return sa != sb ? (sa < sb) - (sa > sb) : (a > b) - (a < b);
}

static struct panel_series *add_rx_series(struct timeline_chart *c, size_t part)
{
	const struct rules *r = c->columns->exact ? NULL :
						    classifier_rules(c->p->m->classes->classifier);
	struct plot_look look = { "not told apart", NULL };

	if (part + 1 < c->columns->nrx)
		look = plot_rx_look(r, part);
	return panel_add(&c->panel[PANEL_RX], look.title, look.color);
}

/* Adds to a series what a part is in each column. */
static void fill_rx(const struct plot_columns *c, size_t part, struct panel_series *s)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct plot_column *column = &c->column[i];
		double percent = 100 * c->rx[i * c->nrx + part] / column->wall_ns;

		s->value[i] += isnan(column->leaf_ns[LEAF_RX_SOFTIRQ]) || !isfinite(percent) ?
				       NAN :
				       percent;
	}
}

/* All parts that there is no room for share a series, the last but one. */
static void add_rx(struct timeline_chart *c, const size_t *part, size_t n)
{
	struct panel_series *s = NULL;

	for (size_t i = 0; i < n; i++) {
		if (i + 2 < PANEL_SERIES || part[i] + 1 == c->columns->nrx)
			s = add_rx_series(c, part[i]);
		else if (i + 2 == PANEL_SERIES)
			s = panel_add(&c->panel[PANEL_RX], "others", COLOR_SELF);
		fill_rx(c->columns, part[i], s);
	}
}

static bool knows_rx(const struct plot_columns *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (!isnan(c->column[i].leaf_ns[LEAF_RX_SOFTIRQ]))
			return true;
	return false;
}

static bool make_rx(struct timeline_chart *c)
{
	struct plot_columns *columns = c->columns;
	size_t *part = calloc(columns->nrx, sizeof(*part)), n = 0;
	bool untold;

	if (!part)
		return false;
	begin_panel(c, PANEL_RX,
		    columns->exact ? "RX softirq, exact, % of CPU time" :
				     "RX softirq, by samples, % of CPU time",
		    "%");
	for (size_t i = 0; i < columns->nrx; i++)
		if (rx_sum(columns, i) != 0)
			part[n++] = i;
	untold = n && part[n - 1] + 1 == columns->nrx;
	if (untold && n == 1)
		c->no_rx =
			"The RX softirq's parts are not told apart: neither samples nor --exact=full.";
	else if (!n)
		c->no_rx = knows_rx(columns) ? "There was no RX softirq." :
					       "The RX softirq was not measured.";
	/* What is not told apart stays the last. */
	qsort_r(part, n - untold, sizeof(*part), by_sum, columns);
	if (!c->no_rx)
		add_rx(c, part, n);
	free(part);
	panel_finish(&c->panel[PANEL_RX], true);
	return true;
}

/* ---- power ------------------------------------------------------------------------------- */

static void make_power(struct timeline_chart *c)
{
	struct panel *panel = &c->panel[PANEL_POWER];
	struct panel_series *network, *total;
	bool any = false;

	for (size_t i = 0; i < c->columns->n; i++)
		any |= c->columns->column[i].energy_s > 0;
	begin_panel(c, PANEL_POWER, "Power of packages and memory, W", "W");
	if (!any) {
		c->no_power = "Power was not measured.";
		return;
	}
	network = panel_add(panel, "network's share", COLOR_NETWORK);
	total = panel_add(panel, "total", "#222222");
	total->line = true;
	for (size_t i = 0; i < c->columns->n; i++) {
		const struct plot_column *column = &c->columns->column[i];

		network->value[i] = column->network_j / column->energy_s;
		total->value[i] = column->total_j / column->energy_s;
	}
	panel_finish(panel, false);
}

/* ---- marks ------------------------------------------------------------------------------- */

#define MARK_CHARS 24

/* When that mark was; NaN: it is in no column. */
static double mark_s(const struct timeline_chart *c, size_t moment)
{
	const struct plot_column *column = c->columns->column;
	double at_s = model_seconds(c->p->m, c->p->m->moment[moment].at_ns);

	return at_s >= column[0].begin_s && at_s <= column[c->columns->n - 1].end_s ? at_s : NAN;
}

/* The texts of the marks, on the page above the first panel, as far as there is room. */
static void mark_texts(const struct timeline_chart *c)
{
	const struct model *m = c->p->m;
	double begin_s = c->columns->column[0].begin_s, free_x = 0;
	double length_s = c->columns->column[c->columns->n - 1].end_s - begin_s;

	for (size_t i = 0; i < m->nmoments; i++) {
		double x = 70 + 700 * (mark_s(c, i) - begin_s) / length_s;
		char text[MARK_CHARS];

		if (!(x >= free_x))
			continue;
		snprintf(text, sizeof(text), "%s", model_string(m, m->moment[i].text));
		plot_text(c->p, x, PLOT_TOP + 8, PLOT_LEFT, "%s", text);
		free_x = x + PLOT_CHAR * (double)strlen(text) + 8;
	}
}

/* Of the panel that has begun. */
static void mark_lines(const struct timeline_chart *c, double second_is)
{
	for (size_t i = 0; i < c->p->m->nmoments; i++) {
		double at = mark_s(c, i) * second_is;

		if (!isnan(at))
			fprintf(c->p->out,
				"set arrow from %.4f,graph 0 to %.4f,graph 1 nohead front "
				"linecolor rgb '#222222' dashtype 3\n",
				at, at);
	}
}

/* ---- the chart --------------------------------------------------------------------------- */

static double draw_legends(const struct timeline_chart *c, double y)
{
	for (unsigned int i = 0; i < PANELS; i++) {
		if (!c->panel[i].n)
			continue;
		panel_legend(c->p, &c->panel[i], y);
		y += panel_height(&c->panel[i]) + GAP;
	}
	return y;
}

static void draw_panels(const struct timeline_chart *c, double y, double second_is)
{
	for (unsigned int i = 0; i < PANELS; i++) {
		if (!c->panel[i].n)
			continue;
		panel_begin(c->p, &c->panel[i], y, i);
		mark_lines(c, second_is);
		panel_end(c->p, &c->panel[i], i);
		y += panel_height(&c->panel[i]) + GAP;
	}
}

static void draw(const struct timeline_chart *c)
{
	const struct plot_column *column = c->columns->column;
	double top = PLOT_TOP + ABOVE + (c->p->m->nmoments ? MARKS : 0), y = top;
	struct panel_axis axis = panel_axis(column[c->columns->n - 1].end_s - column[0].begin_s);

	for (unsigned int i = 0; i < PANELS; i++)
		y += c->panel[i].n ? panel_height(&c->panel[i]) + GAP : 0;
	plot_begin(c->p, WIDTH, y + 30, "CPU time of the network as it changes");
	mark_texts(c);
	y = draw_legends(c, top);
	plot_text(c->p, 420, y - 16, PLOT_CENTER, "%s since the recording began", axis.unit);
	plot_text(c->p, PLOT_MARGIN, y + 12, PLOT_GREY, "%s%s%s", c->no_rx ? c->no_rx : "",
		  c->no_rx ? " " : "", c->no_power ? c->no_power : "");
	draw_panels(c, top, axis.second_is);
	plot_end(c->p);
}

bool plot_timeline(struct plot *p)
{
	struct timeline_chart c = { .p = p };
	struct summary s;
	bool ok;

	if (summary_make(&s, p->m, p->part))
		return plot_no_memory(p);
	c.columns = plot_columns_new(p->intervals, p->m, plot_rx_is_exact(&s));
	summary_free(&s);
	c.panel = calloc(PANELS, sizeof(*c.panel));
	ok = c.columns && c.panel;
	if (ok) {
		make_cpu(&c);
		make_network(&c);
		ok = make_rx(&c);
	}
	if (ok) {
		make_power(&c);
		draw(&c);
	}
	plot_columns_free(c.columns);
	free(c.panel);
	return ok || plot_no_memory(p);
}
