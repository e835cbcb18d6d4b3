// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `latency`: the share of packets that waited longer than a time (CCDF), for each hook: on the way in, and on the way
 * out. Both axes are logarithmic, so that the slow few are visible.
 */
#include <math.h>
#include <string.h>

#include "plot_draw.h"
#include "report/analysis/latency.h"
#include "report/base/text.h"
#include "report/tables/colors.h"

#define WIDTH 1060.0
#define HEIGHT 300.0
#define LEFT 62.0
#define GAP 70.0
#define PANEL ((WIDTH - LEFT - GAP - PLOT_MARGIN) / 2)
#define ABOVE 44.0
#define BELOW 56.0   /* a panel: for its tics and what they are */
#define LEAST_NS 0.5 /* 0 has no place on a logarithmic axis */
#define VALUES 190.0

/* One panel, and its legend. */
struct side {
	const char *title;
	double x;
	enum netcost_latency hook[NETCOST_LATENCY_COUNT];
	size_t n;
	double from_ns, to_ns, least; /* what its axes have to show */
};

struct latency_chart {
	struct plot *p;
	struct side side[2];
};

/* ---- what there is ------------------------------------------------------------------------- */

static bool is_way_in(enum netcost_latency hook)
{
	return !strcmp(latency_from[hook], latency_from[NETCOST_LATENCY_RECEIVE]);
}

static void take(struct side *s, const struct dist *l, enum netcost_latency hook)
{
	struct dist_summary r;
	unsigned int first = 0, last = NETCOST_LATENCY_BUCKETS - 1;

	dist_summarize(&r, l);
	if (!(r.count > 0))
		return;
	while (!l->bucket[first])
		first++;
	while (!l->bucket[last])
		last--;
	s->hook[s->n++] = hook;
	s->from_ns = fmin(s->from_ns, fmax(LEAST_NS, (double)netcost_latency_lower(first)));
	s->to_ns = fmax(s->to_ns, (double)netcost_latency_upper(last));
	s->least = fmin(s->least, 1 / r.count);
}

static void choose(struct latency_chart *c)
{
	for (size_t i = 0; i < 2; i++) {
		c->side[i].x = LEFT + (double)i * (PANEL + GAP);
		c->side[i].from_ns = 1e12;
		c->side[i].least = 1;
	}
	c->side[0].title = "From a packet's entry into the host";
	c->side[1].title = "On the way out";
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (model_latency_dist(c->p->m, h)->bucket)
			take(&c->side[!is_way_in(h)], model_latency_dist(c->p->m, h), h);
}

/* ---- texts ------------------------------------------------------------------------------- */

static void legend(const struct latency_chart *c, const struct side *s, double y)
{
	for (size_t i = 0; i < s->n; i++, y += PLOT_ROW) {
		struct dist_summary r;

		dist_summarize(&r, model_latency_dist(c->p->m, s->hook[i]));
		plot_legend(c->p, s->x, y, category_color("", i), latency_keys[s->hook[i]]);
		plot_text(c->p, s->x + VALUES, y, PLOT_GREY, "p50 %s us, p99 %s us, %s packets",
			  NUM(r.ns[DIST_P50] / 1000, 2), NUM(r.ns[DIST_P99] / 1000, 2),
			  NUM(r.count, 0));
	}
}

static void texts(const struct latency_chart *c, const struct side *s)
{
	double bottom = PLOT_TOP + ABOVE + HEIGHT;

	plot_text(c->p, s->x, PLOT_TOP + ABOVE - 14, PLOT_BOLD, "%s", s->title);
	plot_text(c->p, s->x + PANEL / 2, bottom + 34, PLOT_CENTER, "us");
	if (s->n)
		legend(c, s, bottom + BELOW);
	else
		plot_text(c->p, s->x, bottom + BELOW, PLOT_GREY, "no packets, or not measured");
}

/* ---- panels ------------------------------------------------------------------------------ */

/* Flat between buckets, and up to the end of the last one: what is 0 has no place on a logarithmic axis. */
static void data(FILE *out, const struct dist *l, const char *name, size_t i)
{
	double all = 0, rest, at = 0;

	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++)
		all += (double)l->bucket[b];
	rest = all;
	fprintf(out, "$%s%zu << EOD\n", name, i);
	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		double from = fmax(LEAST_NS, (double)netcost_latency_lower(b));
		double to = (double)netcost_latency_upper(b), less = rest - (double)l->bucket[b];

		if (!l->bucket[b])
			continue;
		if (from > at)
			fprintf(out, "%.6g %.6g\n", from / 1000, rest / all);
		at = to;
		if (less > 0)
			rest = less;
		fprintf(out, "%.6g %.6g\n", to / 1000, rest / all);
	}
	fputs("EOD\n", out);
}

static void panel(const struct latency_chart *c, const struct side *s, const char *name)
{
	FILE *out = c->p->out;

	if (!s->n)
		return;
	for (size_t i = 0; i < s->n; i++)
		data(out, model_latency_dist(c->p->m, s->hook[i]), name, i);
	plot_panel(c->p, s->x, PLOT_TOP + ABOVE, PANEL, HEIGHT);
	/* gnuplot changes ranges that a logarithm has no place for, with a warning. */
	fprintf(out,
		"set xrange [1:2]\nset yrange [1:2]\nset logscale xy\nset xrange [%.6g:%.6g]\n"
		"set yrange [%.6g:1.2]\nset xtics autofreq\nset ytics autofreq\nplot ",
		s->from_ns / 1300, s->to_ns / 1000 * 1.3, s->least / 2);
	for (size_t i = 0; i < s->n; i++)
		fprintf(out,
			"%s$%s%zu using 1:2 with lines linewidth 2 linecolor rgb '%s' title '%s'",
			i ? ", \\\n\t" : "", name, i, category_color("", i),
			latency_keys[s->hook[i]]);
	fputs("\nunset logscale\n", out);
}

static void draw(const struct latency_chart *c)
{
	size_t rows = c->side[0].n > c->side[1].n ? c->side[0].n : c->side[1].n;
	double bottom = PLOT_TOP + ABOVE + HEIGHT + BELOW + PLOT_ROW * (double)rows;

	plot_begin(c->p, WIDTH, bottom + PLOT_MARGIN, "For how long packets waited");
	plot_text(c->p, PLOT_MARGIN, PLOT_TOP + 4, PLOT_GREY,
		  "Upwards: which share of the packets waited for longer.");
	for (size_t i = 0; i < 2; i++)
		texts(c, &c->side[i]);
	panel(c, &c->side[0], "in");
	panel(c, &c->side[1], "out");
	plot_end(c->p);
}

bool plot_latency(struct plot *p)
{
	struct latency_chart c = { .p = p };

	if (!model_is_of_all(p->m))
		return plot_fail(p, "latencies are of all CPUs and tasks: not for some of them");
	choose(&c);
	if (!c.side[0].n && !c.side[1].n)
		return plot_fail(p, "has no latencies: netcost-record --latency measures them");
	draw(&c);
	return true;
}
