// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report plot: charts, drawn by gnuplot. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models.h"
#include "report/analysis/accuracy/accuracy_bins.h"
#include "report/analysis/latency_map.h"
#include "report/analysis/process_times.h"
#include "report/base/part.h"
#include "report/plot/plot.h"
#include "report/tables/processes_doc.h"

struct plot_options {
	struct trace_options trace;
	const char *format, *output, *every, *by;
	unsigned long top;
	bool script;
};

struct drawing {
	const struct plot_options *o;
	const struct plot_chart *chart;
	enum plot_format format;
	struct intervals intervals;
	struct accuracy_bins *bins; /* NULL: the chart does not want them */
	struct process_times times;
	struct latency_map map;
	unsigned int drawn;
};

static bool to_stdout(const struct plot_options *o)
{
	return !o->output || !strcmp(o->output, "-");
}

static bool copy(FILE *picture, FILE *out)
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

/* The output is opened once there is a picture: if none can be drawn, an older one stays. */
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
		ok = !command_end(&file, out, d->o->output, copy(picture, out));
	fclose(picture);
	return ok;
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct drawing *d = ctx;
	struct plot p = { .m = m,
			  .part = part,
			  .intervals = &d->intervals,
			  .bins = d->bins,
			  .times = d->chart->times ? &d->times : NULL,
			  .map = d->chart->map ? &d->map : NULL,
			  .by = processes_by_of(d->o->by),
			  .top = d->o->top,
			  .format = d->format };

	if (!models_is_first(&d->drawn, part, "draw"))
		return false;
	if (d->chart->intervals && !intervals_fit(&d->intervals, PART_TITLE(part)))
		return false;
	return d->o->script ? write_script(d, &p) : write_picture(d, &p);
}

/* ---- command ----------------------------------------------------------------------------- */

static const struct plot_chart *find_chart(const char *name)
{
	const struct plot_chart *chart = plot_find(name);

	if (chart)
		return chart;
	fprintf(stderr, "netcost-report: plot: '%s' is not a chart; there are:", name);
	for (size_t i = 0; i < PLOT_CHARTS; i++)
		fprintf(stderr, "%s %s", i ? "," : "", plot_chart[i].name);
	fputc('\n', stderr);
	return NULL;
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

/* What --format says, otherwise the ending of the output's name; SVG if there is neither. */
static bool find_format(const struct plot_options *o, enum plot_format *format)
{
	const char *dot = to_stdout(o) ? NULL : strrchr(o->output, '.');

	*format = PLOT_SVG;
	if ((o->format && is_format(o->format, format)) || o->script)
		return true;
	if (!to_stdout(o) && (!dot || !is_format(dot + 1, format))) {
		fprintf(stderr,
			"netcost-report: plot: '%s' does not end in .svg, .png or .pdf; choose with --format\n",
			o->output);
		return false;
	}
	return true;
}

/* A picture that is not text would only disturb a terminal. */
static bool fits_stdout(const struct plot_options *o, enum plot_format format)
{
	if (o->script || !to_stdout(o) || format == PLOT_SVG || !isatty(STDOUT_FILENO))
		return true;
	fputs("netcost-report: plot: this picture is not for a terminal; use -o FILE, or a pipe\n",
	      stderr);
	return false;
}

/* False: no memory. */
static bool watch_bins(struct drawing *d)
{
	if (!d->chart->bins)
		return true;
	d->bins = malloc(sizeof(*d->bins));
	if (!d->bins)
		return false;
	accuracy_bins_init(d->bins);
	d->intervals.watch = &d->bins->watch;
	d->intervals.window_ticks = true;
	return true;
}

static enum exit_status draw(struct drawing *d, uint64_t every_ns)
{
	const char *file = d->o->trace.common.file;
	enum exit_status status = EXIT_FAILED;

	intervals_init(&d->intervals, every_ns);
	d->intervals.wants_rx = !d->chart->bins;
	process_times_init(&d->times);
	latency_map_init(&d->map);
	d->intervals.second = d->chart->times ? &d->times.watch :
			      d->chart->map   ? &d->map.pieces.watch :
						NULL;
	if (watch_bins(d))
		status = models_each(&d->o->trace, file,
				     (d->chart->times ? MODEL_PROCESSES | MODEL_CGROUPS : 0u) |
					     (d->chart->latency ? MODEL_LATENCY : 0u) |
					     (d->chart->stages ? MODEL_STAGES : 0u),
				     d->chart->intervals ? &d->intervals : NULL, print, d);
	else
		tell(input_name(file), "out of memory");
	intervals_free(&d->intervals);
	process_times_free(&d->times);
	latency_map_free(&d->map);
	if (d->bins)
		accuracy_bins_free(d->bins);
	free(d->bins);
	return status;
}

/* Reported. */
static bool is_wrong_usage(const struct drawing *d)
{
	bool wrong = (d->o->by || d->o->top) && !d->chart->times;

	if (wrong)
		fputs("netcost-report: plot: --by and --rows are for the chart processes\n",
		      stderr);
	return wrong;
}

static enum exit_status run(const struct config *cfg)
{
	const struct plot_options *o = (const struct plot_options *)cfg;
	struct drawing d = { .o = o, .chart = find_chart(cfg->operand[0]) };
	uint64_t every_ns;

	if (!d.chart || is_wrong_usage(&d) || !find_format(o, &d.format) ||
	    !fits_stdout(o, d.format) || !interval_parse(o->every, &every_ns))
		return EXIT_USAGE;
	return draw(&d, every_ns);
}

static void list_charts(FILE *out)
{
	fputs("Charts:\n", out);
	for (size_t i = 0; i < PLOT_CHARTS; i++)
		fprintf(out, "  %-11s %s\n", plot_chart[i].name, plot_chart[i].help);
}

static const struct opt_desc opts[] = {
	OPT_WORD(struct plot_options, format, "format", NULL, plot_format_names,
		 "the kind of picture (by the name of FILE, otherwise svg)"),
	OPT_OUTPUT(struct plot_options),
	OPT_SWITCH(struct plot_options, script, "script",
		   "write the script for gnuplot, with its data, instead of the picture"),
	OPT_INTERVAL(struct plot_options),
	OPT_WORD(struct plot_options, by, "by", "WHAT", processes_by_names,
		 "the chart processes: an area for each process, cgroup, container, name of "
		 "processes, or user (process)"),
	OPT_NUMBER(struct plot_options, top, "rows", "N", PLOT_PROCESSES_MOST,
		   "likewise: this many; the others are one area (10)"),
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
};

const struct command command_plot = {
	.name = "plot",
	.help = "charts by gnuplot, as SVG, PNG or PDF",
	.run = run,
	COMMAND_OPTIONS(struct plot_options, opts),
	.operands = "CHART [FILE]",
	.min = 1,
	.max = 2,
	.words = 1,
	.more = list_charts,
};
