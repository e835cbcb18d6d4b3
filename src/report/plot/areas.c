// SPDX-License-Identifier: BSD-2-Clause
/*
 * Stacked areas over time, with a legend beside them. `timeline`: all CPU time, the network's CPU
 * time, and the RX softirq's; and power if it was measured, as in figure 6.9 of the thesis. `who`:
 * on-CPU time by process, cgroup and so on, and below it the network's part of it: the largest
 * rows, the others, and the interrupts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "report/base/stats.h"
#include "report/analysis/processes.h"
#include "report/analysis/summary.h"
#include "report/analysis/breakdown.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/rules/rules.h"
#include "report/tables/tables.h"

/* ---- columns ----------------------------------------------------------------------------- */

/* Adds v to a sum. Infinite values, which only a hostile file has, count as unknown. */
static void column_add(double *sum, double v)
{
	if (isfinite(v))
		known_add(sum, v);
}

static bool has_exact_parts(const struct intervals *iv, const struct model *m)
{
	for (size_t i = 0; i < iv->n && !filter_has_tasks(m->filter); i++)
		for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
			if (!isnan(iv->row[i].host.part_ns[p]))
				return true;
	return false;
}

/* Returns the share of the RX softirq's exact time in an interval that is not the recorder's own part. */
static double rx_left(const struct intervals *iv, size_t i, double rx_ns)
{
	double measured_ns = 0;

	for (size_t c = i * iv->ncpus; c < (i + 1) * iv->ncpus; c++)
		measured_ns += iv->cell[c].times.exact_ns[NETCOST_EV_RX_SOFTIRQ];
	return measured_ns > 0 ? fmax(0, fmin(rx_ns / measured_ns, 1)) : 1;
}

/*
 * Adds the exact parts of an interval, without the recorder's own part. Time outside all parts belongs to the RX
 * softirq itself.
 */
static void add_exact_rx(const struct intervals *iv, size_t i, double rx_ns, double *rx)
{
	double known = NAN, left = rx_left(iv, i, rx_ns);

	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++) {
		column_add(&rx[p], left * iv->row[i].host.part_ns[p]);
		column_add(&known, left * iv->row[i].host.part_ns[p]);
	}
	if (isnan(known))
		column_add(&rx[NETCOST_PART_COUNT + 1], rx_ns);
	else
		column_add(&rx[NETCOST_PART_COUNT], rx_ns - known);
}

/* Adds the time of an interval. Its samples determine how it is divided among the parts. */
static void add_sampled_rx(const struct plot_columns *c, const uint32_t *samples, double rx_ns,
			   double *rx)
{
	uint64_t all = 0;

	for (size_t i = 0; samples && i + 1 < c->nrx; i++)
		all += samples[i];
	if (!all)
		column_add(&rx[c->nrx - 1], rx_ns);
	for (size_t i = 0; all && i + 1 < c->nrx; i++)
		if (samples[i])
			column_add(&rx[i], rx_ns * samples[i] / (double)all);
}

static void column_add_row(struct plot_columns *c, size_t at, const struct timeline_row *r,
			   const struct intervals *iv, size_t i)
{
	struct plot_column *to = &c->column[at];
	double *rx = &c->rx[at * c->nrx], rx_ns = r->split.leaf[LEAF_RX_SOFTIRQ].ns;

	to->end_s = r->end_s;
	column_add(&to->wall_ns, r->split.wall_ns);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		column_add(&to->leaf_ns[l], r->split.leaf[l].ns);
		c->partly[l] |= isnan(r->split.leaf[l].ns);
	}
	if (c->exact)
		add_exact_rx(iv, i, rx_ns, rx);
	else
		add_sampled_rx(c, iv->rx ? &iv->rx[i * iv->ncategories] : NULL, rx_ns, rx);
	if (isnan(r->total_w) || isnan(r->network_w))
		return;
	column_add(&to->total_j, r->total_w * r->seconds);
	column_add(&to->network_j, r->network_w * r->seconds);
	column_add(&to->energy_s, r->seconds);
}

static void column_begin(struct plot_column *c, double begin_s)
{
	*c = (struct plot_column){ .begin_s = begin_s,
				   .wall_ns = NAN,
				   .total_j = NAN,
				   .network_j = NAN,
				   .energy_s = NAN };
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		c->leaf_ns[l] = NAN;
}

/*
 * Returns true if the last interval, which ends with the recording, is too short to be meaningful.
 */
static bool column_is_short(const struct plot_columns *c, const struct timeline_row *last)
{
	return last->seconds < (c->column[0].end_s - c->column[0].begin_s) / 2;
}

static bool columns_fill(struct plot_columns *c, const struct intervals *iv, const struct model *m)
{
	size_t together = (iv->n + PLOT_COLUMNS - 1) / PLOT_COLUMNS;
	struct timeline_row r = { 0 };
	struct timeline t;

	timeline_init(&t, iv, m);
	for (size_t i = 0; i < iv->n; i++) {
		if (timeline_row(&r, &t, i))
			return false;
		if (i % together == 0 && !(c->n && i + 1 == iv->n && column_is_short(c, &r)))
			column_begin(&c->column[c->n++], r.begin_s);
		column_add_row(c, c->n - 1, &r, iv, i);
	}
	return true;
}

struct plot_columns *plot_columns_new(const struct intervals *iv, const struct model *m, bool exact)
{
	struct plot_columns *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->exact = exact && has_exact_parts(iv, m);
	c->nrx = 1 + (c->exact ? NETCOST_PART_COUNT + 1 : iv->ncategories);
	c->rx = calloc(PLOT_COLUMNS * c->nrx, sizeof(*c->rx));
	if (!c->rx || !columns_fill(c, iv, m)) {
		plot_columns_free(c);
		return NULL;
	}
	return c;
}

void plot_columns_free(struct plot_columns *c)
{
	if (c)
		free(c->rx);
	free(c);
}

/* ---- panels ------------------------------------------------------------------------------ */

#define HEIGHT 130.0
#define LEFT 70.0
#define WIDTH 700.0
#define LEGEND (LEFT + WIDTH + 26)
#define VALUE 1040.0 /* x of the right end of the legend's values */
#define GAP 56.0     /* height between panels, for tics and headings */
#define ABOVE 30.0   /* height above the first panel, for its heading */
#define MARKS 16.0   /* additional height for marks */
#define PANELS 4
#define SERIES 16

struct series {
	char title[32];
	const char *color; /* colour of the area; NULL if it is hatched */
	double mean;	   /* value of the whole time; NaN if it was never measured */
	bool partly;	   /* some time was not measured, so the mean is a lower bound */
	bool is_whole;	   /* the mean is the summary's value instead of the mean of all columns */
	bool line;	   /* drawn as a line from 0 instead of an area */
	double value[PLOT_COLUMNS]; /* value of each column; NaN if it was not measured */
};

struct panel {
	const char *title, *unit; /* title: NULL if the panel is not drawn */
	/*
	 * the values are shares of the whole time: an interval without a measured value lowers the
	 * mean
	 */
	bool of_time;
	/* upper end of the y axis; 0 if it is derived from the values */
	double most;
	struct series series[SERIES]; /* series from bottom to top */
	size_t n;
};

struct areas {
	struct plot *p;
	const struct plot_columns *columns;
	const struct split_cpu *whole; /* the summary's times */
	double begin_s, end_s;
	struct plot_axis axis;
	bool marks; /* the recording's marks are drawn */
	struct panel panel[PANELS];
};

/* Creates the chart, which owns the columns. Returns NULL if out of memory. */
static struct areas *areas_new(struct plot *p, struct plot_columns *columns)
{
	struct areas *a = columns ? calloc(1, sizeof(*a)) : NULL;

	if (!a) {
		plot_columns_free(columns);
		return NULL;
	}
	a->p = p;
	a->columns = columns;
	a->begin_s = columns->column[0].begin_s;
	a->end_s = columns->column[columns->n - 1].end_s;
	a->axis = plot_time_axis(a->end_s - a->begin_s);
	return a;
}

static void areas_free(struct areas *a)
{
	plot_columns_free((struct plot_columns *)a->columns);
	free(a);
}

/* Adds a series of zeros. The panel must have room for it. */
static struct series *panel_add(struct panel *panel, const char *title, const char *color)
{
	struct series *s = &panel->series[panel->n++];

	*s = (struct series){ .color = color };
	snprintf(s->title, sizeof(s->title), "%s", title);
	return s;
}

static void find_mean(const struct areas *a, bool of_time, struct series *s)
{
	double sum = NAN, seconds = 0;

	for (size_t i = 0; i < a->columns->n; i++) {
		const struct plot_column *c = &a->columns->column[i];
		double v = s->value[i], length = c->end_s - c->begin_s;

		known_add(&sum, v * length);
		if (!isnan(v) || of_time)
			seconds += length;
		s->partly |= of_time && isnan(v);
	}
	s->mean = sum / seconds;
}

static double highest(const struct areas *a, const struct panel *panel)
{
	double most = 0;

	for (size_t i = 0; i < a->columns->n; i++) {
		double sum = 0;

		for (size_t k = 0; k < panel->n; k++) {
			double v = panel->series[k].value[i];

			if (v > 0 && panel->series[k].line)
				most = fmax(most, v);
			else if (v > 0)
				sum += v;
		}
		most = fmax(most, sum);
	}
	return most;
}

/*
 * Computes the means of series whose value of the whole time is not known, weighted by the columns' lengths, and drops
 * series that are always 0. It must be called when all series are filled.
 */
static void panel_finish(const struct areas *a, struct panel *panel, bool drop_empty)
{
	for (size_t k = panel->n; k-- > 0;) {
		struct series *s = &panel->series[k];

		if (!s->is_whole)
			find_mean(a, panel->of_time, s);
		/* a series that is always negative is kept */
		if (drop_empty && s->mean == 0)
			memmove(s, s + 1, (--panel->n - k) * sizeof(*s));
	}
	if (!(panel->most > 0))
		panel->most = highest(a, panel) * 1.08;
	if (!(panel->most > 0))
		panel->most = 1;
}

/* Writes the legend in the order of the areas, beginning with the top one. */
static void panel_legend(struct plot *p, const struct panel *panel, double y)
{
	plot_text(p, LEFT - 50, y - 14, PLOT_BOLD, "%s", panel->title);
	plot_text(p, VALUE, y - 14, PLOT_RIGHT | PLOT_GREY, "mean, %s", panel->unit);
	y += 7;
	for (size_t k = panel->n; k-- > 0; y += PLOT_ROW) {
		const struct series *s = &panel->series[k];

		plot_legend(p, LEGEND, y, isnan(s->mean) ? NULL : s->color, s->title);
		if (isnan(s->mean))
			plot_text(p, VALUE, y, PLOT_RIGHT | PLOT_GREY, "not measured");
		else
			plot_text(p, VALUE, y, PLOT_RIGHT, "%s%s", s->partly ? "at least " : "",
				  SHARE_OF(s->mean / 100, 0));
	}
}

static bool is_measured(const struct panel *panel, size_t column)
{
	for (size_t k = 0; k < panel->n; k++)
		if (!isnan(panel->series[k].value[column]))
			return true;
	return false;
}

/* Writes a line of the data: the upper end of each area. Negative values have no height. */
static void data_line(FILE *out, const struct panel *panel, size_t column, double x)
{
	double sum = 0;

	fprintf(out, "%.4f", x);
	for (size_t k = 0; k < panel->n; k++) {
		const struct series *s = &panel->series[k];
		double v = s->value[column] > 0 ? s->value[column] : 0;

		if (!s->line)
			sum += v;
		fprintf(out, " %.3f", s->line ? v : sum);
	}
	fputc('\n', out);
}

/*
 * Writes the data of a panel as steps: the values of a column hold from its start to its end. An
 * empty line is a gap.
 */
static void panel_data(const struct areas *a, const struct panel *panel, unsigned int number)
{
	FILE *out = a->p->panels;
	bool gap = true;

	fprintf(out, "$data%u << EOD\n", number);
	for (size_t i = 0; i < a->columns->n; i++) {
		const struct plot_column *c = &a->columns->column[i];

		if (is_measured(panel, i)) {
			data_line(out, panel, i, c->begin_s * a->axis.second_is);
			data_line(out, panel, i, c->end_s * a->axis.second_is);
			gap = false;
		} else if (!gap) {
			fputc('\n', out);
			gap = true;
		}
	}
	fputs("EOD\n", out);
}

/*
 * Draws a series as an area from 0. The top series is drawn first, and each lower one covers part
 * of it, so that no gap is visible between two areas at any scale.
 */
static void series_draw(FILE *out, const struct series *s, size_t k, unsigned int number)
{
	fprintf(out, "$data%u using 1:%zu with ", number, k + 2);
	if (s->line)
		fprintf(out, "lines linecolor rgb '%s' linewidth 1.5", s->color);
	else if (s->color)
		fprintf(out, "filledcurves y1=0 linecolor rgb '%s' fillstyle solid noborder",
			s->color);
	else
		fputs("filledcurves y1=0 linecolor rgb '#888888' fillstyle pattern 4", out);
	fputs(" title ", out); /* SVG shows the title as a tooltip, since there is no key */
	plot_quote(out, s->title);
	fputs(" noenhanced", out);
}

/*
 * Draws the areas first, then the lines, so that areas do not cover lines. A series that is always
 * 0 only appears in the legend.
 */
static void panel_areas(FILE *out, const struct panel *panel, unsigned int number)
{
	const char *before = "plot ";

	for (int lines = 0; lines < 2; lines++) {
		for (size_t k = panel->n; k-- > 0;) {
			if (panel->series[k].line != lines || !(panel->series[k].mean > 0))
				continue;
			fputs(before, out);
			series_draw(out, &panel->series[k], k, number);
			before = ", \\\n\t";
		}
	}
	fputs(*before == 'p' ? "plot NaN notitle\n" : "\n", out);
}

/* ---- the page ---------------------------------------------------------------------------- */

/* Returns the time of a mark, or NaN if no column contains it. */
static double mark_s(const struct areas *a, size_t moment)
{
	double at_s = model_seconds(a->p->m, a->p->m->moment[moment].at_ns);

	return at_s >= a->begin_s && at_s <= a->end_s ? at_s : NAN;
}

/* Returns the x position of a mark in px, or NaN if no column contains it. */
static double mark_x(const struct areas *a, size_t moment)
{
	return LEFT + WIDTH * (mark_s(a, moment) - a->begin_s) / (a->end_s - a->begin_s);
}

#define MARK_TEXT 24
#define MARK_MORE 24 /* width of the text " +123" */

/* Writes the text of a mark, and the number of marks after it whose texts have no room. */
static void mark_text(const struct areas *a, double x, const char *text, size_t more)
{
	char plus[MARK_MORE] = "";

	if (more)
		snprintf(plus, sizeof(plus), " +%zu", more);
	plot_text(a->p, x, PLOT_TOP + 8, PLOT_LEFT, "%.*s%s", MARK_TEXT - 1, text, plus);
}

/*
 * Writes the texts of the marks above the first panel. A mark whose text would overlap an earlier
 * text is only counted after that text.
 */
static void mark_texts(const struct areas *a)
{
	const struct model *m = a->p->m;
	const char *text = NULL;
	double at_x = 0;
	size_t more = 0;

	for (size_t i = 0; i < m->nmoments; i++) {
		double x = mark_x(a, i);
		size_t shown = text ? strnlen(text, MARK_TEXT - 1) + 5 : 0;

		if (isnan(x))
			continue;
		if (text && x < at_x + PLOT_CHAR * (double)shown) {
			more++;
			continue;
		}
		if (text)
			mark_text(a, at_x, text, more);
		text = model_string(m, m->moment[i].text);
		at_x = x;
		more = 0;
	}
	if (text)
		mark_text(a, at_x, text, more);
}

/* Draws the marks of the current panel. */
static void mark_lines(const struct areas *a)
{
	for (size_t i = 0; i < a->p->m->nmoments; i++) {
		double at = mark_s(a, i) * a->axis.second_is;

		if (!isnan(at))
			fprintf(a->p->panels,
				"set arrow from %.4f,graph 0 to %.4f,graph 1 nohead front "
				"linecolor rgb '#222222' dashtype 3\n",
				at, at);
	}
}

/* Draws a panel. y: the upper end of its areas. Returns the upper end of the next panel's areas. */
static double panel_draw(const struct areas *a, unsigned int number, double y)
{
	const struct panel *panel = &a->panel[number];
	double height = fmax(HEIGHT, PLOT_ROW * (double)panel->n);

	panel_legend(a->p, panel, y);
	panel_data(a, panel, number);
	plot_panel(a->p, LEFT, y, WIDTH, height);
	fprintf(a->p->panels, "set xrange [%.4f:%.4f]\nset yrange [0:%.6g]\nset ytics %g\n",
		a->begin_s * a->axis.second_is, a->end_s * a->axis.second_is, panel->most,
		plot_tics(panel->most));
	if (a->marks)
		mark_lines(a);
	panel_areas(a->p->panels, panel, number);
	return y + height + GAP;
}

static void areas_draw(const struct areas *a, const char *note)
{
	double y = PLOT_TOP + ABOVE;

	if (a->marks && a->p->m->nmoments) {
		mark_texts(a);
		y += MARKS;
	}
	for (unsigned int i = 0; i < PANELS; i++)
		if (a->panel[i].title)
			y = panel_draw(a, i, y);
	plot_text(a->p, LEFT + WIDTH / 2, y - 13, PLOT_CENTER,
		  "%s since the start of the recording", a->axis.unit);
	plot_text(a->p, PLOT_MARGIN, y + 12, PLOT_GREY, "%s", note);
	a->p->height = y + 30;
}

/* ---- timeline: leaves -------------------------------------------------------------------- */

#define MISSING 0.5 /* percent of CPU time; less missing time is not mentioned */

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
	struct split_value whole = split_sum(a->whole, leaves);

	for (size_t i = 0; i < a->columns->n; i++) {
		s->value[i] = percent_of(&a->columns->column[i], leaves);
		any |= !isnan(s->value[i]);
		/*
		 * Optional leaves, such as TASK, are absent where user mode is separated from the
		 * kernel. No value of theirs is missing then.
		 */
		if (optional && isnan(s->value[i]))
			s->value[i] = 0;
	}
	s->partly = !optional && is_partly(a->columns, leaves);
	/* if time is unknown in some columns, the legend describes what the columns show */
	s->is_whole = !s->partly && !isnan(whole.ns);
	s->mean = 100 * whole.ns / a->whole->wall_ns;
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

_Static_assert(LEAF_COUNT + 1 <= SERIES, "there is room for all leaves, and for time in no leaf");

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

/* ---- timeline: the RX softirq ------------------------------------------------------------ */

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

/* Adds the parts. If there are more parts than series, the excess parts share the series "others". */
static void rx_add(const struct areas *a, struct panel *panel, const size_t *part, size_t n)
{
	struct series *s = NULL;

	for (size_t i = 0; i < n; i++) {
		if (i + 2 < SERIES || part[i] + 1 == a->columns->nrx)
			s = rx_series(a, panel, part[i]);
		else if (i + 2 == SERIES)
			s = panel_add(panel, "others", COLOR_SELF);
		rx_fill(a->columns, part[i], s);
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

/* ---- timeline ---------------------------------------------------------------------------- */

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
		a->whole = &s.split.all;
	ok = a && timeline_draw(a);
	if (a)
		areas_free(a);
	summary_free(&s);
	return ok || plot_no_memory(p);
}

/* ---- processes --------------------------------------------------------------------------- */

#define TITLE 24      /* largest title in characters; the legend needs room for its values */
#define MORE_COLORS 4 /* number of colours that the first panel does not use */

_Static_assert(PLOT_PROCESSES_MOST + 2 <= SERIES, "there is room for the others and interrupts");

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

/* Adds the CPU time of an interval that was counted. */
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
		"Exact times; gaps were not counted. On CPUs: without interrupts. Network interrupts: softirqs and hard interrupts, for packets of any process.");
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
