// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `timeline`: all CPU time, the network's CPU time, and the RX softirq's; and power if it was measured, as in
 * figure 6.9 of the thesis.
 */
#include <math.h>
#include <stdlib.h>

#include "areas_impl.h"
#include "report/base/stats.h"
#include "report/analysis/summary.h"
#include "report/analysis/breakdown.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/rules/rules.h"
#include "report/tables/tables.h"

/* ---- leaves ------------------------------------------------------------------------------ */

#define MISSING 0.5 /* percent of CPU time; a smaller missing time is not mentioned */

enum { TIMELINE_CPU, TIMELINE_NETWORK, TIMELINE_RX, TIMELINE_POWER };

/* Returns a share of CPU time in percent, or NaN if none of the leaves is known. */
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

static void add_leaves(const struct areas *a, struct panel *panel, const char *title,
		       unsigned int leaves)
{
	struct series *s = panel_add(panel, title, color_of(leaves));
	/* If tasks are selected, idle time does not belong to the selection. */
	unsigned int hidden = filter_has_tasks(a->p->m->filter) ? LEAF_BIT(IDLE) : 0;
	bool optional = !(leaves & ~LEAF_NOT_SAMPLED), any = false;
	struct split_value whole = split_sum(&a->summary->split.all, leaves);

	for (size_t i = 0; i < a->columns->n; i++) {
		s->value[i] = percent_of(&a->columns->column[i], leaves);
		any |= !isnan(s->value[i]);
		/*
		 * Optional leaves, such as TASK, do not occur where user mode is separated from the kernel, so their
		 * values are 0, not missing.
		 */
		if (optional && isnan(s->value[i]))
			s->value[i] = 0;
	}
	s->partly = !optional && is_partly(a->columns, leaves);
	/* if time is unknown in some columns, the legend describes what the columns show */
	s->is_whole = !s->partly && !isnan(whole.ns);
	s->mean = 100 * whole.ns / a->summary->split.all.wall_ns;
	s->ci95 = s->is_whole ? 100 * whole.ci95_ns / a->summary->split.all.wall_ns : 0;
	if (!any && (optional || leaves == hidden))
		panel->n--;
}

/* Adds the time of each column that belongs to no leaf. */
static void add_missing(const struct areas *a, struct panel *panel, const char *title)
{
	struct series *s = panel_add(panel, title, NULL);

	for (size_t i = 0; i < a->columns->n; i++) {
		double missing = 100 - percent_of(&a->columns->column[i], LEAF_ALL);

		s->value[i] = isnan(missing) ? 100 : missing > MISSING ? missing : 0;
	}
}

_Static_assert(LEAF_COUNT + 1 <= AREAS_SERIES,
	       "there is room for all leaves, and for time in no leaf");

static void timeline_cpu(const struct areas *a, struct panel *panel)
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
		{ "netcost itself", LEAF_BIT(OWN) },
		{ "idle", LEAF_BIT(IDLE) },
	};
	bool tasks = filter_has_tasks(a->p->m->filter);

	*panel = (struct panel){ "CPU time, %", "%", .of_time = true, .most = 100 };
	for (size_t i = 0; i < sizeof(series) / sizeof(*series); i++)
		add_leaves(a, panel, series[i].title, series[i].leaves);
	add_missing(a, panel, tasks ? "other tasks, idle" : "unknown (no samples)");
	panel_finish(a, panel, true);
}

static void timeline_network(const struct areas *a, struct panel *panel)
{
	*panel = (struct panel){ "Network, % of CPU time", "%", .of_time = true };
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (LEAF_NETWORK & 1u << l)
			add_leaves(a, panel, plot_leaf_title(1u << l), 1u << l);
	panel_finish(a, panel, true);
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

static struct series *rx_series(const struct areas *a, struct panel *panel, size_t part)
{
	const struct rules *r = a->columns->exact ? NULL :
						    classifier_rules(a->p->m->classes->classifier);
	struct plot_look look = { "not separated", NULL };

	if (part + 1 < a->columns->nrx)
		look = plot_rx_look(r, part);
	return panel_add(panel, look.title, look.color);
}

/* Adds the value of a part in each column to a series. */
static void rx_fill(const struct plot_columns *c, size_t part, struct series *s)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct plot_column *column = &c->column[i];
		double percent = 100 * c->rx[i * c->nrx + part] / column->wall_ns;

		s->value[i] += isnan(column->leaf_ns[LEAF_RX_SOFTIRQ]) || !isfinite(percent) ?
				       NAN :
				       percent;
	}
}

/*
 * Returns true if the time of the RX softirq is known in all columns. If it is not, the legend describes what the
 * columns show.
 */
static bool rx_is_whole(const struct plot_columns *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (isnan(c->column[i].leaf_ns[LEAF_RX_SOFTIRQ]))
			return false;
	return true;
}

/* Adds the parts. If there are more parts than series, the excess parts share the series "others". */
static void rx_add(const struct areas *a, struct panel *panel, const size_t *part, size_t n)
{
	bool whole = part[n - 1] + 1 != a->columns->nrx && rx_is_whole(a->columns);
	struct series *s = NULL;
	double ci95;

	for (size_t i = 0; i < n; i++) {
		if (i + 2 < AREAS_SERIES || part[i] + 1 == a->columns->nrx)
			s = rx_series(a, panel, part[i]);
		else if (i + 2 == AREAS_SERIES)
			s = panel_add(panel, "others", COLOR_SELF);
		rx_fill(a->columns, part[i], s);
		s->is_whole = whole;
		if (whole) {
			s->mean +=
				100 * plot_rx_share(a->summary, a->columns->exact, part[i], &ci95);
			s->ci95 = i + 2 < AREAS_SERIES ? 100 * ci95 : NAN;
		}
	}
}

static bool rx_is_known(const struct plot_columns *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (!isnan(c->column[i].leaf_ns[LEAF_RX_SOFTIRQ]))
			return true;
	return false;
}

/*
 * Fills the panel of the RX softirq. Returns "" or the reason why there is no panel, or NULL if out
 * of memory.
 */
static const char *timeline_rx(const struct areas *a, struct panel *panel)
{
	const struct plot_columns *c = a->columns;
	size_t *part = calloc(c->nrx, sizeof(*part)), n = 0;
	const char *none = "";
	bool untold;

	if (!part)
		return NULL;
	*panel = (struct panel){ c->exact ? "RX softirq, exact, % of CPU time" :
					    "RX softirq, by samples, % of CPU time",
				 "%", .of_time = true };
	for (size_t i = 0; i < c->nrx; i++)
		if (rx_sum(c, i) != 0)
			part[n++] = i;
	untold = n && part[n - 1] + 1 == c->nrx;
	if (untold && n == 1)
		none = "The parts of the RX softirq are unknown: there are neither samples nor --exact=full. ";
	else if (!n)
		none = rx_is_known(c) ? "There was no RX softirq. " :
					"The RX softirq was not measured. ";
	/* the part that cannot be split stays the last one */
	qsort_r(part, n - untold, sizeof(*part), by_sum, (void *)c);
	if (!*none)
		rx_add(a, panel, part, n);
	free(part);
	panel_finish(a, panel, true);
	if (!panel->n)
		panel->title = NULL;
	return none;
}

/* ---- the chart --------------------------------------------------------------------------- */

/* Fills the panel of power. Returns false if power was not measured. */
static bool timeline_power(const struct areas *a, struct panel *panel)
{
	struct series *network, *total;
	bool any = false;

	for (size_t i = 0; i < a->columns->n; i++)
		any |= a->columns->column[i].energy_s > 0;
	if (!any)
		return false;
	*panel = (struct panel){ .title = "Power of packages and memory, W", .unit = "W" };
	network = panel_add(panel, "network's share", COLOR_NETWORK);
	total = panel_add(panel, "total", "#222222");
	total->line = true;
	for (size_t i = 0; i < a->columns->n; i++) {
		const struct plot_column *column = &a->columns->column[i];

		network->value[i] = column->network_j / column->energy_s;
		total->value[i] = column->total_j / column->energy_s;
	}
	panel_finish(a, panel, false);
	return true;
}

/* Draws the chart `timeline`. Returns false if out of memory. */
static bool timeline_draw(struct areas *a)
{
	const char *no_rx;
	char note[160];
	bool power;

	a->marks = true;
	timeline_cpu(a, &a->panel[TIMELINE_CPU]);
	timeline_network(a, &a->panel[TIMELINE_NETWORK]);
	no_rx = timeline_rx(a, &a->panel[TIMELINE_RX]);
	if (!no_rx)
		return false;
	power = timeline_power(a, &a->panel[TIMELINE_POWER]);
	snprintf(note, sizeof(note), "%s%s", no_rx, power ? "" : "Power was not measured.");
	areas_draw(a, note);
	return true;
}

bool plot_timeline(struct plot *p)
{
	struct summary s;
	struct areas *a;
	bool ok;

	if (summary_make(&s, p->m, p->part))
		return plot_no_memory(p);
	a = areas_new(p, plot_columns_new(p->intervals, p->m, plot_rx_is_exact(&s)));
	if (a)
		a->summary = &s;
	ok = a && timeline_draw(a);
	if (a)
		areas_free(a);
	summary_free(&s);
	return ok || plot_no_memory(p);
}
