// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `stability`: how far samples are off, at the rate of the recording and at slower
 * ones, for the events that most time goes to. As the paper's figure 5 and the thesis's 6.3, but
 * around the true value of each tick: so a load that changes does not look like a sampler that is
 * off.
 */
#include <math.h>
#include <stdlib.h>

#include "plot_draw.h"
#include "report/analysis/accuracy/accuracy.h"
#include "report/base/text.h"
#include "report/tables/colors.h"

#define WIDTH 1060.0
#define EVENTS 3
#define RATES 3
#define LEFT 62.0
#define GAP 52.0
#define HEIGHT 110.0
#define ROW 186.0
#define ABOVE 66.0 /* the first row: for the events' names */
#define BARS 40	   /* of a panel, at most about that */

/* Factors, the slowest rate first. without_full: where the others are compared with the full rate. */
static const unsigned int with_full[RATES] = { 6, 3, 0 }, without_full[RATES] = { 6, 3, 1 };

struct stability {
	struct plot *p;
	const struct accuracy *a;
	unsigned int event[ACCURACY_OWN];
	size_t n; /* that are drawn */
	const unsigned int *rate;
	double width; /* of a panel */
};

/* ---- which events ------------------------------------------------------------------------ */

static double share(const struct accuracy *a, unsigned int item)
{
	const struct accuracy_item *i = &a->item[item];

	return i->exact ? i->whole.exact : i->whole.sampled;
}

static int by_share(const void *pa, const void *pb, void *chart)
{
	const struct stability *s = chart;
	unsigned int a = *(const unsigned int *)pa, b = *(const unsigned int *)pb;
	double sa = share(s->a, a), sb = share(s->a, b);

	return sa != sb ? (sa < sb) - (sa > sb) : (a > b) - (a < b);
}

/* Those that most time goes to, the most first. */
static void choose_events(struct stability *s)
{
	for (unsigned int i = 0; i < ACCURACY_OWN; i++)
		if (accuracy_is_asked_for(s->a, i))
			s->event[s->n++] = i;
	qsort_r(s->event, s->n, sizeof(*s->event), by_share, s);
	if (s->n > EVENTS)
		s->n = EVENTS;
}

static const struct accuracy_item *item_of(const struct stability *s, size_t column)
{
	return &s->a->item[s->event[column]];
}

/* ---- bars -------------------------------------------------------------------------------- */

#define MIDDLE (HISTOGRAM_BINS / 2)

/* How many bins on each side of the middle hold all values of all rates. */
static unsigned int reach(const struct stability *s, const struct accuracy_item *item)
{
	unsigned int most = HISTOGRAM_PER_POINT;

	for (unsigned int r = 0; r < RATES; r++)
		for (unsigned int i = 0; i < HISTOGRAM_BINS; i++)
			if (item->rate[s->rate[r]].error.bin[i])
				most = (unsigned int)fmax(most, fabs((double)i - MIDDLE));
	return most;
}

/* An odd number of bins for each bar, so that one is around the middle. */
static unsigned int bar_bins(unsigned int reached)
{
	return 2 * (reached / BARS) + 1;
}

/* Returns the highest bar, in percent. */
static double data(FILE *out, const struct histogram *h, unsigned int reached, unsigned int number)
{
	double most = 0;
	int width = (int)bar_bins(reached), from = -(((int)reached + width / 2) / width);

	fprintf(out, "$data%u << EOD\n", number);
	for (int bar = from; bar <= -from; bar++) {
		uint64_t n = 0;

		for (int i = bar * width - width / 2; i <= bar * width + width / 2; i++)
			if (i >= -MIDDLE && i <= MIDDLE)
				n += h->bin[MIDDLE + i];
		most = fmax(most, 100 * (double)n / (double)h->n);
		fprintf(out, "%.1f %.4f\n", (double)(bar * width) / HISTOGRAM_PER_POINT,
			100 * (double)n / (double)h->n);
	}
	fputs("EOD\n", out);
	return most;
}

static void bars(const struct stability *s, size_t column, unsigned int row, double x, double y)
{
	const struct accuracy_item *item = item_of(s, column);
	const struct histogram *h = &item->rate[s->rate[row]].error;
	unsigned int reached = reach(s, item), number = (unsigned int)column * RATES + row;
	double end = (reached + bar_bins(reached)) / (double)HISTOGRAM_PER_POINT, most;
	FILE *out = s->p->out;

	if (!h->n)
		return;
	most = data(out, h, reached, number);
	plot_panel(s->p, x, y, s->width, HEIGHT);
	fprintf(out, "set xrange [%g:%g]\nset yrange [0:%.4g]\nset ytics %g\n", -end, end,
		1.05 * most, plot_tics(most));
	fputs("set arrow from 0,graph 0 to 0,graph 1 nohead front linecolor rgb '#222222' "
	      "dashtype 3\n",
	      out);
	fprintf(out,
		"plot $data%u using 1:2:(%g) with boxes linecolor rgb '%s' fillstyle solid "
		"border linecolor rgb '#888888' title '%s, %s Hz'\n",
		number, bar_bins(reached) / (double)HISTOGRAM_PER_POINT,
		leaf_color[s->event[column]], leaf_desc[s->event[column]].title,
		NUM(accuracy_hz(s->a, s->rate[row]), 0));
}

/* ---- texts ------------------------------------------------------------------------------- */

static void rate_texts(const struct stability *s, size_t column, unsigned int row, double x,
		       double y)
{
	const struct accuracy_stat *rate = &item_of(s, column)->rate[s->rate[row]];

	plot_text(s->p, x, y - 27, PLOT_BOLD, "%s Hz", NUM(accuracy_hz(s->a, s->rate[row]), 0));
	if (!rate->error.n) {
		plot_text(s->p, x, y - 10, PLOT_GREY, "no values");
		return;
	}
	plot_text(s->p, x + s->width, y - 27, PLOT_RIGHT | PLOT_GREY, "RMSE %s, by theory %s",
		  NUM(stats_root_mean_square_error(&rate->pairs), 2),
		  NUM(accuracy_theory(rate), 2));
	plot_text(s->p, x + s->width, y - 10, PLOT_RIGHT | PLOT_GREY, "95 %% in %+.1f to %+.1f",
		  histogram_quantile(&rate->error, 0.025), histogram_quantile(&rate->error, 0.975));
}

static void heading(const struct stability *s, size_t column, double x, double y)
{
	const struct accuracy_item *item = item_of(s, column);

	plot_text(s->p, x, y, PLOT_BOLD | PLOT_LARGE, "%s", accuracy_title(s->event[column]));
	plot_text(s->p, x + s->width, y, PLOT_RIGHT | PLOT_GREY, "%s: %s %%",
		  item->exact ? "exactly" : "by samples",
		  PERCENT(share(s->a, s->event[column]), 2));
}

static void draw_chart(const struct stability *s)
{
	double first = PLOT_TOP + ABOVE, bottom = first + (RATES - 1) * ROW + HEIGHT;
	bool exact = item_of(s, 0)->exact;

	plot_begin(s->p, WIDTH, bottom + 72, "How far samples are off, by their rate");
	for (size_t c = 0; c < s->n; c++) {
		double x = LEFT + (double)c * (s->width + GAP);

		heading(s, c, x, PLOT_TOP + 16);
		for (unsigned int r = 0; r < RATES; r++)
			rate_texts(s, c, r, x, first + r * ROW);
		plot_text(s->p, x + s->width / 2, bottom + 34, PLOT_CENTER,
			  "off by, points of CPU");
	}
	plot_text(s->p, PLOT_MARGIN, bottom + 56, PLOT_GREY,
		  "Upwards: %% of the values, one a CPU in each %s s and each phase. Against %s. "
		  "Slower rates: samples left out.",
		  NUM(s->a->piece_s, 2), exact ? "exact times" : "the full rate");
	for (size_t c = 0; c < s->n; c++)
		for (unsigned int r = 0; r < RATES; r++)
			bars(s, c, r, LEFT + (double)c * (s->width + GAP), first + r * ROW);
	plot_end(s->p);
}

static bool draw(struct plot *p, const struct accuracy *a)
{
	struct stability s = { .p = p, .a = a };

	choose_events(&s);
	if (p->bins->tracks == 1)
		return plot_fail(p, "has too many ticks; ask for longer ones with --every");
	if (!s.n)
		return plot_fail(p, "has no event with samples and time");
	s.width = (WIDTH - LEFT - PLOT_MARGIN - GAP * ((double)s.n - 1)) / (double)s.n;
	s.rate = item_of(&s, 0)->exact ? with_full : without_full;
	draw_chart(&s);
	return true;
}

bool plot_stability(struct plot *p)
{
	return plot_compare(p, draw);
}
