// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `stages`: for each path of packets a bar of the time that they took, from stage to stage, in the order of the way;
 * below it, what its parts are. Bars are as long as each other: what is long in one is read from the numbers beside it.
 */
#include <stdlib.h>

#include "plot_draw.h"
#include "report/analysis/known.h"
#include "report/analysis/latency.h"
#include "report/analysis/stages.h"
#include "report/base/text.h"
#include "report/tables/colors.h"

#define WIDTH 1100.0
#define LENGTH (WIDTH - 2 * PLOT_MARGIN)
#define BAR 24.0
#define TITLE 30.0   /* from a path's title to its bar's middle */
#define BELOW 30.0   /* from there to its first line */
#define BETWEEN 36.0 /* from its last line to the next title */
#define COLUMN (LENGTH / 2)
#define VALUES 170.0
#define MOST 12 /* steps that are told apart: the longest; the others are one */

/* Of a path. */
struct stages_bar {
	enum stages_path path;
	const struct stages_step *step[MOST];
	size_t n;
	double ns, others_ns; /* of all; of steps that are not there */
};

struct stages_chart {
	struct plot *p;
	const struct model_stages *s;
	const struct stages_step **step; /* in order */
	struct stages_bar bar[STAGES_PATH_COUNT];
	size_t n;
};

/* ---- what there is ------------------------------------------------------------------------- */

static bool is_shown(const struct stages_bar *b, const struct stages_step *s)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->step[i] == s)
			return true;
	return false;
}

/* The longest one that is not there yet; NULL: there is none. */
static const struct stages_step *longest(const struct model_stages *s, const struct stages_bar *b)
{
	const struct stages_step *most = NULL;

	for (size_t i = 0; i < s->all.nsteps; i++)
		if (s->all.step[i].path == b->path && !is_shown(b, &s->all.step[i]) &&
		    (!most || s->all.step[i].times.ns > most->times.ns))
			most = &s->all.step[i];
	return most;
}

static void take(struct stages_chart *c, enum stages_path path)
{
	struct stages_bar chosen = { .path = path }, *b = &c->bar[c->n++];
	const struct stages_step *step;

	while (chosen.n < MOST && (step = longest(c->s, &chosen)))
		chosen.step[chosen.n++] = step;
	*b = (struct stages_bar){ .path = path, .ns = (double)c->s->all.whole[path].ns };
	for (size_t i = 0; i < c->s->all.nsteps; i++) {
		if (c->step[i]->path != path)
			continue;
		if (is_shown(&chosen, c->step[i]))
			b->step[b->n++] = c->step[i];
		else
			b->others_ns += (double)c->step[i]->times.ns;
	}
}

static size_t lines(const struct stages_bar *b)
{
	return (b->n + (b->others_ns > 0) + 1) / 2;
}

/* ---- drawing ----------------------------------------------------------------------------- */

static void draw_line(struct plot *p, const struct stages_bar *b, size_t i, double y)
{
	double x = PLOT_MARGIN + (double)(i % 2) * COLUMN;
	const struct stages_step *s = i < b->n ? b->step[i] : NULL;
	double ns = s ? (double)s->times.ns : b->others_ns;
	struct dist_summary r;
	char title[48];

	snprintf(title, sizeof(title), "%s to %s", s ? stages_keys[s->from] : "",
		 s ? stages_keys[s->to] : "");
	plot_legend(p, x, y, s ? category_color("", i) : COLOR_SELF, s ? title : "other steps");
	if (!s) {
		plot_text(p, x + VALUES, y, PLOT_GREY, "%s %%", PERCENT(ns / b->ns, 1));
		return;
	}
	dist_summarize(&r, &s->times);
	plot_text(p, x + VALUES, y, PLOT_GREY, "%s %%, p50 %s us, p99 %s us, %s packets",
		  PERCENT(ns / b->ns, 1), NUM(r.ns[DIST_P50] / 1000, 2),
		  NUM(r.ns[DIST_P99] / 1000, 2), NUM(r.count, 0));
}

static void draw_bar(struct plot *p, const struct stages_bar *b, double y)
{
	double x = PLOT_MARGIN;

	for (size_t i = 0; i < b->n; i++) {
		double length = LENGTH * known_ratio((double)b->step[i]->times.ns, b->ns);

		if (!(length > 0))
			continue;
		plot_rect(p, x, y - BAR / 2, length, BAR, category_color("", i));
		x += length;
	}
	if (b->others_ns > 0)
		plot_rect(p, x, y - BAR / 2, PLOT_MARGIN + LENGTH - x, BAR, COLOR_SELF);
}

/* Returns where the next one begins. */
static double draw_path(const struct stages_chart *c, const struct stages_bar *b, double y)
{
	struct dist_summary r;

	dist_summarize(&r, &c->s->all.whole[b->path]);
	plot_text(c->p, PLOT_MARGIN, y, PLOT_BOLD, "%s", stages_path_titles[b->path]);
	plot_text(c->p, PLOT_MARGIN + LENGTH, y, PLOT_RIGHT,
		  "mean %s us, p50 %s us, p99 %s us, %s packets", NUM(r.mean_ns / 1000, 2),
		  NUM(r.ns[DIST_P50] / 1000, 2), NUM(r.ns[DIST_P99] / 1000, 2), NUM(r.count, 0));
	draw_bar(c->p, b, y + TITLE);
	y += TITLE + BELOW;
	for (size_t i = 0; i < b->n + (b->others_ns > 0); i++)
		draw_line(c->p, b, i, y + PLOT_ROW * (double)(i / 2));
	return y + PLOT_ROW * (double)lines(b) + BETWEEN - PLOT_ROW;
}

static void draw(const struct stages_chart *c)
{
	double y = PLOT_TOP + 30, height = y;

	for (size_t i = 0; i < c->n; i++)
		height += TITLE + BELOW + PLOT_ROW * (double)lines(&c->bar[i]) + BETWEEN - PLOT_ROW;
	plot_begin(c->p, WIDTH, height, "Where packets' time goes on their way");
	plot_text(
		c->p, PLOT_MARGIN, PLOT_TOP + 4, PLOT_GREY,
		"Each bar: all of the time that the packets of a path took, from stage to stage.");
	for (size_t i = 0; i < c->n; i++)
		y = draw_path(c, &c->bar[i], y);
	plot_end(c->p);
}

bool plot_stages(struct plot *p)
{
	struct stages_chart c = { .p = p, .s = p->m->stages };

	if (!model_is_of_all(p->m))
		return plot_fail(p,
				 "packets' ways are of all CPUs and tasks: not for some of them");
	if (!c.s || !(stages_finished(c.s) > 0))
		return plot_fail(p, "has no packets' ways: netcost-record --stages follows them");
	c.step = stages_in_order(&c.s->all);
	if (!c.step)
		return plot_no_memory(p);
	for (enum stages_path path = 0; path < STAGES_PATH_COUNT; path++)
		if (c.s->all.whole[path].ns)
			take(&c, path);
	draw(&c);
	free(c.step);
	return true;
}
