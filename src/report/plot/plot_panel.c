// SPDX-License-Identifier: BSD-2-Clause
#include "plot_panel.h"

#include <math.h>
#include <string.h>

#include "report/analysis/known.h"
#include "report/base/text.h"

#define HEIGHT 130.0
#define LEFT 70.0
#define WIDTH 700.0
#define LEGEND (LEFT + WIDTH + 26)
#define VALUE 1040.0 /* where the legend's values end */

static double length_s(const struct panel *panel, size_t column)
{
	const struct plot_column *c = &panel->columns->column[column];

	return c->end_s - c->begin_s;
}

struct panel_series *panel_add(struct panel *panel, const char *title, const char *color)
{
	struct panel_series *s = &panel->series[panel->n];

	if (panel->n == PANEL_SERIES)
		return NULL;
	*s = (struct panel_series){ .color = color };
	snprintf(s->title, sizeof(s->title), "%s", title);
	panel->n++;
	return s;
}

static void find_mean(const struct panel *panel, struct panel_series *s)
{
	double sum = NAN, seconds = 0;

	for (size_t i = 0; i < panel->columns->n; i++) {
		double v = s->value[i];

		known_add(&sum, v * length_s(panel, i));
		if (!isnan(v) || panel->of_time)
			seconds += length_s(panel, i);
		s->partly |= panel->of_time && isnan(v);
	}
	s->mean = sum / seconds;
}

static void drop(struct panel *panel, size_t series)
{
	panel->n--;
	memmove(&panel->series[series], &panel->series[series + 1],
		(panel->n - series) * sizeof(*panel->series));
}

static double highest(const struct panel *panel)
{
	double most = 0;

	for (size_t i = 0; i < panel->columns->n; i++) {
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

void panel_finish(struct panel *panel, bool drop_empty)
{
	for (size_t k = panel->n; k-- > 0;) {
		find_mean(panel, &panel->series[k]);
		/* what is always below 0 is still something */
		if (drop_empty && panel->series[k].mean == 0)
			drop(panel, k);
	}
	if (!(panel->most > 0))
		panel->most = highest(panel) * 1.08;
	if (!(panel->most > 0))
		panel->most = 1;
}

double panel_height(const struct panel *panel)
{
	return fmax(HEIGHT, PLOT_ROW * (double)panel->n);
}

/* ---- the page ---------------------------------------------------------------------------- */

/* In the order of the areas: the highest first. */
void panel_legend(struct plot *p, const struct panel *panel, double y)
{
	plot_text(p, LEFT - 50, y - 14, PLOT_BOLD, "%s", panel->title);
	plot_text(p, VALUE, y - 14, PLOT_RIGHT | PLOT_GREY, "mean, %s", panel->unit);
	y += 7;
	for (size_t k = panel->n; k-- > 0; y += PLOT_ROW) {
		const struct panel_series *s = &panel->series[k];

		plot_legend(p, LEGEND, y, isnan(s->mean) ? NULL : s->color, s->title);
		if (isnan(s->mean))
			plot_text(p, VALUE, y, PLOT_RIGHT | PLOT_GREY, "not measured");
		else
			plot_text(p, VALUE, y, PLOT_RIGHT, "%s%s", s->partly ? "at least " : "",
				  s->mean > 0 && s->mean < 0.005 ? "under 0.01" : NUM(s->mean, 2));
	}
}

/* ---- data -------------------------------------------------------------------------------- */

static bool is_measured(const struct panel *panel, size_t column)
{
	for (size_t k = 0; k < panel->n; k++)
		if (!isnan(panel->series[k].value[column]))
			return true;
	return false;
}

/* A line of the data: where each area ends. What is below 0 has no height. */
static void data_line(FILE *out, const struct panel *panel, size_t column, double x)
{
	double sum = 0;

	fprintf(out, "%.4f", x);
	for (size_t k = 0; k < panel->n; k++) {
		const struct panel_series *s = &panel->series[k];
		double v = s->value[column] > 0 ? s->value[column] : 0;

		if (!s->line)
			sum += v;
		fprintf(out, " %.3f", s->line ? v : sum);
	}
	fputc('\n', out);
}

/* Steps: a column is the same from its beginning to its end. An empty line is a gap. */
static void data(FILE *out, const struct panel *panel, double second_is, unsigned int number)
{
	bool gap = true;

	fprintf(out, "$data%u << EOD\n", number);
	for (size_t i = 0; i < panel->columns->n; i++) {
		const struct plot_column *c = &panel->columns->column[i];

		if (is_measured(panel, i)) {
			data_line(out, panel, i, c->begin_s * second_is);
			data_line(out, panel, i, c->end_s * second_is);
			gap = false;
		} else if (!gap) {
			fputc('\n', out);
			gap = true;
		}
	}
	fputs("EOD\n", out);
}

/*
 * Areas begin at 0, the highest is drawn first and the lower ones over it: so no gap shines through between
 * two of them, however the picture is scaled.
 */
static void draw_series(FILE *out, const struct panel *panel, size_t k, unsigned int number)
{
	const struct panel_series *s = &panel->series[k];

	fprintf(out, "$data%u using 1:%zu with ", number, k + 2);
	if (s->line)
		fprintf(out, "lines linecolor rgb '%s' linewidth 1.5", s->color);
	else if (s->color)
		fprintf(out, "filledcurves y1=0 linecolor rgb '%s' fillstyle solid noborder",
			s->color);
	else
		fputs("filledcurves y1=0 linecolor rgb '#888888' fillstyle pattern 4", out);
	fputs(" title ", out); /* there is no key; SVG shows it where the mouse is */
	plot_quote(out, s->title);
	fputs(" noenhanced", out);
}

struct panel_axis panel_axis(double seconds)
{
	static const struct panel_axis axis[] = { { 1, "seconds" },
						  { 1 / 60.0, "minutes" },
						  { 1 / 3600.0, "hours" } };

	return axis[seconds <= 900 ? 0 : seconds <= 6 * 3600 ? 1 : 2];
}

void panel_begin(struct plot *p, const struct panel *panel, double y, unsigned int number)
{
	const struct plot_column *c = panel->columns->column;
	double begin_s = c[0].begin_s, end_s = c[panel->columns->n - 1].end_s;
	double second_is = panel_axis(end_s - begin_s).second_is;

	data(p->out, panel, second_is, number);
	plot_panel(p, LEFT, y, WIDTH, panel_height(panel));
	fprintf(p->out, "set xrange [%.4f:%.4f]\nset yrange [0:%.6g]\nset ytics %g\n",
		begin_s * second_is, end_s * second_is, panel->most, plot_tics(panel->most));
}

/* Areas, then lines, so that nothing covers these. What is always 0 is only in the legend. */
void panel_end(struct plot *p, const struct panel *panel, unsigned int number)
{
	const char *before = "plot ";

	for (int lines = 0; lines < 2; lines++) {
		for (size_t k = panel->n; k-- > 0;) {
			if (panel->series[k].line != lines || !(panel->series[k].mean > 0))
				continue;
			fputs(before, p->out);
			draw_series(p->out, panel, k, number);
			before = ", \\\n\t";
		}
	}
	fputs(*before == 'p' ? "plot NaN notitle\n" : "\n", p->out);
}
