// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `processes`: areas over time: on-CPU time by process, or by cgroup and so on, and below it the network's;
 * those with most of it, the others, and what interrupted them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_panel.h"
#include "report/analysis/known.h"
#include "report/analysis/process_times.h"
#include "report/tables/colors.h"
#include "report/tables/process_title.h"
#include "report/tables/processes_doc.h"

#define WIDTH 1060
#define GAP 56.0   /* between panels: for tics and headings */
#define ABOVE 30.0 /* the first one: for its heading */
#define TITLE 24   /* characters, so that the legend has room for its values */

_Static_assert(PLOT_PROCESSES_MOST + 2 <= PANEL_SERIES,
	       "there is room for the others and interrupts");

enum { PANEL_ON_CPU, PANEL_NETWORK, PANELS };

struct processes_chart {
	struct plot *p;
	struct plot_columns *columns;
	struct panel *panel;
	struct processes by_time[PANELS]; /* sorted by what the panel shows */
	size_t made, tracks;
};

/* Of the rows with tracks of the first panel; c->tracks: it is none of these. */
static size_t find_first(const struct processes_chart *c, uint32_t group)
{
	const struct processes *first = &c->by_time[PANEL_ON_CPU];

	for (size_t i = 0; i < first->nrows && i < c->tracks; i++)
		if (first->row[i].group == group)
			return i;
	return c->tracks;
}

#define MORE 4 /* colours that the first panel does not use */

/* A process has the same colour in both panels. */
static const char *color(const struct processes_chart *c, size_t panel, size_t row)
{
	const struct processes *p = &c->by_time[panel];
	size_t at = find_first(c, p->row[row].group), more = 0;

	for (size_t i = 0; at == c->tracks && i < row; i++)
		more += find_first(c, p->row[i].group) == c->tracks;
	return category_color("", at + more % MORE);
}

/* The column that a piece is in; they come in order. */
static size_t column_of(const struct processes_chart *c, size_t column, size_t piece)
{
	double begin_s = model_seconds(c->p->m, c->p->intervals->row[piece].begin_ns);

	while (column + 1 < c->columns->n && begin_s >= c->columns->column[column].end_s)
		column++;
	return column;
}

/* CPU time that was counted, of each column. */
static void add_wall(const struct intervals *iv, size_t piece, double *wall_ns)
{
	for (size_t i = piece * iv->ncpus; i < (piece + 1) * iv->ncpus; i++)
		if (isfinite(iv->cell[i].times.wall_ns))
			*wall_ns += iv->cell[i].times.wall_ns;
}

/* Series are those of the tracks, the rest's, and interrupts: first ns, then percent. */
static void fill(const struct processes_chart *c, struct panel *panel,
		 const struct process_tracks *k, enum process_time time,
		 double (*sum)[PROCESS_TIMES])
{
	const struct intervals *iv = c->p->intervals;
	double wall_ns[PLOT_COLUMNS] = { 0 };
	size_t at = 0, n = k->ntracks;

	for (size_t i = 0; i < iv->n; i++) {
		at = column_of(c, at, i);
		memset(sum, 0, (n + 1) * sizeof(*sum));
		process_tracks_add(k, i, sum);
		add_wall(iv, i, &wall_ns[at]);
		for (size_t t = 0; t <= n; t++) {
			panel->series[t].value[at] += sum[t][time];
			panel->series[n + 1].value[at] += sum[t][PROCESS_TIME_INTERRUPTED];
		}
	}
	for (size_t t = 0; t < panel->n; t++)
		for (size_t i = 0; i < c->columns->n; i++)
			panel->series[t].value[i] =
				100 * known_ratio(panel->series[t].value[i], wall_ns[i]);
}

/* False: no memory. */
static bool make_panel(struct processes_chart *c, size_t i, enum process_time time)
{
	struct panel *panel = &c->panel[i];
	const struct processes *p = &c->by_time[i];
	double(*sum)[PROCESS_TIMES] = NULL;
	bool known = time != PROCESS_TIME_NETWORK || !isnan(p->all.network_ns);
	struct process_tracks k;

	if (process_tracks_make(&k, p, c->p->times, known ? c->tracks : 0))
		return false;
	sum = calloc(k.ntracks + 1, sizeof(*sum));
	for (size_t t = 0; t < k.ntracks; t++) {
		char title[TITLE];

		panel_add(panel, process_title(title, sizeof(title), p, &p->row[t]),
			  color(c, i, t));
	}
	panel_add(panel, known ? "others" : "sends and receives", COLOR_SELF);
	panel_add(panel, "network interrupts", leaf_color[LEAF_RX_SOFTIRQ]);
	if (sum)
		fill(c, panel, &k, time, sum);
	for (size_t i = 0; !known && i < c->columns->n; i++)
		panel->series[0].value[i] = NAN;
	panel_finish(panel, true);
	process_tracks_free(&k);
	free(sum);
	return sum;
}

static bool make_panels(struct processes_chart *c)
{
	static const struct {
		const char *title;
		enum processes_sort sort;
		enum process_time time;
	} panels[PANELS] = {
		{ "On CPUs, % of CPU time", PROCESSES_SORT_CPU, PROCESS_TIME_ON_CPU },
		{ "Network, % of CPU time", PROCESSES_SORT_NETWORK, PROCESS_TIME_NETWORK },
	};

	for (size_t i = 0; i < PANELS; i++) {
		c->panel[i].title = panels[i].title;
		c->panel[i].unit = "%";
		c->panel[i].columns = c->columns;
		c->panel[i].of_time = true;
		if (processes_make(&c->by_time[i], c->p->m, c->p->by, panels[i].sort, c->tracks))
			return false;
		c->made++;
		if (!make_panel(c, i, panels[i].time))
			return false;
	}
	return true;
}

static void draw(const struct processes_chart *c)
{
	const struct plot_column *column = c->columns->column;
	struct panel_axis axis = panel_axis(column[c->columns->n - 1].end_s - column[0].begin_s);
	double top = PLOT_TOP + ABOVE, y = top;
	char title[64];

	snprintf(title, sizeof(title), "CPU time by %s", processes_by_names[c->p->by]);
	for (unsigned int i = 0; i < PANELS; i++)
		y += panel_height(&c->panel[i]) + GAP;
	plot_begin(c->p, WIDTH, y + 30, title);
	y = top;
	for (unsigned int i = 0; i < PANELS; i++) {
		panel_legend(c->p, &c->panel[i], y);
		y += panel_height(&c->panel[i]) + GAP;
	}
	plot_text(c->p, 420, y - 16, PLOT_CENTER, "%s since the recording began", axis.unit);
	plot_text(
		c->p, PLOT_MARGIN, y + 12, PLOT_GREY,
		"Exact. On CPUs: without what interrupted it. Interrupts: network softirqs and hard "
		"interrupts, whosever packets they handled.");
	y = top;
	for (unsigned int i = 0; i < PANELS; i++) {
		panel_begin(c->p, &c->panel[i], y, i);
		panel_end(c->p, &c->panel[i], i);
		y += panel_height(&c->panel[i]) + GAP;
	}
	plot_end(c->p);
}

bool plot_processes(struct plot *p)
{
	struct processes_chart c = { .p = p, .tracks = p->top ? p->top : PLOT_PROCESSES_MOST };
	bool ok;

	if (!p->m->nprocesses || !p->times)
		return plot_fail(p,
				 "has nothing by process: netcost-record --processes counts that");
	if (!model_is_of_all(p->m))
		return plot_fail(p,
				 "processes are counted on all CPUs: not for some CPUs or tasks");
	if (p->times->too_many)
		return plot_fail(p, "has too many ticks; ask for longer ones with --every");
	c.columns = plot_columns_new(p->intervals, p->m, false);
	c.panel = calloc(PANELS, sizeof(*c.panel));
	ok = c.columns && c.panel && make_panels(&c);
	if (ok)
		draw(&c);
	while (c.made)
		processes_free(&c.by_time[--c.made]);
	plot_columns_free(c.columns);
	free(c.panel);
	return ok || plot_no_memory(p);
}
