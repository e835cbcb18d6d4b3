// SPDX-License-Identifier: BSD-2-Clause
/*
 * netcost-report folded, flamegraph and plot: write stacks as text, flame graphs for a browser, and
 * charts by gnuplot.
 */
#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "command.h"
#include "report/analysis/energy.h"
#include "report/base/text.h"
#include "report/plot/plot.h"
#include "report/stacks/stacks.h"
#include "report/tables/tables.h"

/* ---- folded ------------------------------------------------------------------------------ */

enum { WEIGHT_SAMPLES = 1, WEIGHT_ENERGY };
const char *const folded_weights[] = { "samples", "energy", NULL };

struct folded {
	const struct options *o;
	struct outfile file;
	FILE *out; /* the output; NULL if it is not open yet */
	bool failed;
	/* buffer of out: stdio's default buffer needs a system call for every few lines */
	char buffer[1 << 16];
};

/*
 * Opens the output when the first line is about to be written. If the trace cannot be read, an existing file is kept.
 */
static bool open_out(struct folded *f)
{
	if (f->out || f->failed)
		return !f->failed;
	f->out = command_open(&f->file, f->o->output);
	f->failed = !f->out;
	if (f->out)
		setvbuf(f->out, f->buffer, _IOFBF, sizeof(f->buffer));
	return !f->failed;
}

/* Returns the energy of all samples, uJ; 0 if lines have numbers of samples; NaN if the energy is unknown. */
static double microjoules(const struct options *o, const struct model *m)
{
	return o->weight == WEIGHT_ENERGY ? round(1e6 * energy_joules(m)) : 0;
}

static bool print_folded(void *ctx, const struct model *m, const struct part *part)
{
	struct folded *f = ctx;
	char root[sizeof(part->name)], lacks[LACKS_SIZE];
	double sum = microjoules(f->o, m);
	bool idle = f->o->only || (f->o->idle && !(sum > 0));
	struct chosen only;
	int err;

	if (isnan(sum)) {
		tell(PART_TITLE(part), "has no known energy; summary says why");
		f->failed = true;
		return false;
	}
	if (lacks_samples(m, lacks)) {
		tell(PART_TITLE(part), "%s", lacks);
		return true;
	}
	if (!open_out(f))
		return false;
	memcpy(root, part->name, sizeof(root));
	escape_folded(root);
	err = options_choose(f->o, m, part, idle ? LEAF_ALL : LEAF_ALL & ~LEAF_BIT(IDLE), &only);
	if (!err)
		err = folded_write(f->out, m, part->alone ? NULL : root, &only.of, f->o->per_cpu,
				   sum);
	if (err)
		tell(PART_TITLE(part), "out of memory");
	f->failed |= err;
	return !err;
}

const char *folded_wrong(const struct options *o)
{
	if (o->weight == WEIGHT_ENERGY && options_select(o))
		return "--weight=energy covers all CPUs and tasks; it cannot be combined with --cpu, --task or --cgroup";
	if (o->weight == WEIGHT_ENERGY && (o->idle || o->only))
		return "--weight=energy is distributed over all stacks that are not idle; it cannot be combined with --idle or --only";
	return only_wrong(o);
}

enum exit_status folded_run(const struct options *o)
{
	struct folded f = { .o = o };
	/* Leaves are only needed to distinguish the recorder's own or idle stacks, and for --only. */
	bool no_leaves = o->filter.with_own_cost && o->idle && !o->only;
	unsigned int keep = (o->only ? 0u : MODEL_BY_STACK) |
			    (o->per_cpu ? MODEL_CPU_STACKS : MODEL_TASKS | MODEL_STACK_TASKS) |
			    (no_leaves ? MODEL_ONLY_STACKS : 0u);
	enum exit_status status = models_each(o, o->file, keep, NULL, print_folded, &f);

	if (!f.out || command_end(&f.file, f.out, o->output, !f.failed))
		status = status ? status : EXIT_FAILED;
	return status;
}

/* ---- flamegraph -------------------------------------------------------------------------- */

struct graph {
	const struct options *o;
	/* model of the earlier trace; NULL if there is only one trace */
	const struct model *before;
	char before_title[PART_TITLE_SIZE];
	unsigned int drawn;
};

static bool draw(struct graph *g, const struct model *m, const struct part *part)
{
	unsigned int leaves = g->o->idle || g->o->only ? LEAF_ALL : LEAF_ALL & ~LEAF_BIT(IDLE);
	struct flamegraph_options options = {
		.title = PART_TITLE(part),
		.before = g->before ? g->before_title : NULL,
		.only = g->o->idle ? "" : ", without idle time",
		.icicle = g->o->icicle,
	};
	struct chosen only;
	char title[sizeof(only.title) + 2];
	struct outfile file;
	FILE *out;
	int err = options_choose(g->o, m, part, leaves, &only);

	out = err ? NULL : command_open(&file, g->o->output);
	if (!out)
		return false;
	options.of = only.of;
	snprintf(title, sizeof(title), ", %s", only.title);
	if (g->o->only)
		options.only = title;
	err = flamegraph_write(out, m, g->before, &options);
	if (err)
		tell(PART_TITLE(part), "out of memory");
	if (command_end(&file, out, g->o->output, !err))
		return false;
	command_wrote(g->o);
	return true;
}

static bool print_graph(void *ctx, const struct model *m, const struct part *part)
{
	struct graph *g = ctx;

	if (!models_is_first(&g->drawn, part, "draw"))
		return false;
	if (!m->samples) {
		tell(PART_TITLE(part), "has no samples: there are no stacks to draw");
		return false;
	}
	return draw(g, m, part);
}

static unsigned int graph_keep(const struct options *o)
{
	return MODEL_TASKS | MODEL_STACK_TASKS | (o->only ? 0u : MODEL_BY_STACK);
}

/* Receives the model of the earlier trace, and draws the later trace while the earlier model exists. */
static bool compare(void *ctx, const struct model *m, const struct part *part)
{
	struct graph *g = ctx;

	if (g->before)
		return true;
	g->before = m;
	snprintf(g->before_title, sizeof(g->before_title), "%s", PART_TITLE(part));
	return !models_each(g->o, g->o->operand[1], graph_keep(g->o), NULL, print_graph, g);
}

enum exit_status flamegraph_run(const struct options *o)
{
	struct graph g = { .o = o };

	if (!command_is_named(o, ".svg"))
		return EXIT_USAGE;
	return models_each(o, o->file, graph_keep(o), NULL,
			   o->noperands > 1 ? compare : print_graph, &g);
}

/* ---- plot -------------------------------------------------------------------------------- */

struct drawing {
	const struct options *o;
	const struct plot_chart *chart;
	enum plot_format format;
	struct intervals intervals;
	union collected *collected;
	unsigned int drawn;
};

static bool copy_picture(FILE *picture, FILE *out)
{
	char buffer[1 << 14];
	size_t n;

	while ((n = fread(buffer, 1, sizeof(buffer), picture)) > 0)
		fwrite(buffer, 1, n, out);
	return !ferror(picture);
}

static bool write_script(const struct drawing *d, struct plot *p)
{
	struct outfile file;
	bool ok;

	p->out = command_open(&file, d->o->output);
	if (!p->out)
		return false;
	ok = plot_script(p, d->chart);
	if (!ok)
		tell(PART_TITLE(p->part), "%s", p->why);
	return !command_end(&file, p->out, d->o->output, ok);
}

/* Opens the output and writes the picture. If no picture can be drawn, an existing file is kept. */
static bool write_picture(const struct drawing *d, struct plot *p)
{
	FILE *picture = plot_picture(p, d->chart), *out;
	struct outfile file;
	bool ok = false;

	if (!picture) {
		tell(PART_TITLE(p->part), "%s", p->why);
		return false;
	}
	out = command_open(&file, d->o->output);
	if (out)
		ok = !command_end(&file, out, d->o->output, copy_picture(picture, out));
	fclose(picture);
	return ok;
}

static bool print_chart(void *ctx, const struct model *m, const struct part *part)
{
	struct drawing *d = ctx;
	struct plot p = { .m = m,
			  .part = part,
			  .intervals = &d->intervals,
			  .bins = d->chart->bins ? &d->collected->bins : NULL,
			  .times = d->chart->times ? &d->collected->process_times : NULL,
			  .map = d->chart->map ? &d->collected->latency_map : NULL,
			  .by = word_index(d->o->by),
			  .top = d->o->rows,
			  .format = d->format };

	if (!models_is_first(&d->drawn, part, "draw"))
		return false;
	if (d->chart->intervals && !intervals_fit(&d->intervals, part))
		return false;
	return d->o->script ? write_script(d, &p) : write_picture(d, &p);
}

const char *const *plot_chart_names(void)
{
	static const char *names[PLOT_CHARTS + 1];

	for (size_t i = 0; i < PLOT_CHARTS; i++)
		names[i] = plot_chart[i].name;
	return names;
}

static const struct plot_chart *find_chart(const char *name)
{
	const struct plot_chart *chart = plot_find(name);

	if (!chart)
		command_tell_unknown("plot", "chart", name, plot_chart_names());
	return chart;
}

static bool is_format(const char *name, enum plot_format *format)
{
	for (unsigned int f = 0; f < PLOT_FORMATS; f++)
		if (!strcasecmp(plot_format_names[f], name)) {
			*format = (enum plot_format)f;
			return true;
		}
	return false;
}

/* Finds the format from --format, else from the extension of the output file, else SVG. */
static bool find_format(const struct options *o, enum plot_format *format)
{
	const char *dot = command_to_stdout(o->output) ? NULL : strrchr(o->output, '.');

	*format = PLOT_SVG;
	if (o->format)
		*format = o->format - 1;
	if (o->format || o->script)
		return true;
	if (!command_to_stdout(o->output) && (!dot || !is_format(dot + 1, format))) {
		fprintf(stderr,
			"netcost-report: plot: '%s' does not end in .svg, .png or .pdf; choose with --format\n",
			o->output);
		return false;
	}
	return true;
}

static enum exit_status draw_chart(struct drawing *d)
{
	const struct plot_chart *chart = d->chart;
	enum collect what = chart->bins	 ? COLLECT_BINS :
			    chart->times ? COLLECT_PROCESS_TIMES :
			    chart->map	 ? COLLECT_LATENCY_MAP :
					   COLLECT_NOTHING;
	unsigned int keep = (chart->times ? MODEL_PROCESSES | MODEL_CGROUPS : 0u) |
			    (chart->latency ? MODEL_LATENCY : 0u) |
			    (chart->stages ? MODEL_STAGES : 0u);
	enum exit_status status = EXIT_FAILED;

	intervals_init(&d->intervals, d->o->every_ns);
	d->intervals.wants_rx = !chart->bins;
	d->collected = collected_new(what, d->o, &d->intervals);
	if (d->collected)
		status = models_each(d->o, d->o->file, keep,
				     chart->intervals ? &d->intervals : NULL, print_chart, d);
	else
		tell(input_name(d->o->file), "out of memory");
	intervals_free(&d->intervals);
	collected_free(what, d->collected);
	return status;
}

/* Returns true if the usage is wrong, which is reported. */
static bool is_wrong_usage(const struct drawing *d)
{
	bool wrong = (d->o->by || d->o->rows) && !d->chart->times;

	if (wrong)
		fputs("netcost-report: plot: --by and --rows are only for the chart \"who\"\n",
		      stderr);
	return wrong;
}

enum exit_status plot_run(const struct options *o)
{
	struct drawing d = { .o = o, .chart = find_chart(o->operand[0]) };

	if (!d.chart || is_wrong_usage(&d) || !find_format(o, &d.format))
		return EXIT_USAGE;
	return draw_chart(&d);
}

void plot_list_charts(FILE *out)
{
	fputs("Charts:\n", out);
	for (size_t i = 0; i < PLOT_CHARTS; i++)
		fprintf(out, "  %-11s %s\n", plot_chart[i].name, plot_chart[i].help);
}
