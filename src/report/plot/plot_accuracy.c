// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `accuracy`: exact times against samples. To the left, what samples at the rate of the
 * recording are off: their bias and root mean square error, before what theory says. To the
 * right, by rate.
 */
#include <inttypes.h>
#include <math.h>

#include "plot_draw.h"
#include "report/analysis/accuracy/accuracy.h"
#include "report/base/text.h"
#include "report/tables/colors.h"

#define WIDTH 1060.0
#define TITLES 200.0 /* where the left panel begins */
#define LEFT_WIDTH 320.0
#define RIGHT 620.0
#define RIGHT_WIDTH 270.0
#define LEGEND (RIGHT + RIGHT_WIDTH + 20)
#define ROW 30.0
#define LEAST_HEIGHT 240.0
#define ABOVE 44.0
#define ITEMS 12 /* of the left; the first of them to the right, too */
#define EVENTS 6
#define HALF_BOX 0.32	 /* of a row */
#define LEAST 0.001	 /* of CPU time */
#define LEAST_ERROR 1e-5 /* points: what is less is rounding */

struct row {
	unsigned int item;
	const char *color;
};

struct accuracy_chart {
	struct plot *p;
	const struct accuracy *a;
	struct row row[ITEMS];
	size_t n, nevents;
};

static const struct accuracy_item *item_of(const struct accuracy_chart *c, size_t i)
{
	return &c->a->item[c->row[i].item];
}

static const struct accuracy_stat *full(const struct accuracy_chart *c, size_t i)
{
	return &item_of(c, i)->rate[0];
}

static bool is_shown(const struct accuracy *a, unsigned int i)
{
	const struct accuracy_item *item = &a->item[i];

	if (i >= ACCURACY_OWN && i < ACCURACY_WITH_ALL)
		return false;
	return item->rate && item->exact && item->rate[0].pairs.n && item->whole.exact >= LEAST;
}

/* Events, what is left over of them, then parts. */
static void choose(struct accuracy_chart *c)
{
	for (unsigned int i = 0; i < ACCURACY_ITEMS && c->n < ITEMS; i++) {
		const char *color = i < ACCURACY_OWN ? leaf_color[i] :
						       category_color(accuracy_key(i), i);

		if (!is_shown(c->a, i))
			continue;
		c->row[c->n++] = (struct row){ .item = i, .color = color };
		if (i < ACCURACY_OWN && c->nevents < EVENTS)
			c->nevents = c->n;
	}
}

static double height(const struct accuracy_chart *c)
{
	return fmax(LEAST_HEIGHT, ROW * (double)c->n);
}

/* ---- the page ---------------------------------------------------------------------------- */

static void left_texts(const struct accuracy_chart *c, double top)
{
	double row = height(c) / (double)c->n;

	plot_text(c->p, PLOT_MARGIN, top - 24, PLOT_BOLD, "At %s Hz, of each cell",
		  NUM(accuracy_hz(c->a, 0), 0));
	for (size_t i = 0; i < c->n; i++)
		plot_text(c->p, TITLES - 12, top + row * ((double)i + 0.5), PLOT_RIGHT, "%s",
			  accuracy_title(c->row[i].item));
	plot_text(c->p, TITLES + LEFT_WIDTH / 2, top + height(c) + 36, PLOT_CENTER,
		  "samples less exact, points of CPU");
}

static void right_texts(const struct accuracy_chart *c, double top)
{
	plot_text(c->p, RIGHT - 44, top - 24, PLOT_BOLD, "By rate: root mean square error, points");
	for (size_t i = 0; i < c->nevents; i++)
		plot_legend(c->p, LEGEND, top + 8 + PLOT_ROW * (double)i, c->row[i].color,
			    accuracy_title(c->row[i].item));
	plot_text(c->p, LEGEND, top + 8 + PLOT_ROW * (double)c->nevents, PLOT_GREY,
		  "lines: by theory");
	plot_text(c->p, RIGHT + RIGHT_WIDTH / 2, top + height(c) + 36, PLOT_CENTER,
		  "samples a second");
}

/* ---- panels ------------------------------------------------------------------------------ */

static void left_panel(const struct accuracy_chart *c, double top)
{
	double most = 0.1;
	FILE *out = c->p->out;

	fputs("$left << EOD\n", out);
	for (size_t i = 0; i < c->n; i++) {
		const struct accuracy_stat *s = full(c, i);
		double bias = stats_bias(&s->pairs), rmse = stats_root_mean_square_error(&s->pairs);
		double spread = sqrt(fmax(0, rmse * rmse - bias * bias));

		most = fmax(most, fmax(fabs(bias) + spread, accuracy_theory(s)));
		fprintf(out, "%.3f %.4f %.4f %.4f\n", (double)i + 0.5, bias, spread,
			accuracy_theory(s));
	}
	fputs("EOD\n", out);
	plot_panel(c->p, TITLES, top, LEFT_WIDTH, height(c));
	fprintf(out, "set xrange [%g:%g]\nset yrange [%zu:0]\nunset ytics\n", -1.08 * most,
		1.08 * most, c->n);
	fputs("set arrow from 0,graph 0 to 0,graph 1 nohead back linecolor rgb '#888888'\n", out);
	fprintf(out,
		"plot $left using (0):1:(-$4):4:($1-%.3f):($1+%.3f) with boxxyerror linecolor rgb "
		"'#dddddd' fillstyle solid noborder title 'by theory', \\\n"
		"\t$left using 2:1:3 with xerrorbars pointtype 7 pointsize 0.7 linewidth 1.5 "
		"linecolor rgb '#222222' title 'bias, standard deviation'\n",
		HALF_BOX, HALF_BOX);
}

/* Whether any rate has an error: what is 0 has no place on a logarithmic axis. */
static bool right_data(const struct accuracy_chart *c, size_t i)
{
	bool any = false;

	fprintf(c->p->out, "$rate%zu << EOD\n", i);
	for (unsigned int f = 0; f < DECIMATE_FACTORS; f++) {
		const struct accuracy_stat *s = &item_of(c, i)->rate[f];
		double rmse = stats_root_mean_square_error(&s->pairs), theory = accuracy_theory(s);

		if (!(rmse >= LEAST_ERROR && theory >= LEAST_ERROR))
			continue;
		fprintf(c->p->out, "%.4f %.5f %.5f\n", accuracy_hz(c->a, f), rmse, theory);
		any = true;
	}
	fputs("EOD\n", c->p->out);
	return any;
}

static void right_panel(const struct accuracy_chart *c, double top)
{
	double fastest = accuracy_hz(c->a, 0), slowest = accuracy_hz(c->a, DECIMATE_FACTORS - 1);
	FILE *out = c->p->out;
	bool any = false;

	for (size_t i = 0; i < c->nevents; i++)
		any |= right_data(c, i);
	plot_panel(c->p, RIGHT, top, RIGHT_WIDTH, height(c));
	if (!any)
		fputs("set label 'no errors' at graph 0.5,0.5 center\n", out);
	/* gnuplot finds no range where there are no points. */
	fprintf(out,
		"set xrange [%g:%g]\nset yrange [1:2]\nset logscale xy\nset yrange [%s]\n"
		"set ytics autofreq\n"
		"set xtics (%g, %g, %g)\nplot ",
		slowest / 1.3, fastest * 1.3, any ? "*:*" : "0.01:10", slowest,
		accuracy_hz(c->a, 3), fastest);
	for (size_t i = 0; i < c->nevents; i++)
		fprintf(out,
			"%s$rate%zu using 1:3 with lines linewidth 1.2 linecolor rgb '%s' "
			"title '%s, by theory', \\\n"
			"\t$rate%zu using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb "
			"'%s' title '%s'",
			i ? ", \\\n\t" : "", i, c->row[i].color, leaf_desc[c->row[i].item].title, i,
			c->row[i].color, leaf_desc[c->row[i].item].title);
	fputs("\nunset logscale\n", out);
}

static void draw_chart(const struct accuracy_chart *c)
{
	double top = PLOT_TOP + ABOVE;

	plot_begin(c->p, WIDTH, top + height(c) + 100, "Exact times against samples");
	left_texts(c, top);
	right_texts(c, top);
	plot_text(
		c->p, PLOT_MARGIN, top + height(c) + 62, PLOT_GREY,
		"Dots: bias; lines: the standard deviation around it; grey: that by theory. A cell: "
		"a CPU in %s s; %" PRIu64 " of them.",
		NUM(c->a->piece_s, 2), c->a->taken);
	plot_text(c->p, PLOT_MARGIN, top + height(c) + 80, PLOT_GREY,
		  "What theory does not have are samples that were put off, and the time that BPF "
		  "programs take inside of events.");
	left_panel(c, top);
	right_panel(c, top);
	plot_end(c->p);
}

static bool draw(struct plot *p, const struct accuracy *a)
{
	struct accuracy_chart c = { .p = p, .a = a };

	choose(&c);
	if (!c.nevents)
		return plot_fail(p, "has no exact times to compare samples with");
	draw_chart(&c);
	return true;
}

bool plot_accuracy(struct plot *p)
{
	return plot_compare(p, draw);
}
