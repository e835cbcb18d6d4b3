// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `breakdown`: three bars below each other. Each shows a part of the one above at full length, and
 * has its legend to the right.
 */
#include <math.h>
#include <string.h>

#include "plot_draw.h"
#include "plot_parts.h"
#include "report/base/text.h"

#define WIDTH 1020
#define BAR_WIDTH 560.0
#define BAR_HEIGHT 54.0
#define HEADING 24.0 /* above a bar */
#define GAP 34.0     /* below one, before the next heading */
#define BARS 3

static const double legend_x = PLOT_MARGIN + BAR_WIDTH + 28, value_x = 905, error_x = 1000;

struct bar {
	const struct plot_parts *parts;
	double top, bottom; /* the whole row's */
	double larger[2];   /* the part that the next bar shows */
};

static double bar_bottom(const struct bar *b)
{
	return b->top + HEADING + BAR_HEIGHT;
}

static void place(struct bar *bar, double top)
{
	double legend = HEADING + PLOT_ROW * (double)bar->parts->n;

	bar->top = top;
	bar->bottom = top + fmax(HEADING + BAR_HEIGHT, legend) + GAP;
}

/* Writes as much of its name and share as fits into the part. */
static void label_part(struct plot *p, const struct plot_part *part, double x, double width,
		       double y)
{
	double middle = x + width / 2;
	const char *share = PERCENT(part->share, 1);

	if (width > PLOT_CHAR * (double)strlen(part->title) + 6) {
		plot_text(p, middle, y - 9, PLOT_CENTER, "%s", part->title);
		plot_text(p, middle, y + 9, PLOT_CENTER, "%s %%", share);
	} else if (width > PLOT_CHAR * (double)(strlen(share) + 2) + 4) {
		plot_text(p, middle, y, PLOT_CENTER, "%s %%", share);
	}
}

static void draw_parts(struct plot *p, struct bar *bar)
{
	double sum = plot_parts_sum(bar->parts), x = PLOT_MARGIN;

	for (size_t i = 0; i < bar->parts->n; i++) {
		const struct plot_part *part = &bar->parts->part[i];
		double width = sum > 0 ? plot_part_length(part) / sum * BAR_WIDTH : 0;

		if (part->larger) {
			bar->larger[0] = x;
			bar->larger[1] = x + width;
		}
		if (width > 0)
			plot_rect(p, x, bar->top + HEADING, width, BAR_HEIGHT, part->color);
		if (part->color)
			label_part(p, part, x, width, bar->top + HEADING + BAR_HEIGHT / 2);
		x += width;
	}
}

static void draw_error(struct plot *p, const struct plot_part *part, double y)
{
	if (isnan(part->share))
		return;
	if (part->how == SPLIT_EXACT || part->how == SPLIT_AT_LEAST)
		plot_text(p, error_x, y, PLOT_RIGHT | PLOT_GREY, "%s", split_how_name(part->how));
	else if (part->ci95 >= 0)
		plot_text(p, error_x, y, PLOT_RIGHT | PLOT_GREY, "\u00b1 %s",
			  PERCENT(part->ci95, 2));
}

static void draw_legend(struct plot *p, const struct bar *bar)
{
	double y = bar->top + HEADING + 8;

	for (size_t i = 0; i < bar->parts->n; i++, y += PLOT_ROW) {
		const struct plot_part *part = &bar->parts->part[i];

		plot_legend(p, legend_x, y, part->color, part->title);
		if (isnan(part->share))
			plot_text(p, error_x, y, PLOT_RIGHT, "not measured");
		else
			plot_text(p, value_x, y, PLOT_RIGHT, "%s %%", PERCENT(part->share, 2));
		draw_error(p, part, y);
	}
}

/* Nothing to draw is said as what it is. */
static void draw_nothing(struct plot *p, const struct bar *bar)
{
	plot_text(p, PLOT_MARGIN, bar->top + HEADING + 8, PLOT_GREY, "%s%s",
		  plot_parts_none(bar->parts),
		  bar->parts->share > 0 ? ": neither samples nor --exact=full" : "");
}

static void draw_bar(struct plot *p, struct bar *bar)
{
	const struct plot_parts *parts = bar->parts;

	plot_text(p, PLOT_MARGIN, bar->top + HEADING / 2, PLOT_BOLD, "%s", parts->title);
	plot_text(p, PLOT_MARGIN + BAR_WIDTH, bar->top + HEADING / 2, PLOT_RIGHT,
		  isnan(parts->share) ? "%s" : "%s%s %% of CPU time", parts->how,
		  PERCENT(parts->share, 2));
	if (plot_parts_sum(parts) > 0)
		draw_parts(p, bar);
	else
		draw_nothing(p, bar);
	draw_legend(p, bar);
}

static void draw(struct plot *p, struct bar bar[BARS])
{
	static const double full[2] = { PLOT_MARGIN, PLOT_MARGIN + BAR_WIDTH };
	double y = PLOT_TOP;

	for (size_t i = 0; i < BARS; i++, y = bar[i - 1].bottom)
		place(&bar[i], y);
	plot_begin(p, WIDTH, y - GAP + PLOT_MARGIN, "Where the CPU time went");
	for (size_t i = 0; i < BARS; i++) {
		draw_bar(p, &bar[i]);
		if (i + 1 < BARS && bar[i].larger[1] > bar[i].larger[0] &&
		    plot_parts_sum(bar[i + 1].parts) > 0)
			plot_zoom(p, bar[i].larger, bar_bottom(&bar[i]), full, bar[i + 1].top);
	}
	plot_end(p);
}

bool plot_breakdown(struct plot *p)
{
	static const enum plot_time times[BARS] = { PLOT_CPU, PLOT_KERNEL_EVENTS, PLOT_RX };
	struct plot_parts parts[BARS];
	struct bar bar[BARS] = { { .parts = &parts[0] },
				 { .parts = &parts[1] },
				 { .parts = &parts[2] } };

	if (!plot_parts_make(p, parts, times, BARS))
		return false;
	draw(p, bar);
	return true;
}
