// SPDX-License-Identifier: BSD-2-Clause
/* The table of charts. A chart is drawn as a script, and as a picture. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "report/analysis/accuracy.h"

const struct plot_chart plot_chart[PLOT_CHARTS] = {
	{ .name = "breakdown",
	  .help = "where the CPU time went: all CPU time, the network's part, the RX softirq's part",
	  .title = "Where the CPU time went",
	  .width = 1020,
	  .draw = plot_breakdown },
	{ .name = "pies",
	  .help = "where the CPU time went, as pies: all CPU time, then the parts of the kernel, the "
		  "network and the RX softirq",
	  .title = "Where the CPU time went, in detail",
	  .width = 1200,
	  .draw = plot_pies },
	{ .name = "timeline",
	  .help = "CPU time, network, RX softirq and power over time, as areas",
	  .title = "CPU time over time",
	  .width = 1060,
	  .intervals = true,
	  .draw = plot_timeline },
	{ .name = "who",
	  .help = "on-CPU and network time by process or cgroup over time",
	  .title = "", /* set by plot_processes() */
	  .width = 1060,
	  .intervals = true,
	  .times = true,
	  .draw = plot_processes },
	{ .name = "latency",
	  .help = "packet latency: for each time, the share of packets that waited longer",
	  .title = "Packet latency",
	  .width = 1060,
	  .of_all =
		  "latencies cover all CPUs and tasks: they cannot be limited with --cpu, --task or --cgroup",
	  .latency = true,
	  .draw = plot_latency },
	{ .name = "heatmap",
	  .help = "packet latency over time",
	  .title = "Packet latency over time",
	  .width = 1060,
	  .of_all =
		  "latencies cover all CPUs and tasks: they cannot be limited with --cpu, --task or --cgroup",
	  .intervals = true,
	  .latency = true,
	  .map = true,
	  .draw = plot_heatmap },
	{ .name = "path",
	  .help = "packet path: the time that packets spend from stage to stage",
	  .title = "Packet path",
	  .width = 1100,
	  .of_all =
		  "packet paths cover all CPUs and tasks: they cannot be limited with --cpu, --task or --cgroup",
	  .stages = true,
	  .draw = plot_stages },
	{ .name = "stability",
	  .help = "errors of samples, at the recorded sampling rate and at slower rates",
	  .title = "Errors of samples, by sampling rate",
	  .width = 1060,
	  .intervals = true,
	  .bins = true,
	  .draw = plot_stability },
	{ .name = "accuracy",
	  .help = "exact times compared with samples, and the error expected by theory",
	  .title = "Exact times against samples",
	  .width = 1090,
	  .intervals = true,
	  .bins = true,
	  .draw = plot_accuracy },
};

const struct plot_chart *plot_find(const char *name)
{
	for (size_t i = 0; i < PLOT_CHARTS; i++)
		if (!strcmp(plot_chart[i].name, name))
			return &plot_chart[i];
	return NULL;
}

/* Draws a chart that compares samples with exact times. */
static bool draw_accuracy(struct plot *p)
{
	struct accuracy *a;
	bool ok;

	if (!p->bins || !p->bins->tracks)
		return plot_fail(p, "has too many ticks; set longer intervals with --every");
	if (accuracy_make(&a, p->m, p->bins, 1))
		return plot_no_memory(p);
	p->accuracy = a;
	ok = a->none ? plot_fail(p, "%s", a->none) : p->chart->draw(p);
	accuracy_free(a);
	return ok;
}

static bool draw(struct plot *p)
{
	if (p->chart->of_all && !model_is_of_all(p->m))
		return plot_fail(p, "%s", p->chart->of_all);
	snprintf(p->title, sizeof(p->title), "%s", p->chart->title);
	return p->chart->bins ? draw_accuracy(p) : p->chart->draw(p);
}

/* Closes a memory stream. Returns false if data was lost. */
static bool finish(FILE *stream)
{
	bool ok = stream && !ferror(stream);

	return stream && !fclose(stream) && ok;
}

bool plot_script(struct plot *p, const struct plot_chart *chart)
{
	char *page = NULL, *panels = NULL;
	size_t page_size, panels_size;
	bool ok, complete;

	p->chart = chart;
	p->npanels = 0;
	p->height = 0;
	p->page = open_memstream(&page, &page_size);
	p->panels = open_memstream(&panels, &panels_size);
	ok = p->page && p->panels ? draw(p) : plot_no_memory(p);
	complete = finish(p->page);
	complete &= finish(p->panels);
	if (ok && !complete)
		ok = plot_no_memory(p);
	if (ok)
		plot_write(p, page, panels);
	free(page);
	free(panels);
	return ok;
}

FILE *plot_picture(struct plot *p, const struct plot_chart *chart)
{
	FILE *picture = NULL;

	p->out = tmpfile();
	p->no_script = p->out && !plot_script(p, chart);
	if (!p->out)
		plot_fail(p, "cannot make a temporary file: %s", strerror(errno));
	else if (!p->no_script)
		picture = gnuplot_run(p->out, p->why, sizeof(p->why));
	if (p->out)
		fclose(p->out);
	return picture;
}
