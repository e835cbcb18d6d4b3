// SPDX-License-Identifier: BSD-2-Clause
/* The page: charts. Each is an image inside the page, which runs nothing and shares no names with the others. */
#include <ctype.h>
#include <string.h>

#include "page.h"
#include "report/base/html.h"
#include "report/base/tell.h"
#include "report/plot/charts.h"
#include "report/plot/plot_gnuplot.h"

/* Characters that need no escape in a URL between quotes. */
static bool is_plain(int c)
{
	return isalnum(c) || (c && strchr(" -_.,:;=/()", c));
}

static void put_image(FILE *out, const char *help, FILE *picture)
{
	int c;

	fputs("<figure class=\"chart\" tabindex=\"0\"><img alt=\"", out);
	html_printf(out, "chart: %s", help);
	fputs("\" src=\"data:image/svg+xml,", out);
	while ((c = fgetc(picture)) != EOF)
		fprintf(out, is_plain(c) ? "%c" : "%%%02X", c);
	fputs("\"></figure>\n", out);
}

/* False: there is no gnuplot, so there are no charts at all. */
static bool draw(struct plot *p, const struct plot_chart *chart, FILE *page)
{
	char why[300];
	FILE *picture;

	if (!plot_script(p, chart)) {
		html_paragraph(page, "note", "%s: %s.", chart->name, p->why);
		return true;
	}
	picture = gnuplot_run(p->out, why, sizeof(why));
	if (!picture) {
		html_paragraph(page, "alert note", "No charts: %s.", why);
		tell(PART_TITLE(p->part), "the page is without charts: %s", why);
		return false;
	}
	put_image(page, chart->help, picture);
	fclose(picture);
	return true;
}

static bool chart(const struct page *p, const struct plot_chart *chart)
{
	struct plot plot = { .m = p->m,
			     .part = p->part,
			     .intervals = p->intervals,
			     .bins = p->bins,
			     .times = p->times,
			     .format = PLOT_SVG,
			     .out = tmpfile() };
	bool ok;

	if (!plot.out) {
		html_paragraph(p->out, "alert note",
			       "No charts: there is no room for a temporary file.");
		tell(PART_TITLE(p->part),
		     "the page is without charts: cannot make a temporary file");
		return false;
	}
	ok = draw(&plot, chart, p->out);
	fclose(plot.out);
	return ok;
}

int page_charts(const struct page *p, struct doc *d)
{
	if (!p->charts)
		doc_note(d, "Left out.");
	for (size_t i = 0; p->charts && i < PLOT_CHARTS; i++) {
		/* A map would be larger than all of the others. */
		if (plot_chart[i].map || (plot_chart[i].times && !p->m->nprocesses) ||
		    (plot_chart[i].latency && !p->m->records[TRACE_LATENCY]) ||
		    (plot_chart[i].stages && !p->m->records[TRACE_STAGES]))
			continue;
		if (plot_chart[i].intervals && !p->intervals->n)
			doc_note(d, "%s: there are no pieces of time.", plot_chart[i].name);
		else if (!chart(p, &plot_chart[i]))
			break;
	}
	return 0;
}
