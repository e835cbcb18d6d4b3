// SPDX-License-Identifier: BSD-2-Clause
#include "charts.h"

#include <errno.h>
#include <string.h>

#include "plot_gnuplot.h"

const struct plot_chart plot_chart[PLOT_CHARTS] = {
	{ .name = "breakdown",
	  .help = "where the CPU time went: all of it, the kernel's, the RX softirq's",
	  .write = plot_breakdown },
	{ .name = "pies",
	  .help = "likewise, as pies: CPU time, kernel, network, RX softirq",
	  .write = plot_pies },
	{ .name = "timeline",
	  .help = "how it changes: areas of CPU time, network, RX softirq; power",
	  .intervals = true,
	  .write = plot_timeline },
	{ .name = "processes",
	  .help = "on-CPU and network time by process or cgroup, as they change",
	  .intervals = true,
	  .times = true,
	  .write = plot_processes },
	{ .name = "latency",
	  .help = "for how long packets waited: which share of them for longer",
	  .latency = true,
	  .write = plot_latency },
	{ .name = "heatmap",
	  .help = "how many packets waited for how long, as it changes",
	  .intervals = true,
	  .latency = true,
	  .map = true,
	  .write = plot_heatmap },
	{ .name = "stages",
	  .help = "where packets' time goes on their way, from stage to stage",
	  .stages = true,
	  .write = plot_stages },
	{ .name = "stability",
	  .help = "how far samples are off, at this rate and at slower ones",
	  .intervals = true,
	  .bins = true,
	  .write = plot_stability },
	{ .name = "accuracy",
	  .help = "exact times against samples, beside what theory says",
	  .intervals = true,
	  .bins = true,
	  .write = plot_accuracy },
};

const struct plot_chart *plot_find(const char *name)
{
	for (size_t i = 0; i < PLOT_CHARTS; i++)
		if (!strcmp(plot_chart[i].name, name))
			return &plot_chart[i];
	return NULL;
}

bool plot_script(struct plot *p, const struct plot_chart *chart)
{
	p->chart = chart;
	return chart->write(p);
}

FILE *plot_picture(struct plot *p, const struct plot_chart *chart)
{
	struct plot drawn = *p;
	FILE *picture = NULL;

	drawn.out = tmpfile();
	if (!drawn.out)
		plot_fail(p, "cannot make a temporary file: %s", strerror(errno));
	else if (!plot_script(&drawn, chart))
		memcpy(p->why, drawn.why, sizeof(p->why));
	else
		picture = gnuplot_run(drawn.out, p->why, sizeof(p->why));
	if (drawn.out)
		fclose(drawn.out);
	return picture;
}
