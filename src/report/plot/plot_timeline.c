// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `timeline`: areas over time, below each other: all CPU time, the network's, the RX softirq's; and
 * power, where there is any. As the thesis's figure 6.9.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_panel.h"
#include "plot_parts.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/rules/stack_class.h"
#include "report/tables/colors.h"

#define WIDTH 1060
#define PANELS 4
#define GAP 56.0    /* between panels: for tics and headings */
#define ABOVE 30.0  /* the first one: for its heading */
#define MARKS 16.0  /* and for the marks, if there are some */
#define MISSING 0.5 /* %: less than that of the CPU time may be missing without a word */

enum { PANEL_CPU, PANEL_NETWORK, PANEL_RX, PANEL_POWER };

struct timeline_chart {
	struct plot *p;
	struct plot_columns *columns;
	struct panel *panel; /* of PANELS; those without series are not drawn */
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
		if (leaves & 1u << l && !isnan(c->leaf_ns[l]))
			sum = (isnan(sum) ? 0 : sum) + 100 * c->leaf_ns[l] / c->wall_ns;
	return isfinite(sum) ? sum : NAN;
}

static bool is_partly(const struct plot_columns *c, unsigned int leaves)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && c->partly[l])
			return true;
	return false;
}

static bool fill_leaves(const struct panel *panel, double *v, unsigned int leaves)
{
	bool any = false;

	for (size_t i = 0; i < panel->columns->n; i++) {
		v[i * PANEL_SERIES] = percent_of(&panel->columns->column[i], leaves);
		any |= !isnan(v[i * PANEL_SERIES]);
	}
	return any;
}

static void add_leaves(const struct timeline_chart *c, struct panel *panel, const char *title,
		       unsigned int leaves)
{
	double *v = panel_add(panel, title, color_of(leaves));
	/* Of tasks: idle time is nobody's. */
	unsigned int hidden = filter_has_tasks(c->p->m->filter) ? LEAF_BIT(IDLE) : 0;
	bool task = leaves == LEAF_BIT(TASK);

	if (!v)
		return;
	if (!fill_leaves(panel, v, leaves) && (task || leaves == hidden)) {
		panel->n--;
		return;
	}
	/* Where user mode is told from the kernel there is no TASK: that is no lack of it. */
	for (size_t i = 0; task && i < panel->columns->n; i++)
		if (isnan(v[i * PANEL_SERIES]))
			v[i * PANEL_SERIES] = 0;
	panel->series[panel->n - 1].partly = !task && is_partly(panel->columns, leaves);
}

/* What no leaf has of a column. */
static void add_missing(struct panel *panel, const char *title)
{
	double *v = panel_add(panel, title, NULL);

	for (size_t i = 0; v && i < panel->columns->n; i++) {
		double missing = 100 - percent_of(&panel->columns->column[i], LEAF_ALL);

		v[i * PANEL_SERIES] = isnan(missing) ? 100 : missing > MISSING ? missing : 0;
	}
}

static void make_cpu(struct timeline_chart *c)
{
	struct panel *panel = &c->panel[PANEL_CPU];
	bool tasks = filter_has_tasks(c->p->m->filter);

	begin_panel(c, PANEL_CPU, "CPU time, %", "%");
	add_leaves(c, panel, "network", LEAF_NETWORK);
	add_leaves(c, panel, "local sockets", LEAF_BIT(SOCK_LOCAL));
	add_leaves(c, panel, "io_uring workers", LEAF_BIT(IO_WORKER));
	add_leaves(c, panel, "other kernel", LEAF_BIT(OTHER_KERNEL));
	add_leaves(c, panel, "user + other kernel", LEAF_BIT(TASK));
	add_leaves(c, panel, "user", LEAF_BIT(USER));
	add_leaves(c, panel, "idle", LEAF_BIT(IDLE));
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

struct rx_part {
	size_t i;
	double ns;
};

static int by_ns(const void *pa, const void *pb)
{
	const struct rx_part *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (a->i > b->i) - (a->i < b->i);
}

static double rx_sum(const struct plot_columns *c, size_t part)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->rx[i * c->nrx + part];
	return sum;
}

/* Which category right below the RX softirq it is: as the charts of all the time count them. */
static size_t number_of(const struct rules *r, size_t category)
{
	size_t n = 0;

	for (size_t i = LEAF_COUNT; i < category; i++)
		n += r->category[i].parent == LEAF_RX_SOFTIRQ;
	return n;
}

static double *add_rx_series(struct timeline_chart *c, struct panel *panel, size_t part)
{
	const struct rules *r = c->columns->exact ? NULL :
						    classifier_rules(c->p->m->classes->classifier);

	if (part + 1 == c->columns->nrx)
		return panel_add(panel, "not told apart", NULL);
	if (part == (r ? LEAF_RX_SOFTIRQ : NETCOST_PART_COUNT))
		return panel_add(panel, "self", COLOR_SELF);
	if (r)
		return panel_add(panel, r->category[part].title,
				 category_color(r->category[part].key, number_of(r, part)));
	return panel_add(panel, model_part_title(part), category_color(model_part_key(part), part));
}

/* Adds to a series what a part is in each column. */
static void fill_rx(const struct plot_columns *c, size_t part, double *v)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct plot_column *column = &c->column[i];
		double percent = 100 * c->rx[i * c->nrx + part] / column->wall_ns;

		v[i * PANEL_SERIES] +=
			isnan(column->leaf_ns[LEAF_RX_SOFTIRQ]) || !isfinite(percent) ? NAN :
											percent;
	}
}

static void add_rx(struct timeline_chart *c, const struct rx_part *part, size_t n)
{
	struct panel *panel = &c->panel[PANEL_RX];
	double *v = NULL;

	for (size_t i = 0; i < n; i++) {
		bool untold = part[i].i + 1 == c->columns->nrx;
		bool own = i + 2 < PANEL_SERIES || untold;

		if (own)
			v = add_rx_series(c, panel, part[i].i);
		else if (i + 2 == PANEL_SERIES)
			v = panel_add(panel, "others", COLOR_SELF);
		for (size_t k = 0; (own || i + 2 == PANEL_SERIES) && k < c->columns->n; k++)
			v[k * PANEL_SERIES] = 0;
		fill_rx(c->columns, part[i].i, v);
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
	const struct plot_columns *columns = c->columns;
	struct rx_part *part = calloc(columns->nrx, sizeof(*part));
	size_t n = 0;

	if (!part)
		return false;
	begin_panel(c, PANEL_RX,
		    columns->exact ? "RX softirq, exact, % of CPU time" :
				     "RX softirq, by samples, % of CPU time",
		    "%");
	for (size_t i = 0; i < columns->nrx; i++) {
		part[n] = (struct rx_part){ .i = i, .ns = rx_sum(columns, i) };
		n += part[n].ns != 0;
	}
	if (n == 1 && part[0].i + 1 == columns->nrx)
		c->no_rx =
			"The RX softirq's parts are not told apart: neither samples nor --exact=full.";
	else if (!n)
		c->no_rx = knows_rx(columns) ? "There was no RX softirq." :
					       "The RX softirq was not measured.";
	/* What is not told apart stays the last. */
	qsort(part, n && part[n - 1].i + 1 == columns->nrx ? n - 1 : n, sizeof(*part), by_ns);
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
	double *network, *total;
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
	panel->series[1].line = true;
	for (size_t i = 0; i < c->columns->n; i++) {
		const struct plot_column *column = &c->columns->column[i];

		network[i * PANEL_SERIES] = column->network_j / column->energy_s;
		total[i * PANEL_SERIES] = column->total_j / column->energy_s;
	}
	panel_finish(panel, false);
}

/* ---- marks ------------------------------------------------------------------------------- */

#define MARK_CHARS 24

/* Lines for gnuplot, in all panels; and on the page, above the first, what stands there if there is room. */
static void draw_marks(const struct timeline_chart *c, double second_is, bool texts, FILE *arrows)
{
	const struct model *m = c->p->m;
	double begin_s = c->columns->column[0].begin_s, free_x = 0;
	double length_s = c->columns->column[c->columns->n - 1].end_s - begin_s;

	for (size_t i = 0; i < m->nmoments; i++) {
		double at_s = model_seconds(m, m->moment[i].at_ns);
		double x = 70 + 700 * (at_s - begin_s) / length_s;
		char text[MARK_CHARS];

		if (!(at_s >= begin_s && at_s <= begin_s + length_s))
			continue;
		if (arrows)
			fprintf(arrows,
				"set arrow from %.4f,graph 0 to %.4f,graph 1 nohead front "
				"linecolor rgb '#222222' dashtype 3\n",
				at_s * second_is, at_s * second_is);
		if (!texts || x < free_x)
			continue;
		snprintf(text, sizeof(text), "%s", model_string(m, m->moment[i].text));
		plot_text(c->p, x, PLOT_TOP + 8, PLOT_LEFT, "%s", text);
		free_x = x + PLOT_CHAR * (double)strlen(text) + 8;
	}
}

/* ---- the chart --------------------------------------------------------------------------- */

static double top(const struct timeline_chart *c)
{
	return PLOT_TOP + ABOVE + (c->p->m->nmoments ? MARKS : 0);
}

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

static bool draw_panels(const struct timeline_chart *c, double second_is)
{
	double y = top(c);
	char *arrows = NULL;
	size_t size;
	FILE *f = open_memstream(&arrows, &size);

	if (!f)
		return false;
	draw_marks(c, second_is, false, f);
	if (fclose(f)) {
		free(arrows);
		return false;
	}
	for (unsigned int i = 0; i < PANELS; i++) {
		if (!c->panel[i].n)
			continue;
		panel_draw(c->p, &c->panel[i], y, i, arrows);
		y += panel_height(&c->panel[i]) + GAP;
	}
	free(arrows);
	return true;
}

static bool draw(const struct timeline_chart *c)
{
	const struct plot_column *column = c->columns->column;
	double seconds = column[c->columns->n - 1].end_s - column[0].begin_s, y = top(c);
	struct panel_axis axis = panel_axis(seconds);

	for (unsigned int i = 0; i < PANELS; i++)
		y += c->panel[i].n ? panel_height(&c->panel[i]) + GAP : 0;
	plot_begin(c->p, WIDTH, y + 30, "CPU time of the network as it changes");
	draw_marks(c, axis.second_is, true, NULL);
	y = draw_legends(c, top(c));
	plot_text(c->p, 420, y - 16, PLOT_CENTER, "%s since the recording began", axis.unit);
	plot_text(c->p, PLOT_MARGIN, y + 12, PLOT_GREY, "%s%s%s", c->no_rx ? c->no_rx : "",
		  c->no_rx ? " " : "", c->no_power ? c->no_power : "");
	if (!draw_panels(c, axis.second_is))
		return false;
	plot_end(c->p);
	return true;
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
		ok = draw(&c);
	}
	plot_columns_free(c.columns);
	free(c.panel);
	return ok || plot_no_memory(p);
}
