// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `who`: on-CPU time by process, cgroup and so on, and in a second panel the network's part of that time: the
 * largest rows, the others, and the interrupts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "areas_impl.h"
#include "report/base/stats.h"
#include "report/analysis/processes.h"
#include "report/base/text.h"
#include "report/rules/rules.h"
#include "report/tables/tables.h"

#define TITLE 24      /* largest title in characters; the legend needs room for its values */
#define MORE_COLORS 4 /* number of colours that the first panel does not use */

_Static_assert(PLOT_PROCESSES_MOST + 2 <= AREAS_SERIES,
	       "there is room for the others and interrupts");

enum { PANEL_ON_CPU, PANEL_NETWORK, PROCESSES_PANELS };

struct processes_chart {
	struct areas *a;
	/* the processes of each panel, sorted by its value */
	struct processes by_time[PROCESSES_PANELS];
	size_t made, tracks;
};

/*
 * Finds a group among the rows that have tracks in the first panel. Returns c->tracks if the group
 * is not found.
 */
static size_t find_first(const struct processes_chart *c, uint32_t group)
{
	const struct processes *first = &c->by_time[PANEL_ON_CPU];

	for (size_t i = 0; i < first->nrows && i < c->tracks; i++)
		if (first->row[i].group == group)
			return i;
	return c->tracks;
}

/* Returns the colour of a process, which is the same in both panels. */
static const char *process_color(const struct processes_chart *c, const struct processes *p,
				 size_t row)
{
	size_t at = find_first(c, p->row[row].group), more = 0;

	for (size_t i = 0; at == c->tracks && i < row; i++)
		more += find_first(c, p->row[i].group) == c->tracks;
	return category_color("", at + more % MORE_COLORS);
}

/* Returns the column of an interval. The caller must pass the intervals in their order. */
static size_t column_of(const struct areas *a, size_t column, size_t piece)
{
	double begin_s = model_seconds(a->p->m, a->p->intervals->row[piece].begin_ns);

	while (column + 1 < a->columns->n && begin_s >= a->columns->column[column].end_s)
		column++;
	return column;
}

/* Adds the wall time of an interval on the CPUs where that time is known. */
static void add_wall(const struct intervals *iv, size_t piece, double *wall_ns)
{
	for (size_t i = piece * iv->ncpus; i < (piece + 1) * iv->ncpus; i++)
		if (isfinite(iv->cell[i].times.wall_ns))
			*wall_ns += iv->cell[i].times.wall_ns;
}

/*
 * Fills the series of the tracks, the other processes, and interrupts, first in ns, then in
 * percent.
 */
static void process_fill(const struct areas *a, struct panel *panel, const struct process_tracks *k,
			 enum process_time time, double (*sum)[PROCESS_TIMES])
{
	const struct intervals *iv = a->p->intervals;
	double wall_ns[PLOT_COLUMNS] = { 0 };
	size_t at = 0, n = k->ntracks;

	for (size_t i = 0; i < iv->n; i++) {
		at = column_of(a, at, i);
		memset(sum, 0, (n + 1) * sizeof(*sum));
		process_tracks_add(k, i, sum);
		add_wall(iv, i, &wall_ns[at]);
		for (size_t t = 0; t <= n; t++) {
			panel->series[t].value[at] += sum[t][time];
			panel->series[n + 1].value[at] += sum[t][PROCESS_TIME_INTERRUPTED];
		}
	}
	for (size_t t = 0; t < panel->n; t++)
		for (size_t i = 0; i < a->columns->n; i++)
			panel->series[t].value[i] =
				100 * known_ratio(panel->series[t].value[i], wall_ns[i]);
}

/* Makes a panel. Returns false if out of memory. */
static bool process_panel(const struct processes_chart *c, struct panel *panel,
			  const struct processes *p, enum process_time time)
{
	bool known = time != PROCESS_TIME_NETWORK || !isnan(p->all.network_ns);
	double(*sum)[PROCESS_TIMES] = NULL;
	struct process_tracks k;

	if (process_tracks_make(&k, p, c->a->p->times, known ? c->tracks : 0))
		return false;
	sum = calloc(k.ntracks + 1, sizeof(*sum));
	for (size_t t = 0; t < k.ntracks; t++) {
		char title[TITLE];

		panel_add(panel, process_title(title, sizeof(title), p, &p->row[t]),
			  process_color(c, p, t));
	}
	panel_add(panel, known ? "others" : "sends and receives", COLOR_SELF);
	panel_add(panel, "network interrupts", leaf_color[LEAF_RX_SOFTIRQ]);
	if (sum)
		process_fill(c->a, panel, &k, time, sum);
	for (size_t i = 0; !known && i < c->a->columns->n; i++)
		panel->series[0].value[i] = NAN;
	panel_finish(c->a, panel, true);
	process_tracks_free(&k);
	free(sum);
	return sum;
}

/* Draws the chart `who`. Returns false if out of memory. */
static bool processes_draw(struct processes_chart *c)
{
	static const struct {
		const char *title;
		enum processes_sort sort;
		enum process_time time;
		double most;
	} panels[PROCESSES_PANELS] = {
		{ "On CPUs, % of CPU time", PROCESSES_SORT_CPU, PROCESS_TIME_ON_CPU, 100 },
		{ "Network, % of CPU time", PROCESSES_SORT_NETWORK, PROCESS_TIME_NETWORK, 0 },
	};
	struct plot *p = c->a->p;

	for (size_t i = 0; i < PROCESSES_PANELS; i++) {
		struct processes *by_time = &c->by_time[i];
		struct panel *panel = &c->a->panel[i];

		*panel = (struct panel){ panels[i].title, "% while counted",
					 .most = panels[i].most };
		if (processes_make(by_time, p->m, p->by, panels[i].sort, c->tracks))
			return false;
		c->made++;
		if (!process_panel(c, panel, by_time, panels[i].time))
			return false;
	}
	snprintf(p->title, sizeof(p->title), "CPU time by %s", processes_by_names[p->by]);
	areas_draw(
		c->a,
		"Exact times. Gaps were not counted. On CPUs: without interrupts. Network interrupts: softirqs and hard interrupts, for packets of any process.");
	return true;
}

bool plot_processes(struct plot *p)
{
	struct processes_chart c = { .tracks = p->top ? p->top : PLOT_PROCESSES_MOST };
	bool ok;

	if (!p->m->nprocesses || !p->times)
		return plot_fail(
			p, "has no counters by process: record with netcost-record --processes");
	if (!model_is_of_all(p->m))
		return plot_fail(
			p,
			"counters by process cover all CPUs and tasks: they cannot be limited with --cpu, --task or --cgroup");
	if (p->times->too_many)
		return plot_fail(p, "has too many ticks; set longer intervals with --every");
	c.a = areas_new(p, plot_columns_new(p->intervals, p->m, false));
	if (!c.a)
		return plot_no_memory(p);
	ok = processes_draw(&c);
	while (c.made)
		processes_free(&c.by_time[--c.made]);
	areas_free(c.a);
	return ok || plot_no_memory(p);
}
