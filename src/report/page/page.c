// SPDX-License-Identifier: BSD-2-Clause
/* The page: its head, and its sections in order. */
#include "page.h"

#include "report/base/html.h"
#include "report/stacks/flamegraph.h"

static const char style[] =
#include "page_css.h"
	;

static const char sort[] =
#include "sort_js.h"
	;

/* The page may use only this. */
static const char policy[] =
	"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; script-src "
#include "flamegraph_js_hash.h"
	" "
#include "sort_js_hash.h"
	"; style-src "
#include "flamegraph_css_hash.h"
	" "
#include "page_css_hash.h"
	;

/* there: NULL: in each page, if only to say that there is nothing. */
static const struct {
	const char *id, *title;
	page_section_fn *write;
	bool (*there)(const struct page *p);
} sections[] = {
	{ "time", "Where the CPU time went", page_time, NULL },
	{ "charts", "Charts", page_charts, NULL },
	{ "inside", "Where it goes inside", page_inside, NULL },
	{ "rx", "Inside RX softirq, exact", page_rx, NULL },
	{ "costs", "Unit costs and calls", page_costs, NULL },
	{ "latency", "For how long packets waited", page_latency, NULL },
	{ "tail", "What the slowest packets waited for", page_tail, page_has_tail },
	{ "stages", "Packets' ways, from stage to stage", page_stages, page_has_stages },
	{ "interfaces", "Interfaces", page_interfaces, NULL },
	{ "energy", "Energy", page_energy, NULL },
	{ "flame", "Flame graph", page_flamegraph, NULL },
	{ "functions", "Functions", page_functions, NULL },
	{ "tasks", "Processes and tasks", page_tasks, NULL },
	{ "cgroups", "Cgroups", page_cgroups, NULL },
	{ "owners", "Received packets: who pays", page_owners, NULL },
	{ "cpus", "CPUs", page_cpus, NULL },
	{ "timeline", "Timeline", page_timeline, NULL },
	{ "accuracy", "Accuracy", page_accuracy, NULL },
	{ "recording", "The recording itself", page_recording, NULL },
	{ "probes", "Probes", page_probes, NULL },
	{ "sources", "Sources", page_sources, NULL },
};

#define NSECTIONS (sizeof(sections) / sizeof(*sections))

static bool is_there(const struct page *p, size_t i)
{
	return !sections[i].there || sections[i].there(p);
}

static void head(const struct page *p)
{
	fprintf(p->out,
		"<!DOCTYPE html>\n"
		"<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n<title>",
		policy);
	html_printf(p->out, "%s - netcost", PART_TITLE(p->part));
	fprintf(p->out, "</title>\n<style>%s</style>\n</head>\n<body>\n", style);
}

static void heading(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);

	fputs("<header>\n<p class=\"kind\">netcost: what networking costs in CPU time</p>\n<h1>",
	      p->out);
	html_text(p->out, PART_TITLE(p->part));
	fputs("</h1>\n", p->out);
	page_alerts(p, &d);
	page_host(p, &d);
	doc_end(&d);
	fputs("</header>\n<nav aria-label=\"sections\"><ul>\n", p->out);
	for (size_t i = 0; i < NSECTIONS; i++)
		if (is_there(p, i))
			fprintf(p->out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
				sections[i].title);
	fputs("</ul></nav>\n<main>\n", p->out);
}

static int section(const struct page *p, size_t i)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);
	int err;

	fprintf(p->out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", sections[i].id,
		sections[i].id, sections[i].title);
	err = sections[i].write(p, &d);
	doc_end(&d);
	fputs("</section>\n", p->out);
	return err;
}

bool page_write(const struct page *p)
{
	int err = 0;

	head(p);
	heading(p);
	for (size_t i = 0; !err && i < NSECTIONS; i++)
		err = is_there(p, i) ? section(p, i) : 0;
	fputs("</main>\n<footer>A dash is what was not measured. Intervals (±) are of 95 %.</footer>\n",
	      p->out);
	if (p->m->nprocesses)
		fprintf(p->out, "<script>%s</script>\n", sort);
	fputs("</body>\n</html>\n", p->out);
	return !err;
}
