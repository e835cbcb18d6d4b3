// SPDX-License-Identifier: BSD-2-Clause
/*
 * Charts of packets. `latency`: the share of packets that are slower than a time (CCDF), for each
 * checkpoint, with a panel for receive and one for send. Both axes are logarithmic, so that the few
 * slow packets are visible. `heatmap`: packet latency over time, with a panel for each checkpoint
 * at the end of a path. Darker boxes have more packets; the scale is logarithmic, so that a few
 * slow packets are visible. `path`: for each packet path a bar of the time from stage to stage, in
 * the order of the path, with its parts listed below it. All bars have the same length, and the
 * numbers beside them give the time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "report/base/stats.h"
#include "report/analysis/latency.h"
#include "report/base/text.h"
#include "report/model/model_stages.h"
#include "report/tables/tables.h"

#define ABOVE 44.0   /* height above a panel, for its title */
#define BELOW 56.0   /* height below a panel, for its tics and axis title */
#define LEAST_NS 0.5 /* replaces 0, which a logarithmic axis cannot show */

static double us(double ns)
{
	return ns / 1000;
}

static double bucket_lower(unsigned int bucket)
{
	return fmax(LEAST_NS, (double)netcost_latency_lower(bucket));
}

#define PACKETS_TEXT 128
/* p99 is shown for at least this number of packets; with fewer, it would be the slowest packet */
#define PACKETS_FOR_P99 100

/* Writes "p50 1.20 us, p99 7.00 us, 100 packets". */
static char *packets_text(char *dst, const struct dist_summary *r)
{
	bool many = r->count >= PACKETS_FOR_P99;

	snprintf(dst, PACKETS_TEXT, "p50 %s, %s%s%s%s", MEASURED(r->ns[DIST_P50], TEXT_NS),
		 many ? "p99 " : "", many ? MEASURED(r->ns[DIST_P99], TEXT_NS) : "",
		 many ? ", " : "", COUNT(r->count, "packet"));
	return dst;
}

/*
 * Writes the tics of a logarithmic axis in us: "100 ns", "1 us", "10 us". They are explicit labels
 * because gnuplot would label some with 1e-05 and others with 0.0001.
 */
static void time_tics(FILE *out, char axis)
{
	static const char *const unit[] = { "ns", "us", "ms", "s", "ks" };

	fprintf(out, "set %ctics (", axis);
	for (int e = 0; e <= 12; e++) { /* the first tic is at 1 ns */
		fprintf(out, "%s'%d %s' 1e%d", e ? ", " : "",
			e % 3 == 2 ? 100 :
			e % 3 == 1 ? 10 :
				     1,
			unit[e / 3], e - 3);
	}
	fputs(")\n", out);
}

/* Writes tics of shares from 1 down: "100 %", "10 %", "1 %", "0.1 %". */
static void share_tics(FILE *out, double least)
{
	fputs("set ytics (", out);
	for (int e = 0; e > -16 && pow(10, e) >= least; e--)
		fprintf(out, "%s'%.*f %%%%' 1e%d", e ? ", " : "", e < -2 ? -e - 2 : 0,
			100 * pow(10, e), e);
	fputs(")\n", out);
}

/* ---- latency ----------------------------------------------------------------------------- */

#define LATENCY_HEIGHT 300.0
#define LATENCY_LEFT 76.0 /* room for "0.0001 %" */
#define LATENCY_GAP 80.0
#define LATENCY_VALUES 190.0

/* A panel and its legend. */
struct latency_side {
	const char *title, *name;
	double x, width;
	enum netcost_latency hook[NETCOST_LATENCY_COUNT];
	size_t n;
	double from_ns, to_ns, least; /* ranges of the axes */
};

static bool latency_is_way_in(enum netcost_latency hook)
{
	return !strcmp(latency_from[hook], latency_from[NETCOST_LATENCY_RECEIVE]);
}

static void latency_take(struct latency_side *s, const struct dist *l, enum netcost_latency hook)
{
	unsigned int first = 0, last = NETCOST_LATENCY_BUCKETS - 1;
	uint64_t count = dist_count(l);

	if (!count)
		return;
	while (!l->bucket[first])
		first++;
	while (!l->bucket[last])
		last--;
	s->hook[s->n++] = hook;
	s->from_ns = fmin(s->from_ns, bucket_lower(first));
	s->to_ns = fmax(s->to_ns, (double)netcost_latency_upper(last));
	s->least = fmin(s->least, 1 / (double)count);
}

/* Returns the colour of a line. The colours of areas are too light for lines. */
static const char *line_color(size_t i)
{
	static const char *const color[] = { "#7b3fa0", "#d9541e", "#0b6fb5", "#2e8b57", "#c2185b",
					     "#b08900", "#00a0a8", "#6d4c41", "#8a9a00", "#444444" };

	return color[i % (sizeof(color) / sizeof(*color))];
}

static void latency_texts(struct plot *p, const struct latency_side *s)
{
	double bottom = PLOT_TOP + ABOVE + LATENCY_HEIGHT, y = bottom + BELOW + 6;
	char text[PACKETS_TEXT];

	plot_text(p, s->x, PLOT_TOP + ABOVE - 14, PLOT_BOLD, "%s", s->title);
	if (s->n)
		plot_text(p, s->x + s->width / 2, bottom + 39, PLOT_CENTER, "time (logarithmic)");
	else
		plot_text(p, s->x, y, PLOT_GREY, "no packets, or not measured");
	for (size_t i = 0; i < s->n; i++, y += PLOT_ROW) {
		struct dist_summary r;

		dist_summarize(&r, model_latency_dist(p->m, s->hook[i]));
		plot_legend(p, s->x, y, line_color(i), latency_keys[s->hook[i]]);
		plot_text(p, s->x + LATENCY_VALUES, y, PLOT_GREY, "%s", packets_text(text, &r));
	}
	p->height = fmax(p->height, y + PLOT_MARGIN);
}

/*
 * Writes a curve, which is flat between buckets and up to the end of the last bucket. The curve does not reach 0,
 * because a logarithmic axis cannot show 0.
 */
static void latency_data(FILE *out, const struct dist *l, const char *name, size_t i)
{
	double all = dist_upto(l->bucket, NETCOST_LATENCY_BUCKETS - 1), rest = all, at = 0;

	fprintf(out, "$%s%zu << EOD\n", name, i);
	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		double less = rest - (double)l->bucket[b];

		if (!l->bucket[b])
			continue;
		if (bucket_lower(b) > at)
			fprintf(out, "%.6g %.6g\n", us(bucket_lower(b)), rest / all);
		at = (double)netcost_latency_upper(b);
		if (less > 0)
			rest = less;
		fprintf(out, "%.6g %.6g\n", us(at), rest / all);
	}
	fputs("EOD\n", out);
}

static void latency_panel(struct plot *p, const struct latency_side *s)
{
	FILE *out = p->panels;

	if (!s->n)
		return;
	for (size_t i = 0; i < s->n; i++)
		latency_data(out, model_latency_dist(p->m, s->hook[i]), s->name, i);
	plot_panel(p, s->x, PLOT_TOP + ABOVE, s->width, LATENCY_HEIGHT);
	/*
	 * A valid range must be set first, because gnuplot changes ranges that a logarithm cannot show, with a warning.
	 */
	fprintf(out,
		"set xrange [1:2]\nset yrange [1:2]\nset logscale xy\nset xrange [%.6g:%.6g]\n"
		"set yrange [%.6g:1.2]\n",
		s->from_ns / 1300, us(s->to_ns) * 1.3, s->least / 2);
	time_tics(out, 'x');
	share_tics(out, s->least / 2);
	fputs("plot ", out);
	for (size_t i = 0; i < s->n; i++)
		fprintf(out,
			"%s$%s%zu using 1:2 with lines linewidth 2 linecolor rgb '%s' title '%s'",
			i ? ", \\\n\t" : "", s->name, i, line_color(i), latency_keys[s->hook[i]]);
	fputs("\nunset logscale\n", out);
}

bool plot_latency(struct plot *p)
{
	double width = (p->chart->width - LATENCY_LEFT - LATENCY_GAP - PLOT_MARGIN) / 2;
	struct latency_side side[2] = {
		{ .title = "Receive: from the entry into the host", .name = "in" },
		{ .title = "Send: from the send call", .name = "out" },
	};

	for (size_t i = 0; i < 2; i++) {
		side[i].x = LATENCY_LEFT + (double)i * (width + LATENCY_GAP);
		side[i].width = width;
		side[i].from_ns = 1e12;
		side[i].least = 1;
	}
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (model_latency_dist(p->m, h)->bucket)
			latency_take(&side[!latency_is_way_in(h)], model_latency_dist(p->m, h), h);
	if (!side[0].n && !side[1].n)
		return plot_fail(p, "has no latencies: record with netcost-record --latency");
	plot_text(p, PLOT_MARGIN, PLOT_TOP + 4, PLOT_GREY,
		  "y axis: share of packets that were slower than x.");
	for (size_t i = 0; i < 2; i++) {
		latency_texts(p, &side[i]);
		latency_panel(p, &side[i]);
	}
	return true;
}

/* ---- heatmap ----------------------------------------------------------------------------- */

#define HEAT_HEIGHT 190.0

/* The checkpoints that have a panel if they were measured: the ends of the receive path and of the send path. */
static const enum netcost_latency heat_hooks[] = {
	NETCOST_LATENCY_TCP_READ, NETCOST_LATENCY_TCP_READ_BLOCKED, NETCOST_LATENCY_UDP_READ,
	NETCOST_LATENCY_QDISC,	  NETCOST_LATENCY_COMPLETION,
};

#define HEAT_HOOKS (sizeof(heat_hooks) / sizeof(*heat_hooks))

struct heat {
	enum netcost_latency hook;
	const uint64_t *count;	  /* number of packets by column, then by row */
	unsigned int first, last; /* first and last row with packets */
	/* largest number of packets in a row of a column; 0 if there are no packets */
	uint64_t most;
};

static double heat_lower(unsigned int row)
{
	return bucket_lower(row * LATENCY_MAP_EACH);
}

static double heat_upper(unsigned int row)
{
	return (double)netcost_latency_upper((row + 1) * LATENCY_MAP_EACH - 1);
}

static struct heat heat_find(const struct plot *p, enum netcost_latency hook)
{
	struct heat h = { .hook = hook, .first = LATENCY_MAP_ROWS };

	h.count = latency_history_row(p->map, model_latency_row(p->m, hook));
	for (size_t i = 0; h.count && i < p->map->ncolumns * LATENCY_MAP_ROWS; i++) {
		unsigned int row = i % LATENCY_MAP_ROWS;

		if (!h.count[i])
			continue;
		h.first = row < h.first ? row : h.first;
		h.last = row > h.last ? row : h.last;
		h.most = h.count[i] > h.most ? h.count[i] : h.most;
	}
	return h;
}

static void heat_texts(struct plot *p, const struct heat *h, double y, const char *unit)
{
	double right = p->chart->width - PLOT_MARGIN;
	struct dist_summary r;
	char text[PACKETS_TEXT];

	dist_summarize(&r, model_latency_dist(p->m, h->hook));
	plot_text(p, PLOT_LEFT_AXIS, y - 14, PLOT_BOLD, "%s", latency_keys[h->hook]);
	plot_text(p, right, y - 14, PLOT_GREY | PLOT_RIGHT, "from %s to %s; %s; darkest: %s",
		  latency_from[h->hook], latency_to[h->hook], packets_text(text, &r),
		  NUM((double)h->most, 0));
	plot_text(p, (PLOT_LEFT_AXIS + right) / 2, y + HEAT_HEIGHT + 39, PLOT_CENTER, "%s", unit);
}

static double heat_time(const struct plot *p, size_t column, double second_is)
{
	return model_seconds(p->m, p->map->begin_ns[column]) * second_is;
}

/* Writes a line for each box: its middle, its edges, and its darkness, from 0 to 1. */
static void heat_data(const struct plot *p, const struct heat *h, double second_is)
{
	fputs("$heat << EOD\n", p->panels);
	for (size_t i = 0; i < p->map->ncolumns; i++) {
		double begin = heat_time(p, i, second_is), end = heat_time(p, i + 1, second_is);

		for (unsigned int row = h->first; row <= h->last; row++) {
			uint64_t count = h->count[i * LATENCY_MAP_ROWS + row];

			if (count)
				fprintf(p->panels, "%.6g %.6g %.6g %.6g %.6g %.6g %.3f\n",
					(begin + end) / 2, us(heat_lower(row)), begin, end,
					us(heat_lower(row)), us(heat_upper(row)),
					log((double)count + 1) / log((double)h->most + 1));
		}
	}
	fputs("EOD\n", p->panels);
}

static void heat_panel(struct plot *p, const struct heat *h, double y, double second_is)
{
	heat_data(p, h, second_is);
	plot_panel(p, PLOT_LEFT_AXIS, y, p->chart->width - PLOT_LEFT_AXIS - PLOT_MARGIN,
		   HEAT_HEIGHT);
	/*
	 * A valid range must be set first, because gnuplot changes ranges that a logarithm cannot show, with a warning.
	 */
	fprintf(p->panels,
		"set yrange [1:2]\nset logscale y\nset yrange [%.6g:%.6g]\nset xrange [%.6g:%.6g]\n"
		"set xtics autofreq\n",
		heat_lower(h->first) / 1300, us(heat_upper(h->last)) * 1.3,
		heat_time(p, 0, second_is), heat_time(p, p->map->ncolumns, second_is));
	time_tics(p->panels, 'y');
	fputs("set palette defined (0 '#dbe9f6', 0.5 '#4b97c9', 1 '#08306b')\nset cbrange [0:1]\n"
	      "unset colorbox\n"
	      "plot $heat using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder "
	      "linecolor palette notitle\n"
	      "unset logscale\n",
	      p->panels);
}

bool plot_heatmap(struct plot *p)
{
	struct plot_axis axis;
	double y = PLOT_TOP + ABOVE;

	if (!p->map)
		return plot_fail(p, "there is no room for a map here");
	if (p->map->no_memory)
		return plot_no_memory(p);
	axis = plot_time_axis(heat_time(p, p->map->ncolumns, 1) - heat_time(p, 0, 1));
	for (size_t i = 0; i < HEAT_HOOKS; i++) {
		struct heat h = heat_find(p, heat_hooks[i]);

		if (!h.most)
			continue;
		heat_texts(p, &h, y, axis.unit);
		heat_panel(p, &h, y, axis.second_is);
		y += HEAT_HEIGHT + BELOW + ABOVE;
	}
	p->height = y - ABOVE + PLOT_MARGIN;
	return p->npanels ||
	       plot_fail(p, "has no latency of packets that were read or sent: record with "
			    "netcost-record --latency");
}

/* ---- stages ------------------------------------------------------------------------------ */

#define STAGES_BAR 24.0
#define STAGES_TITLE 30.0   /* height from a path's title to the middle of its bar */
#define STAGES_BELOW 30.0   /* height from the middle of a bar to the first line below it */
#define STAGES_BETWEEN 36.0 /* height from the last line of a path to the next title */
#define STAGES_VALUES 170.0
/*
 * largest number of steps that are shown separately, the longest ones; the other steps are shown as
 * one
 */
#define STAGES_MOST 12

/* The bar of a path. */
struct stages_bar {
	enum stages_path path;
	const struct stages_row *step[STAGES_MOST], *whole;
	size_t n;
	double ns, others_ns; /* total time; time of the steps that are not shown separately */
};

static double stages_length(const struct plot *p)
{
	return p->chart->width - 2 * PLOT_MARGIN;
}

static bool stages_is_shown(const struct stages_bar *b, const struct stages_row *s)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->step[i] == s)
			return true;
	return false;
}

/* Returns true if the row is a step of the bar's path, counted over all packets. */
static bool stages_has(const struct stages_bar *b, const struct stages_row *r)
{
	return r->path == b->path && r->key == STAGES_KEY_ALL && r->from != STAGES_WHOLE;
}

/* Returns the longest step that the bar does not have yet, or NULL if the bar has all steps. */
static const struct stages_row *stages_longest(const struct stages_rows *rows,
					       const struct stages_bar *b)
{
	const struct stages_row *most = NULL;

	for (size_t i = 0; i < rows->n; i++)
		if (stages_has(b, &rows->row[i]) && !stages_is_shown(b, &rows->row[i]) &&
		    (!most || rows->row[i].times->ns > most->times->ns))
			most = &rows->row[i];
	return most;
}

/* Makes a bar of the longest steps, in the order of the path. */
static struct stages_bar stages_make_bar(const struct stages_rows *rows,
					 const struct stages_row *whole)
{
	struct stages_bar chosen = { .path = whole->path, .whole = whole }, b = chosen;
	const struct stages_row *step;

	while (chosen.n < STAGES_MOST && (step = stages_longest(rows, &chosen)))
		chosen.step[chosen.n++] = step;
	b.ns = (double)whole->times->ns;
	for (size_t i = 0; i < rows->n; i++) {
		if (!stages_has(&b, &rows->row[i]))
			continue;
		if (stages_is_shown(&chosen, &rows->row[i]))
			b.step[b.n++] = &rows->row[i];
		else
			b.others_ns += (double)rows->row[i].times->ns;
	}
	return b;
}

static void stages_draw_bar(struct plot *p, const struct stages_bar *b, double y)
{
	double x = PLOT_MARGIN;

	for (size_t i = 0; i < b->n; i++) {
		double length =
			stages_length(p) * known_ratio((double)b->step[i]->times->ns, b->ns);

		if (!(length > 0))
			continue;
		plot_rect(p, x, y - STAGES_BAR / 2, length, STAGES_BAR, category_color("", i));
		x += length;
	}
	if (b->others_ns > 0)
		plot_rect(p, x, y - STAGES_BAR / 2, PLOT_MARGIN + stages_length(p) - x, STAGES_BAR,
			  COLOR_SELF);
}

static void stages_draw_step(struct plot *p, const struct stages_bar *b, size_t i, double x,
			     double y)
{
	const struct stages_row *s = b->step[i];
	char title[48], text[PACKETS_TEXT];
	struct dist_summary r;

	snprintf(title, sizeof(title), "%s to %s", stages_keys[s->from], stages_keys[s->to]);
	plot_legend(p, x, y, category_color("", i), title);
	dist_summarize(&r, s->times);
	plot_text(p, x + STAGES_VALUES, y, PLOT_GREY, "%s %%, %s",
		  PERCENT((double)s->times->ns / b->ns, 0), packets_text(text, &r));
}

/* Draws the list of steps in two columns. Returns the y position of the end of the last line. */
static double stages_draw_steps(struct plot *p, const struct stages_bar *b, double y)
{
	size_t n = b->n + (b->others_ns > 0);

	for (size_t i = 0; i < n; i++) {
		double x = PLOT_MARGIN + (double)(i % 2) * stages_length(p) / 2;
		double at = y + PLOT_ROW * (double)(i / 2);

		if (i < b->n) {
			stages_draw_step(p, b, i, x, at);
			continue;
		}
		plot_legend(p, x, at, COLOR_SELF, "other steps");
		plot_text(p, x + STAGES_VALUES, at, PLOT_GREY, "%s %%",
			  PERCENT(b->others_ns / b->ns, 0));
	}
	return y + PLOT_ROW * (double)((n + 1) / 2) - PLOT_ROW;
}

/* Draws a path. Returns the y position of the next path. */
static double stages_draw_path(struct plot *p, const struct stages_bar *b, double y)
{
	char text[PACKETS_TEXT];
	struct dist_summary r;

	dist_summarize(&r, b->whole->times);
	plot_text(p, PLOT_MARGIN, y, PLOT_BOLD, "%s", stages_path_titles[b->path]);
	plot_text(p, PLOT_MARGIN + stages_length(p), y, PLOT_RIGHT, "mean %s, %s",
		  MEASURED(r.mean_ns, TEXT_NS), packets_text(text, &r));
	stages_draw_bar(p, b, y + STAGES_TITLE);
	return stages_draw_steps(p, b, y + STAGES_TITLE + STAGES_BELOW) + STAGES_BETWEEN;
}

bool plot_stages(struct plot *p)
{
	struct stages_rows rows;

	if (!p->m->stages || !(stages_finished(p->m->stages) > 0))
		return plot_fail(p, "has no packet paths: record with netcost-record --stages");
	if (stages_rows_make(&rows, p->m))
		return plot_no_memory(p);
	plot_text(p, PLOT_MARGIN, PLOT_TOP + 4, PLOT_GREY,
		  "Each bar: the time that all packets of a path took, from stage to stage.");
	p->height = PLOT_TOP + 30;
	for (size_t i = 0; i < rows.n; i++) {
		const struct stages_row *r = &rows.row[i];
		struct stages_bar b;

		if (r->from != STAGES_WHOLE || r->key != STAGES_KEY_ALL || !r->times->ns)
			continue;
		b = stages_make_bar(&rows, r);
		p->height = stages_draw_path(p, &b, p->height);
	}
	stages_rows_free(&rows);
	return true;
}
