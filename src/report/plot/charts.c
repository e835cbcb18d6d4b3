// SPDX-License-Identifier: BSD-2-Clause
#include "charts.h"

#include <errno.h>
#include <string.h>

#include "plot_gnuplot.h"

const struct plot_chart plot_chart[PLOT_CHARTS] = {
	{ "breakdown", "where the CPU time went: all of it, the kernel's, the RX softirq's", false,
	  false, false, false, plot_breakdown },
	{ "pies", "likewise, as pies: CPU time, kernel, network, RX softirq", false, false, false,
	  false, plot_pies },
	{ "timeline", "how it changes: areas of CPU time, network, RX softirq; power", true, false,
	  false, false, plot_timeline },
	{ "processes", "on-CPU and network time by process or cgroup, as they change", true, false,
	  true, false, plot_processes },
	{ "latency", "for how long packets waited: which share of them for longer", false, false,
	  false, true, plot_latency },
	{ "stability", "how far samples are off, at this rate and at slower ones", true, true,
	  false, false, plot_stability },
	{ "accuracy", "exact times against samples, beside what theory says", true, true, false,
	  false, plot_accuracy },
	{ "overhead", "what the recording itself cost: its programs, the recorder", false, false,
	  false, false, plot_overhead },
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
