// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chart `overhead`: what the recording itself took of the CPU time: each method, each
 * program.
 */
#include <math.h>
#include <stdlib.h>

#include "plot_draw.h"
#include "report/analysis/accuracy/accuracy.h"
#include "report/base/text.h"

#define WIDTH 940.0
#define TITLES 340.0 /* where bars begin */
#define LENGTH 440.0
#define ROW 24.0
#define BAR 15.0
#define PROGRAMS 14 /* more are one bar */

#define COLOR_FFT "#0072b2"
#define COLOR_RECORDER "#e69f00"

struct bar {
	const char *title, *color;
	const char *more; /* NULL: nothing */
	double share;	  /* NaN: not known */
	double runs_per_s, ns_per_run;
	bool program;
};

struct bars {
	struct bar *bar;
	size_t n;
};

static struct bar *add(struct bars *b, const char *title, const char *color, double share)
{
	b->bar[b->n] = (struct bar){
		.title = title, .color = color, .share = share, .runs_per_s = NAN, .ns_per_run = NAN
	};
	return &b->bar[b->n++];
}

static int by_share(const void *pa, const void *pb)
{
	const struct bar *a = pa, *b = pb;
	double sa = isnan(a->share) ? -1 : a->share, sb = isnan(b->share) ? -1 : b->share;

	return (sa < sb) - (sa > sb);
}

static void add_program(struct bars *b, const struct model *m, const struct model_program *g)
{
	struct cost_program p = cost_program(m, g);
	struct bar *bar =
		add(b, model_string(m, g->function ? g->function : g->name), COLOR_FFT, p.share);

	bar->more = g->function ? model_string(m, g->name) : NULL;
	bar->runs_per_s = p.runs / (counter_moved(&m->counted_ns) * 1e-9);
	bar->ns_per_run = p.ns_per_run;
	bar->program = true;
}

/* The most expensive ones, and the others as one. */
static void add_programs(struct bars *b, const struct model *m)
{
	struct bar *program = &b->bar[b->n];
	double rest = 0;

	for (size_t i = 0; i < m->nprograms; i++)
		add_program(b, m, &m->program[i]);
	qsort(program, m->nprograms, sizeof(*program), by_share);
	if (m->nprograms <= PROGRAMS)
		return;
	for (size_t i = PROGRAMS - 1; i < m->nprograms; i++)
		rest += program[i].share;
	b->n -= m->nprograms - (PROGRAMS - 1);
	add(b, "other programs", COLOR_FFT, rest)->program = true;
}

static double longest(const struct bars *b)
{
	double most = 0;

	for (size_t i = 0; i < b->n; i++)
		most = fmax(most, b->bar[i].share); /* of NaN and a number the number */
	return most > 0 ? most : 1;
}

static void draw_bar(struct plot *p, const struct bar *b, double y, double longest_share)
{
	double x = TITLES, length = LENGTH * b->share / longest_share;

	plot_text(p, PLOT_MARGIN + (b->program ? 16 : 0), y, b->program ? PLOT_LEFT : PLOT_BOLD,
		  "%.*s", b->more ? 22 : 42, b->title);
	if (b->more)
		plot_text(p, TITLES - 10, y, PLOT_RIGHT | PLOT_GREY, "%.16s", b->more);
	if (isnan(b->share)) {
		plot_rect(p, x, y - BAR / 2, 60, BAR, NULL);
		plot_text(p, x + 68, y, PLOT_GREY, "not measured");
		return;
	}
	plot_rect(p, x, y - BAR / 2, length, BAR, b->color);
	if (isnan(b->ns_per_run))
		plot_text(p, x + length + 8, y, PLOT_LEFT, "%s %%", PERCENT(b->share, 2));
	else
		plot_text(p, x + length + 8, y, PLOT_LEFT, "%s %%   %s/s of %s ns",
			  PERCENT(b->share, 2), NUM(b->runs_per_s, 0), NUM(b->ns_per_run, 0));
}

static void draw(struct plot *p, const struct bars *b, const struct accuracy_cost *c)
{
	double y = PLOT_TOP + 22, most = longest(b);

	plot_begin(p, WIDTH, y + ROW * (double)b->n + 52, "What the recording itself cost");
	for (size_t i = 0; i < b->n; i++, y += ROW)
		draw_bar(p, &b->bar[i], y, most);
	plot_text(
		p, PLOT_MARGIN, y + 8, PLOT_GREY,
		"%% of the time of all recorded CPUs. Programs: without entry and exit of each run; "
		"%s of %s s were counted.",
		NUM(c->cost.counted_s, 1), NUM(c->cost.of_s, 1));
	plot_text(p, PLOT_MARGIN, y + 26, PLOT_GREY,
		  "The recorder reads the counters and the samples, and writes the file.");
	plot_end(p);
}

bool plot_overhead(struct plot *p)
{
	struct accuracy_cost c = accuracy_cost(p->m);
	struct bars b = { .n = 0 };

	if (isnan(c.recorder) && !p->m->nprograms)
		return plot_fail(p, "does not say what the recording cost");
	b.bar = calloc(p->m->nprograms + 3, sizeof(*b.bar));
	if (!b.bar)
		return plot_no_memory(p);
	add(&b, "recorder, user and system", COLOR_RECORDER, c.recorder);
	if (p->m->header.sample_hz)
		add(&b, "interrupts that take samples", NULL, NAN);
	if (c.cost.has_programs)
		add(&b, "BPF programs, all", COLOR_FFT, c.cost.programs);
	add_programs(&b, p->m);
	draw(p, &b, &c);
	free(b.bar);
	return true;
}
