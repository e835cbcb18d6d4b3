// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `pies`: from left to right each pie is a part of the one before: all CPU time, the kernel's, the
 * network's, the RX softirq's.
 */
#include <math.h>

#include "plot_draw.h"
#include "plot_parts.h"
#include "report/base/text.h"

#define PIES 4
#define PIE_WIDTH 295.0
#define RADIUS 92.0
#define HEADING 46.0 /* above a pie */
#define GAP 26.0     /* between a pie and its legend */

static const double legend_width = PIE_WIDTH - 35;

static double middle_y(void)
{
	return PLOT_TOP + HEADING + RADIUS;
}

static void draw_pie(struct plot *p, const struct plot_parts *parts, double x)
{
	double sum = plot_parts_sum(parts), at = 0;

	for (size_t i = 0; i < parts->n && sum > 0; i++) {
		double to = at + plot_part_length(&parts->part[i]) / sum;

		if (to > at)
			plot_wedge(p, x, middle_y(), RADIUS, at, fmin(to, 1), parts->part[i].color);
		at = to;
	}
	if (!(sum > 0))
		plot_text(p, x, middle_y(), PLOT_CENTER | PLOT_GREY, "%s", plot_parts_none(parts));
}

static void draw_legend(struct plot *p, const struct plot_parts *parts, double x)
{
	double y = middle_y() + RADIUS + GAP;

	for (size_t i = 0; i < parts->n; i++, y += PLOT_ROW) {
		const struct plot_part *part = &parts->part[i];

		plot_legend(p, x, y, part->color, part->title);
		if (isnan(part->share))
			plot_text(p, x + legend_width, y, PLOT_RIGHT | PLOT_GREY, "not measured");
		else
			plot_text(p, x + legend_width, y, PLOT_RIGHT, "%s%s %%",
				  part->how == SPLIT_AT_LEAST ? "at least " : "",
				  PERCENT(part->share, 2));
	}
}

static void draw(struct plot *p, const struct plot_parts parts[PIES])
{
	double rows = 0, left = PLOT_MARGIN;

	for (size_t i = 0; i < PIES; i++)
		rows = fmax(rows, (double)parts[i].n);
	plot_begin(p, PIES * PIE_WIDTH + PLOT_MARGIN,
		   middle_y() + RADIUS + GAP + rows * PLOT_ROW + PLOT_MARGIN,
		   "Where the CPU time went, in more and more detail");
	for (size_t i = 0; i < PIES; i++, left += PIE_WIDTH) {
		double x = left + legend_width / 2;

		plot_text(p, x, PLOT_TOP + 12, PLOT_CENTER | PLOT_BOLD, "%s", parts[i].title);
		if (!isnan(parts[i].share))
			plot_text(p, x, PLOT_TOP + 30, PLOT_CENTER, "%s%s %% of CPU time",
				  parts[i].how, PERCENT(parts[i].share, 2));
		draw_pie(p, &parts[i], x);
		draw_legend(p, &parts[i], left);
	}
	plot_end(p);
}

bool plot_pies(struct plot *p)
{
	static const enum plot_time times[PIES] = { PLOT_CPU, PLOT_KERNEL, PLOT_NETWORK, PLOT_RX };
	struct plot_parts parts[PIES];

	if (!plot_parts_make(p, parts, times, PIES))
		return false;
	draw(p, parts);
	return true;
}
