// SPDX-License-Identifier: BSD-2-Clause
/*
 * Charts that compare samples with exact times (accuracy.h). `stability`: the errors of samples, at the rate of the
 * recording and at slower rates, for the events with the most time. It resembles figure 5 of the paper and figure 6.3
 * of the thesis, but errors are relative to the true value of each tick. So a changing load does not look like sampling
 * error. `accuracy`: on the left, the errors of samples at the rate of the recording: bias and root mean square error,
 * compared with theory. On the right, the errors by rate.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "plot.h"
#include "report/analysis/accuracy.h"
#include "report/base/text.h"
#include "report/tables/tables.h"

/* ---- stability --------------------------------------------------------------------------- */

#define STABLE_EVENTS 3
#define STABLE_RATES 3
#define STABLE_GAP 52.0
#define STABLE_HEIGHT 110.0
#define STABLE_ROW 186.0
#define STABLE_TOP (PLOT_TOP + 66.0) /* y of the first row, which is below the events' names */
#define STABLE_BOTTOM (STABLE_TOP + (STABLE_RATES - 1) * STABLE_ROW + STABLE_HEIGHT)
#define STABLE_BARS 40 /* approximate largest number of bars in a panel */
#define MIDDLE (HISTOGRAM_BINS / 2)

_Static_assert(STABLE_EVENTS *STABLE_RATES <= PLOT_PANELS_MOST, "there is room for all panels");

/*
 * Indexes of the factors of rates, beginning with the slowest rate. without_full: for comparisons
 * with the full rate.
 */
static const unsigned int with_full[STABLE_RATES] = { 6, 3, 0 },
			  without_full[STABLE_RATES] = { 6, 3, 1 };

/* The panels of one event. */
struct stable {
	struct plot *p;
	unsigned int event;
	const struct accuracy_item *item;
	const unsigned int *rate;
	double x, width;
	unsigned int
		/* number of bins on each side of the middle that contain all values of all rates */
		reached;
};

static double share_of_event(const struct accuracy *a, unsigned int event)
{
	const struct accuracy_item *i = &a->item[event];

	return i->exact ? i->whole.exact : i->whole.sampled;
}

static int by_share(const void *pa, const void *pb, void *accuracy)
{
	unsigned int a = *(const unsigned int *)pa, b = *(const unsigned int *)pb;
	double sa = share_of_event(accuracy, a), sb = share_of_event(accuracy, b);

	return sa != sb ? (sa < sb) - (sa > sb) : (a > b) - (a < b);
}

static unsigned int stable_reach(const struct stable *s)
{
	unsigned int most = HISTOGRAM_PER_POINT;

	for (unsigned int r = 0; r < STABLE_RATES; r++)
		for (unsigned int i = 0; i < HISTOGRAM_BINS; i++)
			if (s->item->rate[s->rate[r]].error.bin[i])
				most = (unsigned int)fmax(most, fabs((double)i - MIDDLE));
	return most;
}

/* Returns an odd number of bins per bar, so that one bar is centred on the middle bin. */
static unsigned int stable_bar_bins(const struct stable *s)
{
	return 2 * (s->reached / STABLE_BARS) + 1;
}

/* Writes the bars. Returns the height of the highest bar in percent. */
static double stable_data(const struct stable *s, const struct histogram *h)
{
	int width = (int)stable_bar_bins(s), from = -(((int)s->reached + width / 2) / width);
	double most = 0;

	for (int bar = from; bar <= -from; bar++) {
		double percent;
		uint64_t n = 0;

		for (int i = bar * width - width / 2; i <= bar * width + width / 2; i++)
			if (i >= -MIDDLE && i <= MIDDLE)
				n += h->bin[MIDDLE + i];
		percent = 100 * (double)n / (double)h->n;
		most = fmax(most, percent);
		fprintf(s->p->panels, "%.1f %.4f\n", (double)(bar * width) / HISTOGRAM_PER_POINT,
			percent);
	}
	fputs("EOD\n", s->p->panels);
	return most;
}

static void stable_bars(const struct stable *s, unsigned int number, unsigned int factor, double y)
{
	const struct histogram *h = &s->item->rate[factor].error;
	unsigned int bins = stable_bar_bins(s);
	double end = (s->reached + bins) / (double)HISTOGRAM_PER_POINT, most;
	FILE *out = s->p->panels;

	if (!h->n)
		return;
	fprintf(out, "$data%u << EOD\n", number);
	most = stable_data(s, h);
	plot_panel(s->p, s->x, y, s->width, STABLE_HEIGHT);
	fprintf(out, "set xrange [%g:%g]\nset yrange [0:%.4g]\nset ytics %g\n", -end, end,
		1.05 * most, plot_tics(most));
	fputs("set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' "
	      "dashtype 3\n",
	      out);
	fprintf(out,
		"plot $data%u using 1:2:(%g) with boxes linecolor rgb '%s' fillstyle solid "
		"border linecolor rgb '#888888' title '%s, %s Hz'\n",
		number, bins / (double)HISTOGRAM_PER_POINT, leaf_color[s->event],
		leaf_desc[s->event].title, NUM(accuracy_hz(s->p->accuracy, factor), 0));
}

static void stable_texts(const struct stable *s, unsigned int factor, double y)
{
	const struct accuracy_stat *rate = &s->item->rate[factor];
	double right = s->x + s->width;

	plot_text(s->p, s->x, y - 27, PLOT_BOLD, "%s Hz",
		  NUM(accuracy_hz(s->p->accuracy, factor), 0));
	if (!rate->error.n) {
		plot_text(s->p, s->x, y - 10, PLOT_GREY, "no values");
		return;
	}
	plot_text(s->p, right, y - 27, PLOT_RIGHT | PLOT_GREY, "RMSE %s, by theory %s",
		  NUM(stats_root_mean_square_error(&rate->pairs), 2),
		  NUM(accuracy_theory(rate), 2));
	plot_text(s->p, right, y - 10, PLOT_RIGHT | PLOT_GREY, "95 %% within %+.1f to %+.1f",
		  histogram_quantile(&rate->error, 0.025), histogram_quantile(&rate->error, 0.975));
}

static void stable_draw(const struct stable *s, unsigned int column)
{
	plot_text(s->p, s->x, PLOT_TOP + 16, PLOT_BOLD | PLOT_LARGE, "%s",
		  accuracy_title(s->event));
	plot_text(s->p, s->x + s->width, PLOT_TOP + 16, PLOT_RIGHT | PLOT_GREY, "%s: %s %%",
		  s->item->exact ? "exactly" : "by samples",
		  PERCENT(share_of_event(s->p->accuracy, s->event), 0));
	for (unsigned int r = 0; r < STABLE_RATES; r++) {
		stable_texts(s, s->rate[r], STABLE_TOP + r * STABLE_ROW);
		stable_bars(s, column * STABLE_RATES + r, s->rate[r], STABLE_TOP + r * STABLE_ROW);
	}
	plot_text(s->p, s->x + s->width / 2, STABLE_BOTTOM + 39, PLOT_CENTER,
		  "error, percentage points of CPU time");
}

/* Finds the events with the most time, in descending order. Returns their number. */
static unsigned int stable_events(const struct accuracy *a, unsigned int event[ACCURACY_OWN])
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < ACCURACY_OWN; i++)
		if (accuracy_is_asked_for(a, i))
			event[n++] = i;
	qsort_r(event, n, sizeof(*event), by_share, (void *)a);
	return n < STABLE_EVENTS ? n : STABLE_EVENTS;
}

bool plot_stability(struct plot *p)
{
	unsigned int event[ACCURACY_OWN], n = stable_events(p->accuracy, event);
	struct stable s = { .p = p, .x = PLOT_LEFT_AXIS };
	bool exact;

	if (p->bins->tracks == 1)
		return plot_fail(p, "has too many ticks; set longer intervals with --every");
	if (!n)
		return plot_fail(p, "has no event with samples and time");
	exact = p->accuracy->item[event[0]].exact;
	s.rate = exact ? with_full : without_full;
	s.width = p->chart->width - PLOT_LEFT_AXIS - PLOT_MARGIN - STABLE_GAP * ((double)n - 1);
	s.width /= n;
	for (unsigned int i = 0; i < n; i++, s.x += s.width + STABLE_GAP) {
		s.event = event[i];
		s.item = &p->accuracy->item[event[i]];
		s.reached = stable_reach(&s);
		stable_draw(&s, i);
	}
	plot_text(
		p, PLOT_MARGIN, STABLE_BOTTOM + 56, PLOT_GREY,
		"Height of a bar: %% of the values, one for each CPU, interval of %s s and phase, compared with %s. Slower rates use fewer samples.",
		NUM(p->accuracy->piece_s, 2), exact ? "exact times" : "the full rate");
	p->height = STABLE_BOTTOM + 72;
	return true;
}

/* ---- accuracy ---------------------------------------------------------------------------- */

#define TITLES 200.0 /* x of the left edge of the left panel */
#define LEFT_WIDTH 320.0
#define RIGHT 620.0
#define RIGHT_WIDTH 270.0
#define LEGEND (RIGHT + RIGHT_WIDTH + 20)
#define TOP (PLOT_TOP + 44)
#define ROW 30.0
#define LEAST_HEIGHT 240.0
#define ITEMS 12 /* largest number of rows on the left; the first rows are also on the right */
#define EVENTS 6
#define HALF_BOX 0.32	 /* half the height of a box, as a share of a row */
#define LEAST 0.001	 /* share of CPU time */
#define LEAST_ERROR 1e-5 /* percentage points; smaller errors are due to rounding */

struct accuracy_row {
	const char *title, *color;
	const struct accuracy_stat *rate;
};

struct accuracy_chart {
	struct plot *p;
	struct accuracy_row row[ITEMS];
	size_t n, nevents;
	double height;
};

static bool is_shown(const struct accuracy *a, unsigned int i)
{
	const struct accuracy_item *item = &a->item[i];

	if (i >= ACCURACY_OWN && i < ACCURACY_WITH_ALL)
		return false;
	return item->rate && item->exact && item->rate[0].pairs.n && item->whole.exact >= LEAST;
}

/* Chooses the rows: the events, the remaining time, then parts. */
static void choose_rows(struct accuracy_chart *c)
{
	for (unsigned int i = 0; i < ACCURACY_ITEMS && c->n < ITEMS; i++) {
		const char *color = i < ACCURACY_OWN ? leaf_color[i] :
						       category_color(accuracy_key(i), i);

		if (!is_shown(c->p->accuracy, i))
			continue;
		c->row[c->n++] = (struct accuracy_row){ accuracy_title(i), color,
							c->p->accuracy->item[i].rate };
		if (i < ACCURACY_OWN && c->nevents < EVENTS)
			c->nevents = c->n;
	}
	c->height = fmax(LEAST_HEIGHT, ROW * (double)c->n);
}

static void left_texts(const struct accuracy_chart *c)
{
	double row = c->height / (double)c->n;

	plot_text(c->p, PLOT_MARGIN, TOP - 24, PLOT_BOLD, "At %s Hz, by cell",
		  NUM(accuracy_hz(c->p->accuracy, 0), 0));
	for (size_t i = 0; i < c->n; i++)
		plot_text(c->p, TITLES - 12, TOP + row * ((double)i + 0.5), PLOT_RIGHT, "%s",
			  c->row[i].title);
	plot_text(c->p, TITLES + LEFT_WIDTH / 2, TOP + c->height + 40, PLOT_CENTER,
		  "samples minus exact, percentage points");
}

static void right_texts(const struct accuracy_chart *c)
{
	double y = TOP + 8;

	plot_text(c->p, RIGHT - 44, TOP - 24, PLOT_BOLD, "By rate: root mean square error, points");
	for (size_t i = 0; i < c->nevents; i++, y += PLOT_ROW)
		plot_legend(c->p, LEGEND, y, c->row[i].color, c->row[i].title);
	plot_text(c->p, LEGEND, y, PLOT_GREY, "lines: by theory");
	plot_text(c->p, RIGHT + RIGHT_WIDTH / 2, TOP + c->height + 40, PLOT_CENTER,
		  "samples per second");
}

static void left_panel(const struct accuracy_chart *c)
{
	FILE *out = c->p->panels;
	double most = 0.1;

	fputs("$left << EOD\n", out);
	for (size_t i = 0; i < c->n; i++) {
		const struct accuracy_stat *s = c->row[i].rate;
		double bias = stats_bias(&s->pairs), rmse = stats_root_mean_square_error(&s->pairs);
		double spread = sqrt(fmax(0, rmse * rmse - bias * bias));

		most = fmax(most, fmax(fabs(bias) + spread, accuracy_theory(s)));
		fprintf(out, "%.3f %.4f %.4f %.4f\n", (double)i + 0.5, bias, spread,
			accuracy_theory(s));
	}
	fputs("EOD\n", out);
	plot_panel(c->p, TITLES, TOP, LEFT_WIDTH, c->height);
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

/* Writes the errors by rate. Returns false if no rate has an error, because a logarithmic axis cannot show 0. */
static bool right_data(const struct accuracy_chart *c, size_t i)
{
	FILE *out = c->p->panels;
	bool any = false;

	fprintf(out, "$rate%zu << EOD\n", i);
	for (unsigned int f = 0; f < DECIMATE_FACTORS; f++) {
		const struct accuracy_stat *s = &c->row[i].rate[f];
		double rmse = stats_root_mean_square_error(&s->pairs), theory = accuracy_theory(s);

		if (!(rmse >= LEAST_ERROR && theory >= LEAST_ERROR))
			continue;
		fprintf(out, "%.4f %.5f %.5f\n", accuracy_hz(c->p->accuracy, f), rmse, theory);
		any = true;
	}
	fputs("EOD\n", out);
	return any;
}

static void right_panel(const struct accuracy_chart *c)
{
	const struct accuracy *a = c->p->accuracy;
	double fastest = accuracy_hz(a, 0), slowest = accuracy_hz(a, DECIMATE_FACTORS - 1);
	FILE *out = c->p->panels;
	bool any = false;

	for (size_t i = 0; i < c->nevents; i++)
		any |= right_data(c, i);
	plot_panel(c->p, RIGHT, TOP, RIGHT_WIDTH, c->height);
	if (!any)
		fputs("set label 'no errors' at graph 0.5,0.5 center\n", out);
	/* The range must be set, because gnuplot cannot derive one without points. */
	fprintf(out,
		"set xrange [%g:%g]\nset yrange [1:2]\nset logscale xy\nset yrange [%s]\n"
		"set ytics autofreq\n"
		"set xtics (%g, %g, %g)\nplot ",
		slowest / 1.3, fastest * 1.3, any ? "*:*" : "0.01:10", slowest, accuracy_hz(a, 3),
		fastest);
	for (size_t i = 0; i < c->nevents; i++)
		fprintf(out,
			"%s$rate%zu using 1:3 with lines linewidth 1.2 linecolor rgb '%s' "
			"title '%s, by theory', \\\n"
			"\t$rate%zu using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb "
			"'%s' title '%s'",
			i ? ", \\\n\t" : "", i, c->row[i].color, c->row[i].title, i,
			c->row[i].color, c->row[i].title);
	fputs("\nunset logscale\n", out);
}

bool plot_accuracy(struct plot *p)
{
	struct accuracy_chart c = { .p = p };
	double bottom;

	choose_rows(&c);
	if (!c.nevents)
		return plot_fail(p, "has no exact times to compare samples with");
	bottom = TOP + c.height;
	left_texts(&c);
	right_texts(&c);
	plot_text(
		p, PLOT_MARGIN, bottom + 62, PLOT_GREY,
		"Dots: mean error; lines: standard deviation; grey: standard deviation by theory. A cell is one CPU for %s s; there are %" PRIu64
		".",
		NUM(p->accuracy->piece_s, 2), p->accuracy->taken);
	plot_text(p, PLOT_MARGIN, bottom + 80, PLOT_GREY,
		  "Theory ignores late samples, and the time of BPF programs inside events.");
	left_panel(&c);
	right_panel(&c);
	p->height = bottom + 100;
	return true;
}
