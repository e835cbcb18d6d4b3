// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `heatmap`: for how long packets waited, and when: a panel for each place at the end of a way. The darker, the
 * more packets; its scale is logarithmic, so that the few that waited for long are seen.
 */
#include <math.h>

#include "plot_draw.h"
#include "plot_panel.h"
#include "report/analysis/latency.h"
#include "report/analysis/latency_times.h"
#include "report/base/text.h"

#define WIDTH 1060.0
#define LEFT 62.0
#define PANEL (WIDTH - LEFT - PLOT_MARGIN)
#define HEIGHT 190.0
#define ABOVE 44.0   /* a panel: for its title */
#define BELOW 56.0   /* for its tics and what they are */
#define LEAST_NS 0.5 /* 0 has no place on a logarithmic axis */

/* What is shown of what was measured: where packets arrive, and where they leave. */
static const enum netcost_latency shown[] = {
	NETCOST_LATENCY_TCP_READ, NETCOST_LATENCY_TCP_READ_BLOCKED, NETCOST_LATENCY_UDP_READ,
	NETCOST_LATENCY_QDISC,	  NETCOST_LATENCY_COMPLETION,
};
#define SHOWN (sizeof(shown) / sizeof(shown[0]))

struct heatmap {
	struct plot *p;
	const struct latency_map *map;
	struct heat {
		enum netcost_latency hook;
		double y;
		unsigned int first, last; /* rows that have packets */
		uint64_t most;		  /* in one row and column */
	} heat[SHOWN];
	size_t n;
};

static double lower_ns(unsigned int row)
{
	return fmax(LEAST_NS, (double)netcost_latency_lower(row * LATENCY_MAP_EACH));
}

static double upper_ns(unsigned int row)
{
	return (double)netcost_latency_upper((row + 1) * LATENCY_MAP_EACH - 1);
}

/* ---- what there is ------------------------------------------------------------------------- */

static void take(struct heatmap *c, enum netcost_latency hook)
{
	struct heat h = { .hook = hook, .first = LATENCY_MAP_ROWS };

	for (size_t i = 0; c->map->count[hook] && i < c->map->ncolumns; i++)
		for (unsigned int row = 0; row < LATENCY_MAP_ROWS; row++) {
			uint64_t count = c->map->count[hook][i][row];

			if (!count)
				continue;
			h.first = row < h.first ? row : h.first;
			h.last = row > h.last ? row : h.last;
			h.most = count > h.most ? count : h.most;
		}
	if (!h.most)
		return;
	h.y = PLOT_TOP + ABOVE + (double)c->n * (ABOVE + HEIGHT + BELOW);
	c->heat[c->n++] = h;
}

/* ---- drawing ----------------------------------------------------------------------------- */

static void texts(const struct heatmap *c, const struct heat *h, const char *unit)
{
	struct dist_summary r;

	dist_summarize(&r, model_latency_dist(c->p->m, h->hook));
	plot_text(c->p, LEFT, h->y - 14, PLOT_BOLD, "%s", latency_keys[h->hook]);
	plot_text(c->p, WIDTH - PLOT_MARGIN, h->y - 14, PLOT_GREY | PLOT_RIGHT,
		  "from %s to %s, us; p50 %s, p99 %s; darkest: %s packets", latency_from[h->hook],
		  latency_to[h->hook], NUM(r.ns[DIST_P50] / 1000, 2), NUM(r.ns[DIST_P99] / 1000, 2),
		  NUM((double)h->most, 0));
	plot_text(c->p, LEFT + PANEL / 2, h->y + HEIGHT + 34, PLOT_CENTER, "%s", unit);
}

/* A line for each box: its middle, its edges, and how dark it is, from 0 to 1. */
static void data(const struct heatmap *c, const struct heat *h, double second_is)
{
	FILE *out = c->p->out;

	fputs("$heat << EOD\n", out);
	for (size_t i = 0; i < c->map->ncolumns; i++) {
		double begin = model_seconds(c->p->m, c->map->begin_ns[i]) * second_is;
		double end = model_seconds(c->p->m, c->map->begin_ns[i + 1]) * second_is;

		for (unsigned int row = h->first; row <= h->last; row++) {
			uint64_t count = c->map->count[h->hook][i][row];

			if (count)
				fprintf(out, "%.6g %.6g %.6g %.6g %.6g %.6g %.3f\n",
					(begin + end) / 2, lower_ns(row) / 1000, begin, end,
					lower_ns(row) / 1000, upper_ns(row) / 1000,
					log((double)count + 1) / log((double)h->most + 1));
		}
	}
	fputs("EOD\n", out);
}

static void panel(const struct heatmap *c, const struct heat *h, double second_is)
{
	const struct latency_map *map = c->map;
	FILE *out = c->p->out;

	data(c, h, second_is);
	plot_panel(c->p, LEFT, h->y, PANEL, HEIGHT);
	/* gnuplot changes ranges that a logarithm has no place for, with a warning. */
	fprintf(out,
		"set yrange [1:2]\nset logscale y\nset yrange [%.6g:%.6g]\nset xrange [%.6g:%.6g]\n"
		"set xtics autofreq\nset ytics autofreq\n",
		lower_ns(h->first) / 1300, upper_ns(h->last) / 1000 * 1.3,
		model_seconds(c->p->m, map->begin_ns[0]) * second_is,
		model_seconds(c->p->m, map->begin_ns[map->ncolumns]) * second_is);
	fputs("set palette defined (0 '#dbe9f6', 0.5 '#4b97c9', 1 '#08306b')\nset cbrange [0:1]\n"
	      "unset colorbox\n"
	      "plot $heat using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder "
	      "linecolor palette notitle\n"
	      "unset logscale\n",
	      out);
}

static void draw(const struct heatmap *c)
{
	double begin_s = model_seconds(c->p->m, c->map->begin_ns[0]);
	double end_s = model_seconds(c->p->m, c->map->begin_ns[c->map->ncolumns]);
	struct panel_axis axis = panel_axis(end_s - begin_s);

	plot_begin(c->p, WIDTH, c->heat[c->n - 1].y + HEIGHT + BELOW + PLOT_MARGIN,
		   "For how long packets waited, and when");
	for (size_t i = 0; i < c->n; i++)
		texts(c, &c->heat[i], axis.unit);
	for (size_t i = 0; i < c->n; i++)
		panel(c, &c->heat[i], axis.second_is);
	plot_end(c->p);
}

bool plot_heatmap(struct plot *p)
{
	struct heatmap c = { .p = p, .map = p->map };

	if (!model_is_of_all(p->m))
		return plot_fail(p, "latencies are of all CPUs and tasks: not for some of them");
	if (!p->map)
		return plot_fail(p, "there is no room for a map here");
	if (p->map->no_memory)
		return plot_no_memory(p);
	for (size_t i = 0; i < SHOWN; i++)
		take(&c, shown[i]);
	if (!c.n)
		return plot_fail(
			p, "has no packets that were read or sent, and for how long they waited: "
			   "netcost-record --latency measures that");
	draw(&c);
	return true;
}
