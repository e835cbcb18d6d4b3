// SPDX-License-Identifier: BSD-2-Clause
/* Stacked areas over time: the columns of their values, and their panels, with a legend beside them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "areas_impl.h"
#include "report/base/stats.h"
#include "report/base/text.h"
#include "report/model/filter.h"
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

/*
 * Returns the share of the RX softirq's exact time that remains without the recorder's own time. i: index of the
 * interval.
 */
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

/* Adds the time of an interval, divided among the parts in proportion to their samples in the interval. */
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
struct areas *areas_new(struct plot *p, struct plot_columns *columns)
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

void areas_free(struct areas *a)
{
	plot_columns_free((struct plot_columns *)a->columns);
	free(a);
}

struct series *panel_add(struct panel *panel, const char *title, const char *color)
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

void panel_finish(const struct areas *a, struct panel *panel, bool drop_empty)
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
				  SHARE_OF(s->mean / 100, s->ci95 / 100));
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
	fputs(" title ", out); /* SVG shows the title as a tooltip, because there is no key */
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

void areas_draw(const struct areas *a, const char *note)
{
	double y = PLOT_TOP + ABOVE;

	if (a->marks && a->p->m->nmoments) {
		mark_texts(a);
		y += MARKS;
	}
	for (unsigned int i = 0; i < AREAS_PANELS; i++)
		if (a->panel[i].title)
			y = panel_draw(a, i, y);
	plot_text(a->p, LEFT + WIDTH / 2, y - 13, PLOT_CENTER,
		  "%s since the start of the recording", a->axis.unit);
	plot_text(a->p, PLOT_MARGIN, y + 12, PLOT_GREY, "%s", note);
	a->p->height = y + 30;
}
